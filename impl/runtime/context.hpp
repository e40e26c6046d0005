// One open runtime: streams, events, gates and pools over one device, as the ABI's calls name them. Handles are looked
// up here; what calls mean is in engine.hpp-like parts: pool (memory), order (who is after whom), queues (who runs).
//
// Thread safe. Every call returns a status of the ABI and changes nothing unless that is STREAMPOOL_OK.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <shared_mutex>
#include <unordered_map>

#include "conformance/abi/streampool_runtime.h"
#include "impl/runtime/default_streams.hpp"
#include "impl/runtime/handles.hpp"
#include "impl/runtime/objects.hpp"
#include "impl/runtime/plain_memory.hpp"

namespace streampool::engine {

struct ContextOptions {
  Bytes memory = 0;
  Bytes granularity = Bytes{2} << 20;
  unsigned arenas = 1;
  bool adversarial =
      false;  // early reuse, memory poisoned at every malloc and free, and a device that lets others go first
};

#ifdef STREAMPOOL_CHECKED
inline constexpr bool checked_build = true;
#else
inline constexpr bool checked_build = false;
#endif

template <class Device, class Policy = BuildPolicy>
class Context {
 public:
  using MemoryPool = Pool<Device, Policy>;
  using Status = streampool_status;

  explicit Context(const ContextOptions& options)
      : options_(options),
        order_(Device::explicit_items),
        device_(order_, options.granularity, address_range(options)),
        space_(device_, order_, options.memory),
        plain_(space_) {
    space_.reclaim = [this] { reclaim(); };
    if (options.adversarial) device_.queues().be_adversarial();
    default_ = std::make_shared<MemoryPool>(space_, pool_options(0));
    default_handle_ = pools_.add(default_);
    current_handle_ = default_handle_;
  }
  ~Context() { device_.queues().finish(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Status describe(streampool_description& d) const {
    d.device_count = 1;
    std::strncpy(d.name, Device::name, sizeof d.name - 1);
    std::strncpy(d.version, "0.1.0", sizeof d.version - 1);
    d.memory = space_.limit();
    d.alignment = unit_bytes;
    d.reserve_granule = space_.granule();
    return STREAMPOOL_OK;
  }

  // Streams -------------------------------------------------------------------------------------------

  Status stream_create(std::uint32_t device, std::uint32_t kind, std::uint64_t& out) {
    if (device != 0 || kind > STREAMPOOL_STREAM_NONBLOCKING) return STREAMPOOL_INVALID_VALUE;
    out = streams_.add(new_stream(kind == STREAMPOOL_STREAM_BLOCKING));
    return STREAMPOOL_OK;
  }
  Status stream_destroy(std::uint64_t handle) {
    const auto stream = streams_.find(handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    if (stream->is_default) return STREAMPOOL_INVALID_VALUE;
    if (!streams_.remove(handle)) return STREAMPOOL_INVALID_HANDLE;
    if (stream->blocking) defaults_.leave_behind(stream, record_now(*stream));
    return STREAMPOOL_OK;
  }
  Status stream_default(std::uint32_t device, std::uint32_t kind, std::uint64_t& out) {
    if (device != 0 || kind > STREAMPOOL_DEFAULT_PER_THREAD) return STREAMPOOL_INVALID_VALUE;
    // Who asks for it did not create it, and expects no dead stream's value: its handle is a fresh one.
    out = defaults_.get(
        kind == STREAMPOOL_DEFAULT_LEGACY, [this](bool blocking) { return make_stream(blocking); },
        [this](const std::shared_ptr<Stream>& stream) { return streams_.add_fresh(stream); });
    return STREAMPOOL_OK;
  }
  Status stream_synchronize(std::uint64_t handle) {
    const auto stream = streams_.find(handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    const Event::Record record = record_now(*stream);
    device_.queues().wait_for(record.point);
    prove(record);
    release_point();
    return STREAMPOOL_OK;
  }
  Status stream_query(std::uint64_t handle) {
    const auto stream = streams_.find(handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    return query(record_now(*stream));
  }

  // Events --------------------------------------------------------------------------------------------

  Status event_create(std::uint32_t device, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    out = events_.add(std::make_shared<Event>());
    return STREAMPOOL_OK;
  }
  Status event_destroy(std::uint64_t handle) {
    return events_.remove(handle) ? STREAMPOOL_OK : STREAMPOOL_INVALID_HANDLE;
  }
  Status event_record(std::uint64_t event_handle, std::uint64_t stream_handle) {
    const auto event = events_.find(event_handle);
    const auto stream = streams_.find(stream_handle);
    if (!event || !stream) return STREAMPOOL_INVALID_HANDLE;
    const std::lock_guard lock(stream->submitting);
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    auto record = std::make_shared<Event::Record>();
    enqueue_marker(*stream, defaults_.implicit_order(*stream));
    record->point = {stream->index, order_.observe(stream->index)};
    order_.snapshot(stream->index, record->point.at, record->cut);
    Policy::event_recorded(order_, event.get(), *record);
    event->write(std::move(record));
    return STREAMPOOL_OK;
  }
  Status stream_wait_event(std::uint64_t stream_handle, std::uint64_t event_handle) {
    const auto event = events_.find(event_handle);
    const auto stream = streams_.find(stream_handle);
    if (!event || !stream) return STREAMPOOL_INVALID_HANDLE;
    const std::lock_guard lock(stream->submitting);
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    std::vector<Point> after = defaults_.implicit_order(*stream);
    if (const auto record = event->read()) {
      if (Policy::make_event_wait() && !device_.queues().complete(record->point)) after.push_back(record->point);
      order_.join(stream->index, record->cut);
    }
    Policy::event_awaited(order_, event.get(), stream->index);
    enqueue_marker(*stream, std::move(after));
    return STREAMPOOL_OK;
  }
  Status event_synchronize(std::uint64_t handle) {
    const auto event = events_.find(handle);
    if (!event) return STREAMPOOL_INVALID_HANDLE;
    if (const auto record = event->read()) {
      device_.queues().wait_for(record->point);
      prove(*record);
    }
    release_point();
    return STREAMPOOL_OK;
  }
  Status event_query(std::uint64_t handle) {
    const auto event = events_.find(handle);
    if (!event) return STREAMPOOL_INVALID_HANDLE;
    const auto record = event->read();
    return record ? query(*record) : STREAMPOOL_OK;
  }

  // Device --------------------------------------------------------------------------------------------

  Status device_synchronize(std::uint32_t device) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    std::vector<Point> points{{StreamIndex::completed, order_.advance(StreamIndex::completed)}};
    for (std::uint32_t s = raw(first_stream); s < order_.bound(); ++s) {
      points.push_back({StreamIndex{s}, order_.observe(StreamIndex{s})});
    }
    for (const Point& point : points) {
      device_.queues().wait_for(point);
      order_.prove(point);
    }
    release_point();
    return STREAMPOOL_OK;
  }
  Status memory_info(std::uint32_t device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
    if (device != 0 || free_bytes == nullptr || total_bytes == nullptr) return STREAMPOOL_INVALID_VALUE;
    *free_bytes = space_.room();
    *total_bytes = space_.limit();
    return STREAMPOOL_OK;
  }
  Status limit_memory(std::uint32_t device, std::uint64_t bytes) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    space_.set_limit(bytes);
    return STREAMPOOL_OK;
  }
  Status fail_next(std::uint32_t kind, std::uint64_t nth) {
    switch (kind) {
      case STREAMPOOL_FAIL_RESERVE:
        space_.fault(Fault::reserve).fail_next(nth);
        return STREAMPOOL_OK;
      case STREAMPOOL_FAIL_MAP:
        space_.fault(Fault::map).fail_next(nth);
        return STREAMPOOL_OK;
      case STREAMPOOL_FAIL_SUBMIT:
        submit_fault_.fail_next(nth);
        return STREAMPOOL_OK;
      default:
        return STREAMPOOL_INVALID_VALUE;
    }
  }

  // Pools ---------------------------------------------------------------------------------------------

  Status pool_create(std::uint32_t device, std::uint64_t max_size, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    out = pools_.add(std::make_shared<MemoryPool>(space_, pool_options(max_size)));
    return STREAMPOOL_OK;
  }
  Status pool_destroy(std::uint64_t handle) {
    const std::lock_guard lock(pools_mutex_);
    if (handle == default_handle_) return STREAMPOOL_INVALID_VALUE;
    std::shared_ptr<MemoryPool> pool = pools_.remove(handle);
    if (!pool) return STREAMPOOL_INVALID_HANDLE;
    if (current_handle_ == handle) current_handle_ = default_handle_;
    dying_.push_back(std::move(pool));  // until its last allocation is freed and its last free has passed
    reap();
    return STREAMPOOL_OK;
  }
  Status pool_default(std::uint32_t device, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    out = default_handle_;
    return STREAMPOOL_OK;
  }
  Status pool_set_current(std::uint32_t device, std::uint64_t handle) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    const std::lock_guard lock(pools_mutex_);
    if (!pools_.find(handle)) return STREAMPOOL_INVALID_HANDLE;
    current_handle_ = handle;
    return STREAMPOOL_OK;
  }
  Status pool_get_current(std::uint32_t device, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    const std::lock_guard lock(pools_mutex_);
    out = current_handle_;
    return STREAMPOOL_OK;
  }
  Status pool_trim(std::uint64_t handle, std::uint64_t keep) {
    const auto pool = pools_.find(handle);
    if (!pool) return STREAMPOOL_INVALID_HANDLE;
    pool->trim(keep);
    return STREAMPOOL_OK;
  }
  std::shared_ptr<MemoryPool> pool(std::uint64_t handle) const { return pools_.find(handle); }

  // Memory --------------------------------------------------------------------------------------------

  Status malloc_from_pool(std::uint64_t& out, std::uint64_t bytes, std::uint64_t pool_handle,
                          std::uint64_t stream_handle) {
    const auto pool = pools_.find(pool_handle);
    const auto stream = streams_.find(stream_handle);
    if (!pool || !stream) return STREAMPOOL_INVALID_HANDLE;
    if (bytes == 0) return out = 0, STREAMPOOL_OK;  // no allocation, and no item
    const std::lock_guard lock(stream->submitting);
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    const bool ordered = defaults_.takes_part(*stream);
    Clock before;
    if (ordered) before = order_.known(stream->index);
    std::vector<Point> after = defaults_.implicit_order(*stream);
    const std::optional<Allocation> got = pool->allocate(stream->index, bytes);
    if (!got) {
      // No item, so nothing was ordered.
      if (ordered) order_.restore(stream->index, std::move(before));
      return STREAMPOOL_OUT_OF_MEMORY;
    }
    if (got->wait) after.push_back(*got->wait);
    std::function<void()> work;
    if (poisons()) work = poison(*pool, got->address, allocated_poison);
    enqueue_marker(*stream, std::move(after), std::move(work));
    out = raw(got->address);
    return STREAMPOOL_OK;
  }
  Status malloc_current(std::uint64_t& out, std::uint64_t bytes, std::uint64_t stream_handle) {
    std::uint64_t current = 0;
    pool_get_current(0, current);
    return malloc_from_pool(out, bytes, current, stream_handle);
  }
  Status free_async(std::uint64_t address, std::uint64_t stream_handle) {
    const auto stream = streams_.find(stream_handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    if (address == 0) return STREAMPOOL_OK;
    const std::lock_guard lock(stream->submitting);
    std::function<void()> work;
    if (!owned(Address{address}, poisons() ? &work : nullptr)) return STREAMPOOL_INVALID_VALUE;
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    std::vector<Point> after = defaults_.implicit_order(*stream);
    const auto at = [&] {
      if constexpr (Device::explicit_items) {
        return device_.queues().submit(stream->index, {std::move(after), nullptr, std::move(work)});
      } else {
        enqueue_marker(*stream, std::move(after), std::move(work));
        return order_.free_point(stream->index);
      }
    };
    return free_any(
        Address{address}, [&](MemoryPool& pool) { return pool.free(Address{address}, stream->index, at); },
        [&] { return plain_.free(Address{address}, stream->index, at); });
  }
  Status free_sync(std::uint64_t address) {
    if (address == 0) return STREAMPOOL_OK;
    std::function<void()> work;
    if (poisons() && owned(Address{address}, &work) && work) work();
    return free_any(
        Address{address}, [&](MemoryPool& pool) { return pool.free_sync(Address{address}); },
        [&] { return plain_.free(Address{address}); });
  }
  Status plain_malloc(std::uint32_t device, std::uint64_t& out, std::uint64_t bytes) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    if (bytes == 0) return out = 0, STREAMPOOL_OK;
    const std::optional<Address> address = plain_.allocate(bytes);
    if (!address) return STREAMPOOL_OUT_OF_MEMORY;
    out = raw(*address);
    return STREAMPOOL_OK;
  }

  // Probes and gates ----------------------------------------------------------------------------------

  Status fill(std::uint64_t stream_handle, std::uint64_t address, std::uint8_t value, std::uint64_t bytes) {
    const auto stream = streams_.find(stream_handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    if (!backed(Address{address}, bytes)) return STREAMPOOL_INVALID_VALUE;
    const std::lock_guard lock(stream->submitting);
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    enqueue(*stream, nullptr, [this, address, value, bytes] { device_.fill(Address{address}, value, bytes); });
    return STREAMPOOL_OK;
  }
  Status read(std::uint64_t stream_handle, std::uint64_t address, std::uint64_t bytes, void* host) {
    const auto stream = streams_.find(stream_handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    if (!backed(Address{address}, bytes) || (host == nullptr && bytes != 0)) return STREAMPOOL_INVALID_VALUE;
    Event::Record record;
    {
      const std::lock_guard lock(stream->submitting);
      if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
      record.point = {stream->index, enqueue(*stream, nullptr, [this, address, bytes, host] {
                        device_.read(Address{address}, bytes, host);
                      })};
      order_.snapshot(stream->index, record.point.at, record.cut);
    }
    device_.queues().wait_for(record.point);
    prove(record);
    release_point();  // it is an event recorded behind the copy and synchronised on
    return STREAMPOOL_OK;
  }
  Status launch(std::uint64_t stream_handle, const std::uint64_t* addresses, std::size_t count) {
    const auto stream = streams_.find(stream_handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    if (addresses == nullptr && count != 0) return STREAMPOOL_INVALID_VALUE;
    std::vector<Address> touched;
    for (std::size_t i = 0; i < count; ++i) {
      if (!backed(Address{addresses[i]}, 1)) return STREAMPOOL_INVALID_VALUE;
      touched.push_back(Address{addresses[i]});
    }
    const std::lock_guard lock(stream->submitting);
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    enqueue(*stream, nullptr, [this, touched = std::move(touched)] {
      for (const Address address : touched) device_.touch(address);
    });
    return STREAMPOOL_OK;
  }
  Status gate_create(std::uint32_t device, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    out = gates_.add(device_.queues().make_gate());
    return STREAMPOOL_OK;
  }
  Status gate_hold(std::uint64_t stream_handle, std::uint64_t gate_handle) {
    const auto stream = streams_.find(stream_handle);
    const auto gate = gates_.find(gate_handle);
    if (!stream || !gate) return STREAMPOOL_INVALID_HANDLE;
    const std::lock_guard lock(stream->submitting);
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    enqueue(*stream, gate, {});
    return STREAMPOOL_OK;
  }
  Status gate_open(std::uint64_t handle) {
    const auto gate = gates_.find(handle);
    if (!gate) return STREAMPOOL_INVALID_HANDLE;
    device_.queues().open(*gate);
    return STREAMPOOL_OK;
  }
  // Opens it: nobody could do so any more.
  Status gate_destroy(std::uint64_t handle) {
    const auto gate = gates_.remove(handle);
    if (!gate) return STREAMPOOL_INVALID_HANDLE;
    device_.queues().open(*gate);
    return STREAMPOOL_OK;
  }

  // Steps ---------------------------------------------------------------------------------------------

  Status step(std::uint64_t handle) {
    const auto stream = streams_.find(handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    return device_.queues().step(stream->index) ? STREAMPOOL_OK : STREAMPOOL_NOT_READY;
  }
  Status step_pending(streampool_pending* list, std::size_t capacity, std::size_t& count) {
    std::unordered_map<std::uint32_t, std::uint64_t> names;
    for (const auto& [handle, stream] : streams_.all()) names.emplace(raw(stream->index), handle);
    const auto pending = device_.queues().pending(list == nullptr ? 0 : capacity, count);
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const auto name = names.find(raw(pending[i].stream));
      list[i] = {name == names.end() ? 0 : name->second, raw(pending[i].at), pending[i].ready ? 1u : 0u, 0};
    }
    return STREAMPOOL_OK;
  }

 private:
  // Room for every granule to lie alone, within what units can count.
  static Bytes address_range(const ContextOptions& o) {
    constexpr Bytes most = Bytes{1} << 39;
    const Bytes wanted = o.memory > most / 8 ? most : std::max(o.memory * 8, o.granularity << 15);
    return std::min(wanted, most);
  }
  std::shared_ptr<Stream> make_stream(bool blocking) {
    const StreamIndex index = order_.open([this](StreamIndex s) { return device_.completed(s) == Position::all; });
    return std::shared_ptr<Stream>(new Stream(index, blocking), [this](Stream* stream) {
      for (const auto& entry : pools_.all()) entry.object->forget(stream->index);
      order_.close(stream->index);
      delete stream;
    });
  }
  std::shared_ptr<Stream> new_stream(bool blocking) {
    auto stream = make_stream(blocking);
    if (blocking) defaults_.add(stream);
    return stream;
  }

  Event::Record record_now(Stream& stream) {
    const std::lock_guard lock(stream.submitting);
    Event::Record record;
    record.point = {stream.index, order_.observe(stream.index)};
    order_.snapshot(stream.index, record.point.at, record.cut);
    return record;
  }
  Status query(const Event::Record& record) {
    if (!device_.queues().complete(record.point)) {
      if (Policy::not_ready_proves()) order_.prove(record.cut);
      return STREAMPOOL_NOT_READY;
    }
    prove(record);
    return STREAMPOOL_OK;
  }
  // The record's point is complete, and so is its cut. A submission that failed may have left the order ahead of the
  // device, so only what the device confirms is believed.
  void prove(const Event::Record& record) {
    for (const Point& point : record.cut.entries()) {
      if (device_.queues().complete(point)) {
        order_.prove(Point{point.stream, Policy::proved_by(point.at, order_.tail(point.stream))});
      }
    }
  }

  // An item that does nothing but come after others. Where the device has no explicit items it is not needed for
  // its own sake.
  void enqueue_marker(Stream& stream, std::vector<Point> after, std::function<void()> work = {}) {
    if (Device::explicit_items || !after.empty() || work) {
      device_.queues().submit(stream.index, {std::move(after), nullptr, std::move(work)});
    }
  }
  Position enqueue(Stream& stream, std::shared_ptr<Gate> gate, std::function<void()> work) {
    return device_.queues().submit(stream.index, {defaults_.implicit_order(stream), std::move(gate), std::move(work)});
  }

  // Is every byte of the range memory that some pool or plain allocation holds?
  bool backed(Address address, Bytes bytes) const {
    if (bytes == 0) return true;
    if (raw(address) + bytes < raw(address)) return false;
    if (plain_.contains(address, bytes)) return true;
    const Bytes granule = space_.granule();
    for (Bytes at = raw(address) / granule * granule; at < raw(address) + bytes; at += granule) {
      if (space_.find(Address{at}).arena == nullptr) return false;
    }
    return true;
  }
  // Is it a live allocation of any kind? `work`, if given, becomes what poisons it.
  bool owned(Address address, std::function<void()>* work) {
    const std::shared_lock lock(lifetime_);
    MemoryPool* pool = MemoryPool::owner_of(space_, address);
    if (pool == nullptr) return plain_.contains(address, 0);
    if (pool->size_of(address) == 0) return false;
    if (work != nullptr) *work = poison(*pool, address, freed_poison);
    return true;
  }
  // In the checked build and in adversarial mode memory never keeps by luck what a program no longer may read.
  static constexpr std::uint8_t allocated_poison = 0xCD, freed_poison = 0xDD;
  [[nodiscard]] bool poisons() const { return checked_build || options_.adversarial; }
  std::function<void()> poison(MemoryPool& pool, Address address, std::uint8_t value) {
    return [this, address, value, bytes = pool.size_of(address)] { device_.fill(address, value, bytes); };
  }
  [[nodiscard]] PoolOptions pool_options(Bytes max_size) const {
    return {max_size, options_.arenas, options_.adversarial};
  }
  template <class FreePool, class FreePlain>
  Status free_any(Address address, FreePool free_pool, FreePlain free_plain) {
    const std::shared_lock lock(lifetime_);
    MemoryPool* pool = MemoryPool::owner_of(space_, address);
    return (pool != nullptr ? free_pool(*pool) : free_plain()) ? STREAMPOOL_OK : STREAMPOOL_INVALID_VALUE;
  }

  // A synchronising call has proved what it proves: pools give back what exceeds their thresholds.
  void release_point() {
    for (const auto& entry : pools_.all()) entry.object->release();
    const std::lock_guard lock(pools_mutex_);
    reap();
    plain_.collect();
  }
  void reclaim() {
    const std::lock_guard lock(pools_mutex_);
    reap();
    plain_.collect();
  }
  // Destroyed pools give back what they can; those that have nothing left end. `pools_mutex_` is held.
  void reap() {
    for (const auto& pool : dying_) pool->trim(0);
    std::vector<std::shared_ptr<MemoryPool>> ended;
    const std::unique_lock lock(lifetime_);
    for (auto& pool : dying_) {
      if (pool->reserved() == 0 && pool.use_count() == 1) ended.push_back(std::move(pool));
    }
    std::erase(dying_, nullptr);
  }

  const ContextOptions options_;
  Order order_;
  Device device_;
  Space<Device> space_;
  PlainMemory<Device> plain_;
  FaultCounter submit_fault_;

  HandleTable<MemoryPool> pools_{HandleKind::pool};
  HandleTable<Event> events_{HandleKind::event};
  HandleTable<Gate> gates_{HandleKind::gate};

  std::mutex pools_mutex_;  // current, dying
  std::shared_ptr<MemoryPool> default_;
  std::uint64_t default_handle_ = 0;
  std::uint64_t current_handle_ = 0;
  std::vector<std::shared_ptr<MemoryPool>> dying_;
  mutable std::shared_mutex lifetime_;  // shared: a pool found by address is in use; unique: a dying pool ends

  DefaultStreams<Device, Policy> defaults_{order_, device_};
  HandleTable<Stream> streams_{HandleKind::stream};  // last: streams tell pools and order of their end
};

}  // namespace streampool::engine
