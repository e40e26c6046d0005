#include "model/monitor/monitor.hpp"

#include <algorithm>

#include "fmt/format.h"

namespace streampool::model {

using namespace spec::literals;
using history::Op;

namespace {

// How a call is judged for blocking (semantics section 9). Calls without a clause may block.
std::optional<spec::ClauseId> blocking_clause(Op op) {
  switch (op) {
    case Op::malloc:
      return "ASYNC-BLOCKED-MALLOC"_clause;
    case Op::free:
      return "ASYNC-BLOCKED-FREE"_clause;
    case Op::event_record:
    case Op::stream_wait_event:
      return "ASYNC-BLOCKED-EVENT"_clause;
    case Op::pool_set:
    case Op::pool_get:
      return "ASYNC-BLOCKED-ATTRIBUTE"_clause;
    case Op::pool_trim:
      return "ASYNC-BLOCKED-TRIM"_clause;
    case Op::pool_destroy:
      return "ASYNC-BLOCKED-DESTROY"_clause;
    default:
      return std::nullopt;
  }
}

// Groups that a runtime may lack: the call then did not happen.
bool optional_group(const history::Call& call) {
  if (call.stream == history::Name::legacy || call.stream == history::Name::per_thread) return true;
  switch (call.op) {
    case Op::gate_create:
    case Op::gate_hold:
    case Op::gate_open:
    case Op::gate_destroy:
    case Op::step:
    case Op::limit:
    case Op::fail:
    case Op::memory_info:
    case Op::pool_default:
    case Op::pool_set_current:
    case Op::pool_get_current:
    case Op::plain_malloc:
    case Op::plain_free:
    case Op::free_sync:
    case Op::fill:
    case Op::check:
    case Op::launch:
      return true;
    case Op::malloc:
      return call.pool == history::Name::none;
    default:
      return false;
  }
}

}  // namespace

Monitor::Monitor(const Profile& profile, const history::NameTable& names, Environment environment)
    : profile_(profile), names_(names), environment_(environment) {}

void Monitor::device(const history::DeviceLine& line) {
  if (line.device != history::Device{0}) return;
  if (line.memory) limit_ = environment_.memory = *line.memory;
  if (line.granularity) environment_.granule = *line.granularity;
  if (line.alignment) environment_.alignment = *line.alignment;
  if (line.taken) environment_.taken = *line.taken;
}

// Where the profile does not bind, what the runtime says of itself.
std::uint64_t Monitor::granule() const {
  if (!profile_.reserve_granule.binds()) return std::max<std::uint64_t>(environment_.granule, 1);
  return profile_.reserve_granule.value.unit(environment_.granule);
}

std::string Monitor::text(const Item& item) const {
  return fmt::format("item {} of {}", item.position, names_.text(timeline_.name(item.stream)));
}

const Entity* Monitor::entity(Name name) const {
  const auto index = static_cast<std::size_t>(name);
  return index < entities_.size() && entities_[index].kind != Entity::Kind::none ? &entities_[index] : nullptr;
}

Entity& Monitor::define(Name name, Entity::Kind kind, std::uint32_t index, const Context& c) {
  const auto slot = static_cast<std::size_t>(name);
  if (slot >= entities_.size()) entities_.resize(slot + 1 + slot / 2);
  Entity& entity = entities_[slot];
  entity = Entity{};
  entity.kind = kind;
  entity.alive = true;
  entity.index = index;
  if (c.result != nullptr && c.result->handle) {
    entity.handle = c.result->handle;
    const auto key = std::pair{static_cast<std::uint8_t>(kind), *entity.handle};
    if (const auto dead = dead_handles_.find(key); dead != dead_handles_.end()) {
      // Here it is only that the state arose; what the new object shows of the old one is found where it is looked at.
      entity.before = dead->second;
      if (kind == Entity::Kind::stream) verdicts_.count("LIFE-RECYCLED-STREAM"_clause);
      if (kind == Entity::Kind::event) verdicts_.count("LIFE-RECYCLED-EVENT"_clause);
      if (kind == Entity::Kind::pool) verdicts_.count("LIFE-RECYCLED-POOL"_clause);
    }
    const auto [it, fresh] = live_handles_.try_emplace(key, name);
    // pool_default may name one pool twice.
    const bool same_pool = !fresh && kind == Entity::Kind::pool && this->entity(it->second)->index == index;
    verdicts_.check("LIFE-HANDLE-DISTINCT"_clause, fresh || same_pool, [&] {
      return fmt::format("{} got the handle value {:#x}, which {} has while it lives.", text(name), *entity.handle,
                         text(it->second));
    });
  }
  return entity;
}

void Monitor::forget_handle(Entity& entity) {
  entity.alive = false;
  if (!entity.handle) return;
  const auto key = std::pair{static_cast<std::uint8_t>(entity.kind), *entity.handle};
  const auto live = live_handles_.find(key);
  if (live == live_handles_.end()) return;
  dead_handles_.insert_or_assign(key, live->second);
  live_handles_.erase(live);
}

const Entity* Monitor::destroyed_before(Name name) const {
  const Entity* known = entity(name);
  return known != nullptr ? entity(known->before) : nullptr;
}

Stream Monitor::stream_of(Name name, history::Thread thread) {
  const auto special = [&](auto& list, std::uint32_t key, StreamRole role) {
    for (const auto& [known, s] : list) {
      if (known == key) return s;
    }
    const Stream s = timeline_.add_stream(role, 0, name);
    list.emplace_back(key, s);
    return s;
  };
  if (name == Name::legacy) return special(legacy_, 0, StreamRole::legacy);
  if (name == Name::per_thread) return special(per_thread_, static_cast<std::uint32_t>(thread), StreamRole::blocking);
  return static_cast<Stream>(entities_[static_cast<std::size_t>(name)].index);
}

void Monitor::fault_reported(const Context& c) {
  --armed_faults_;
  ++reported_faults_;
  verdicts_.count("CAP-FAULT"_clause);
  for (const Name name : {c.call.stream, c.call.event}) {
    if (entity(name) != nullptr) entities_[static_cast<std::size_t>(name)].failed_submit = true;
  }
}

void Monitor::require_ok(spec::ClauseId clause, const Context& c, bool out_of_memory_allowed, Verdicts::Also also) {
  if (!c.ok() && armed_faults_ > 0) return fault_reported(c);
  const bool good = c.ok() || (out_of_memory_allowed && c.status == Status::out_of_memory);
  verdicts_.check(
      clause, good,
      [&] {
        return fmt::format("{} is a valid call and answered {}; permitted: ok{}.", to_text(c.call.op),
                           to_text(c.status), out_of_memory_allowed ? ", out_of_memory" : "");
      },
      also);
}

void Monitor::misuse(const Parameter<StatusRule>& rule, spec::ClauseId clause, const Context& c,
                     const std::string& what) {
  if (!rule.binds() || rule.value.kind == StatusRule::Kind::not_detected) {
    verdicts_.fault(
        "PROGRAM-MISUSE"_clause,
        fmt::format("{}; profile {} gives this no status, so nothing can be said of the runtime from here on.", what,
                    profile_.name));
    return;
  }
  // It may fail as asked for before it is looked at.
  if (c.status == Status::out_of_memory && armed_faults_ > 0) return fault_reported(c);
  verdicts_.check(clause, rule.value.allows(c.status), [&] {
    return fmt::format("{}: profile {} demands {}, the runtime answered {}.", what, profile_.name,
                       rule.value.kind == StatusRule::Kind::exact ? to_text(rule.value.status) : "an error",
                       to_text(c.status));
  });
}

bool Monitor::dead_handles(const Context& c) {
  const auto dead = [&](Name name) {
    const Entity* known = entity(name);
    return known != nullptr && !known->alive ? known : nullptr;
  };
  const auto refuse = [&](const Entity& known, Name name, spec::ClauseId clause, std::string_view what) {
    if (known.handle && live_handles_.contains(std::pair{static_cast<std::uint8_t>(known.kind), *known.handle})) {
      verdicts_.fault(
          "PROGRAM-MISUSE"_clause,
          fmt::format("{} is a dead {}, and its handle value now means another, living one.", text(name), what));
    } else {
      misuse(profile_.dead_handle, clause, c,
             fmt::format("{} passes {}, a dead {}", to_text(c.call.op), text(name), what));
    }
    return true;
  };
  if (const Entity* known = dead(c.call.gate)) {
    verdicts_.fault("PROGRAM-MISUSE"_clause, fmt::format("{} is a destroyed gate.", text(c.call.gate)));
    return known != nullptr;
  }
  if (const Entity* known = dead(c.call.stream)) {
    const bool frees = c.call.op == Op::free;
    // A free of null on a dead stream: either rule may decide.
    const Entity* pointee = frees ? entity(c.call.pointer.name) : nullptr;
    const bool null = frees && (c.call.pointer.kind == history::Pointer::Kind::null ||
                                (pointee != nullptr && pointee->block == BlockRef{} && pointee->address == 0));
    if (null && profile_.free_null.value.allows(c.status)) return true;
    if (frees && !c.ok()) {
      const Entity* freed = entity(c.call.pointer.name);
      if (freed != nullptr && memory_.exists(freed->block)) memory_.get(freed->block).refused_free = true;
      if (freed != nullptr) refused_free(freed->block);
    }
    return refuse(*known, c.call.stream, frees ? "LIFE-FREE-DEAD-STREAM"_clause : "LIFE-STREAM-DEAD"_clause, "stream");
  }
  if (const Entity* known = dead(c.call.event)) return refuse(*known, c.call.event, "LIFE-EVENT-DEAD"_clause, "event");
  if (const Entity* known = dead(c.call.pool)) {
    const bool destroys = c.call.op == Op::pool_destroy;
    return refuse(*known, c.call.pool, destroys ? "LIFE-POOL-SECOND-DESTROY"_clause : "LIFE-POOL-DEAD"_clause, "pool");
  }
  return false;
}

bool Monitor::trouble(Context& c) {
  const auto judged = blocking_clause(c.call.op);
  const bool may_wait =
      c.call.op == Op::malloc && (!profile_.malloc_may_wait.binds() || profile_.malloc_may_wait.value);
  const bool blocked = c.result != nullptr && (c.result->blocked != Name::none || c.status == Status::timeout);
  if (judged && timeline_.any_hold()) {
    verdicts_.count("ASYNC-BLOCKED"_clause);
    verdicts_.count(*judged);
  }
  if (blocked) {
    // The watchdog opened the gate, so at the return it counts as open.
    if (const Entity* gate = entity(c.result->blocked)) timeline_.open(static_cast<Gate>(gate->index));
    const std::string what = c.status == Status::timeout
                                 ? fmt::format("{} did not return", to_text(c.call.op))
                                 : fmt::format("{} returned only after the watchdog opened gate {}", to_text(c.call.op),
                                               text(c.result->blocked));
    const bool timeout = c.status == Status::timeout;
    if (timeout && !timeline_.any_hold()) {
      verdicts_.violate(overlapping_ ? "THREAD-DEADLOCK"_clause : "LIFE-NO-CRASH"_clause,
                        what + ", and no gate is closed.");
      return true;
    }
    if (may_wait && !timeout) {
      verdicts_.count("ASYNC-MALLOC-WAITS"_clause);
      return false;
    }
    if (c.call.op == Op::stream_destroy) verdicts_.count("ASYNC-DESTROY-WAITS"_clause);
    if (judged && !may_wait) {
      verdicts_.violate(*judged, what + "; a call of this kind may not wait for the device.");
      return true;
    }
    verdicts_.inconclusive("ASYNC-BLOCKED"_clause, what + "; it may block, so the program got itself stuck.");
    if (c.status == Status::timeout) return true;
  }
  if (c.status == Status::crash) {
    verdicts_.violate("LIFE-NO-CRASH"_clause, fmt::format("The process ended inside {}.", to_text(c.call.op)));
    return true;
  }
  return c.status == Status::not_supported && optional_group(c.call);
}

void Monitor::call(const Call& call, const std::optional<Result>& result, history::Thread thread,
                   const std::optional<Timeline::Proof>& captured) {
  Context c{call, result ? &*result : nullptr, result ? result->status : Status::ok, thread, &captured};
  if (trouble(c)) return;
  if (!dead_handles(c)) dispatch(c);
  // Last, so that a wrong status is named before a code that does not fit it.
  if (c.result != nullptr && c.result->native) {
    const bool error = !c.ok() && c.status != Status::not_ready;
    verdicts_.check("CAP-NATIVE-CODE"_clause, error == (*c.result->native != 0), [&] {
      return fmt::format("{} answered {} with the native code {}.", to_text(c.call.op), to_text(c.status),
                         *c.result->native);
    });
  }
}

void Monitor::dispatch(const Context& c) {
  const Call& call = c.call;
  switch (call.op) {
    case Op::stream_create:
      return create_stream(c);
    case Op::stream_destroy:
      return destroy_stream(c);
    case Op::stream_sync:
    case Op::device_sync:
    case Op::event_sync:
      return synchronize(c);
    case Op::stream_query:
    case Op::event_query:
      return query(c);
    case Op::event_create:
      return create_event(c);
    case Op::event_destroy:
      require_ok("LIFE-EVENT-DESTROY"_clause, c);
      if (c.ok()) forget_handle(entities_[static_cast<std::size_t>(call.event)]);
      return;
    case Op::event_record:
    case Op::stream_wait_event:
    case Op::gate_hold:
      return submit_plainly(c);
    case Op::gate_create:
      if (c.ok()) define(call.gate, Entity::Kind::gate, static_cast<std::uint32_t>(timeline_.add_gate(call.gate)), c);
      return;
    case Op::gate_open:
    case Op::gate_destroy: {
      Entity& gate = entities_[static_cast<std::size_t>(call.gate)];
      if (!c.ok()) return;
      timeline_.open(static_cast<Gate>(gate.index));
      if (call.op == Op::gate_destroy) forget_handle(gate);
      return;
    }
    case Op::step:
      return step(c);
    case Op::pool_create:
      return create_pool(c);
    case Op::pool_default:
      return default_pool(c);
    case Op::pool_destroy:
      return destroy_pool(c);
    case Op::pool_trim:
      return trim(c);
    case Op::pool_set_current:
      return set_current(c);
    case Op::pool_get_current:
      return get_current(c);
    case Op::pool_set:
      return set_attribute(c);
    case Op::pool_get:
      return get_attribute(c);
    case Op::malloc:
    case Op::plain_malloc:
      return allocate(c);
    case Op::free:
      return free_async(c);
    case Op::free_sync:
    case Op::plain_free:
      return free_sync(c);
    case Op::fill:
    case Op::check:
    case Op::launch:
      return touch(c);
    case Op::memory_info:
      return memory_info(c);
    case Op::limit:
      if (!c.ok()) return;
      if (device_of(call) != 0) {
        short_of_memory_ = true;  // how much that one has is not known
        return;
      }
      // A device has no more than it had.
      limit_ = environment_.memory != 0 ? std::min(*call.size, environment_.memory) : *call.size;
      memory_reading_.reset();
      return;
    case Op::fail:
      if (c.ok()) ++armed_faults_;
      return;
  }
}

}  // namespace streampool::model
