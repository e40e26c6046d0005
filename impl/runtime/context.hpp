// One open runtime: streams, events, gates and pools over one device, as the ABI's calls name them. Handles are looked
// up here; what calls mean is in the parts: pool (memory), order (who is after whom), queues (who runs).
//
// Thread safe. Every call returns a status of the ABI and changes nothing unless that is STREAMPOOL_OK.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <unordered_map>

#include "conformance/abi/streampool_runtime.h"
#include "impl/runtime/context_options.hpp"
#include "impl/runtime/default_streams.hpp"
#include "impl/runtime/handles.hpp"
#include "impl/runtime/objects.hpp"
#include "impl/runtime/plain_memory.hpp"
#include "impl/runtime/pool_registry.hpp"

namespace streampool::engine {

template <class Device, class Policy = BuildPolicy>
class Context {
 public:
  using MemoryPool = Pool<Device, Policy>;
  using Status = streampool_status;

  explicit Context(const ContextOptions& options)
      : options_(options),
        order_(Device::explicit_items),
        device_(order_, options.granularity, options.address_range()),
        space_(device_, order_, options.memory),
        plain_(space_),
        pools_(space_, {0, options.arenas, options.adversarial}) {
    space_.reclaim = [this] { reclaim(); };
    if (options.adversarial) device_.queues().be_adversarial();
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
    record->point = order_.snapshot(stream->index, record->cut);
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
    Before before = defaults_.implicit_order(*stream);
    if (const auto record = event->read()) {
      if (Policy::make_event_wait() && !device_.queues().complete(record->point))
        before.points.push_back(record->point);
      before.cut.join(record->cut);
    }
    enqueue_marker(*stream, std::move(before));
    Policy::event_awaited(order_, event.get(), stream->index);
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
    out = pools_.create(max_size);
    return STREAMPOOL_OK;
  }
  Status pool_destroy(std::uint64_t handle) { return pools_.destroy(handle); }
  Status pool_default(std::uint32_t device, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    out = pools_.default_handle();
    return STREAMPOOL_OK;
  }
  Status pool_set_current(std::uint32_t device, std::uint64_t handle) {
    return device != 0 ? STREAMPOOL_INVALID_VALUE : pools_.set_current(handle);
  }
  Status pool_get_current(std::uint32_t device, std::uint64_t& out) {
    if (device != 0) return STREAMPOOL_INVALID_VALUE;
    out = pools_.current_handle();
    return STREAMPOOL_OK;
  }
  Status pool_trim(std::uint64_t handle, std::uint64_t keep) {
    const auto pool = pools_.find(handle);
    if (!pool) return STREAMPOOL_INVALID_HANDLE;
    pool->trim(keep);
    return STREAMPOOL_OK;
  }
  std::shared_ptr<MemoryPool> pool(std::uint64_t handle) const { return pools_.find(handle); }
  // `body(pool)`, null if there is none; nobody destroys it meanwhile.
  template <class Body>
  auto with_pool(std::uint64_t handle, Body body) const {
    return pools_.with_pool(handle, body);
  }

  // Memory --------------------------------------------------------------------------------------------

  Status malloc_from_pool(std::uint64_t& out, std::uint64_t bytes, std::uint64_t pool_handle,
                          std::uint64_t stream_handle) {
    const auto with_pool = [&](auto body) { return pools_.with_pool(pool_handle, body); };
    return malloc_from(with_pool, out, bytes, stream_handle);
  }
  Status malloc_current(std::uint64_t& out, std::uint64_t bytes, std::uint64_t stream_handle) {
    const auto with_pool = [&](auto body) { return pools_.with_current(body); };
    return malloc_from(with_pool, out, bytes, stream_handle);
  }
  Status free_async(std::uint64_t address, std::uint64_t stream_handle) {
    const auto stream = streams_.find(stream_handle);
    if (!stream) return STREAMPOOL_INVALID_HANDLE;
    if (address == 0) return STREAMPOOL_OK;
    const std::lock_guard lock(stream->submitting);
    std::function<void()> work;
    if (!owned(Address{address}, poisons() ? &work : nullptr)) return STREAMPOOL_INVALID_VALUE;
    if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
    Before before = defaults_.implicit_order(*stream);
    const auto at = [&] {
      if constexpr (Device::explicit_items) {
        return submit(*stream, std::move(before), nullptr, std::move(work));
      } else {
        enqueue_marker(*stream, std::move(before), std::move(work));
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
      enqueue(*stream, nullptr, [this, address, bytes, host] { device_.read(Address{address}, bytes, host); });
      record.point = order_.snapshot(stream->index, record.cut);
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
  std::shared_ptr<Stream> make_stream(bool blocking) {
    const StreamIndex index = order_.open([this](StreamIndex s) { return device_.completed(s) == Position::all; });
    return std::shared_ptr<Stream>(new Stream(index, blocking), [this](Stream* stream) {
      pools_.forget(stream->index);
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
    record.point = order_.snapshot(stream.index, record.cut);
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
  void enqueue_marker(Stream& stream, Before before, std::function<void()> work = {}) {
    if (Device::explicit_items || !before.points.empty() || work) {
      submit(stream, std::move(before), nullptr, std::move(work));
    } else {
      order_.join(stream.index, before.cut);  // all of it is complete
    }
  }
  // `with_pool(body)` calls `body` with the pool, null if there is none, and keeps it from being destroyed meanwhile.
  template <class WithPool>
  Status malloc_from(WithPool with_pool, std::uint64_t& out, std::uint64_t bytes, std::uint64_t stream_handle) {
    const auto stream = streams_.find(stream_handle);
    return with_pool([&](const std::shared_ptr<MemoryPool>& pool) -> Status {
      if (!pool || !stream) return STREAMPOOL_INVALID_HANDLE;
      if (bytes == 0) return out = 0, STREAMPOOL_OK;  // no allocation, and no item
      const std::lock_guard lock(stream->submitting);
      if (submit_fault_.hit()) return STREAMPOOL_OUT_OF_MEMORY;
      Before before = defaults_.implicit_order(*stream);
      const std::optional<Allocation> got = pool->allocate(stream->index, bytes, &before.cut);
      if (!got) return STREAMPOOL_OUT_OF_MEMORY;  // no item, so nothing was ordered
      // The wait may cover more than the free that a user sees, for merged memory waits for the latest of its frees. So
      // the order does not learn of it: it would explain reuses under switches that forbid them (REUSE-INTERNAL).
      if (got->wait && Policy::make_wait()) before.points.push_back(*got->wait);
      std::function<void()> work;
      if (poisons()) work = poison(*pool, got->address, allocated_poison);
      enqueue_marker(*stream, std::move(before), std::move(work));
      out = raw(got->address);
      return STREAMPOOL_OK;
    });
  }
  void enqueue(Stream& stream, std::shared_ptr<Gate> gate, std::function<void()> work) {
    submit(stream, defaults_.implicit_order(stream), std::move(gate), std::move(work));
  }
  // First the device, then the order: see Before.
  Position submit(Stream& stream, Before before, std::shared_ptr<Gate> gate, std::function<void()> work) {
    const Position at =
        device_.queues().submit(stream.index, {std::move(before.points), std::move(gate), std::move(work)});
    order_.join(stream.index, before.cut);
    return at;
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
    return pools_.with_owner(address, [&](MemoryPool* pool) {
      if (pool == nullptr) return plain_.contains(address, 0);
      if (pool->size_of(address) == 0) return false;
      if (work != nullptr) *work = poison(*pool, address, freed_poison);
      return true;
    });
  }
  // In the checked build and in adversarial mode memory never keeps by luck what a program no longer may read.
  static constexpr std::uint8_t allocated_poison = 0xCD, freed_poison = 0xDD;
  [[nodiscard]] bool poisons() const { return checked_build || options_.adversarial; }
  std::function<void()> poison(MemoryPool& pool, Address address, std::uint8_t value) {
    return [this, address, value, bytes = pool.size_of(address)] { device_.fill(address, value, bytes); };
  }
  template <class FreePool, class FreePlain>
  Status free_any(Address address, FreePool free_pool, FreePlain free_plain) {
    const bool freed =
        pools_.with_owner(address, [&](MemoryPool* pool) { return pool != nullptr ? free_pool(*pool) : free_plain(); });
    return freed ? STREAMPOOL_OK : STREAMPOOL_INVALID_VALUE;
  }

  // A synchronising call has proved what it proves: pools give back what exceeds their thresholds.
  void release_point() {
    pools_.release();
    plain_.collect();
  }
  void reclaim() {
    pools_.collect();
    plain_.collect();
  }

  const ContextOptions options_;
  Order order_;
  Device device_;
  Space<Device> space_;
  PlainMemory<Device> plain_;
  PoolRegistry<Device, Policy> pools_;
  FaultCounter submit_fault_;

  HandleTable<Event> events_{HandleKind::event};
  HandleTable<Gate> gates_{HandleKind::gate};

  DefaultStreams<Device, Policy> defaults_{order_, device_};
  HandleTable<Stream> streams_{HandleKind::stream};  // last: streams tell pools and order of their end
};

}  // namespace streampool::engine
