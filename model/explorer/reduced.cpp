#include "model/explorer/reduced.hpp"

#include <algorithm>
#include <array>

#include "model/history/signature.hpp"

namespace streampool::model::explorer {

using history::Op;

namespace {

// What a call names.
struct Names {
  bool stream = false, event = false, block = false, gate = false;
};
Names names_of(Op op) {
  static const auto table = [] {
    std::array<Names, history::op_count> all{};
    for (const history::Signature& signature : history::signatures()) {
      Names& names = all[static_cast<std::size_t>(signature.op)];
      for (const history::Parameter& parameter : signature.parameters()) {
        const auto kind = history::name_kind(parameter.field);
        names.stream |= kind == history::NameKind::stream;
        names.event |= kind == history::NameKind::event;
        names.block |= kind == history::NameKind::allocation;
        names.gate |= kind == history::NameKind::gate;
      }
    }
    return all;
  }();
  return table[static_cast<std::size_t>(op)];
}

constexpr bool proves(Op op) { return op == Op::stream_sync || op == Op::event_sync; }
constexpr bool is_memory(Op op) { return op == Op::malloc || op == Op::free; }

}  // namespace

bool commute(const Move& first, const Move& second) {
  // What is proved comes before everything later; whatever is submitted behind an open gate may have ended.
  if (proves(first.op) || proves(second.op)) return proves(first.op) && proves(second.op);
  if (first.op == Op::gate_open || second.op == Op::gate_open) return false;
  if (first.stream == second.stream) return false;
  // What a malloc gets depends on what is live and what is free.
  if (is_memory(first.op) && is_memory(second.op)) return first.op == Op::free && second.op == Op::free;
  const Names a = names_of(first.op), b = names_of(second.op);
  if (a.event && b.event && first.event == second.event) return false;
  return !(a.block && b.block && first.block == second.block);
}

Program renamed(Program program) {
  using Given = std::array<std::uint8_t, 16>;  // index + 1 by old name; 0: not yet
  Given streams{}, events{}, blocks{}, gates{};
  std::array<std::uint8_t, 4> next{};
  const auto rename = [](Given& given, std::uint8_t& counter, std::uint8_t& name) {
    if (given[name] == 0) given[name] = ++counter;
    name = static_cast<std::uint8_t>(given[name] - 1);
  };
  for (Move& move : program) {
    const Names names = names_of(move.op);
    if (names.stream) rename(streams, next[0], move.stream);
    if (names.event) rename(events, next[1], move.event);
    if (names.block) rename(blocks, next[2], move.block);
    if (names.gate) rename(gates, next[3], move.gate);
  }
  return program;
}

bool comes_later(std::span<const Move> program) {
  const std::size_t n = program.size();
  if (n < 2 || !commute(program[n - 2], program[n - 1])) return false;
  Program other(program.begin(), program.end());
  std::swap(other[n - 2], other[n - 1]);
  return std::ranges::lexicographical_compare(renamed(std::move(other)), program);
}

unsigned calls_wanted(std::span<const Move> program) {
  constexpr unsigned never = 1000;
  std::array<bool, 16> recorded{}, waiting{};  // events that nobody waited for; streams with no work behind a wait
  unsigned live = 0;
  bool freed = false;
  for (const Move& move : program) {
    const Names names = names_of(move.op);
    if (names.stream) waiting[move.stream] = move.op == Op::stream_wait_event || move.op == Op::gate_hold;
    if (move.op == Op::event_record && recorded[move.event]) return never;  // nobody will wait for the one before
    if (names.event) recorded[move.event] = move.op == Op::event_record;
    if (move.op == Op::malloc) ++live;
    if (move.op == Op::free) --live, freed = true;
  }
  const auto count = [](const auto& flags) { return static_cast<unsigned>(std::ranges::count(flags, true)); };
  const unsigned consumers = count(recorded), streams = count(waiting);
  const bool ended = freed && program.back().op == Op::malloc && consumers == 0 && streams == 0;
  if (ended) return 0;
  const unsigned memory = freed ? 1 : live > 0 ? 2 : 3;  // a malloc, before it a free, before that a malloc
  return consumers + std::max(memory, streams);
}

}  // namespace streampool::model::explorer
