// Pools and their attributes, as a twin answers.
#include <algorithm>

#include "conformance/suites/tests/twin_target.hpp"

namespace streampool::suites::twins {

using enum Fault;

history::Status TwinTarget::create_pool(const Call& call, Result& result) {
  const std::uint64_t size = call.size.value_or(0);
  if (twin_.is(create_with_small_max_fails) && size > 0 && size < granule) return Status::invalid_value;
  const std::uint64_t handle = new_handle('p');
  const auto dead = dead_pools_.find(handle);
  const PoolIndex p = memory_->add_pool(size, handle, dead != dead_pools_.end() ? &dead->second : nullptr);
  memory_->pool(p).device = static_cast<std::uint32_t>(call.device.value_or(history::Device{}));
  objects_[call.pool] = {true, p, 0, 0};
  if (twin_.is(recycled_pool_is_current) && handle == dead_current_) current_[memory_->pool(p).device] = p;
  result.handle = handle;
  return Status::ok;
}

history::Status TwinTarget::default_pool(const Call& call, Result& result) {
  PoolIndex p = default_of(static_cast<std::uint32_t>(call.device.value_or(history::Device{})));
  if (twin_.is(default_pool_changes)) p = memory_->add_pool(0, new_handle('p'), nullptr);
  objects_[call.pool] = {true, p, 0, 0};
  result.handle = memory_->pool(p).handle;
  return Status::ok;
}

history::Status TwinTarget::destroy_pool(const Call& call, Lock& lock) {
  Object& object = objects_.at(call.pool);
  const PoolIndex p = object.index;
  if (twin_.is(destroy_waits)) wait_for_pool(p, lock);
  if (twin_.is(destroy_waits_for_streams)) device_->wait_for(device_->everything(), lock);
  if (p == twins::default_pool) {
    if (twin_.is(default_pool_destroy_empties)) object.alive = false;
    return twin_.is(default_pool_destroyed) ? Status::ok : Status::invalid_value;
  }
  const bool in_use = memory_->live(p) || memory_->pending(p);
  if (twin_.is(pool_destroy_fails) && !in_use) return Status::invalid_value;
  if (twin_.is(destroy_with_live_refused) && in_use) return Status::not_permitted;
  object.alive = false;
  dead_pools_[memory_->pool(p).handle] = memory_->pool(p);
  free_handles_['p'].insert(memory_->pool(p).handle);
  if (current_of(memory_->pool(p).device) == p) {
    dead_current_ = memory_->pool(p).handle;
    if (!twin_.is(current_dangles)) current_.erase(memory_->pool(p).device);
  }
  memory_->destroy(p);
  return Status::ok;
}

void TwinTarget::wait_for_pool(PoolIndex p, Lock& lock) {
  device_->wait_for([&] { return !memory_->pending(p); }, lock);
}

void TwinTarget::after_set(PoolIndex p, Attribute set, bool refused) {
  const auto hit = static_cast<std::size_t>(twin_.attribute);
  PoolState& pool = memory_->pool(p);
  if (twin_.is(failed_set_clears, set) && refused) {
    pool.settings = pool.frozen;
    pool.used_high = pool.reserved_high = 0;
    pool.settings[4] = pool.settings[4] == 0 ? granule : 0;
  }
  if (refused || set == twin_.attribute) return;
  if (twin_.is(moves_with_neighbour)) {
    if (hit <= 3) pool.settings[hit] = 1 - pool.settings[hit];
    if (hit == 4) pool.settings[4] += granule;
    if (twin_.attribute == Attribute::reserved_mem_current) pool.extra_reserved += granule;
    if (twin_.attribute == Attribute::reserved_mem_high) pool.reserved_high = 0;
    if (twin_.attribute == Attribute::used_mem_current) pool.used = 0;
    if (twin_.attribute == Attribute::used_mem_high) pool.used_high = pool.used;
  }
}

history::Status TwinTarget::set_attribute(const Call& call, Lock& lock) {
  const PoolIndex p = objects_.at(call.pool).index;
  PoolState& pool = memory_->pool(p);
  Attribute id = call.attribute;
  if (twin_.is(set_waits)) wait_for_pool(p, lock);
  if (twin_.is(unknown_id_wraps)) id = static_cast<Attribute>(static_cast<std::int64_t>(id) & 0xFF);
  const auto n = static_cast<std::size_t>(id);
  const auto refuse = [&] {
    after_set(p, id, true);
    return Status::invalid_value;
  };
  if (n < 1 || n > 8) return twin_.is(unknown_id_accepted) ? Status::ok : Status::invalid_value;
  if (call.value.kind == history::AttributeValue::Kind::null) {
    if (twin_.is(null_stores, id)) {
      if (n <= 4) pool.settings[n] = 0;
      if (id == Attribute::reserved_mem_current) pool.extra_reserved += granule;
      if (id == Attribute::used_mem_current) pool.used = 0;
      if (id == Attribute::reserved_mem_high) pool.reserved_high = memory_->reserved(p);
      if (id == Attribute::used_mem_high) pool.used_high = pool.used;
    }
    if (!twin_.is(null_value_accepted)) return refuse();
    if (n <= 4) pool.settings[n] = 0;
    return Status::ok;
  }
  const std::uint64_t value = call.value.integer;
  if (twin_.is(content_lost_by_set)) memory_->lose_pool(p);
  if (id == Attribute::reserved_mem_current || id == Attribute::used_mem_current) {
    if (twin_.is(failed_set_stores, id))
      (id == Attribute::used_mem_current ? pool.used : pool.extra_reserved) = value & ~(granule - 1);
    return twin_.is(read_only_accepted, id) ? Status::ok : refuse();
  }
  if (id == Attribute::reserved_mem_high || id == Attribute::used_mem_high) {
    std::uint64_t& high = id == Attribute::used_mem_high ? pool.used_high : pool.reserved_high;
    if (value != 0) {
      if (twin_.is(failed_set_stores, id)) high = id == Attribute::used_mem_high ? pool.used : pool.reserved();
      return twin_.is(reset_nonzero_accepted, id) ? Status::ok : refuse();
    }
    if (twin_.is(set_refused, id)) return Status::invalid_value;
    if (!twin_.is(reset_ignored, id)) high = id == Attribute::used_mem_high ? memory_->used(p) : memory_->reserved(p);
    if (twin_.is(reset_to_zero, id) || twin_.is(high_below_current)) high = 0;
    if (id == (twin_.is(used_high_frozen) ? Attribute::used_mem_high : Attribute::reserved_mem_high))
      pool.high_frozen = true;
    if (twin_.is(high_shared)) {
      for (PoolIndex q = twins::default_pool; q < memory_->pools(); ++q) {
        (id == Attribute::used_mem_high ? memory_->pool(q).used_high : memory_->pool(q).reserved_high) = high;
      }
    }
    after_set(p, id, false);
    return Status::ok;
  }
  if (n <= 3 && value > 1) {
    if (twin_.is(failed_set_stores, id)) pool.settings[n] = 1 - pool.settings[n];
    if (!twin_.is(other_value_taken, id)) return refuse();
    pool.settings[n] = 1;
    return Status::ok;
  }
  if (twin_.is(set_refused, id)) return Status::invalid_value;
  if (id == Attribute::release_threshold && twin_.is(threshold_below_size_only) && pool.max_size > 0 &&
      value >= pool.max_size)
    return refuse();
  if (id == Attribute::release_threshold && twin_.is(threshold_signed) && value >> 63 != 0) return refuse();
  if (twin_.is(set_ignored, id) || (twin_.is(off_for_ever, id) && pool.settings[n] == 0)) return Status::ok;
  if (twin_.is(settings_stay_in_their_thread) && on_another_thread()) return Status::ok;
  std::uint64_t stored = value;
  if (id == Attribute::release_threshold && twin_.is(threshold_32_bits)) stored &= 0xFFFFFFFF;
  if (id == Attribute::release_threshold && twin_.is(threshold_capped) && pool.max_size > 0)
    stored = std::min(stored, pool.max_size);
  if (twin_.is(set_sticks_to_max, id)) stored = std::max(stored, pool.settings[n]);
  if (twin_.is(settings_mix) && on_another_thread() && pool.settings[n] < memory_size) stored |= pool.settings[n];
  pool.settings[n] = stored;
  if (twin_.is(shared_by_pools, id)) {
    for (PoolIndex q = twins::default_pool; q < memory_->pools(); ++q) memory_->pool(q).settings[n] = stored;
  }
  after_set(p, id, false);
  return Status::ok;
}

history::Status TwinTarget::get_attribute(const Call& call, Result& result, Lock& lock) {
  const PoolIndex p = objects_.at(call.pool).index;
  PoolState& pool = memory_->pool(p);
  Attribute id = call.attribute;
  if (twin_.is(get_waits)) wait_for_pool(p, lock);
  if (twin_.is(unknown_id_wraps)) id = static_cast<Attribute>(static_cast<std::int64_t>(id) & 0xFF);
  const auto n = static_cast<std::size_t>(id);
  if (n < 1 || n > 8) {
    if (!twin_.is(unknown_id_accepted)) return Status::invalid_value;
    result.value = 0;
    return Status::ok;
  }
  if (twin_.is(get_refused, id)) return Status::invalid_value;
  result.wrote = n <= 3 ? 4 : 8;
  if (twin_.is(too_wide, id)) result.wrote = *result.wrote + 4;
  if (twin_.is(too_narrow, id)) result.wrote = *result.wrote - 2;
  if (n <= 4) {
    result.value = pool.settings[n];
    return Status::ok;
  }
  const auto all_pools = [&](auto&& value) {
    std::uint64_t most = 0;
    for (PoolIndex q = twins::default_pool; q < memory_->pools(); ++q) most = std::max(most, value(q));
    return most;
  };
  const bool shared = twin_.is(shared_by_pools, id) || (twin_.is(high_shared) && n % 2 == 0);
  const auto value_of = [&](PoolIndex q) {
    switch (id) {
      case Attribute::reserved_mem_current:
        return memory_->reserved(q);
      case Attribute::reserved_mem_high:
        return memory_->pool(q).reserved_high;
      case Attribute::used_mem_current:
        return memory_->used(q);
      default:
        return memory_->pool(q).used_high;
    }
  };
  result.value = shared ? all_pools(value_of) : value_of(p);
  if (twin_.is(used_high_sampled) && id == Attribute::used_mem_current)
    pool.used_high = std::max(pool.used_high, *result.value);
  if (twin_.is(reserved_high_sampled) && id == Attribute::reserved_mem_current)
    pool.reserved_high = std::max(pool.reserved_high, *result.value);
  return Status::ok;
}

}  // namespace streampool::suites::twins
