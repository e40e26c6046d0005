// The pools of one device: their handles, the default and the current one, and the end of destroyed ones, which comes
// once their last allocation is freed and their last free has passed.
//
// Thread safe.
#pragma once

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "conformance/abi/streampool_runtime.h"
#include "impl/pool/pool.hpp"
#include "impl/runtime/handles.hpp"

namespace streampool::engine {

template <class Device, class Policy>
class PoolRegistry {
 public:
  using MemoryPool = Pool<Device, Policy>;
  using Status = streampool_status;

  // `options` are those of every pool, but for its size. Makes the default pool.
  PoolRegistry(Space<Device>& space, const PoolOptions& options)
      : space_(space), options_(options), default_(create(0)), current_(default_) {}

  // The new pool's handle.
  std::uint64_t create(Bytes max_size) {
    PoolOptions options = options_;
    options.max_size = max_size;
    return pools_.add(std::make_shared<MemoryPool>(space_, options));
  }
  Status destroy(std::uint64_t handle) {
    const std::unique_lock unused(in_use_);
    const std::lock_guard lock(mutex_);
    if (handle == default_) return STREAMPOOL_INVALID_VALUE;
    std::shared_ptr<MemoryPool> pool = pools_.remove(handle);
    if (!pool) return STREAMPOOL_INVALID_HANDLE;
    if (current_ == handle) current_ = default_;
    dying_.push_back(std::move(pool));
    reap();
    return STREAMPOOL_OK;
  }
  // Null: no such pool (any more).
  [[nodiscard]] std::shared_ptr<MemoryPool> find(std::uint64_t handle) const { return pools_.find(handle); }

  [[nodiscard]] std::uint64_t default_handle() const { return default_; }
  [[nodiscard]] std::uint64_t current_handle() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }
  Status set_current(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    if (!pools_.find(handle)) return STREAMPOOL_INVALID_HANDLE;
    current_ = handle;
    return STREAMPOOL_OK;
  }

  // `body(pool)` with the pool of this handle, null if there is none (any more). Nobody destroys it meanwhile, so what
  // the body does comes before the destruction in every way: no block of the pool that is freed later is served by it.
  template <class Body>
  auto with_pool(std::uint64_t handle, Body body) const {
    const std::shared_lock lock(in_use_);
    return body(pools_.find(handle));
  }
  // The same with the current pool.
  template <class Body>
  auto with_current(Body body) const {
    const std::shared_lock lock(in_use_);
    return body(pools_.find(current_handle()));
  }
  // `body(pool)` with the pool whose memory the address lies in, null if none. The pool lives at least as long.
  template <class Body>
  auto with_owner(Address address, Body body) const {
    const std::shared_lock lock(lifetime_);
    return body(MemoryPool::owner_of(space_, address));
  }

  // A synchronising call has proved what it proves: pools give back what exceeds their thresholds.
  void release() {
    for (const auto& entry : pools_.all()) entry.object->release();
    collect();
  }
  // Gives back what destroyed pools no longer need.
  void collect() {
    const std::lock_guard lock(mutex_);
    reap();
  }
  // The stream is gone.
  void forget(StreamIndex stream) {
    for (const auto& entry : pools_.all()) entry.object->forget(stream);
  }

 private:
  // `mutex_` is held.
  void reap() {
    for (const auto& pool : dying_) pool->trim(0);
    std::vector<std::shared_ptr<MemoryPool>> ended;
    const std::unique_lock lock(lifetime_);
    for (auto& pool : dying_) {
      if (pool->reserved() == 0 && pool.use_count() == 1) ended.push_back(std::move(pool));
    }
    std::erase(dying_, nullptr);
  }

  Space<Device>& space_;
  const PoolOptions options_;
  HandleTable<MemoryPool> pools_{HandleKind::pool};
  // Shared: a call allocates from a pool or reads it; unique: a pool is destroyed. Before `mutex_`.
  mutable std::shared_mutex in_use_;
  mutable std::mutex mutex_;  // current, dying
  const std::uint64_t default_;
  std::uint64_t current_;
  std::vector<std::shared_ptr<MemoryPool>> dying_;
  mutable std::shared_mutex lifetime_;  // shared: a pool found by address is in use; unique: a dying pool ends
};

}  // namespace streampool::engine
