#include "impl/device/simulated/simulated_device.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace streampool::engine {

void Content::cut(std::uint64_t at) {
  auto it = runs_.upper_bound(at);
  if (it == runs_.begin()) return;
  --it;
  if (it->first == at || it->second.end <= at) return;
  runs_.emplace_hint(std::next(it), at, it->second);
  it->second.end = at;
}

void Content::erase(std::uint64_t from, std::uint64_t to) {
  if (from >= to || runs_.empty()) return;
  cut(from);
  cut(to);
  runs_.erase(runs_.lower_bound(from), runs_.lower_bound(to));
}

void Content::fill(Address at, std::uint8_t value, Bytes bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  const std::uint64_t from = raw(at);
  erase(from, from + bytes);
  runs_[from] = {from + bytes, value};
}

void Content::drop(Address at, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  erase(raw(at), raw(at) + bytes);
}

void Content::read(Address at, Bytes bytes, void* out) const {
  std::memset(out, 0, bytes);
  const std::lock_guard lock(mutex_);
  const std::uint64_t from = raw(at), to = from + bytes;
  auto it = runs_.upper_bound(from);
  if (it != runs_.begin()) --it;
  for (; it != runs_.end() && it->first < to; ++it) {
    const std::uint64_t start = std::max(from, it->first), end = std::min(to, it->second.end);
    if (start < end) std::memset(static_cast<char*>(out) + (start - from), it->second.value, end - start);
  }
}

SimulatedDevice::SimulatedDevice(Order& order, Bytes granularity, Bytes range)
    : granularity_(granularity),
      range_((range + granularity - 1) / granularity * granularity),
      queues_(order, Queues::Workers::none) {}

}  // namespace streampool::engine
