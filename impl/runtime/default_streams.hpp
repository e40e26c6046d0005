// The legacy and the per-thread streams, and the order that the legacy stream brings: it comes after everything that
// blocking streams were given, and they come after it.
//
// Thread safe. `Policy` decides who takes part.
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "conformance/abi/streampool_runtime.h"
#include "impl/runtime/objects.hpp"

namespace streampool::engine {

// What an item comes after: points that the device must wait for, and what the stream knows once it does. The order
// learns the cut after the device has learned the points and not before: another thread may follow the stream at any
// time, and relies on the device to keep what the order says.
struct Before {
  std::vector<Point> points;
  Clock cut;
};

template <class Device, class Policy>
class DefaultStreams {
 public:
  DefaultStreams(Order& order, Device& device) : order_(order), device_(device) {}

  // The handle of the calling thread's stream, or of the legacy one. `make(blocking)` makes the stream at the first
  // call, `name(stream)` its handle.
  template <class Make, class Name>
  std::uint64_t get(bool legacy, Make make, Name name) {
    const std::lock_guard lock(mutex_);
    std::uint64_t& handle = legacy ? legacy_handle_ : per_thread_[this_thread()];
    if (handle != 0) return handle;
    const std::shared_ptr<Stream> stream = make(!legacy);
    stream->is_default = true;
    stream->legacy = legacy;
    handle = name(stream);
    if (legacy) {
      legacy_ = stream;
      has_legacy_.store(true, std::memory_order_release);
    } else {
      blocking_.push_back(stream);
    }
    return handle;
  }

  // A blocking stream was made; one is destroyed, of which `last` is the end: its items still count for legacy.
  void add(const std::shared_ptr<Stream>& blocking) {
    const std::lock_guard lock(mutex_);
    blocking_.push_back(blocking);
  }
  void leave_behind(const std::shared_ptr<Stream>& blocking, const Event::Record& last) {
    const std::lock_guard lock(mutex_);
    std::erase(blocking_, blocking);
    left_cut_.join(last.cut);
    left_cut_.prune([this](const Point& p) { return order_.proved(p.stream) >= p.at; });
    forget_complete();
    left_points_.push_back(last.point);
  }

  // Is the stream ordered with others because of the legacy stream?
  [[nodiscard]] bool takes_part(const Stream& stream) const {
    return has_legacy_.load(std::memory_order_acquire) && Policy::takes_part(stream.blocking, stream.legacy);
  }
  // What the next item of this stream comes after because of the legacy stream: all blocking streams' last items for
  // legacy itself, and legacy's last item for a blocking one.
  Before implicit_order(const Stream& stream) {
    Before before;
    if (!takes_part(stream)) return before;
    if (stream.legacy) {
      follow_blocking(before);
    } else {
      follow(before, *legacy_);
    }
    std::erase_if(before.points, [this](const Point& p) { return device_.queues().complete(p); });
    return before;
  }

 private:
  void follow(Before& before, const Stream& other) {
    static thread_local Clock cut;  // its memory serves again
    before.points.push_back(order_.snapshot(other.index, cut));
    before.cut.join(cut);
  }
  void follow_blocking(Before& before) {
    const std::lock_guard lock(mutex_);
    for (const auto& other : blocking_) follow(before, *other);
    before.cut.join(left_cut_);
    before.points.insert(before.points.end(), left_points_.begin(), left_points_.end());
  }
  static std::uint64_t this_thread() {
    static std::atomic<std::uint64_t> next{0};
    static thread_local const std::uint64_t mine = ++next;
    return mine;
  }
  void forget_complete() {
    std::erase_if(left_points_, [this](const Point& p) { return device_.queues().complete(p); });
  }

  Order& order_;
  Device& device_;
  std::mutex mutex_;
  std::shared_ptr<Stream> legacy_;
  std::atomic<bool> has_legacy_{false};
  std::uint64_t legacy_handle_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> per_thread_;
  std::vector<std::shared_ptr<Stream>> blocking_;
  Clock left_cut_;                  // of destroyed blocking streams: what legacy comes after
  std::vector<Point> left_points_;  // and their last points, as long as they are pending
};

}  // namespace streampool::engine
