// A naive twin of the rules: sets of items in place of clocks, one entry a unit of memory in place of ranges. It shares
// no text with spec/rules, so what the rules permit can be held against it, in both directions.
//
// Everything is bounded: at most 64 items, a handful of streams, events, pools and units of memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace streampool::model::explorer {

using Items = std::uint64_t;  // a set, one bit an item
inline constexpr std::size_t most_items = 60;
inline constexpr std::size_t memory_units = 6;
inline constexpr std::size_t nobody = SIZE_MAX;

struct TwinStream {
  bool legacy = false, blocking = false;
  Items program = 0, runtime = 0;  // what the next item comes after
  std::vector<std::size_t> items{};
  std::size_t begun = 0, ended = 0;  // how many of them
};
struct TwinEvent {
  Items program = 0, runtime = 0;
  std::optional<std::size_t> item{};
};
struct TwinBlock {
  std::size_t pool = nobody;
  std::size_t stream = 0;
  std::optional<std::size_t> item{};  // none: memory from outside the pools
  std::size_t base = 0, size = 0;
  Items uses = 0;
  bool freed = false, synchronous = false;
  std::size_t free_stream = 0, free_item = 0;
  Items free_cut = 0;
};
struct TwinPool {
  bool destroyed = false;
  std::array<bool, 3> switches{true, true, true};
  std::uint64_t threshold = 0, max_size = 0, reserved = 0, reserved_high = 0, used = 0, used_high = 0;
  Items released = 0;
};

// All operations are total; whether one is permitted is asked first.
struct Twin {
  std::vector<TwinStream> streams{};
  std::vector<TwinEvent> events{};
  std::vector<TwinBlock> blocks{};
  std::vector<TwinPool> pools{};
  std::array<std::size_t, memory_units> newest{}, backed{};  // block; pool
  std::vector<Items> waits{};                                // of each item: what the device waits for
  Items gated = 0, ended = 0;
  bool gate_closed = true;
  Items program_proved = 0, runtime_proved = 0, observed = 0;
  Items accepted = 0;  // what an observer takes for proved besides: a sync of legacy and the blocking streams' items

  Twin() {
    newest.fill(nobody);
    backed.fill(nobody);
  }

  static bool within(Items inner, Items outer) { return (inner & ~outer) == 0; }
  static Items one(std::size_t item) { return Items{1} << item; }

  // Order.
  std::size_t submit(std::size_t s);
  void record(std::size_t e, std::size_t s);
  void wait(std::size_t s, std::size_t e);
  void hold(std::size_t s);
  void prove(Items program, Items runtime);
  void accept_blocking();
  [[nodiscard]] bool idle(std::size_t s) const { return streams[s].ended == streams[s].items.size(); }
  [[nodiscard]] bool all_idle() const;
  [[nodiscard]] bool recorded_ended(std::size_t e) const;
  [[nodiscard]] Items all() const { return waits.empty() ? 0 : (Items{1} << waits.size()) - 1; }
  [[nodiscard]] bool held(Items cut) const { return gate_closed && (cut & gated) != 0; }

  // The device.
  [[nodiscard]] bool may_begin(std::size_t s) const;
  [[nodiscard]] bool may_end(std::size_t s) const;
  void end(std::size_t s);

  // Memory. `next`: what the item of the request comes after in runtime order.
  [[nodiscard]] Items reach_of_next(std::size_t s) const;
  enum class Reuse : std::uint8_t { lawful, live, unsafe, against_policy };
  [[nodiscard]] Reuse reuse(std::size_t p, std::size_t s, std::size_t y, Items waited, bool observer) const;
  [[nodiscard]] Reuse plain_reuse(std::size_t y, bool observer) const;
  [[nodiscard]] bool free_ended(std::size_t y) const {
    return blocks[y].freed && (blocks[y].synchronous || (ended & one(blocks[y].free_item)) != 0);
  }
  [[nodiscard]] bool quiet(std::size_t y) const { return y == nobody || free_ended(y); }
  void take(std::size_t p, std::size_t s, std::size_t base, std::size_t size, Items waited);
  void take_plain(std::size_t base, std::size_t size);
  void free(std::size_t s, std::size_t y);
  void free_now(std::size_t y);
  void back(std::size_t p, std::size_t base, std::size_t size);
  void give_back(std::size_t p, std::size_t base, std::size_t size);

  // The program.
  [[nodiscard]] bool may_use(std::size_t s, std::size_t y) const;   // s: its newest item
  [[nodiscard]] bool may_free(std::size_t s, std::size_t y) const;  // likewise
  [[nodiscard]] bool may_free_now(std::size_t y) const;

 private:
  void set_used(TwinPool& pool, std::uint64_t used);
  void set_reserved(TwinPool& pool, std::uint64_t reserved);
  void drop(std::size_t y);
};

}  // namespace streampool::model::explorer
