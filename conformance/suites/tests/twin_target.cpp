#include "conformance/suites/tests/twin_target.hpp"

#include <algorithm>

#include "model/history/signature.hpp"

namespace streampool::suites::twins {

using enum Fault;
using history::Op;

namespace {
std::uint32_t device_of(const history::Call& call) {
  return static_cast<std::uint32_t>(call.device.value_or(history::Device{}));
}
}  // namespace

tl::expected<void, kit::LoadError> TwinTarget::open() {
  const Lock lock(mutex_);
  description_ = {.name = "twin",
                  .version = "1",
                  .devices = 2,
                  .memory = memory_size,
                  .alignment = alignment,
                  .reserve_granule = granule};
  device_ = std::make_unique<Device>(twin_);
  memory_ = std::make_unique<Memory>(twin_, *device_);
  objects_.clear();
  free_handles_.clear();
  next_handle_ = {{'s', 0x100}, {'e', 0x200}, {'g', 0x300}, {'p', 0x400}};
  dead_pools_.clear();
  closed_.clear();
  current_.clear();
  defaults_.clear();
  dead_current_ = 0;
  fail_submit_ = 0;
  opened_on_ = std::this_thread::get_id();
  last_malloc_ = {};
  errors_.clear();
  return {};
}

bool TwinTarget::knows(const Call& call) const {
  const Lock lock(mutex_);
  const auto known = [&](Name name) {
    return name == Name::none || name == Name::legacy || name == Name::per_thread || objects_.contains(name);
  };
  for (const history::Parameter& parameter : history::signature(call.op).parameters()) {
    if (parameter.use == history::Use::defines) continue;
    const Name* name = history::name_in(call, parameter.field);
    if (name != nullptr && !known(*name)) return false;
  }
  const auto known_pointer = [&](const history::Pointer& pointer) {
    return pointer.kind != history::Pointer::Kind::named || known(pointer.name);
  };
  return known_pointer(call.pointer) && std::ranges::all_of(call.pointers, known_pointer);
}

void TwinTarget::run(const Call& call, Result& result) {
  Lock lock(mutex_);
  result = {};
  result.status = dispatch(call, result, lock);
  const bool error =
      result.status != Status::ok && result.status != Status::not_ready && result.status != Status::mismatch;
  if (error) {
    result.native = twin_.is(no_native_code) ? 0 : 1000 + static_cast<std::uint64_t>(result.status);
    newest_error_ = errors_[std::this_thread::get_id()] = *result.native;
  } else if (const auto own = errors_.find(std::this_thread::get_id()); own != errors_.end()) {
    // As the executor sees it.
    if (twin_.is(last_error_of_all_threads) && own->second != newest_error_) result.native = newest_error_;
  }
}

std::vector<history::Name> TwinTarget::closed_gates() const {
  if (twin_.is(sync_holds_the_lock)) return {closed_.begin(), closed_.end()};  // the lock may never come
  const Lock lock(mutex_);
  return {closed_.begin(), closed_.end()};
}

void TwinTarget::open_gate(Name gate) {
  if (twin_.is(sync_holds_the_lock)) return device_->release();
  const Lock lock(mutex_);
  closed_.erase(gate);
  device_->open(objects_.at(gate).index);
}

bool TwinTarget::on_another_thread() const { return std::this_thread::get_id() != opened_on_; }

std::uint64_t TwinTarget::new_handle(char kind) {
  if (twin_.is(handles_repeat)) return next_handle_[kind] - next_handle_[kind] % 2;
  auto& free = free_handles_[kind];
  if (free.empty()) return ++next_handle_[kind];
  const std::uint64_t handle = *free.begin();
  free.erase(free.begin());
  return handle;
}

Stream TwinTarget::stream(Name name) {
  if (name == Name::legacy) return device_->legacy();
  if (name == Name::per_thread) return device_->per_thread();
  return objects_.at(name).index;
}

PoolIndex TwinTarget::pool_of(const Call& call) {
  if (call.pool != Name::none) return objects_.at(call.pool).index;
  if (twin_.is(current_malloc_from_default)) return twins::default_pool;
  if (twin_.is(current_at_stream_creation)) {
    const auto found = current_at_creation_.find(stream(call.stream));
    if (found != current_at_creation_.end()) return found->second;
  }
  return current_of(device_->stream(stream(call.stream)).device);
}

PoolIndex TwinTarget::default_of(std::uint32_t device) {
  if (device == 0 || twin_.is(one_default_pool_for_all_devices)) return twins::default_pool;
  const auto found = defaults_.find(device);
  if (found != defaults_.end()) return found->second;
  const PoolIndex p = memory_->add_pool(0, new_handle('p'), nullptr);
  memory_->pool(p).device = device;
  return defaults_[device] = p;
}

PoolIndex TwinTarget::current_of(std::uint32_t device) {
  const auto found = current_.find(twin_.is(one_current_pool_for_all_devices) ? 0 : device);
  return found != current_.end() ? found->second : default_of(device);
}

std::uint64_t TwinTarget::address(const history::Pointer& pointer) const {
  switch (pointer.kind) {
    case history::Pointer::Kind::null:
      return 0;
    case history::Pointer::Kind::absolute:
      return pointer.value;
    case history::Pointer::Kind::named:
      return objects_.at(pointer.name).address + pointer.value;
  }
  return 0;
}

history::Status TwinTarget::dispatch(const Call& call, Result& result, Lock& lock) {
  const auto dead = [&](Name name) {
    const auto found = objects_.find(name);
    return found != objects_.end() && !found->second.alive;
  };
  if (dead(call.stream) && !twin_.is(dead_stream_accepted)) {
    if (twin_.is(dead_stream_ok)) {
      if (call.op == Op::malloc) result.value = 0x1000;
      if (call.op == Op::malloc) objects_[call.allocation] = {true, 0, 0x1000, 1};
      return Status::ok;
    }
    if (call.op == Op::free && (twin_.is(dead_stream_free_accepted) || twin_.is(dead_stream_free_frees))) {
      if (Block* block = memory_->starting_at(address(call.pointer)); block != nullptr)
        memory_->release_block(*block, {.sync = true});
      if (twin_.is(dead_stream_free_accepted)) return Status::ok;
    }
    if (call.op == Op::malloc && twin_.is(dead_stream_malloc_leaks)) memory_->pool(pool_of(call)).used += *call.size;
    return Status::invalid_handle;
  }
  if (dead(call.event) && !twin_.is(dead_event_accepted)) return Status::invalid_handle;
  if (dead(call.pool) && !twin_.is(dead_pool_accepted)) {
    if (call.op == Op::pool_destroy && twin_.is(second_destroy_accepted)) return Status::ok;
    return twin_.is(dead_pool_status) ? Status::invalid_value : Status::invalid_handle;
  }
  switch (call.op) {
    case Op::stream_create:
      return create_stream(call, result);
    case Op::stream_destroy:
      return destroy_stream(call);
    case Op::stream_sync:
    case Op::device_sync:
    case Op::event_sync:
      return synchronize(call, lock);
    case Op::stream_query:
    case Op::event_query:
      return query(call);
    case Op::event_create:
      return create_event(call, result);
    case Op::event_destroy: {
      Object& object = objects_.at(call.event);
      if (twin_.is(event_destroy_fails) && device_->event(object.index).recorded) return Status::invalid_value;
      object.alive = false;
      device_->destroy_event(object.index);
      free_handles_['e'].insert(device_->event(object.index).handle);
      return Status::ok;
    }
    case Op::event_record:
    case Op::stream_wait_event:
      return record_or_wait(call, lock);
    case Op::gate_create: {
      objects_[call.gate] = {true, device_->add_gate(), 0, 0};
      result.handle = new_handle('g');
      return Status::ok;
    }
    case Op::gate_hold: {
      const Gate gate = objects_.at(call.gate).index;
      if (!device_->gate_open(gate)) closed_.insert(call.gate);
      Item item;
      item.gate = gate;
      device_->submit(stream(call.stream), std::move(item));
      return Status::ok;
    }
    case Op::gate_open:
    case Op::gate_destroy:
      closed_.erase(call.gate);
      device_->open(objects_.at(call.gate).index);
      return Status::ok;
    case Op::pool_create:
      return create_pool(call, result);
    case Op::pool_default:
      return default_pool(call, result);
    case Op::pool_destroy:
      return destroy_pool(call, lock);
    case Op::pool_trim: {
      const PoolIndex p = objects_.at(call.pool).index;
      if (twin_.is(trim_refused) && *call.size < memory_->used(p)) return Status::invalid_value;
      if (twin_.is(trim_refuses_large) && *call.size > memory_->reserved(p)) return Status::invalid_value;
      if (twin_.is(trim_waits)) wait_for_pool(p, lock);
      memory_->trim(p, *call.size);
      return Status::ok;
    }
    case Op::pool_set_current:
      if (!twin_.is(current_not_set)) {
        current_[twin_.is(one_current_pool_for_all_devices) ? 0 : device_of(call)] = objects_.at(call.pool).index;
      }
      return Status::ok;
    case Op::pool_get_current: {
      PoolIndex p = current_of(device_of(call));
      if (twin_.is(current_initial_wrong) && p == twins::default_pool) p = memory_->pools() - 1;
      result.handle = memory_->pool(p).handle;
      return Status::ok;
    }
    case Op::pool_set:
      return set_attribute(call, lock);
    case Op::pool_get:
      return get_attribute(call, result, lock);
    case Op::malloc:
    case Op::plain_malloc:
      return allocate(call, result, lock);
    case Op::free:
      return free_async(call, lock);
    case Op::free_sync:
    case Op::plain_free:
      return free_sync(call);
    case Op::fill:
    case Op::check:
    case Op::launch:
      return probe(call, lock);
    case Op::memory_info:
      result.value = memory_->free_device_memory(device_of(call));
      result.total = memory_->limit[device_of(call)];
      return Status::ok;
    case Op::limit:
      memory_->limit[device_of(call)] = *call.size;
      return Status::ok;
    case Op::fail:
      (call.fail_kind == history::FailKind::reserve ? memory_->fail_reserve
       : call.fail_kind == history::FailKind::map   ? memory_->fail_map
                                                    : fail_submit_) = *call.size;
      return Status::ok;
    case Op::step:
      return Status::not_supported;
  }
  return Status::unknown;
}

// Streams and events ----------------------------------------------------------------------------------

history::Status TwinTarget::create_stream(const Call& call, Result& result) {
  if (twin_.is(create_fails) && call.stream_kind == history::StreamKind::blocking) return Status::invalid_value;
  const std::uint64_t handle = new_handle('s');
  const std::uint32_t kind = call.stream_kind == history::StreamKind::blocking ? 0 : 1;
  const Stream s = device_->add_stream(kind, handle, device_of(call));
  objects_[call.stream] = {true, s, 0, 0};
  if (twin_.is(current_at_stream_creation)) current_at_creation_[s] = current_of(device_of(call));
  result.handle = handle;
  return Status::ok;
}

history::Status TwinTarget::create_event(const Call& call, Result& result) {
  const std::uint64_t handle = new_handle('e');
  objects_[call.event] = {true, device_->add_event(handle, twin_.is(recycled_event_inherits)), 0, 0};
  result.handle = handle;
  return Status::ok;
}

history::Status TwinTarget::destroy_stream(const Call& call) {
  Object& object = objects_.at(call.stream);
  const StreamState& state = device_->stream(object.index);
  if (twin_.is(stream_destroy_fails) && !device_->done(object.index, state.submitted())) return Status::invalid_value;
  object.alive = false;
  device_->destroy(object.index);
  free_handles_['s'].insert(state.handle);
  if (twin_.is(blocks_die_with_stream)) memory_->free_blocks_of(object.index);
  return Status::ok;
}

history::Status TwinTarget::record_or_wait(const Call& call, Lock& lock) {
  const Stream s = stream(call.stream);
  const Event e = objects_.at(call.event).index;
  if (call.op == Op::event_record) {
    const EventState& event = device_->event(e);
    if (twin_.is(record_fails)) return Status::invalid_value;
    if (twin_.is(record_waits)) device_->wait_for(device_->stream(s).reach, lock);
    if (twin_.is(record_again_waits) && event.recorded) device_->wait_for(Cut(event.captured), lock);
    const bool fails = fail_submit_ > 0 && --fail_submit_ == 0;
    if (!fails || twin_.is(failed_record_records)) device_->record(e, s);
    if (fails) return Status::out_of_memory;
  } else {
    if (twin_.is(wait_fails) && !device_->event(e).recorded) return Status::invalid_value;
    if (twin_.is(wait_waits)) device_->wait_for(Cut(device_->event(e).captured), lock);
    device_->wait(s, e);
  }
  return Status::ok;
}

history::Status TwinTarget::synchronize(const Call& call, Lock& lock) {
  Cut cut;    // what its return proves
  Cut waits;  // what it waits for
  bool early = false, releases = true;
  std::uint32_t device = device_of(call);
  if (call.op == Op::stream_sync) {
    const Stream s = stream(call.stream);
    device = device_->stream(s).device;
    cut = device_->stream(s).reach;
    if (device_->stream(s).submitted() > 0) waits = {{{s, device_->stream(s).submitted()}}};
    early = twin_.is(sync_returns_early);
    releases = !twin_.is(stream_sync_keeps);
  } else if (call.op == Op::event_sync) {
    const Event e = objects_.at(call.event).index;
    if (device_->event(e).recorded) device = device_->stream(device_->event(e).on).device;
    cut = device_->event(e).captured;
    waits = device_->event(e).items;
    if (twin_.is(record_captures_later)) waits = device_->stream(device_->event(e).on).reach;
    early = twin_.is(event_sync_returns_early);
    releases = !twin_.is(event_sync_keeps);
  } else {
    if (twin_.is(device_sync_of_first_device_only)) device = 0;
    cut = waits = device_->everything(device);
    if (twin_.is(device_sync_observes_all_devices)) cut = device_->everything();
    early = twin_.is(device_sync_returns_early);
    releases = !twin_.is(device_sync_keeps);
  }
  if (!early) device_->wait_for(waits, lock);
  const bool unseen = (twin_.is(event_sync_finds_nothing) && call.op == Op::event_sync) ||
                      (twin_.is(proofs_stay_in_their_thread) && on_another_thread());
  if (!unseen) device_->prove(cut);
  if (twin_.is(sync_observes_everything)) device_->prove(device_->everything());
  if (twin_.is(sync_observes_later_frees)) {
    for (const auto& [s, n] : Cut(cut).at) device_->prove({{{s, n + 1000}}});
  }
  if (releases) memory_->release_point(device);
  return twin_.is(sync_fails) ? Status::internal : Status::ok;
}

history::Status TwinTarget::query(const Call& call) {
  const bool of_stream = call.op == Op::stream_query;
  Cut cut;
  bool ready = false;
  if (of_stream) {
    const Stream s = stream(call.stream);
    cut = device_->stream(s).reach;
    ready = device_->done(s, device_->stream(s).submitted()) || twin_.is(query_ok_while_pending);
    if (twin_.is(query_sees_own_gates_only)) {
      const StreamState& state = device_->stream(s);
      ready = std::none_of(state.items.begin() + static_cast<std::ptrdiff_t>(state.done), state.items.end(),
                           [](const Item& item) { return item.gate != no_gate; });
    }
    if (twin_.is(query_never_ok)) ready = false;
    if (twin_.is(pending_after_opportunistic) && memory_->reused_from(s) &&
        !device_->proved().contains(s, device_->stream(s).submitted()))
      ready = false;
    if (!ready && twin_.is(query_fails)) return Status::invalid_value;
  } else {
    const EventState& event = device_->event(objects_.at(call.event).index);
    cut = event.captured;
    ready = device_->done(event.items) || twin_.is(event_query_ok_while_pending);
    if (twin_.is(unrecorded_event_pending) && !event.recorded) ready = false;
    if (twin_.is(event_query_never_ok) && event.recorded) ready = false;
    if (!ready && twin_.is(event_query_fails)) return Status::invalid_value;
    if (twin_.is(record_captures_later) && event.recorded) ready = device_->done(device_->stream(event.on).reach);
  }
  if (ready || twin_.is(not_ready_observes)) device_->prove(cut);
  if (twin_.is(reserved_falls_at_query)) memory_->release_point(0);
  return ready ? Status::ok : Status::not_ready;
}

}  // namespace streampool::suites::twins
