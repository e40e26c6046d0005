// Giving physical memory back: release points, trim, and what a request that does not fit takes back.
#include <algorithm>

#include "model/machine/machine.hpp"
#include "model/machine/require.hpp"

namespace streampool::model::machine {

// Whole granules of the pool on which nothing is left to do, by address.
std::vector<Range> Machine::quiet_runs(Pool p) const {
  std::vector<Range> runs;
  const auto take = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    if (!runs.empty() && runs.back().base + runs.back().size == begin) {
      runs.back().size += end - begin;
    } else {
      runs.push_back({begin, end - begin});
    }
  };
  state_.backed.visit_entries([&](std::uint64_t begin, std::uint64_t end, Pool owner) {
    if (owner != p) return;
    std::uint64_t free_from = begin;  // granules from here on are quiet so far
    state_.newest.visit(begin, end, [&](std::uint64_t from, std::uint64_t to, Allocation y) {
      if (spec::quiet(state_, y)) return true;
      take(free_from, from - from % granule_);
      free_from = std::max(free_from, (to + granule_ - 1) / granule_ * granule_);
      return true;
    });
    take(free_from, end);
  });
  return runs;
}

// Of the pool's own frees: its memory may also hold bytes that another pool gave back before their free was proved.
bool Machine::all_frees_proved(Pool p) const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    // Ended frees have left the queue; whether they are proved is in the order.
    for (const auto& [position, x] : queues_[i].frees) {
      if (state_.allocations.pool.get(x) == p) return false;
    }
  }
  bool proved = true;
  state_.backed.visit_entries([&](std::uint64_t begin, std::uint64_t end, Pool owner) {
    if (owner != p || !proved) return;
    proved = Values::all_in(state_.newest, begin, end - begin, [&](Allocation y) {
      const spec::Allocations<Values>& row = state_.allocations;
      return y == Allocation{} || row.pool.get(y) != p || !row.freed.get(y) || row.free_synchronous.get(y) ||
             spec::contains<Values>(state_.program.proved, row.free_stream.get(y), row.free_position.get(y));
    });
  });
  return proved;
}

void Machine::unmap(Pool p, const Range& range) {
  require(spec::unmap(state_, p, range));
  contents_.assign(range.base, range.base + range.size, 0);
}

// Gives back what is quiet, from the highest address down, while `target` stays reserved. Where it is not `exact`, a
// random machine may stop earlier.
void Machine::release_down_to(Pool p, std::uint64_t target, bool exact) {
  const std::uint64_t reserved = state_.pools.reserved.get(p);
  if (reserved <= target) return;
  std::uint64_t budget = (reserved - target) / granule_ * granule_;
  if (!exact && policy_ == Policy::random && budget > 0) budget = random(budget / granule_ + 1) * granule_;
  if (budget == 0) return;
  const std::vector<Range> runs = quiet_runs(p);
  for (auto run = runs.rbegin(); run != runs.rend() && budget > 0; ++run) {
    const std::uint64_t bytes = std::min(run->size, budget);
    unmap(p, {run->base + run->size - bytes, bytes});
    budget -= bytes;
  }
}

void Machine::empty_destroyed_pools() {
  for (const Pool p : made_pools_) {
    if (state_.pools.destroyed.get(p)) release_down_to(p, 0, true);
  }
}

void Machine::release_point(ReleaseCall call) {
  empty_destroyed_pools();
  if (!profile_.release_calls.value.contains(call)) return;
  for (const Pool p : made_pools_) {
    const std::uint64_t threshold = state_.pools.release_threshold.get(p);
    const std::uint64_t reserved = state_.pools.reserved.get(p);
    const bool idle = profile_.threshold_compares.value == ThresholdCompares::idle;
    const std::uint64_t floor = spec::release_floor<Values>(threshold, reserved, state_.pools.used.get(p), idle, 0);
    if (floor < reserved) release_down_to(p, floor, all_frees_proved(p));
  }
}

Status Machine::pool_trim(Handle pool, std::uint64_t keep) {
  const Pool p = pools_.find(pool);
  if (p == Pool{}) return Status::invalid_handle;
  const std::uint64_t reserved = state_.pools.reserved.get(p);
  const std::uint64_t floor = profile_.trim_compares.value == ThresholdCompares::idle
                                  ? spec::release_floor<Values>(keep, reserved, state_.pools.used.get(p), true, 0)
                                  : spec::trim_floor<Values>(keep, reserved);
  if (floor < reserved) release_down_to(p, floor, all_frees_proved(p));
  return Status::ok;
}

}  // namespace streampool::model::machine
