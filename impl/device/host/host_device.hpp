// A device made of this process: streams are worker threads, memory is one reserved range of addresses whose pages are
// populated on growth and returned to the system on release, so that its resident size is what is reserved.
#pragma once

#include "impl/device/device.hpp"
#include "impl/device/queues.hpp"

namespace streampool::engine {

// Addresses from the system, readable and writable, without physical memory until touched or populated.
class Mapping {
 public:
  enum class Pages : bool { small, huge };
  // Throws std::bad_alloc where the system refuses. The start is a multiple of `alignment`, a power of two.
  Mapping(Bytes bytes, Bytes alignment, Pages pages);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] Address base() const { return base_; }
  [[nodiscard]] Bytes size() const { return size_; }
  // One system call each, whatever the size. False: the system has no memory; then none of it is kept.
  static bool populate(Address at, Bytes bytes);
  static void give_back(Address at, Bytes bytes);

 private:
  void* mapped_;
  Bytes mapped_size_;
  Address base_;
  Bytes size_;
};

class HostDevice {
 public:
  static constexpr bool explicit_items = false;
  static constexpr const char* name = "host";
  static constexpr Bytes page = 4096;  // the least granularity
  static constexpr Bytes default_memory = Bytes{1} << 30;

  // `range` is rounded up to whole granules. Throws std::bad_alloc.
  HostDevice(Order& order, Bytes granularity, Bytes range);

  [[nodiscard]] Address base() const { return memory_.base(); }
  [[nodiscard]] Bytes range() const { return memory_.size(); }
  [[nodiscard]] Bytes granularity() const { return granularity_; }
  bool commit(Address at, Bytes bytes) { return Mapping::populate(at, bytes); }
  void decommit(Address at, Bytes bytes) { Mapping::give_back(at, bytes); }
  [[nodiscard]] Position completed(StreamIndex s) const { return queues_.completed(s); }
  void wait(StreamIndex s, Point point) { queues_.submit(s, {{point}, nullptr, {}}); }

  Queues& queues() { return queues_; }
  // Memory outside the pools' range, populated by use.
  [[nodiscard]] Address plain_base() const { return plain_.base(); }
  [[nodiscard]] Bytes plain_range() const { return plain_.size(); }
  void drop_plain(Address at, Bytes bytes) { Mapping::give_back(at, bytes); }

  // What items do. The addresses are committed.
  void fill(Address at, std::uint8_t value, Bytes bytes);
  void read(Address at, Bytes bytes, void* out);
  void touch(Address at);

 private:
  const Bytes granularity_;
  Mapping memory_;
  Mapping plain_;
  Queues queues_;  // last: its destructor runs items that use the memory
};
static_assert(OrderingDevice<HostDevice>);

}  // namespace streampool::engine
