#include "model/monitor/timeline.hpp"

#include <algorithm>

#include "model/monitor/observer.hpp"

namespace streampool::model {

Stream Timeline::add_stream(StreamRole role, std::uint32_t device, history::Name name) {
  const auto s = static_cast<Stream>(streams_.size());
  streams_.push_back({.role = role, .device = device, .name = name, .claims = {}, .snapshot = {}});
  limit_program_.put(s, no_position);
  limit_runtime_.put(s, no_position);
  if (role == StreamRole::legacy) legacy_.push_back(s);
  if (role == StreamRole::blocking) blocking_.push_back(s);
  return s;
}

Event Timeline::add_event() { return static_cast<Event>(events_++); }

Gate Timeline::add_gate(history::Name name) {
  gates_.push_back({.name = name});
  return static_cast<Gate>(gates_.size() - 1);
}

// Items of destroyed blocking streams still count for legacy.
void Timeline::follow_others(spec::Order<Concrete>& order, Stream s) const {
  const StreamState& state = streams_[index(s)];
  const auto follow = [&](Stream t) {
    if (streams_[index(t)].device == state.device) spec::depend(order, s, order.reach.get(t));
  };
  if (state.role == StreamRole::legacy) std::for_each(blocking_.begin(), blocking_.end(), follow);
  if (state.role == StreamRole::blocking) std::for_each(legacy_.begin(), legacy_.end(), follow);
}

Item Timeline::submit(Stream s) {
  const Position n = spec::submit(program_, s);
  spec::submit(runtime_, s);
  follow_others(program_, s);
  follow_others(runtime_, s);
  if (lenient_) {
    spec::submit(*lenient_, s);
    follow_others(*lenient_, s);
  }
  return {s, n};
}

void Timeline::occupy(Stream s) {
  if (!lenient_ && role(s) != StreamRole::nonblocking) lenient_ = runtime_;
  spec::submit(program_, s);
  spec::submit(runtime_, s);
  if (lenient_) {
    spec::submit(*lenient_, s);
    follow_others(*lenient_, s);
  }
  settle(s);
}

void Timeline::settle(Stream s) {
  if (holds_.empty()) return;
  const Position n = spec::submitted(program_, s);
  bool changed = false;
  const auto note = [&](Cut& first, const Cut& reach, const Hold& hold, Cut& limit) {
    if (first.at(s) != 0 || reach.at(hold.item.stream) < hold.item.position) return;
    first.put(s, n);
    limit.put(s, std::min(limit.at(s), n - 1));
    changed = true;
  };
  for (Hold& hold : holds_) {
    note(hold.first_program, program_.reach.get(s), hold, limit_program_);
    note(hold.first_runtime, runtime_.reach.get(s), hold, limit_runtime_);
  }
  if (changed) ++hold_revision_;
}

Item Timeline::record(Event e, Stream s) {
  const Item item = submit(s);
  spec::capture(program_, e, s);
  spec::capture(runtime_, e, s);
  if (lenient_) spec::capture(*lenient_, e, s);
  settle(s);
  return item;
}

Item Timeline::wait(Stream s, Event e) {
  const Item item = submit(s);
  spec::await(program_, s, e);
  spec::await(runtime_, s, e);
  if (lenient_) spec::await(*lenient_, s, e);
  settle(s);
  return item;
}

Item Timeline::hold(Stream s, Gate g) {
  const Item item = submit(s);
  if (closed(g)) holds_.push_back({.gate = g, .item = item, .first_program = {}, .first_runtime = {}});
  settle(s);
  return item;
}

void Timeline::add_edge(Stream s, const Item& free, const ItemCuts& cuts) {
  spec::depend(runtime_, s, cuts.runtime);
  Cut own;
  own.put(free.stream, free.position);
  spec::depend(runtime_, s, own);
  if (!lenient_) return;
  spec::depend(*lenient_, s, cuts.runtime);
  spec::depend(*lenient_, s, own);
}

void Timeline::add_claim(const Item& item, const Item& free, SharedCuts cuts) {
  StreamState& state = streams_[index(item.stream)];
  if (state.claims.empty()) with_claims_.push_back(item.stream);
  state.claims.push_back({item.position, free, std::move(cuts)});
}

bool Timeline::claims_held(const Cut& cut) const {
  return std::ranges::any_of(with_claims_, [&](Stream s) {
    return std::ranges::any_of(streams_[index(s)].claims, [&](const Claim& claim) {
      return claim.item <= cut.at(s) && held_in_program_order(claim.free);
    });
  });
}

void Timeline::note_complete(Cut& where, const Item& item, const ItemCuts& cuts) {
  where.join(cuts.program);
  if (where.at(item.stream) < item.position) where.put(item.stream, item.position);
}

void Timeline::show_complete(const Item& item, const ItemCuts& cuts) { note_complete(shown_, item, cuts); }

Position Timeline::shown(Stream s) const { return std::max(program_.proved.at(s), shown_.at(s)); }

SharedCuts Timeline::snapshot(Stream s) {
  StreamState& state = streams_[index(s)];
  const Cut &program = program_.reach.get(s), &runtime = runtime_.reach.get(s);
  const std::uint64_t revision = program.revision() + runtime.revision();  // both only grow
  if (!state.snapshot || state.snapshot_revision != revision) {
    state.snapshot = std::make_shared<const ItemCuts>(ItemCuts{program, runtime});
    state.snapshot_revision = revision;
  }
  return state.snapshot;
}

// What a closed gate holds cannot have completed, whatever the runtime waited for.
void Timeline::accept(Cut& accepted, const Cut& cut) const {
  for (std::size_t i = 0; i < cut.width(); ++i) {
    const auto u = static_cast<Stream>(i);
    const Position n = std::min(cut.at(u), limit_runtime_.at(u));
    if (n > accepted.at(u)) accepted.put(u, n);
  }
}

Timeline::Proof Timeline::of_stream(Stream s) const {
  Proof proof{program_.reach.get(s), runtime_.reach.get(s), {}};
  if (lenient_ && !lenient_->reach.get(s).within(proof.runtime)) accept(proof.accepted, lenient_->reach.get(s));
  if (role(s) != StreamRole::legacy) return proof;
  for (const Stream t : blocking_) {
    if (device(t) == device(s)) accept(proof.accepted, runtime_.reach.get(t));
  }
  return proof;
}

bool Timeline::blocking_proved(Stream s) const {
  return std::ranges::all_of(blocking_, [&](Stream t) {
    return device(t) != device(s) || spec::submitted(program_, t) <= program_.proved.at(t);
  });
}

Timeline::Proof Timeline::of_event(Event e) const {
  Proof proof{program_.captured.get(e), runtime_.captured.get(e), {}};
  if (lenient_ && !lenient_->captured.get(e).within(proof.runtime)) accept(proof.accepted, lenient_->captured.get(e));
  return proof;
}

Timeline::Proof Timeline::of_device(std::uint32_t d) const {
  Proof proof;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].device != d) continue;
    proof.program.join(program_.reach.get(static_cast<Stream>(i)));
    proof.runtime.join(runtime_.reach.get(static_cast<Stream>(i)));
  }
  return proof;
}

Timeline::Refuted Timeline::prove(const Proof& proof, bool observing) {
  Refuted refuted;
  if (!holds_.empty()) {
    if (!spec::completion_possible<Observer>(limit_program_, proof.program)) {
      for (std::size_t i = 0; i < proof.program.width() && !refuted.early; ++i) {
        const Item item{static_cast<Stream>(i), proof.program.at(static_cast<Stream>(i))};
        if (held_in_program_order(item)) refuted.early = item;
      }
    }
  }
  spec::prove(program_, proof.program);
  spec::prove(runtime_, proof.runtime);
  spec::prove(runtime_, proof.accepted);
  if (lenient_) {
    spec::prove(*lenient_, proof.runtime);
    spec::prove(*lenient_, proof.accepted);
  }
  if (observing) {
    observed_.join(proof.runtime);
    observed_.join(proof.accepted);
  }
  refuted.not_awaited = fire_claims();
  return refuted;
}

std::optional<Item> Timeline::fire_claims() {
  std::optional<Item> refuted;
  bool again = !with_claims_.empty();
  while (again) {
    again = false;
    for (const Stream s : with_claims_) {
      auto& claims = streams_[index(s)].claims;
      const Position known = std::max(shown(s), ended_.at(s));
      const auto fired = std::partition(claims.begin(), claims.end(), [&](const Claim& c) { return c.item > known; });
      for (auto it = fired; it != claims.end(); ++it) {
        if (held_in_program_order(it->free)) refuted = it->free;
        note_complete(ended_, it->free, *it->cuts);
        again = true;
      }
      claims.erase(fired, claims.end());
    }
    std::erase_if(with_claims_, [&](Stream s) { return streams_[index(s)].claims.empty(); });
  }
  return refuted;
}

bool Timeline::all_shown(const Cut& cut) const {
  for (std::size_t i = 0; i < cut.width(); ++i) {
    const auto s = static_cast<Stream>(i);
    if (cut.at(s) > shown(s)) return false;
  }
  return true;
}

Timeline::Refuted Timeline::step(Stream s) {
  // The next item at least. It is a later one where a reuse told the truth about what it showed to be complete.
  const Item least{s, std::max(program_.proved.at(s), stepped_.at(s)) + 1};
  const Item item{s, std::max({least.position, shown_.at(s) + 1, ended_.at(s) + 1})};
  Refuted refuted;
  if (held_in_program_order(least)) {
    refuted.early = least;
  } else if (held_in_program_order(item)) {
    refuted.pending = item;
  }
  note_complete(stepped_, least, {});
  note_complete(ended_, item, {});
  refuted.not_awaited = fire_claims();
  return refuted;
}

void Timeline::open(Gate g) {
  gates_[static_cast<std::size_t>(g)].closed = false;
  if (std::erase_if(holds_, [&](const Hold& hold) { return hold.gate == g; }) > 0) recompute_limits();
}

void Timeline::recompute_limits() {
  ++hold_revision_;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto s = static_cast<Stream>(i);
    const auto before_first = [&](Cut Hold::*first) {
      Position most = no_position;
      for (const Hold& hold : holds_) {
        if (const Position n = (hold.*first).at(s); n > 0) most = std::min(most, n - 1);
      }
      return most;
    };
    limit_program_.put(s, before_first(&Hold::first_program));
    limit_runtime_.put(s, before_first(&Hold::first_runtime));
  }
}

std::optional<Gate> Timeline::holder(const Cut& cut) const {
  for (const Hold& hold : holds_) {
    if (cut.at(hold.item.stream) >= hold.item.position) return hold.gate;
  }
  return std::nullopt;
}

std::uint64_t Timeline::items_behind_gates() const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Position last = spec::submitted(runtime_, static_cast<Stream>(i));
    count += Concrete::minus(last, limit_runtime_.at(static_cast<Stream>(i)));
  }
  return count;
}

}  // namespace streampool::model
