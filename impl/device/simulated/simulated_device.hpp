// A device that does nothing by itself: items complete only by steps, or inside a call that waits for them. No threads
// and no memory of its own; content is kept as ranges of equal bytes. Same calls, same answers.
#pragma once

#include <map>

#include "impl/device/device.hpp"
#include "impl/device/queues.hpp"

namespace streampool::engine {

// What was written where: ranges of one value. Thread safe.
class Content {
 public:
  void fill(Address at, std::uint8_t value, Bytes bytes);
  void read(Address at, Bytes bytes, void* out) const;  // bytes that were never written read as 0
  void drop(Address at, Bytes bytes);

 private:
  struct Run {
    std::uint64_t end;
    std::uint8_t value;
  };
  void cut(std::uint64_t at);  // no range lies across `at` afterwards
  void erase(std::uint64_t from, std::uint64_t to);
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Run> runs_;  // by start
};

class SimulatedDevice {
 public:
  static constexpr bool explicit_items = true;
  static constexpr const char* name = "sim";
  static constexpr Bytes page = unit_bytes;  // the least granularity
  static constexpr Bytes default_memory = Bytes{8} << 30;

  // `range` is rounded up to whole granules.
  SimulatedDevice(Order& order, Bytes granularity, Bytes range);

  [[nodiscard]] Address base() const { return Address{std::uint64_t{1} << 44}; }
  [[nodiscard]] Bytes range() const { return range_; }
  [[nodiscard]] Bytes granularity() const { return granularity_; }
  bool commit(Address, Bytes) { return true; }
  void decommit(Address at, Bytes bytes) { content_.drop(at, bytes); }
  [[nodiscard]] Position completed(StreamIndex s) const { return queues_.completed(s); }
  void wait(StreamIndex s, Point point) { queues_.submit(s, {{point}, nullptr, {}}); }

  Queues& queues() { return queues_; }
  [[nodiscard]] Address plain_base() const { return Address{std::uint64_t{1} << 45}; }
  [[nodiscard]] Bytes plain_range() const { return range_; }
  void drop_plain(Address at, Bytes bytes) { content_.drop(at, bytes); }

  void fill(Address at, std::uint8_t value, Bytes bytes) { content_.fill(at, value, bytes); }
  void read(Address at, Bytes bytes, void* out) { content_.read(at, bytes, out); }
  void touch(Address) {}

 private:
  const Bytes granularity_;
  const Bytes range_;
  Content content_;
  Queues queues_;  // last: its destructor runs items that use the content
};
static_assert(OrderingDevice<SimulatedDevice>);

}  // namespace streampool::engine
