// Plain allocations: device memory of its own for each, outside every pool. A stream-ordered free keeps the memory
// until the stream has passed it.
#pragma once

#include <map>
#include <vector>

#include "impl/pool/space.hpp"

namespace streampool::engine {

// Thread safe.
template <class Device>
class PlainMemory {
 public:
  explicit PlainMemory(Space<Device>& space)
      : space_(space), ranges_(raw(space.device().plain_base()), space.device().plain_range()) {}

  // Nothing: there is no memory. `bytes` > 0.
  std::optional<Address> allocate(Bytes bytes) {
    if (bytes > space_.device().plain_range()) return std::nullopt;
    const Bytes charged = round_up(bytes, unit_bytes);
    typename Space<Device>::Growth growth = space_.charge(charged);
    if (growth == Space<Device>::Growth::no_room) {
      space_.reclaim();
      growth = space_.charge(charged);
    }
    if (growth != Space<Device>::Growth::done) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const std::optional<std::uint64_t> start = ranges_.take(round_up(bytes, Device::page));
    if (!start) {
      space_.discharge(charged);
      return std::nullopt;
    }
    live_.emplace(*start, bytes);
    return Address{*start};
  }

  [[nodiscard]] bool contains(Address address, Bytes bytes) const {
    const std::lock_guard lock(mutex_);
    auto it = live_.upper_bound(raw(address));
    if (it == live_.begin()) return false;
    --it;
    const std::uint64_t offset = raw(address) - it->first;
    const Bytes size = round_up(it->second, unit_bytes);
    return offset <= size && bytes <= size - offset;
  }

  // False: no live plain allocation starts there. At once: nothing uses it any more. Else once the stream has passed
  // the free, whose position `at()` gives.
  bool free(Address address) {
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(raw(address));
    if (it == live_.end()) return false;
    drop(it->first, it->second);
    live_.erase(it);
    return true;
  }
  template <class At>
  bool free(Address address, StreamIndex stream, At at) {
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(raw(address));
    if (it == live_.end()) return false;
    pending_.push_back({it->first, it->second, {stream, at()}});
    live_.erase(it);
    return true;
  }
  // Gives back what streams have passed.
  void collect() {
    const std::lock_guard lock(mutex_);
    std::erase_if(pending_, [this](const Pending& p) {
      const Order& order = space_.order();
      const bool passed = order.proved(p.freed.stream) >= p.freed.at ||
                          order.frees_passed(space_.device().completed(p.freed.stream)) >= p.freed.at;
      if (passed) drop(p.start, p.bytes);
      return passed;
    });
  }

 private:
  struct Pending {
    std::uint64_t start;
    Bytes bytes;
    Point freed;
  };
  static Bytes round_up(Bytes bytes, Bytes to) { return (bytes + to - 1) / to * to; }
  void drop(std::uint64_t start, Bytes bytes) {
    const Bytes pages = round_up(bytes, Device::page);
    space_.device().drop_plain(Address{start}, pages);
    ranges_.give(start, pages);
    space_.discharge(round_up(bytes, unit_bytes));
  }

  Space<Device>& space_;
  mutable std::mutex mutex_;
  RangeSet ranges_;
  std::map<std::uint64_t, Bytes> live_;  // start → requested
  std::vector<Pending> pending_;
};

}  // namespace streampool::engine
