// Turns operations into the lines of a history, online: each line is run and judged before the next is written.
//
// It knows what exists, what is live and, by program order, what may be used or freed where; so no line is a program
// fault. Misuse is written only where the profile names its status. A call that a closed gate would hold is never
// written: the gate is opened first. Not thread safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/generate/operation.hpp"
#include "conformance/generate/shapes.hpp"
#include "model/history/history.hpp"
#include "model/monitor/judge.hpp"
#include "model/monitor/timeline.hpp"
#include "model/profile/profile.hpp"

namespace streampool::generate {

// What the runtime under test is and offers.
struct Setting {
  const model::Profile& profile;
  std::uint64_t capabilities = 0;         // STREAMPOOL_CAP_*
  std::uint64_t granule = 0;              // bytes
  std::uint64_t everything = UINT64_MAX;  // a threshold that keeps all a pool can have, in bytes
};

// Does the profile say what comes of it, without harm to a runtime that keeps to the profile?
[[nodiscard]] inline bool named(const model::Parameter<model::StatusRule>& rule) {
  return rule.binds() && rule.value.kind != model::StatusRule::Kind::not_detected;
}

class Writer {
 public:
  Writer(const Setting& setting, history::NameTable& names);

  // The objects that every random history begins with.
  void begin();
  // Queues the lines of an operation; none where it does not apply.
  void write(const Operation& operation);
  // The next line to run; nothing: the operation is done. Opens gates that would hold it first.
  [[nodiscard]] std::optional<history::Line> next(const model::Judge& judge);
  // What came of the line that `next` gave last.
  void observe(const history::Line& line);

  [[nodiscard]] const Shapes& shapes() const { return shapes_; }

 private:
  using Call = history::Call;
  using Name = history::Name;
  using Stream = model::Stream;

  struct StreamRow {
    Name name;
    Stream id;
    std::uint64_t handle;
  };
  struct EventRow {
    Name name;
    model::Event id;
    std::uint64_t handle;
    unsigned records = 0;
  };
  struct GateRow {
    Name name;
    model::Gate id;
  };
  struct PoolRow {
    Name name;
    std::uint64_t handle;
    bool own;
  };
  struct Block {
    Name name;
    std::uint64_t address, size;
    Name pool;  // none: plain
    model::Item item;
    std::vector<model::Item> uses;
    std::uint8_t byte = 0;  // of the newest fill
  };
  struct Dead {
    Name name;
    std::uint64_t handle;
  };
  struct PendingFree {
    Name pool;
    model::Item item;
  };

  static constexpr std::size_t most_streams = 6, most_events = 6, most_gates = 3, most_pools = 4, most_blocks = 24;

  [[nodiscard]] Name fresh(std::string_view prefix);
  Call& add(history::Op op);
  template <class Row>
  [[nodiscard]] static Row* pick(std::vector<Row>& rows, std::uint32_t operand) {
    return rows.empty() ? nullptr : &rows[operand % rows.size()];
  }
  [[nodiscard]] std::uint64_t size_of(std::uint32_t operand) const;
  [[nodiscard]] Stream stream_id(Name name) const;
  [[nodiscard]] bool ordered(const Block& block, Stream s) const;  // s comes after the allocation and every use
  [[nodiscard]] bool reached(const model::Item& item, Stream s) const;
  [[nodiscard]] bool proved(const Block& block) const;
  [[nodiscard]] std::optional<Name> usable_stream(const Block& block, std::uint32_t operand, bool all_uses) const;
  [[nodiscard]] Name any_stream(std::uint32_t operand) const;
  [[nodiscard]] Name holder(const model::Judge& judge, const Call& call) const;
  [[nodiscard]] bool offers(const Call& call) const;
  // The profile says that the call succeeds.
  [[nodiscard]] static bool served(const model::Parameter<model::StatusRule>& rule);

  void write_order(const Operation& operation);
  void write_pool(const Operation& operation);
  void write_memory(const Operation& operation);
  void write_misuse(const Operation& operation);
  void write_situation(const Operation& operation);
  void read_behind(const Operation& operation);
  // situations.cpp
  void write_reuse_attempt(const Operation& operation);
  void write_overlapped_sync(const Operation& operation);
  void write_overlapped_plain(const Operation& operation);
  void write_demand(const Operation& operation);
  void write_too_big(const Operation& operation);
  void write_stream_rebirth(const Operation& operation);
  void add_get(Name pool, history::Attribute attribute);
  void add_set(Name pool, history::Attribute attribute, std::uint64_t value);
  void add_hold(Name stream);
  void add_event(history::Op op, Name event, Name stream);
  model::Item allocated(const Call& call);
  void freed(const Block& block, const Call& call);
  void use(const Call& call, const history::Pointer& pointer, const model::Item& item);
  void made(const Call& call, const history::Result& result);
  void count_shapes(const Call& call, const history::Result& result);
  [[nodiscard]] bool near_granule(std::uint64_t bytes) const;
  void ended(const Call& call);

  const Setting setting_;
  history::NameTable& names_;
  // Its runtime order is what a runtime may make of it: see `holder`.
  model::Timeline timeline_;
  std::vector<StreamRow> streams_;
  std::vector<EventRow> events_;
  std::vector<GateRow> gates_;
  std::vector<PoolRow> pools_;
  std::vector<Block> live_;
  std::vector<Block> freed_;          // the newest few
  std::vector<PendingFree> pending_;  // the newest of each pool and stream
  std::vector<Dead> dead_streams_, dead_events_, dead_pools_;
  std::vector<Call> queue_;
  std::size_t next_ = 0;
  std::optional<std::size_t> overlapped_;  // the call of the queue that another thread makes; it ends behind all others
  std::optional<Stream> legacy_, per_thread_;
  Name default_pool_ = Name::none;
  unsigned counter_ = 0;
  std::optional<Stream> newest_free_stream_;  // of the newest free on a foreign stream …
  model::Position newest_free_ = 0;           // … and its position
  Shapes shapes_;
};

}  // namespace streampool::generate
