#include "model/machine/machine.hpp"

#include <algorithm>

#include "model/machine/require.hpp"

namespace streampool::model::machine {

Machine::Machine(const Parameters& profile, const Settings& settings)
    : profile_(profile),
      policy_(settings.policy),
      engine_(settings.seed),
      choices_(settings.choices),
      memory_(settings.memory),
      granule_(profile.reserve_granule.value.unit(settings.granule)),
      alignment_(profile.alignment.value.count),
      max_size_unit_(profile.max_size_unit.value.unit(settings.granule)),
      streams_(settings.policy != Policy::lazy),
      events_(settings.policy != Policy::lazy),
      gates_(settings.policy != Policy::lazy),
      pools_(settings.policy != Policy::lazy),
      next_address_(first_address) {
  permanent_.push_back(new_stream(legacy_, false));
  const Status made = pool_create(0, default_pool_);
  require(made == Status::ok);
  current_pool_ = default_pool_;
}

std::uint64_t Machine::random(std::uint64_t below) {
  return choices_ != nullptr ? choices_->next(below) : engine_() % below;
}

bool Machine::sometimes(std::uint64_t one_in) { return random(choices_ != nullptr ? 2 : one_in) == 0; }

// Streams, events, gates
// ----------------------------------------------------------------------------------------------

Stream Machine::new_stream(Handle& handle, bool blocking, bool hidden) {
  const Stream s = streams_.create(handle, hidden);
  if (blocking) {
    const Stream legacy = permanent_.front();
    state_.follows.edit(s).push_back(legacy);
    state_.follows.edit(legacy).push_back(s);
  }
  const auto index = static_cast<std::size_t>(s);
  if (index >= handles_.size()) handles_.resize(index + 1);
  handles_[index] = handle;
  return s;
}

Handle Machine::add_per_thread_stream() {
  Handle handle{};
  permanent_.push_back(new_stream(handle, true, true));
  return handle;
}

Status Machine::stream_create(bool blocking, Handle& stream) {
  new_stream(stream, blocking);
  return Status::ok;
}

Status Machine::stream_destroy(Handle stream) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  if (std::ranges::find(permanent_, s) != permanent_.end()) return Status::not_permitted;
  streams_.forget(stream);
  handles_[static_cast<std::size_t>(s)] = Handle{};
  return Status::ok;
}

Status Machine::stream_query(Handle stream) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  if (spec::stream_not_ready(state_, s)) return Status::not_ready;
  require(spec::prove_stream(state_, s));
  spec::observe(state_);
  return Status::ok;
}

Status Machine::event_create(Handle& event) {
  events_.create(event);
  return Status::ok;
}

Status Machine::event_destroy(Handle event) {
  if (events_.find(event) == Event{}) return Status::invalid_handle;
  events_.forget(event);
  return Status::ok;
}

Status Machine::event_record(Handle event, Handle stream) {
  const Event e = events_.find(event);
  const Stream s = streams_.find(stream);
  if (e == Event{} || s == Stream{}) return Status::invalid_handle;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  spec::record(state_, e, s);
  return Status::ok;
}

Status Machine::stream_wait_event(Handle stream, Handle event) {
  const Event e = events_.find(event);
  const Stream s = streams_.find(stream);
  if (e == Event{} || s == Stream{}) return Status::invalid_handle;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  spec::wait(state_, s, e);
  return Status::ok;
}

Status Machine::event_query(Handle event) {
  const Event e = events_.find(event);
  if (e == Event{}) return Status::invalid_handle;
  if (spec::event_not_ready(state_, e)) return Status::not_ready;
  require(spec::prove_event(state_, e));
  spec::observe(state_);
  return Status::ok;
}

Status Machine::gate_create(Handle& gate) {
  const Gate g = gates_.create(gate);
  require(spec::make_gate(state_.device, g));
  closed_gates_.push_back(g);
  return Status::ok;
}

Status Machine::gate_hold(Handle stream, Handle gate) {
  const Gate g = gates_.find(gate);
  const Stream s = streams_.find(stream);
  if (g == Gate{} || s == Stream{}) return Status::invalid_handle;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  require(spec::hold(state_, s, g));
  return Status::ok;
}

Status Machine::gate_open(Handle gate) {
  const Gate g = gates_.find(gate);
  if (g == Gate{}) return Status::invalid_handle;
  spec::open(state_.device, g);
  std::erase(closed_gates_, g);
  return Status::ok;
}

Status Machine::gate_destroy(Handle gate) {
  const Status opened = gate_open(gate);
  if (opened == Status::ok) gates_.forget(gate);
  return opened;
}

void Machine::open_all_gates() {
  for (const Gate g : closed_gates_) spec::open(state_.device, g);
  closed_gates_.clear();
}

// Waiting calls
// -------------------------------------------------------------------------------------------------------

Status Machine::begin_stream_sync(Handle stream, Ticket& ticket) const {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  ticket = {.target = {},
            .program = state_.program.reach.get(s),
            .runtime = state_.runtime.reach.get(s),
            .release = ReleaseCall::stream_sync};
  ticket.target.put(s, spec::submitted(state_.runtime, s));
  return Status::ok;
}

Status Machine::begin_event_sync(Handle event, Ticket& ticket) const {
  const Event e = events_.find(event);
  if (e == Event{}) return Status::invalid_handle;
  ticket = {.target = {},
            .program = state_.program.captured.get(e),
            .runtime = state_.runtime.captured.get(e),
            .release = ReleaseCall::event_sync};
  ticket.target.put(state_.device.recorded_on.get(e), state_.device.recorded_at.get(e));
  return Status::ok;
}

Machine::Ticket Machine::begin_device_sync() const {
  const Cut all = Values::diagonal(state_.runtime.reach);
  return {.target = all, .program = all, .runtime = all, .release = ReleaseCall::device_sync};
}

Status Machine::begin_read(Handle stream, std::uint64_t address, std::uint64_t bytes, void* host, Ticket& ticket) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  if (bytes > UINT64_MAX - address) return Status::invalid_value;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  const Position n = spec::submit(state_, s);
  queue(s).effects.push_back({n, address, address + bytes, 0, host});
  ticket = {.target = {},
            .program = state_.program.reach.get(s),
            .runtime = state_.runtime.reach.get(s),
            .release = ReleaseCall::event_sync};
  ticket.target.put(s, n);
  return Status::ok;
}

bool Machine::run(const Ticket& ticket) {
  if (policy_ == Policy::random && choices_ == nullptr) {
    // What else happens to end meanwhile.
    for (std::uint64_t steps = random(4); steps > 0; --steps) {
      step(static_cast<Stream>(1 + random(handles_.size() - 1)));
    }
  }
  // Items still to be ended: the newest of the list first. A chain of waits may be long, so it is no recursion.
  std::vector<std::pair<Stream, Position>> wanted;
  const spec::Device<Values>& device = state_.device;
  const auto want = [&](const Cut& cut) {
    for (std::size_t i = 0; i < cut.width(); ++i) {
      const auto s = static_cast<Stream>(i);
      if (!spec::executed(device, s, cut.at(s))) wanted.emplace_back(s, cut.at(s));
    }
  };
  want(ticket.target);
  while (!wanted.empty()) {
    const auto [s, n] = wanted.back();
    if (spec::executed(device, s, n)) {
      wanted.pop_back();
      continue;
    }
    if (step(s)) continue;
    const std::size_t before = wanted.size();
    want(device.awaits.get(s, device.executed.at(s) + 1));
    if (wanted.size() == before) return false;  // it waits for nothing but a gate
  }
  return true;
}

void Machine::conclude(const Ticket& ticket) {
  require(ticket.target.within(state_.device.executed));
  spec::prove(state_.program, ticket.program);
  spec::prove(state_.runtime, ticket.runtime);
  spec::observe(state_);
  release_point(ticket.release);
}

// Device steps
// --------------------------------------------------------------------------------------------------------

bool Machine::ready(Stream s) const {
  const spec::Device<Values>& device = state_.device;
  const Position n = device.executed.at(s) + 1;
  return n <= spec::submitted(state_.runtime, s) && device.awaits.get(s, n).within(device.executed) &&
         !device.closed.get(device.gate.get(s, n));
}

bool Machine::step(Stream s) {
  if (!ready(s)) return false;
  require(spec::start<Values>(state_.device, state_.runtime, s));
  require(spec::finish<Values>(state_.device, s));
  ended(s, state_.device.executed.at(s));
  return true;
}

Status Machine::step(Handle stream) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  return step(s) ? Status::ok : Status::not_ready;
}

std::vector<Machine::PendingItem> Machine::pending() const {
  std::vector<PendingItem> items;
  for (std::size_t i = 1; i < handles_.size(); ++i) {
    const auto s = static_cast<Stream>(i);
    const Position last = spec::submitted(state_.runtime, s);
    for (Position n = state_.device.executed.at(s) + 1; n <= last; ++n) {
      items.push_back({handles_[i], s, n, n == state_.device.executed.at(s) + 1 && ready(s)});
    }
  }
  return items;
}

Machine::Queue& Machine::queue(Stream s) {
  const auto index = static_cast<std::size_t>(s);
  if (index >= queues_.size()) queues_.resize(index + 1);
  return queues_[index];
}

void Machine::ended(Stream s, Position n) {
  state_.device.awaits.forget(s, n);
  state_.device.gate.forget(s, n);
  Queue& own = queue(s);
  while (!own.effects.empty() && own.effects.front().position == n) {
    const Effect& effect = own.effects.front();
    if (effect.host == nullptr) {
      contents_.assign(effect.begin, effect.end, static_cast<std::uint16_t>(effect.value + 1));
    } else {
      auto* const host = static_cast<std::uint8_t*>(effect.host);
      contents_.visit(effect.begin, effect.end, [&](std::uint64_t begin, std::uint64_t end, std::uint16_t value) {
        // Bytes that nobody wrote hold anything.
        std::fill(host + (begin - effect.begin), host + (end - effect.begin),
                  static_cast<std::uint8_t>(value == 0 ? 0xCD : value - 1));
        return true;
      });
    }
    own.effects.pop_front();
  }
  if (own.frees.empty() || own.frees.front().first != n) return;
  const Allocation x = own.frees.front().second;
  own.frees.pop_front();
  if (state_.allocations.counted.get(x)) require(spec::settle(state_, x));
}

Status Machine::fill(Handle stream, std::uint64_t address, std::uint8_t value, std::uint64_t bytes) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  if (bytes > UINT64_MAX - address) return Status::invalid_value;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  const Position n = spec::submit(state_, s);
  queue(s).effects.push_back({n, address, address + bytes, value, nullptr});
  return Status::ok;
}

Status Machine::launch(Handle stream, std::span<const std::uint64_t> addresses) {
  const Stream s = streams_.find(stream);
  if (s == Stream{}) return Status::invalid_handle;
  if (fails(history::FailKind::submit)) return Status::out_of_memory;
  const Position n = spec::submit(state_, s);
  for (const std::uint64_t address : addresses) {
    // It writes: what is there afterwards is nobody's business, but it is not what was there before.
    const Allocation x = live_at(address);
    if (x == Allocation{}) continue;
    const std::uint64_t base = state_.allocations.base.get(x);
    queue(s).effects.push_back({n, base, base + state_.allocations.size.get(x), 0xEE, nullptr});
  }
  return Status::ok;
}

}  // namespace streampool::model::machine
