#include "impl/api/pool.hpp"
#include "impl/api/streampool.h"
#include "impl/device/host/host_device.hpp"

// The host device counts its own items in the order of its domain, so both are made together.
struct sp_domain {
  explicit sp_domain(std::uint64_t memory_) : memory(memory_) {}
  std::uint64_t memory;
  streampool::engine::Order order{false};
  streampool::engine::HostDevice device{order, streampool::Bytes{2} << 20, streampool::Bytes{1} << 36};
  streampool::engine::Space<streampool::engine::HostDevice> space{device, order, memory};
  std::mutex mutex;
  std::vector<sp_pool*> pools;
};
struct sp_pool {
  sp_pool(sp_domain& domain_, std::uint64_t max_size) : domain(domain_), pool(domain_.space, {max_size, 4}) {}
  sp_domain& domain;
  streampool::engine::Pool<streampool::engine::HostDevice> pool;
};
struct sp_event {
  streampool::engine::Point point;
  streampool::engine::Clock cut;
};

namespace {

using streampool::engine::Address;
using streampool::engine::StreamIndex;

// What C callers get instead of an exception.
template <class Body>
int status_of(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SP_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return SP_INVALID;
  }
}
template <class T, class... Arguments>
T* made(Arguments&&... arguments) {
  try {
    return new T(std::forward<Arguments>(arguments)...);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

sp_domain* sp_domain_create(std::uint64_t memory) { return made<sp_domain>(memory); }
void sp_domain_destroy(sp_domain* d) {
  if (d != nullptr) d->device.queues().finish();
  delete d;
}

int sp_stream_create(sp_domain* d, sp_stream* s) {
  if (d == nullptr || s == nullptr) return SP_INVALID;
  return status_of([&] {
    *s = raw(d->order.open([d](StreamIndex i) { return d->device.completed(i) == streampool::engine::Position::all; }));
    return SP_OK;
  });
}
void sp_stream_destroy(sp_domain* d, sp_stream s) {
  {
    const std::lock_guard lock(d->mutex);
    for (sp_pool* pool : d->pools) pool->pool.forget(StreamIndex{s});
  }
  d->order.close(StreamIndex{s});
}
int sp_run(sp_domain* d, sp_stream s, void (*work)(void*), void* argument) {
  if (d == nullptr || work == nullptr) return SP_INVALID;
  return status_of([&] {
    d->device.queues().submit(StreamIndex{s}, {{}, nullptr, [work, argument] { work(argument); }});
    return SP_OK;
  });
}
void sp_stream_synchronize(sp_domain* d, sp_stream s) {
  sp_event now;
  sp_event_record(d, &now, s);
  d->device.queues().wait_for(now.point);
  d->order.prove(now.cut);
  const std::lock_guard lock(d->mutex);
  for (sp_pool* pool : d->pools) pool->pool.release();
}

sp_event* sp_event_create() { return made<sp_event>(); }
void sp_event_destroy(sp_event* e) { delete e; }
void sp_event_record(sp_domain* d, sp_event* e, sp_stream s) { e->point = d->order.snapshot(StreamIndex{s}, e->cut); }
void sp_stream_wait_event(sp_domain* d, sp_stream s, const sp_event* e) {
  if (!d->device.queues().complete(e->point)) d->device.wait(StreamIndex{s}, e->point);
  d->order.join(StreamIndex{s}, e->cut);
}

sp_pool* sp_pool_create(sp_domain* d, std::uint64_t max_size, std::uint64_t release_threshold) {
  sp_pool* pool = d == nullptr ? nullptr : made<sp_pool>(*d, max_size);
  if (pool == nullptr) return nullptr;
  pool->pool.attributes.release_threshold = release_threshold;
  const std::lock_guard lock(d->mutex);
  d->pools.push_back(pool);
  return pool;
}
void sp_pool_destroy(sp_pool* p) {
  if (p == nullptr) return;
  {
    const std::lock_guard lock(p->domain.mutex);
    std::erase(p->domain.pools, p);
  }
  delete p;
}
int sp_malloc_async(sp_pool* p, void** out, std::size_t bytes, sp_stream s) {
  if (p == nullptr || out == nullptr || bytes == 0) return SP_INVALID;
  return status_of([&] {
    const auto got = p->pool.allocate_behind_waits(StreamIndex{s}, bytes);
    if (!got) return int{SP_OUT_OF_MEMORY};
    *out = reinterpret_cast<void*>(raw(*got));
    return int{SP_OK};
  });
}
int sp_free_async(sp_pool* p, void* memory, sp_stream s) {
  if (p == nullptr) return SP_INVALID;
  return status_of([&] {
    const Address address{reinterpret_cast<std::uint64_t>(memory)};
    return p->pool.free(address, StreamIndex{s}) ? int{SP_OK} : int{SP_INVALID};
  });
}
std::uint64_t sp_pool_used(sp_pool* p) { return p->pool.used(); }
std::uint64_t sp_pool_reserved(sp_pool* p) { return p->pool.reserved(); }
