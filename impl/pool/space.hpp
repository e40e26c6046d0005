// What all pools of one device share: its address range, its physical memory and the map from addresses to arenas.
// Thread safe.
#pragma once

#include <functional>
#include <limits>
#include <mutex>
#include <optional>

#include "impl/device/device.hpp"
#include "impl/pool/arena.hpp"
#include "impl/pool/range_set.hpp"

namespace streampool::engine {

enum class Fault : std::uint8_t { reserve, map };

// Counts operations down to the one that shall fail. Thread safe.
class FaultCounter {
 public:
  // The nth operation from now on fails, once; 0 takes the order back.
  void fail_next(std::uint64_t nth) { left_.store(nth); }
  // Counts one operation: true if it is the one.
  bool hit() {
    std::uint64_t left = left_.load();
    while (left != 0) {
      if (left_.compare_exchange_weak(left, left - 1)) return left == 1;
    }
    return false;
  }

 private:
  std::atomic<std::uint64_t> left_{0};
};

template <PoolDevice Device>
class Space {
 public:
  enum class Growth : std::uint8_t { done, no_room, failed };

  Space(Device& device, Order& order, Bytes memory)
      : device_(device),
        order_(order),
        base_(raw(device.base())),
        granule_(device.granularity()),
        map_(static_cast<Units>(granule_ / unit_bytes), static_cast<std::uint32_t>(device.range() / granule_)),
        ranges_(0, device.range() / granule_),
        spacing_(device.range() / granule_ / spread),
        limit_(memory) {}

  Device& device() { return device_; }
  Order& order() { return order_; }
  AddressMap& map() { return map_; }
  [[nodiscard]] Bytes granule() const { return granule_; }

  [[nodiscard]] Address address(Units unit) const { return Address{base_ + unit * unit_bytes}; }
  // The unit that starts at this address, and who owns it. Null: not memory of a pool, or not the start of a unit.
  struct Place {
    Arena* arena = nullptr;
    Units unit = 0;
  };
  [[nodiscard]] Place find(Address address) const {
    const std::uint64_t offset = raw(address) - base_;
    if (raw(address) < base_ || offset % unit_bytes != 0) return {};
    const std::uint64_t unit = offset / unit_bytes;
    return {map_.owner(unit), static_cast<Units>(unit)};
  }

  // Bytes that could still be made physical.
  [[nodiscard]] Bytes room() const {
    const std::lock_guard lock(mutex_);
    return committed_ < limit_ ? limit_ - committed_ : 0;
  }
  [[nodiscard]] Bytes limit() const {
    const std::lock_guard lock(mutex_);
    return limit_;
  }
  [[nodiscard]] Bytes committed() const {
    const std::lock_guard lock(mutex_);
    return committed_;
  }
  void set_limit(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
  }
  FaultCounter& fault(Fault kind) { return kind == Fault::reserve ? reserve_fault_ : map_fault_; }

  // Memory for `owner`: at `at` if given, else anywhere. `size` is whole granules.
  Growth grow(Units size, std::optional<Units> at, Arena* owner, UnitRange& range) {
    const std::lock_guard lock(mutex_);
    const Bytes bytes = size * unit_bytes;
    if (committed_ > limit_ || bytes > limit_ - committed_) return Growth::no_room;
    const std::uint64_t per_granule = granule_ / unit_bytes;
    const std::uint64_t granules = size / per_granule;
    std::optional<std::uint64_t> start;
    if (!at) {
      start = ranges_.take(granules, spacing_);
      if (!start) return Growth::failed;
    } else if (ranges_.take_at(*at / per_granule, granules)) {
      start = *at / per_granule;
    } else {
      return Growth::no_room;
    }
    range = {static_cast<Units>(*start * per_granule), size};
    if (reserve_fault_.hit() || map_fault_.hit() || !device_.commit(address(range.start), bytes)) {
      ranges_.give(*start, granules);
      return Growth::failed;
    }
    map_.give(range.start, range.size, owner);
    committed_ += bytes;
    return Growth::done;
  }
  void give_back(UnitRange range) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t per_granule = granule_ / unit_bytes;
    map_.give(range.start, range.size, nullptr);
    device_.decommit(address(range.start), range.size * unit_bytes);
    ranges_.give(range.start / per_granule, range.size / per_granule);
    committed_ -= range.size * unit_bytes;
  }

  // Physical memory that somebody else takes from the same device (plain allocations).
  Growth charge(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    if (committed_ > limit_ || bytes > limit_ - committed_) return Growth::no_room;
    if (reserve_fault_.hit() || map_fault_.hit()) return Growth::failed;
    committed_ += bytes;
    return Growth::done;
  }
  void discharge(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    committed_ -= bytes;
  }

  // Called, without this object's lock, where memory is short and before that counts: gives back what nobody owns.
  std::function<void()> reclaim = [] {};

 private:
  static constexpr std::uint64_t spread = 64;  // arenas grow in place until they meet: so many fit without meeting

  Device& device_;
  Order& order_;
  const std::uint64_t base_;
  const Bytes granule_;
  AddressMap map_;
  mutable std::mutex mutex_;
  RangeSet ranges_;  // in granules
  const std::uint64_t spacing_;
  Bytes limit_;
  Bytes committed_ = 0;
  FaultCounter reserve_fault_, map_fault_;
};

}  // namespace streampool::engine
