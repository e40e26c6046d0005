// The pools an observer knows: attributes, and bounds on what their statistics may read (chapters ATTR, STAT, RELEASE,
// CAP).
//
// A statistic is never guessed: it lies between two bounds, each with the clause that a reading beyond it breaks. Calls
// move the bounds, a reading makes them meet. All values are bytes. Not thread safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/history/history.hpp"
#include "model/monitor/memory.hpp"
#include "model/monitor/timeline.hpp"
#include "spec/clauses.hpp"

namespace streampool::model {

inline constexpr std::uint64_t no_bound = UINT64_MAX;
// A sum of what may be without bound.
constexpr std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > no_bound - b ? no_bound : a + b; }

// low <= value <= high.
struct Bounds {
  std::uint64_t low = 0, high = no_bound;
  spec::ClauseId below{}, above{};  // what a reading outside breaks
  void exact(std::uint64_t value) { low = high = value; }
  // Narrows, where it does; a reading outside then breaks `clause`.
  void at_least(std::uint64_t value, spec::ClauseId clause) {
    if (value > low) low = value, below = clause;
  }
  void at_most(std::uint64_t value, spec::ClauseId clause) {
    if (value < high) high = value, above = clause;
  }
};

// What is known of one attribute's value.
struct Known {
  enum class Origin : std::uint8_t { by_default, set, read };
  std::optional<std::uint64_t> value;
  Origin origin = Origin::by_default;
  bool refused_set = false;  // a set failed since the value was last confirmed
};

// A moment at which the pool could lawfully give memory back (semantics section 4, rule 2b).
struct ReleasePoint {
  std::uint64_t epoch = 0;
  std::uint64_t hold_revision = 0;
  std::vector<Item> held;  // per stream the first item that a closed gate held then
};

// The granules that live allocations touch, counted without walking them: two live allocations share at most their
// border granules.
class TouchedGranules {
 public:
  void add(std::uint64_t begin, std::uint64_t end, std::uint64_t granule) { change(begin, end, granule, 1); }
  void remove(std::uint64_t begin, std::uint64_t end, std::uint64_t granule) { change(begin, end, granule, -1); }
  [[nodiscard]] std::uint64_t count() const { return inner_ + border_.size(); }

 private:
  void change(std::uint64_t begin, std::uint64_t end, std::uint64_t granule, int by);
  std::uint64_t inner_ = 0;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> border_;
};

// A sum whose terms may be without bound.
class GrantedSum {
 public:
  void add(std::uint64_t bytes) { bytes == no_bound ? ++boundless_ : sum_ += bytes; }
  void remove(std::uint64_t bytes) { bytes == no_bound ? --boundless_ : sum_ -= bytes; }
  [[nodiscard]] std::uint64_t total() const { return boundless_ > 0 ? no_bound : sum_; }

 private:
  std::uint64_t sum_ = 0, boundless_ = 0;
};

struct Pool {
  history::Name name = history::Name::none;
  std::uint32_t device = 0;
  bool own = true;  // made by the program; a default pool's values are not assumed
  bool is_default = false;
  bool alive = true;                      // the handle is good
  bool ended = false;                     // destroyed, and its memory must be the device's again
  std::optional<std::uint64_t> max_size;  // nothing: no limit of its own
  std::optional<std::uint64_t> capacity;  // max_size rounded up to its unit, where that is known

  std::array<Known, 5> attributes;  // by id 1 … 4

  std::uint64_t live_low = 0;     // used: requested bytes of live allocations
  GrantedSum live_high;           // … and granted ones, at most
  std::uint64_t live_ranges = 0;  // bytes of live ranges with their padding
  GrantedSum pending;             // granted bytes of frees that are not proved, at most
  std::uint64_t unproved_frees = 0;
  std::optional<Bounds> base;  // used bytes that are not the program's; nothing before the first reading
  Bounds used_high, reserved, reserved_high;
  bool used_high_zeroed = false, reserved_high_zeroed = false;  // a reset stored 0, and nothing has raised it since
  std::optional<std::uint64_t> least_since_reset;               // of what reserved read, in bytes
  std::optional<std::uint64_t> should_high;                     // reserved: what a *should* asks for
  spec::ClauseId should_clause{};
  TouchedGranules touched;

  std::optional<std::uint64_t> reading;     // the last reserved that was read
  std::uint64_t granted_since_reading = 0;  // bytes
  bool reading_holds = false;               // no malloc of the pool since `reading`
  std::uint64_t met = 0;  // bytes of granules that blocks were seen in and that are still reserved, at least
  std::uint64_t reading_epoch = 0;
  std::uint64_t epoch = 0;
  std::vector<ReleasePoint> points;

  // Calls on this pool that may move a statistic, and calls that were refused; with what they were when each statistic
  // was last read. Tells which clause a wrong reading breaks.
  struct Activity {
    std::uint64_t moves = 0, used_moves = 0, refusals = 0;
    std::uint64_t all_moves = 0;                  // of all pools
    std::uint64_t sets = 0;                       // of any attribute of any pool
    std::uint64_t faults = 0;                     // failures that the history asked for and any call reported
    std::array<std::uint64_t, 9> refused_sets{};  // by attribute id
  };
  Activity activity;
  std::array<std::optional<Activity>, 9> at_reading;  // by attribute id 5 … 8; nothing before the first reading

  bool failed_by_fault = false;  // its newest malloc failed as the history asked for
  bool served_current = false;   // a malloc without a pool was served since used was last read

  // Idle blocks for REUSE-IDLE-OWN-STREAM, by size: those that `idle_stream` has freed since another one freed last.
  absl::flat_hash_map<std::uint64_t, std::uint32_t> idle;
  std::optional<Stream> idle_stream;

  // Of a pool with a max_size: what it may reserve in any case.
  [[nodiscard]] std::uint64_t smallest_capacity() const { return capacity.value_or(*max_size); }
  [[nodiscard]] std::optional<std::uint64_t> attribute(history::Attribute id) const {
    return attributes[static_cast<std::size_t>(id)].value;
  }
  // used_mem_current lies between these; only where `base` is known.
  [[nodiscard]] std::uint64_t used_low() const { return base ? base->low + live_low : live_low; }
  [[nodiscard]] std::uint64_t used_high_bound(bool pending_counts) const {
    if (!base) return no_bound;
    const std::uint64_t live = live_high.total(), freed = pending_counts ? pending.total() : 0;
    return live == no_bound || freed == no_bound ? no_bound : base->high + live + freed;
  }
  // Does some release point after `free_epoch` explain that the bytes of a free of that time were given back?
  [[nodiscard]] bool released(std::uint64_t free_epoch, const Item& free) const;
  [[nodiscard]] bool points_since(std::uint64_t free_epoch) const;
  void add_release_point(const Timeline& timeline);
  // reserved read `value`: points since the last reading that gave nothing back are forgotten.
  void settle_release_points(std::uint64_t value);
};

}  // namespace streampool::model
