// Allocation and free.
#include <algorithm>

#include "model/machine/machine.hpp"
#include "model/machine/require.hpp"

namespace streampool::model::machine {

bool Machine::fails(history::FailKind kind) {
  std::uint64_t& left = armed_[static_cast<std::size_t>(kind)];
  return left > 0 && --left == 0;
}

void Machine::fail_next(history::FailKind kind, std::uint64_t nth) { armed_[static_cast<std::size_t>(kind)] = nth; }

Status Machine::malloc(Handle pool, Handle stream, std::uint64_t bytes, std::uint64_t& address) {
  address = 0;
  const Pool p = pools_.find(pool);
  const Stream s = streams_.find(stream);
  if (p == Pool{} || s == Stream{}) return Status::invalid_handle;
  if (bytes == 0) {
    spec::submit(state_, s);
    return Status::ok;
  }
  if (bytes > UINT64_MAX - alignment_) return Status::invalid_value;
  auto placement = place(p, s, bytes);
  if (!placement) {
    // Pressure: what the pool can do without, if that is enough.
    std::uint64_t quiet = 0;
    for (const Range& run : quiet_runs(p)) quiet += run.size;
    const std::uint64_t max_size = state_.pools.max_size.get(p);
    const std::uint64_t needed = Values::round_up(bytes, granule_);
    const bool own = max_size == 0 || state_.pools.reserved.get(p) - quiet + needed <=
                                          spec::capacity_of<Values>(max_size, max_size_unit_);
    if (needed < bytes || needed > memory_ || !own || physical_in_use() - quiet > memory_ - needed) {
      return Status::out_of_memory;
    }
    release_down_to(p, 0, true);
    placement = place(p, s, bytes);
    require(placement.has_value());
  }
  const bool reserve_fails = placement->reserve && fails(history::FailKind::reserve);
  const bool map_fails = placement->reserve && !reserve_fails && fails(history::FailKind::map);
  if (reserve_fails || map_fails || fails(history::FailKind::submit)) return Status::out_of_memory;
  if (placement->reserve) {
    require(spec::reserve(state_, p, *placement->reserve, max_size_unit_));
    next_address_ = std::max(next_address_, placement->reserve->base + placement->reserve->size);
  }
  const auto x = static_cast<Allocation>(++allocations_);
  require(spec::malloc(state_, s, {x, p, placement->range, placement->waits}));
  address = placement->range.base;
  live_.emplace(address, x);
  return Status::ok;
}

Allocation Machine::live_at(std::uint64_t address) const {
  const auto found = live_.find(address);
  return found == live_.end() ? Allocation{} : found->second;
}

void Machine::retire(Allocation x, std::uint64_t address) {
  live_.erase(address);
  if (state_.allocations.pool.get(x) == Pool{}) plain_ -= state_.allocations.size.get(x);
}

Status Machine::free_async(std::uint64_t address, Handle stream) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  if (address == 0) return Status::ok;
  const Allocation x = live_at(address);
  if (x == Allocation{}) return Status::invalid_value;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  require(spec::free(state_, s, x));
  retire(x, address);
  queue(s).frees.emplace_back(state_.allocations.free_position.get(x), x);
  if (profile_.used_drops_at.value == UsedDropsAt::call && state_.allocations.counted.get(x)) {
    require(spec::stop_counting(state_, x));
  }
  release_point(ReleaseCall::free);
  return Status::ok;
}

Status Machine::free_sync(std::uint64_t address) {
  if (address == 0) return Status::ok;
  const Allocation x = live_at(address);
  if (x == Allocation{}) return Status::invalid_value;
  require(spec::free_sync(state_, x));
  retire(x, address);
  if (state_.allocations.counted.get(x)) require(spec::stop_counting(state_, x));
  release_point(ReleaseCall::free);
  return Status::ok;
}

Status Machine::plain_malloc(std::uint64_t bytes, std::uint64_t& address) {
  address = 0;
  if (bytes == 0) return Status::ok;
  if (bytes > UINT64_MAX - alignment_) return Status::invalid_value;
  const std::uint64_t range = Values::round_up(bytes, alignment_);
  if (range > memory_ || physical_in_use() > memory_ - range) return Status::out_of_memory;
  address = fresh_range(range, alignment_, nullptr, {}, Pool{});
  next_address_ = std::max(next_address_, address + range);
  const auto x = static_cast<Allocation>(++allocations_);
  require(spec::plain_malloc(state_, x, {address, bytes}));
  contents_.assign(address, address + bytes, 0);
  plain_ += bytes;
  live_.emplace(address, x);
  return Status::ok;
}

void Machine::memory_info(std::uint64_t& free_bytes, std::uint64_t& total_bytes) const {
  total_bytes = memory_;
  free_bytes = Values::minus(memory_, physical_in_use());
}

}  // namespace streampool::model::machine
