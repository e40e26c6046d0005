// The engine for embedding: a device of one's own (see impl/device/device.hpp for what it must offer), a Domain that
// knows the order of its streams, pools, and memory resources over them.
//
//   MyDevice device;
//   streampool::Domain domain(device, memory_bytes);
//   streampool::Pool pool(domain);
//   auto s = domain.open_stream();
//   void* p = pool.allocate_async(bytes, alignment, s);     // may be used in s from here on
//   pool.deallocate_async(p, bytes, alignment, s);          // may be used in s up to here
//
// The program tells the domain what it does to order streams: record, wait, synchronized. It owes what every
// stream-ordered allocator asks for: uses lie between the allocation and the free in stream order.
// Thread safe, but for a stream's closing, which nothing of that stream may overlap.
#pragma once

#include <memory_resource>
#include <new>

#include "impl/pool/pool.hpp"

namespace streampool {

// A stream, by the index that the device knows it by, too.
using Stream = engine::StreamIndex;
using Bytes = engine::Bytes;

// A point of a stream with everything before it.
class Event {
 public:
  [[nodiscard]] engine::Point point() const { return point_; }

 private:
  template <engine::OrderingDevice>
  friend class Domain;
  engine::Point point_;
  engine::Clock cut_;
};

struct PoolOptions {
  Bytes max_size = 0;           // 0: no limit of the pool's own
  Bytes release_threshold = 0;  // bytes kept reserved at synchronisation
  bool reuse_follow_event_dependencies = true;
  bool reuse_allow_opportunistic = true;
  bool reuse_allow_internal_dependencies = true;
  unsigned arenas = 4;  // threads on streams of different arenas do not meet
};

template <engine::OrderingDevice Device>
class Pool;

template <engine::OrderingDevice Device>
class Domain {
 public:
  // At most `memory` bytes of the device become physical at a time.
  Domain(Device& device, Bytes memory) : order_(Device::explicit_items), space_(device, order_, memory) {}

  Stream open_stream() {
    return order_.open([this](Stream s) { return space_.device().completed(s) == engine::Position::all; });
  }
  void close_stream(Stream s) {
    {
      const std::lock_guard lock(mutex_);
      for (auto* pool : pools_) pool->forget(s);
    }
    order_.close(s);
  }

  // Everything submitted to s so far. To be told at the moment when the device's own event is recorded.
  void record(Event& event, Stream s) { event.point_ = order_.snapshot(s, event.cut_); }
  // Later work of s comes after the event; the device is told to wait.
  void wait(Stream s, const Event& event) {
    space_.device().wait(s, event.point_);
    order_.join(s, event.cut_);
  }
  // The host has seen the event complete: its memory is free for all, and pools give back what exceeds their
  // thresholds.
  void synchronized(const Event& event) {
    order_.prove(event.cut_);
    const std::lock_guard lock(mutex_);
    for (auto* pool : pools_) pool->release();
  }
  // The position of the next item of a stream, for devices that number their items. Once for each item, in order.
  engine::Position next_item(Stream s) { return order_.advance(s); }

 private:
  friend class Pool<Device>;
  engine::Order order_;
  engine::Space<Device> space_;
  std::mutex mutex_;
  std::vector<engine::Pool<Device>*> pools_;
};

template <engine::OrderingDevice Device>
class Pool {
 public:
  explicit Pool(Domain<Device>& domain, const PoolOptions& options = {})
      : domain_(domain), pool_(domain.space_, {options.max_size, options.arenas}) {
    pool_.attributes.reuse_follow_event_dependencies = options.reuse_follow_event_dependencies;
    pool_.attributes.reuse_allow_opportunistic = options.reuse_allow_opportunistic;
    pool_.attributes.reuse_allow_internal_dependencies = options.reuse_allow_internal_dependencies;
    pool_.attributes.release_threshold = options.release_threshold;
    const std::lock_guard lock(domain.mutex_);
    domain.pools_.push_back(&pool_);
  }
  ~Pool() {
    const std::lock_guard lock(domain_.mutex_);
    std::erase(domain_.pools_, &pool_);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Memory for the work of `stream` from here on. Alignments up to 256. Throws std::bad_alloc where there is none.
  void* allocate_async(std::size_t bytes, std::size_t alignment, Stream stream) {
    if (alignment > engine::unit_bytes) throw std::bad_alloc();
    const auto got = pool_.allocate_behind_waits(stream, bytes == 0 ? 1 : bytes);
    if (!got) throw std::bad_alloc();
    return reinterpret_cast<void*>(engine::raw(*got));
  }
  void* allocate_async(std::size_t bytes, Stream stream) { return allocate_async(bytes, engine::unit_bytes, stream); }
  // `stream` comes after every use. False: it is no live allocation of this pool.
  bool deallocate_async(void* p, std::size_t, std::size_t, Stream stream) {
    return pool_.free(engine::Address{reinterpret_cast<std::uint64_t>(p)}, stream);
  }
  bool deallocate_async(void* p, std::size_t bytes, Stream stream) {
    return deallocate_async(p, bytes, engine::unit_bytes, stream);
  }
  // Nothing uses it any more: free for every stream at once.
  bool deallocate(void* p) { return pool_.free_sync(engine::Address{reinterpret_cast<std::uint64_t>(p)}); }

  void trim_to(Bytes keep) { pool_.trim(keep); }
  engine::Attributes& attributes() { return pool_.attributes; }
  [[nodiscard]] Bytes used() { return pool_.used(); }
  [[nodiscard]] Bytes used_high() { return pool_.used_high(); }
  [[nodiscard]] Bytes reserved() const { return pool_.reserved(); }
  [[nodiscard]] Bytes reserved_high() const { return pool_.reserved_high(); }
  Domain<Device>& domain() { return domain_; }

 private:
  Domain<Device>& domain_;
  engine::Pool<Device> pool_;
};

// A memory resource whose memory is bound to one stream, in the shape that CCCL's asynchronous resources have:
// allocate_async and deallocate_async with size and alignment, and their synchronous forms.
template <engine::OrderingDevice Device>
class StreamOrderedResource {
 public:
  explicit StreamOrderedResource(Pool<Device>& pool) : pool_(&pool) {}
  void* allocate_async(std::size_t bytes, std::size_t alignment, Stream stream) {
    return pool_->allocate_async(bytes, alignment, stream);
  }
  void deallocate_async(void* p, std::size_t bytes, std::size_t alignment, Stream stream) {
    pool_->deallocate_async(p, bytes, alignment, stream);
  }
  bool operator==(const StreamOrderedResource&) const = default;

 private:
  Pool<Device>* pool_;
};

// For host containers, over devices whose memory the host can use: no stream is left to wait for, neither at the
// allocation, which takes only memory that is free for all or was freed here, nor at the deallocation.
template <engine::OrderingDevice Device>
class MemoryResource final : public std::pmr::memory_resource {
 public:
  explicit MemoryResource(Pool<Device>& pool) : pool_(pool), stream_(pool.domain().open_stream()) {
    pool.attributes().reuse_allow_internal_dependencies = false;  // its memory is used at once, whatever streams do
  }
  ~MemoryResource() override { pool_.domain().close_stream(stream_); }
  MemoryResource(const MemoryResource&) = delete;
  MemoryResource& operator=(const MemoryResource&) = delete;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return pool_.allocate_async(bytes, alignment, stream_);
  }
  void do_deallocate(void* p, std::size_t, std::size_t) override { pool_.deallocate(p); }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  Pool<Device>& pool_;
  Stream stream_;
};

}  // namespace streampool
