// Streams, events, gates, and the calls that prove (chapter ORDER).
#include "fmt/format.h"
#include "model/monitor/monitor.hpp"
#include "model/monitor/observer.hpp"

namespace streampool::model {

using namespace spec::literals;
using history::Op;

namespace {

bool observes(const Profile& profile, bool query) {
  // Synchronizing calls always; queries by parameter, and a silent one is accepted.
  return !query || !profile.observing_calls.binds() || profile.observing_calls.value.contains(ObservingCall::query);
}

spec::ClauseId early_clause(Op op) {
  switch (op) {
    case Op::event_sync:
    case Op::event_query:
      return "ORDER-EARLY-EVENT"_clause;
    case Op::device_sync:
      return "ORDER-EARLY-DEVICE"_clause;
    default:
      return "ORDER-EARLY"_clause;
  }
}

}  // namespace

void Monitor::create_stream(const Context& c) {
  require_ok("LIFE-CREATE-STATUS"_clause, c, true);
  if (!c.ok()) return;
  const auto role =
      c.call.stream_kind == history::StreamKind::blocking ? StreamRole::blocking : StreamRole::nonblocking;
  const Stream s = timeline_.add_stream(role, device_of(c.call), c.call.stream);
  define(c.call.stream, Entity::Kind::stream, static_cast<std::uint32_t>(s), c);
}

void Monitor::destroy_stream(const Context& c) {
  require_ok("LIFE-STREAM-DESTROY"_clause, c);
  if (!c.ok()) return;
  timeline_.destroy_stream(stream_of(c.call.stream, c.thread));
  forget_handle(entities_[static_cast<std::size_t>(c.call.stream)]);
}

void Monitor::create_event(const Context& c) {
  require_ok("LIFE-CREATE-STATUS"_clause, c, true);
  if (c.ok()) define(c.call.event, Entity::Kind::event, static_cast<std::uint32_t>(timeline_.add_event()), c);
}

void Monitor::submit_plainly(const Context& c) {
  require_ok("ORDER-SUBMIT-STATUS"_clause, c);
  if (!c.ok()) return;
  const Stream s = stream_of(c.call.stream, c.thread);
  const auto index = [&](Name name) { return entities_[static_cast<std::size_t>(name)].index; };
  switch (c.call.op) {
    case Op::event_record:
      timeline_.record(static_cast<Event>(index(c.call.event)), s);
      return;
    case Op::stream_wait_event: {
      const auto e = static_cast<Event>(index(c.call.event));
      if (timeline_.program_captured(e).width() == 0) verdicts_.count("ORDER-EVENT-EMPTY"_clause);
      timeline_.wait(s, e);
      return;
    }
    default:
      timeline_.hold(s, static_cast<Gate>(index(c.call.gate)));
      return;
  }
}

Timeline::Proof Monitor::proof_of(const Call& call, history::Thread thread) {
  switch (call.op) {
    case Op::device_sync:
      return timeline_.of_device(device_of(call));
    case Op::event_sync:
    case Op::event_query:
      return timeline_.of_event(static_cast<Event>(entities_[static_cast<std::size_t>(call.event)].index));
    default:
      return timeline_.of_stream(stream_of(call.stream, thread));
  }
}

std::optional<Timeline::Proof> Monitor::capture(const Call& call, history::Thread thread) {
  switch (call.op) {
    case Op::device_sync:
      break;
    case Op::stream_sync:
      if (const Entity* s = entity(call.stream); s != nullptr && !s->alive) return std::nullopt;
      break;
    case Op::event_sync:
      if (const Entity* e = entity(call.event); e == nullptr || !e->alive) return std::nullopt;
      break;
    default:
      return std::nullopt;
  }
  Timeline::Proof proof = proof_of(call, thread);
  // A synchronize that begins while a gate holds what it covers could return too early.
  if (timeline_.holder(proof.program)) verdicts_.count(early_clause(call.op));
  return proof;
}

void Monitor::dependency_missing(const Item& free, const Context& c) {
  verdicts_.violate(
      "REUSE-DEPENDENCY-MISSING"_clause,
      fmt::format("An allocation was given memory whose free, {}, a closed gate still holds; only a wait for that free "
                  "explains it. {} now shows an item behind the allocation complete, so there was no such wait.",
                  text(free), to_text(c.call.op)));
}

void Monitor::prove(const Timeline::Proof& proof, bool observing, spec::ClauseId early, const Context& c) {
  if (timeline_.any_hold()) verdicts_.count(early);
  if (timeline_.claims_held(proof.program)) verdicts_.count("REUSE-DEPENDENCY-MISSING"_clause);
  const bool of_event = c.call.op == Op::event_sync || c.call.op == Op::event_query;
  if (of_event && proof.program.width() == 0) verdicts_.count("ORDER-EVENT-EMPTY"_clause);
  if (proof.accepted.width() > 0) verdicts_.count("ORDER-LEGACY-PROOF"_clause);
  const Timeline::Refuted refuted = timeline_.prove(proof, observing);
  if (refuted.early) {
    verdicts_.violate(early,
                      fmt::format("{} reports {} complete, but closed gate {} lies in its cut.", to_text(c.call.op),
                                  text(*refuted.early), text(timeline_.name(*timeline_.holder(proof.program)))));
  } else if (refuted.not_awaited) {
    dependency_missing(*refuted.not_awaited, c);
  }
  frees_proved();
}

void Monitor::synchronize(const Context& c) {
  require_ok("ORDER-SYNC-STATUS"_clause, c);
  if (!c.ok()) return;
  const bool captured = c.captured->has_value();
  prove(captured ? **c.captured : proof_of(c.call, c.thread), observes(profile_, false), early_clause(c.call.op), c);
  const auto kind = c.call.op == Op::stream_sync  ? ReleaseCall::stream_sync
                    : c.call.op == Op::event_sync ? ReleaseCall::event_sync
                                                  : ReleaseCall::device_sync;
  std::uint32_t device = device_of(c.call);
  if (c.call.op == Op::stream_sync) device = timeline_.device(stream_of(c.call.stream, c.thread));
  release_point(device, kind);
}

Verdicts::Also Monitor::also_by_query(const Context& c) {
  const bool of_event = c.call.op == Op::event_query;
  const Name name = of_event ? c.call.event : c.call.stream;
  const Entity* known = entity(name);
  if (known != nullptr && known->failed_submit) return "CAP-FAULT"_clause;
  const Entity* older = destroyed_before(name);
  if (older == nullptr) return std::nullopt;
  // Would the destroyed object of that handle value be complete? Then it is not what was answered about.
  const Timeline::Proof proof = of_event ? timeline_.of_event(static_cast<Event>(older->index))
                                         : timeline_.of_stream(static_cast<Stream>(older->index));
  if (!spec::not_ready_possible<Observer>(timeline_.program_proved(), proof.program)) return std::nullopt;
  return of_event ? "LIFE-RECYCLED-EVENT"_clause : "LIFE-RECYCLED-STREAM"_clause;
}

void Monitor::query(const Context& c) {
  if (c.result == nullptr) return;  // not observed: proves nothing
  const bool known = c.ok() || c.status == Status::not_ready;
  verdicts_.check("ORDER-QUERY-STATUS"_clause, known, [&] {
    return fmt::format("{} of a live handle answered {}; permitted: ok, not_ready.", to_text(c.call.op),
                       to_text(c.status));
  });
  if (!known) return;
  const Timeline::Proof proof = proof_of(c.call, c.thread);
  if (c.ok()) {
    if (!spec::not_ready_possible<Observer>(timeline_.program_proved(), proof.program)) {
      verdicts_.count("ORDER-STABLE"_clause);
    } else if (timeline_.all_shown(proof.program)) {
      verdicts_.count("REUSE-UNSAFE-PENDING"_clause);
    }
    prove(proof, observes(profile_, true), early_clause(c.call.op), c);
    return;
  }
  if (timeline_.claims_held(proof.program)) verdicts_.count("REUSE-DEPENDENCY-MISSING"_clause);
  // The legacy stream's query may cover the blocking streams too.
  if (c.call.stream == Name::legacy && !timeline_.blocking_proved(stream_of(c.call.stream, c.thread))) return;
  if (c.call.op == Op::event_query && proof.program.width() == 0) {
    verdicts_.violate("ORDER-EVENT-EMPTY"_clause,
                      fmt::format("Event {} was never recorded, so it is complete.", text(c.call.event)),
                      also_by_query(c));
  } else if (!spec::not_ready_possible<Observer>(timeline_.program_proved(), proof.program)) {
    verdicts_.count("ORDER-STABLE"_clause);
    verdicts_.violate("ORDER-STABLE"_clause,
                      fmt::format("{} answered not_ready, but everything that it covers was proved complete before.",
                                  to_text(c.call.op)),
                      also_by_query(c));
  } else if (timeline_.all_shown(proof.program)) {
    verdicts_.check("REUSE-UNSAFE-PENDING"_clause, false, [&] {
      return fmt::format(
          "{} answered not_ready, but a reuse could only be explained by what it covers being complete: the memory was "
          "handed out while its free was pending.",
          to_text(c.call.op));
    });
  } else {
    verdicts_.count("ORDER-QUERY-LATE"_clause);
  }
}

void Monitor::step(const Context& c) {
  if (!c.ok()) return;
  const Timeline::Refuted refuted = timeline_.step(stream_of(c.call.stream, c.thread));
  verdicts_.check("ORDER-EARLY"_clause, !refuted.early,
                  [&] { return fmt::format("step completed {}, which a closed gate holds.", text(*refuted.early)); });
  if (refuted.pending) {
    verdicts_.violate(
        "REUSE-UNSAFE-PENDING"_clause,
        fmt::format(
            "A reuse could only be explained by everything before {} being complete, but step completed an item "
            "of that stream, and a closed gate holds {}.",
            text(*refuted.pending), text(*refuted.pending)));
  }
  if (refuted.not_awaited) dependency_missing(*refuted.not_awaited, c);
}

history::Name Monitor::holder(const Call& call, history::Thread thread) {
  if (!timeline_.any_hold()) return Name::none;
  // A name that no judged call made: nothing is judged after a finding, but a live run goes on to clean up.
  const auto unknown = [&](Name name) {
    return name != Name::none && name != Name::legacy && name != Name::per_thread && entity(name) == nullptr;
  };
  if (unknown(call.stream) || unknown(call.event)) return Name::none;
  Cut cut;
  switch (call.op) {
    case Op::stream_sync:
    case Op::stream_destroy:
    case Op::device_sync:
    case Op::event_sync: {
      const Timeline::Proof proof = proof_of(call, thread);
      cut = proof.runtime;
      // A runtime may wait for the blocking streams too when the legacy stream is synchronized.
      if (call.stream == Name::legacy) cut.join(timeline_.of_device(0).runtime);
      break;
    }
    case Op::check: {
      const Stream s = stream_of(call.stream, thread);
      // On a default or blocking stream the item would also follow others.
      cut = timeline_.role(s) == StreamRole::nonblocking ? timeline_.runtime_reach(s)
                                                         : timeline_.of_device(timeline_.device(s)).runtime;
      break;
    }
    // These may wait for the whole device.
    case Op::free_sync:
    case Op::plain_free:
    case Op::plain_malloc:
      cut = timeline_.of_device(device_of(call)).runtime;
      break;
    default:
      return Name::none;
  }
  const auto gate = timeline_.holder(cut);
  return gate ? timeline_.name(*gate) : Name::none;
}

}  // namespace streampool::model
