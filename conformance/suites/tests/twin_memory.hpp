// Memory of a twin: pools, blocks, statistics. One address space; each pool has a window of its own, plain memory too.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "conformance/suites/tests/twin_device.hpp"
#include "model/values/range_map.hpp"

namespace streampool::suites::twins {

using history::Attribute;
using PoolIndex = std::size_t;

inline constexpr std::uint64_t granule = std::uint64_t{2} << 20;
inline constexpr std::uint64_t alignment = 256;
inline constexpr std::uint64_t memory_size = std::uint64_t{1} << 40;
inline constexpr PoolIndex plain_pool = 0, default_pool = 1;

// A free: who freed, where.
struct Mark {
  bool sync = false;
  bool lost = false;  // fault free_lost_between_threads
  Stream stream = 0, allocated_on = 0;
  std::uint64_t position = 0;
  std::array<std::uint64_t, 5> switches{};  // of the pool, at the free
  PoolIndex pool = 0;
};

struct Segment {
  std::uint64_t end = 0;
  bool live = false;
  std::size_t block = 0;
  Mark mark;                  // free ones
  std::optional<Mark> first;  // fault first_label_stays
};

struct Block {
  std::uint64_t begin = 0, size = 0, end = 0;
  bool live = true, reused = false;
  PoolIndex pool = 0;
  Stream stream = 0;
  std::vector<Mark> over;  // the frees that it lies over
  std::thread::id thread{};
};

struct PoolState {
  bool alive = true;
  std::uint32_t device = 0;
  std::uint64_t handle = 0, max_size = 0;
  std::uint64_t base = 0;
  std::array<std::uint64_t, 5> settings{0, 1, 1, 1, 0};  // by attribute id
  std::array<std::uint64_t, 5> frozen{0, 1, 1, 1, 0};
  std::uint64_t threshold_at_malloc = 0;
  std::uint64_t used = 0, used_high = 0, reserved_high = 0, last_used_read = 0;
  std::uint64_t pending_used = 0;  // fault used_high_counts_pending
  std::uint64_t extra_reserved = 0;
  std::set<std::uint64_t> backed;  // granules by number
  bool high_frozen = false, trimmed_pending = false;
  [[nodiscard]] std::uint64_t reserved() const { return backed.size() * granule + extra_reserved; }
};

enum class Outcome : std::uint8_t { served, does_not_fit, overflows };
struct Grant {
  Outcome outcome = Outcome::served;
  std::uint64_t address = 0;
  Cut waits;  // what the allocation's item waits for
};

class Memory {
 public:
  Memory(const Twin& twin, Device& device);

  PoolIndex add_pool(std::uint64_t max_size, std::uint64_t handle, const PoolState* inherit);
  [[nodiscard]] PoolState& pool(PoolIndex p) { return pools_[p]; }
  [[nodiscard]] std::size_t pools() const { return pools_.size(); }

  // The switches and the streams rule the choice; s is no stream for plain memory.
  [[nodiscard]] Grant allocate(PoolIndex p, std::uint64_t size, Stream s);
  // The live block that begins at, or holds, the address.
  [[nodiscard]] Block* starting_at(std::uint64_t address);
  [[nodiscard]] Block* holding(std::uint64_t address);
  [[nodiscard]] bool was_freed(std::uint64_t address) const { return freed_starts_.contains(address); }
  [[nodiscard]] bool free_pending(std::uint64_t address);
  void release_block(Block& block, const Mark& mark);
  void free_blocks_of(Stream s);
  // A second free that is refused and yet counted.
  void miscount_free(std::uint64_t address);
  [[nodiscard]] bool reused_from(Stream s) const;

  // A call at which idle memory above the threshold goes back.
  void release_point(std::uint32_t device);
  void trim(PoolIndex p, std::uint64_t keep);
  void destroy(PoolIndex p);

  [[nodiscard]] bool pending(PoolIndex p) const;
  [[nodiscard]] bool live(PoolIndex p) const;
  [[nodiscard]] std::uint64_t used(PoolIndex p);
  [[nodiscard]] std::uint64_t reserved(PoolIndex p);
  [[nodiscard]] std::uint64_t free_device_memory(std::uint32_t device) const;
  void note_used(PoolIndex p);
  void note_reserved(PoolIndex p);

  void fill(std::uint64_t begin, std::uint64_t end, std::uint8_t value);
  [[nodiscard]] bool holds(std::uint64_t begin, std::uint64_t end, std::uint8_t value);
  void lose(std::uint64_t begin, std::uint64_t end) { content_.erase(begin, end); }
  void lose_pool(PoolIndex p) { lose(pools_[p].base, pools_[p].base + window); }

  std::array<std::uint64_t, 2> limit{memory_size, memory_size};  // by device
  std::uint64_t fail_reserve = 0, fail_map = 0;                  // the n-th from now; 0: none
  bool stuck = false;                                            // fault fault_sticks
  std::uint64_t leaked = 0;

 private:
  static constexpr std::uint64_t window = std::uint64_t{1} << 44;

  using Segments = std::map<std::uint64_t, Segment>;
  [[nodiscard]] bool may_reuse(const Mark& mark, PoolIndex p, Stream s, bool internal);
  [[nodiscard]] std::optional<std::uint64_t> find_idle(PoolIndex p, PoolIndex from, std::uint64_t range, Stream s,
                                                       bool internal);
  [[nodiscard]] bool run_is_idle(PoolIndex p, std::uint64_t begin, std::uint64_t end, Stream s, bool internal);
  [[nodiscard]] std::optional<std::uint64_t> grow(PoolIndex p, std::uint64_t range);
  [[nodiscard]] std::uint64_t missing(const PoolState& pool, std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::uint64_t capacity(PoolIndex p) const;
  void take(PoolIndex p, std::uint64_t begin, std::uint64_t size, Stream s, Grant& grant, bool internal);
  void cut_out(std::uint64_t begin, std::uint64_t end);
  // Gives back idle granules from the top while at least `floor` bytes stay.
  void give_back(PoolIndex p, std::uint64_t floor, bool pending_too, bool live_too);
  [[nodiscard]] bool granule_is_idle(std::uint64_t number, bool pending_too, bool live_too);
  [[nodiscard]] bool mark_done(const Mark& mark) const;
  [[nodiscard]] bool known_done(const Mark& mark) const;  // as the pool sees it when it gives back

  const Twin& twin_;
  Device& device_;
  std::vector<PoolState> pools_;
  std::vector<Block> blocks_;
  Segments segments_;
  std::set<std::uint64_t> freed_starts_;
  // Fault shares_physical_memory: what is written to `from` shows at `to`.
  struct Alias {
    std::uint64_t from, to, size;
  };
  std::vector<Alias> aliases_;
  model::RangeMap<std::uint8_t> content_;
};

}  // namespace streampool::suites::twins
