// What of the device's memory is taken, and what a call must have given back (chapters CAP, LIFE, STAT). Device 0
// alone.
#include <algorithm>

#include "fmt/format.h"
#include "model/monitor/monitor.hpp"
#include "spec/rules/statistics.hpp"

namespace streampool::model {

using namespace spec::literals;

// Nobody else allocates from it: the program made it, or it was empty when its use was first read.
bool Monitor::program_alone(const Pool& pool) const { return pool.own || (pool.base && pool.base->high == 0); }

// A destroyed pool has no allocation and no unproved free left.
void Monitor::end_pool(Pool& pool) {
  if (!profile_.destroy_with_live.binds() || pool.ended) return;
  pool.ended = true;
  pool.reserved.exact(0);
  if (memory_reading_) memory_reading_->pool_ended = true;
}

// A call that gives idle memory back, and is obliged to, has returned.
void Monitor::memory_given_back(std::uint32_t device) {
  if (device != 0) return;
  plain_late_ = 0;
  for (Pool& pool : pools_) {
    if (!pool.alive && pool.device == device && pool.unproved_frees == 0 && pool.live_high.total() == 0) end_pool(pool);
  }
}

// By pools and plain memory.
Bounds Monitor::memory_taken() const {
  Bounds taken{.low = plain_low_, .high = add(plain_backed_, plain_late_)};
  for (const Pool& pool : pools_) {
    if (pool.device != 0) continue;
    // What lives and what a closed gate holds is there whatever became of the pool's handle.
    const std::uint64_t in_use = add(live_backed(pool), held_reserved(static_cast<PoolId>(&pool - pools_.data())));
    taken.low = add(taken.low, std::max(pool.reserved.low, in_use));
    taken.high = add(taken.high, pool.reserved.high);
  }
  return taken;
}

void Monitor::memory_info(const Context& c) {
  if (!c.ok() || c.result == nullptr || !c.result->value || device_of(c.call) != 0) return;
  const std::uint64_t free = *c.result->value;
  const auto& last = memory_reading_;
  if (last && last->refused && !last->moved) {
    verdicts_.check("CAP-DEVICE-MEMORY"_clause, free >= last->free, [&] {
      return fmt::format("Free device memory went from {} to {} over calls that all failed.", last->free, free);
    });
  }
  const Bounds taken = memory_taken();
  // Under a limit below what is taken nothing is free, however much comes back.
  const bool overdrawn = last && last->free == 0 && limit_ && *limit_ < environment_.memory;
  const bool promised =
      profile_.fragmentation.binds() && profile_.fragmentation.value == Fragmentation::pinned_granules;
  if (last && !overdrawn && (last->moved || !last->refused) && promised && !plain_elsewhere_ &&
      taken.high != no_bound) {
    verdicts_.check(last->pool_ended    ? "LIFE-POOL-GIVES-BACK"_clause
                    : last->plain_freed ? "CAP-PLAIN-GIVES-BACK"_clause
                                        : "STAT-RESERVED-PHYSICAL"_clause,
                    spec::gives_back<Concrete>(last->free, last->taken, free, taken.high), [&] {
                      return fmt::format(
                          "Free device memory was {} when pools and plain memory took at least {}. It is {} now, and "
                          "they take at most {}.",
                          last->free, last->taken, free, taken.high);
                    });
  }
  if (last && promised && !plain_elsewhere_ && last->most <= no_bound - last->free) {
    verdicts_.check("RELEASE-LIVE-KEPT"_clause, spec::keeps<Concrete>(last->free, last->most, free, taken.low), [&] {
      return fmt::format(
          "Free device memory was {} when pools and plain memory took at most {}. It is {} now, though live and held "
          "memory takes at least {}.",
          last->free, last->most, free, taken.low);
    });
  }
  memory_reading_ = MemoryReading{.free = free, .taken = taken.low, .most = taken.high};
}

}  // namespace streampool::model
