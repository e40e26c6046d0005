// Statistics, release, trim and capacity (chapters STAT, RELEASE, CAP). All values are bytes.
#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "model/monitor/monitor.hpp"
#include "spec/rules/release.hpp"
#include "spec/rules/statistics.hpp"

namespace streampool::model {

using namespace spec::literals;
using history::Attribute;

template <class Bytes>
std::uint64_t Monitor::of_held_frees(PoolId pool, Bytes&& of) const {
  if (!timeline_.any_hold()) return 0;
  std::uint64_t bytes = 0;
  for (std::size_t s = 0; s < pending_.size(); ++s) {
    const auto& frees = pending_[s].frees;
    for (std::size_t i = frees.size(); i-- > pending_[s].first;) {
      const PendingFree& free = frees[i];
      if (!timeline_.held_in_program_order({static_cast<Stream>(s), free.position})) break;
      if (free.pool != pool || !memory_.exists(free.block) || memory_.get(free.block).live) continue;
      bytes += of(memory_.get(free.block));
    }
  }
  return bytes;
}

std::uint64_t Monitor::held_reserved(PoolId pool) const {
  return of_held_frees(
      pool, [&](const Block& block) { return padding_is_backed() ? block.left : std::min(block.left, block.size); });
}

// Of a block that was handed out again in part nobody can say what the runtime's own units leave of it.
std::uint64_t Monitor::held_used(PoolId pool) const {
  return of_held_frees(pool,
                       [](const Block& block) { return block.left == block.end - block.address ? block.size : 0; });
}

// Watermarks and the used bound
// --------------------------------------------------------------------------------------------

void Monitor::used_changed(Pool& pool, bool rose) {
  ++pool.activity.moves;
  ++pool.activity.used_moves;
  if (rose) pool.used_high_zeroed = false;
  if (!pool.base) {
    if (rose) pool.used_high.high = no_bound;
    return;
  }
  const std::uint64_t low = pool.used_low(), high = pool.used_high_bound(pending_counts());
  // A fall leaves the watermark as it is, even one that a reset has put to 0.
  if (rose) pool.used_high.at_least(low, "STAT-USED-HIGH"_clause);
  if (high > pool.used_high.high) {
    pool.used_high.high = high;
    pool.used_high.above = "STAT-USED-HIGH"_clause;
  }
}

void Monitor::reset_watermark(Pool& pool, Attribute attribute) {
  const bool used = attribute == Attribute::used_mem_high;
  Bounds& high = used ? pool.used_high : pool.reserved_high;
  const auto& stores = profile_.watermark_reset;
  const bool known_used = !used || pool.base.has_value();
  const std::uint64_t low = used ? pool.used_low() : pool.reserved.low;
  const std::uint64_t top = used ? pool.used_high_bound(pending_counts()) : pool.reserved.high;
  const bool takes_current = stores.value == WatermarkReset::current;
  (used ? pool.used_high_zeroed : pool.reserved_high_zeroed) = !stores.binds() || !takes_current;
  if (!used) pool.least_since_reset.reset();
  high.low = stores.binds() && known_used ? spec::reset_watermark<Concrete>(low, takes_current) : 0;
  high.high = stores.binds() && !takes_current ? 0 : top;
  high.below = high.above = attribute_clause("ATTR-RESET"_family, static_cast<int>(attribute));
  ++pool.activity.moves;
  ++pool.activity.used_moves;
}

// Release
// ------------------------------------------------------------------------------------------------------------------

void Monitor::release_from(Pool& pool, std::uint64_t floor, spec::ClauseId floor_clause,
                           std::optional<std::uint64_t> target, spec::ClauseId rest_clause) {
  ++pool.activity.moves;
  pool.add_release_point(timeline_);
  pool.idle.clear();
  // A destroyed pool owes nothing before its last allocation takes everything along (LIFE-POOL-GIVES-BACK).
  if (!target || !pool.alive) {
    pool.should_high.reset();
  } else if (program_alone(pool) && pool.unproved_frees == 0 && profile_.reserve_granule.binds()) {
    const std::uint64_t rest =
        spec::release_rest<Concrete>(*target, pool.reserved.high, pool.touched.count() * granule(), granule());
    const bool must = strict_ || (profile_.release_rest.binds() && profile_.release_rest.value == ReleaseRest::must);
    if (must) {
      pool.reserved.at_most(rest, rest_clause);
    } else {
      pool.should_high = std::min(rest, pool.should_high.value_or(no_bound));
      pool.should_clause = rest_clause;
    }
  }
  if (floor < pool.reserved.low || pool.reserved.below == "STAT-RESERVED-FALL"_clause)
    pool.reserved.below = floor_clause;
  pool.reserved.low = std::min(pool.reserved.low, floor);
}

void Monitor::release_point(std::uint32_t device, ReleaseCall kind, bool obliged) {
  const auto& calls = profile_.release_calls;
  if (calls.binds() && !calls.value.contains(kind)) return;
  if (!calls.binds()) obliged = false;  // it may be such a call
  if (obliged) memory_given_back(device);
  for (Pool& pool : pools_) {
    const bool must = obliged && pool.device == device;  // of others nobody says that they keep what idles
    if (kind == ReleaseCall::free && !(profile_.free_keeps_threshold.binds() && profile_.free_keeps_threshold.value)) {
      release_from(pool, 0, "STAT-RESERVED-MIN"_clause);
      continue;
    }
    const auto threshold = pool.attribute(Attribute::release_threshold);
    const std::uint64_t memory = environment_.memory != 0 && pool.device == 0 ? environment_.memory : no_bound;
    const std::uint64_t reserved = std::min(pool.reserved.high, memory);
    if (!threshold || !profile_.threshold_compares.binds()) {
      if (!threshold || *threshold < reserved) release_from(pool, 0, "STAT-RESERVED-MIN"_clause);
      continue;
    }
    const bool idle = profile_.threshold_compares.value == ThresholdCompares::idle;
    std::uint64_t slack = profile_.release_slack.value.bytes;
    if (profile_.release_slack.value.kind == Slack::Kind::granule) slack = granule();
    if (profile_.release_slack.value.kind == Slack::Kind::block || !profile_.release_slack.binds()) slack = no_bound;
    const std::uint64_t floor =
        spec::release_floor<Concrete>(*threshold, pool.reserved.low, pool.used_low(), idle, slack);
    const std::uint64_t target = idle ? add(pool.used_low(), *threshold) : *threshold;
    if (target >= reserved) {
      // Nothing may be given back here, so a fall from now on breaks the floor.
      pool.reserved.below = "RELEASE-THRESHOLD-FLOOR"_clause;
      ++pool.activity.moves;
      continue;
    }
    release_from(pool, floor, "RELEASE-THRESHOLD-FLOOR"_clause, must ? std::optional(target) : std::nullopt,
                 "RELEASE-THRESHOLD-REST"_clause);
  }
}

void Monitor::trim(const Context& c) {
  Pool& pool = pools_[entities_[static_cast<std::size_t>(c.call.pool)].index];
  const std::uint64_t keep = *c.call.size;
  if (profile_.trim_refusal.binds() && profile_.trim_refusal.value == TrimRefusal::never)
    require_ok("RELEASE-TRIM-OK"_clause, c);
  if (!c.ok()) {
    ++pool.activity.refusals;
    return;
  }
  const bool idle = profile_.trim_compares.value == ThresholdCompares::idle;
  const std::uint64_t target = idle ? add(pool.used_low(), keep) : keep;
  if (target >= pool.reserved.high) {
    // Reserved is at or below the target: nothing may change, so the bounds stay and a reading beyond them breaks the
    // no-op.
    pool.reserved.below = pool.reserved.above = "RELEASE-TRIM-NOOP"_clause;
    ++pool.activity.moves;
    return;
  }
  if (pool.unproved_frees > 0) verdicts_.count("RELEASE-TRIM-PENDING"_clause);
  const std::uint64_t slack = idle && profile_.release_slack.value.kind == Slack::Kind::block ? no_bound : 0;
  const std::uint64_t floor = !profile_.trim_compares.binds() ? 0
                              : idle
                                  ? spec::release_floor<Concrete>(keep, pool.reserved.low, pool.used_low(), true, slack)
                                  : spec::trim_floor<Concrete>(keep, pool.reserved.low);
  release_from(pool, floor, "RELEASE-TRIM-FLOOR"_clause, target, "RELEASE-TRIM-REST"_clause);
}

// Pressure and capacity
// ----------------------------------------------------------------------------------------------------

namespace {

// Bytes; how much a pool is believed to grow by at once, whatever it was asked for: on any device, and on a large one.
constexpr std::uint64_t usual_chunk = std::uint64_t{64} << 20, largest_chunk = std::uint64_t{1} << 30;

}  // namespace

bool Monitor::may_not_fit(const Pool* requester, std::uint64_t bytes, std::uint32_t device) const {
  if (armed_faults_ > 0) return true;
  const auto short_of = [&](std::uint64_t reserved, std::uint64_t granted, std::uint64_t limit) {
    return reserved == no_bound || spec::may_not_fit<Concrete>(reserved, granted, bytes, granule(), limit);
  };
  if (requester != nullptr && requester->max_size) {
    const std::uint64_t reserved = requester->reading.value_or(no_bound);
    if (short_of(reserved, requester->granted_since_reading, requester->smallest_capacity())) return true;
  }
  if (!limit_ || device != 0) return short_of_memory_;
  // A new pool's reserved is known where the profile says it, and stands for the reading that is missing.
  const auto last = [&](const Pool& pool) {
    if (pool.reading) return *pool.reading;
    return pool.own && profile_.new_pool_reserved.binds() ? profile_.new_pool_reserved.value.count : pool.reserved.high;
  };
  // Where nobody knows what was taken, only a limit below the device's memory can have been met.
  const bool believed = environment_.taken != no_bound || *limit_ < environment_.memory;
  std::uint64_t others = add(plain_backed_, believed ? environment_.taken : 0);
  for (const Pool& pool : pools_) {
    if (&pool == requester || pool.device != device) continue;
    others = add(others, std::min(pool.reserved.high, add(last(pool), pool.granted_since_reading)));
  }
  const std::uint64_t limit = Concrete::minus(*limit_, others);
  return requester != nullptr ? short_of(last(*requester), requester->granted_since_reading, limit)
                              : short_of(0, 0, limit);
}

std::uint64_t Monitor::grown_at_most(const Pool& pool, std::uint64_t size, bool fresh) const {
  const std::uint64_t twice = 2 * Concrete::round_up(size, granule());
  if (!fresh) return twice;
  const std::uint64_t share = environment_.memory != 0 ? environment_.memory / 8 : largest_chunk;
  const std::uint64_t chunk = std::clamp(share, usual_chunk, largest_chunk);
  const std::uint64_t before = add(pool.reading.value_or(0), pool.granted_since_reading);
  return std::max({twice, chunk, before});
}

bool Monitor::may_be_short(std::uint64_t bytes) const {
  if (may_not_fit(nullptr, bytes, 0)) return true;
  return std::ranges::any_of(pools_, [&](const Pool& pool) { return may_not_fit(&pool, bytes, pool.device); });
}

std::uint64_t Monitor::add_request(std::uint64_t sum, std::uint64_t bytes) const {
  return add(sum, add(bytes, granule()));
}

std::uint64_t Monitor::range_end(std::uint64_t address, std::uint64_t size) const {
  const std::uint64_t alignment = profile_.alignment.binds() ? profile_.alignment.value.count : 1;
  return add(address, Concrete::round_up(size, alignment));
}

void Monitor::pressure(Pool* requester, std::uint64_t bytes, std::uint32_t device, bool plain) {
  using enum PressureRelease;
  if (!may_not_fit(requester, bytes, device)) return;
  const auto& from = profile_.pressure_release;
  for (Pool& pool : pools_) {
    const bool named = !from.binds() || from.value == any || (from.value == own && &pool == requester) ||
                       (from.value == any_on_plain_malloc && plain);
    if (named && pool.device == device) release_from(pool, 0, "STAT-RESERVED-MIN"_clause);
  }
}

std::optional<std::uint64_t> Monitor::capacity(const Pool& pool) const {
  std::optional<std::uint64_t> limit;
  if (pool.max_size) limit = pool.smallest_capacity();
  if ((!limit_ && environment_.memory == 0) || pool.device != 0) return limit;
  std::uint64_t others = add(plain_backed_, environment_.taken);
  for (const Pool& other : pools_) {
    const bool shared = profile_.pressure_release.binds() && profile_.pressure_release.value == PressureRelease::any;
    if (&other == &pool || other.device != pool.device) continue;
    // Pools that give back under pressure keep what they must.
    const std::uint64_t pinned = other.unproved_frees > 0 ? no_bound : other.touched.count() * granule();
    others = add(others, shared ? std::min(pinned, other.reserved.high) : other.reserved.high);
  }
  if (others == no_bound) return std::nullopt;
  return std::min(limit.value_or(no_bound), Concrete::minus(limit_.value_or(environment_.memory), others));
}

// Readings
// -----------------------------------------------------------------------------------------------------------------

Bounds Monitor::statistic_bounds(const Pool& pool, Attribute attribute) const {
  const auto id = static_cast<PoolId>(&pool - pools_.data());
  switch (attribute) {
    case Attribute::used_mem_current: {
      if (!pool.base) return {0, no_bound, "STAT-USED"_clause, "STAT-USED"_clause};
      Bounds used{pool.used_low(), pool.used_high_bound(pending_counts()), "STAT-USED"_clause, "STAT-USED"_clause};
      if (profile_.used_drops_at.binds() && profile_.used_drops_at.value == UsedDropsAt::completion && pool.own) {
        used.low = add(used.low, held_used(id));
        used.below = "STAT-USED-DROP"_clause;
      }
      return used;
    }
    case Attribute::used_mem_high:
      return pool.used_high;
    case Attribute::reserved_mem_current: {
      Bounds reserved = pool.reserved;
      reserved.at_least(add(live_backed(pool), held_reserved(id)),
                        pool.epoch > pool.reading_epoch ? "RELEASE-LIVE-KEPT"_clause : "STAT-RESERVED-MIN"_clause);
      return reserved;
    }
    default:
      return pool.reserved_high;
  }
}

void Monitor::within_bounds(Pool& pool, Attribute attribute, std::uint64_t value) {
  const int n = static_cast<int>(attribute);
  const auto slot = static_cast<std::size_t>(n);
  pool.activity.sets = sets_;
  pool.activity.faults = reported_faults_;
  pool.activity.all_moves = 0;
  for (const Pool& other : pools_) pool.activity.all_moves += other.activity.moves;
  const std::optional<Pool::Activity> seen = std::exchange(pool.at_reading[slot], pool.activity);
  const Pool::Activity since = seen.value_or(Pool::Activity{});
  // What gives memory back, or may have, moves reserved only.
  const bool of_used = attribute == Attribute::used_mem_current || attribute == Attribute::used_mem_high;
  const bool moved = of_used ? pool.activity.used_moves != since.used_moves : pool.activity.moves != since.moves;
  // What a reading outside its bounds breaks when nothing that may move the statistic has happened to the pool.
  std::optional<spec::ClauseId> untouched;
  if (!moved) {
    const bool others_moved = pool.activity.all_moves != since.all_moves;
    if (!seen && pool.own && !others_moved) {
      untouched = find_attribute_clause("ATTR-DEFAULT"_family, n);
    } else if (pool.activity.refused_sets[slot] != since.refused_sets[slot]) {
      untouched = find_attribute_clause("ATTR-FAILED-SET"_family, n);
    } else if (pool.activity.refusals != since.refusals) {
      untouched = "STAT-FAILED-CALL"_clause;
    } else if (others_moved) {
      untouched = "STAT-FRAME"_clause;
    } else if (sets_ != since.sets) {
      untouched = find_attribute_clause("ATTR-FRAME"_family, n);
    }
  }
  Bounds bounds = statistic_bounds(pool, attribute);
  if (attribute == Attribute::used_mem_current && value > bounds.high &&
      value <= add(bounds.high, pool.pending.total())) {
    bounds.above = "STAT-USED-DROP"_clause;
  }
  if (attribute == Attribute::used_mem_current && pool.served_current) {
    bounds.below = bounds.above = "LIFE-CURRENT-MALLOC"_clause;
    pool.served_current = false;
  }
  verdicts_.count(bounds.below);
  verdicts_.count(bounds.above);
  if (untouched) verdicts_.count(*untouched);
  if (value >= bounds.low && value <= bounds.high) return;
  // That reserved falls where nothing may give memory back is said by its own clause.
  const bool fell = attribute == Attribute::reserved_mem_current && value < bounds.low;
  if (fell && sets_ != since.sets && bounds.below == "STAT-RESERVED-FALL"_clause) untouched.reset();
  const spec::ClauseId clause = untouched ? *untouched : value > bounds.high ? bounds.above : bounds.below;
  Verdicts::Also also;
  if (const Pool* older = pool_before(pool); older != nullptr && !seen) {
    const Bounds inherited = statistic_bounds(*older, attribute);
    if (value >= inherited.low && value <= inherited.high) also = "LIFE-RECYCLED-POOL"_clause;
  }
  if (clause == "STAT-FAILED-CALL"_clause && reported_faults_ != since.faults) also = "CAP-FAULT"_clause;
  verdicts_.violate(clause,
                    fmt::format("{} of {} reads {}; permitted: {} to {}.", to_text(attribute), text(pool.name), value,
                                bounds.low, bounds.high == no_bound ? "no bound" : std::to_string(bounds.high)),
                    also);
}

void Monitor::read_statistic(Pool& pool, Attribute attribute, std::uint64_t value) {
  const bool takes_current =
      profile_.watermark_reset.binds() && profile_.watermark_reset.value == WatermarkReset::current;
  const auto at_most_capacity = [&](spec::ClauseId clause) {
    if (!pool.capacity) return;
    verdicts_.check(clause, value <= *pool.capacity, [&] {
      return fmt::format("{} {} is above the pool's maximum size, {} with rounding.", to_text(attribute), value,
                         *pool.capacity);
    });
  };
  switch (attribute) {
    case Attribute::used_mem_current:
      if (!pool.base) {
        pool.base = Bounds{Concrete::minus(value, add(pool.live_high.total(), pool.pending.total())),
                           Concrete::minus(value, pool.live_low),
                           {},
                           {}};
        verdicts_.count("LIFE-DEFAULT-POOL-UNKNOWN"_clause);
      }
      if (pool.pending.total() > 0) verdicts_.count("STAT-USED-DROP"_clause);
      within_bounds(pool, attribute, value);
      verdicts_.check("STAT-USED-LE-RESERVED"_clause, value <= pool.reserved.high, [&] {
        return fmt::format("used_mem_current {} is above reserved_mem_current, which is at most {}.", value,
                           pool.reserved.high);
      });
      pool.reserved.at_least(value, "STAT-USED-LE-RESERVED"_clause);
      if (!pool.used_high_zeroed) pool.used_high.at_least(value, "STAT-USED-HIGH"_clause);
      return;
    case Attribute::used_mem_high:
      if (takes_current && pool.base) {
        verdicts_.check("STAT-HIGH-GE-CURRENT"_clause, value >= pool.used_low(), [&] {
          return fmt::format("used_mem_high {} is below used_mem_current, which is at least {}.", value,
                             pool.used_low());
        });
      }
      within_bounds(pool, attribute, value);
      pool.used_high = {value, value, "STAT-HIGH-RESET"_clause, "STAT-USED-HIGH"_clause};
      return;
    case Attribute::reserved_mem_current:
      if (pool.live_ranges > 0) verdicts_.count("STAT-RESERVED-MIN"_clause);
      at_most_capacity("STAT-RESERVED-MAX"_clause);
      if (profile_.reserve_granule.binds() && granule() > 1) {
        verdicts_.check("STAT-GRANULE"_clause, value % granule() == 0, [&] {
          return fmt::format("reserved_mem_current {} is no multiple of the granule {}.", value, granule());
        });
      }
      within_bounds(pool, attribute, value);
      if (pool.should_high) {
        verdicts_.should(pool.should_clause, strict_, value <= *pool.should_high, [&] {
          return fmt::format("{} of {} reads {}; with all frees proved it should be at most {}.", to_text(attribute),
                             text(pool.name), value, *pool.should_high);
        });
      }
      pool.should_high.reset();
      if (pool.least_since_reset && value > *pool.least_since_reset) pool.reserved_high_zeroed = false;
      pool.least_since_reset = std::min(value, pool.least_since_reset.value_or(no_bound));
      pool.settle_release_points(value);
      pool.reserved = {value, value, "STAT-RESERVED-FALL"_clause, "STAT-RESERVED-RISE"_clause};
      if (!pool.reserved_high_zeroed) pool.reserved_high.at_least(value, "STAT-RESERVED-HIGH"_clause);
      return;
    default:  // reserved_mem_high
      if (takes_current) {
        const std::uint64_t current = statistic_bounds(pool, Attribute::reserved_mem_current).low;
        verdicts_.check("STAT-HIGH-GE-CURRENT"_clause, value >= current, [&] {
          return fmt::format("reserved_mem_high {} is below reserved_mem_current, which is at least {}.", value,
                             current);
        });
      }
      within_bounds(pool, attribute, value);
      at_most_capacity("STAT-RESERVED-HIGH"_clause);
      pool.reserved_high = {value, value, "STAT-HIGH-RESET"_clause, "STAT-RESERVED-HIGH"_clause};
      if (takes_current) pool.reserved.at_most(value, "STAT-HIGH-GE-CURRENT"_clause);
      return;
  }
}

}  // namespace streampool::model
