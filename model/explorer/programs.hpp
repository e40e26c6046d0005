// Every small program, once: sequences of calls up to renaming of streams, events, blocks and gates.
//
// Names are given in the order of first use, so of all programs that differ only in names exactly one is visited. Left
// out is what says nothing: a wait on or a synchronization with an event that was never recorded, a synchronization of
// a stream without items, and whatever the program may not do (chapter PROGRAM). Every prefix of a program is a
// program.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/history/history.hpp"
#include "model/values/concrete.hpp"
#include "spec/rules/order.hpp"

namespace streampool::model::explorer {

// What programs may consist of. Always: malloc, free, record, wait, stream_sync.
struct Scope {
  unsigned streams = 2, events = 1;
  unsigned blocks = 2;  // live at a time
  unsigned gates = 0;   // with gate_hold and gate_open
  unsigned calls = 5;
  bool uses = false;         // launch
  bool event_syncs = false;  // event_sync
  // Only programs in which every call matters, once up to the order of calls that commute (reduced.hpp).
  bool reduced = false;
};

// One call; the operands count from 0 in the order of first use. Blocks count mallocs.
struct Move {
  history::Op op{};
  std::uint8_t stream = 0, event = 0, block = 0, gate = 0;
  auto operator<=>(const Move&) const = default;
};
using Program = std::vector<Move>;

// Does some malloc come after a free? Only then can memory be handed out again.
[[nodiscard]] bool may_reuse(std::span<const Move> program);

// Visits every program of exactly `scope.calls` calls that begins with `prefix`, in a fixed order, until `visit`
// answers false.
void each_program(const Scope& scope, std::span<const Move> prefix,
                  const std::function<bool(std::span<const Move>)>& visit);

// All beginnings of `length` calls that programs of the scope may have, in the same order.
[[nodiscard]] std::vector<Program> beginnings(const Scope& scope, unsigned length);

// The names that programs use in histories, and the calls that their moves stand for.
class Vocabulary {
 public:
  explicit Vocabulary(history::NameTable& names) : names_(names), pool_(names.intern("p")) {}
  // Which switches the pool has and how it is set up: the lines before a program. The threshold is at its maximum and
  // there is no max_size, so that nothing is given back on the way.
  [[nodiscard]] std::vector<history::Call> setup(const Scope& scope, unsigned switches);
  [[nodiscard]] history::Call call(const Move& move, std::uint64_t size);
  [[nodiscard]] history::Name pool() const { return pool_; }
  [[nodiscard]] history::Name stream(unsigned index) { return name("s", index); }
  [[nodiscard]] history::Name event(unsigned index) { return name("e", index); }
  [[nodiscard]] history::Name gate(unsigned index) { return name("g", first_gate_ + index); }
  // Blocks and gates of one program after another have names of their own.
  [[nodiscard]] history::Name block(unsigned index) { return name("x", first_block_ + index); }
  void next_program() {
    first_block_ += most_named;
    first_gate_ += most_named;
  }

 private:
  [[nodiscard]] history::Name name(const char* prefix, unsigned index);
  history::NameTable& names_;
  history::Name pool_;
  static constexpr unsigned most_named = 16;  // blocks or gates of one program
  unsigned first_block_ = 0, first_gate_ = 0;
};

}  // namespace streampool::model::explorer
