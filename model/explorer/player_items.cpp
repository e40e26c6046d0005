// Player: items, what the device does with them, what the host learns; handles.
#include "model/explorer/player.hpp"
#include "spec/rules/program.hpp"

namespace streampool::model::explorer {

void Player::submit_plain(std::size_t s) {
  spec::submit(rules_, stream_ids_[s]);
  twin_.submit(s);
  line("launch " + stream(s));
}

void Player::fill(std::size_t s, std::size_t y) {
  State after = rules_;
  Twin next = twin_;
  spec::submit(after, stream_ids_[s]);
  const std::size_t i = next.submit(s);
  const bool owed = spec::use_owed(after, stream_ids_[s], block_id(y));
  if (!decide(owed, next.may_use(s, y), true, "PROGRAM-SOUND", "a use of " + block(y),
              {fmt::format("fill {} {} 0x01 -> ok", stream(s), block(y))}))
    return;
  spec::note_use(after, stream_ids_[s], block_id(y));
  next.blocks[y].uses |= Twin::one(i);
  rules_ = after;
  twin_ = next;
}

bool Player::begin(std::size_t s) {
  State after = rules_;
  const bool by_rules = spec::start(after.device, after.runtime, stream_ids_[s]), by_twin = twin_.may_begin(s);
  if (!decide(by_rules, by_twin, false, "ORDER-SOUND", "the device begins an item of " + stream(s), {})) return false;
  rules_ = after;
  if (by_twin) ++twin_.streams[s].begun;
  return by_twin;
}

bool Player::end(std::size_t s) {
  State after = rules_;
  const bool by_rules = spec::finish(after.device, stream_ids_[s]), by_twin = twin_.may_end(s);
  if (!decide(by_rules, by_twin, false, "ORDER-SOUND", "the device ends an item of " + stream(s), {})) return false;
  rules_ = after;
  if (by_twin) twin_.end(s);
  return by_twin;
}

// A call that waits: the device runs as far as the closed gate lets it.
void Player::run_on() {
  for (bool moved = true; moved && !over_;) {
    moved = false;
    for (std::size_t s = 0; s < twin_.streams.size() && !over_; ++s) {
      const bool begun = begin(s);
      const bool ended = !over_ && end(s);
      moved = moved || begun || ended;
    }
  }
}

// A wait that an earlier reuse claimed was not there: what comes behind it has ended, and a gate still holds the free.
void Player::not_awaited(Items runtime) {
  if (parting_ && twin_.held(runtime)) part({parting_->theorem, parting_->sentence, {}, Parting::Kind::seen});
}

void Player::answer_stream(std::size_t s, bool sync, const Choice& c) {
  State after = rules_;
  const bool complete = spec::prove_stream(after, stream_ids_[s]);
  const bool not_ready = spec::stream_not_ready(rules_, stream_ids_[s]);
  const bool idle = twin_.idle(s);
  const Items program = twin_.streams[s].program;
  if (!sync &&
      !decide(not_ready, !idle, Twin::within(program, twin_.program_proved), "ORDER-EXACT", stream(s) + " is not ready",
              {fmt::format("stream_query {} -> not_ready", stream(s))}) &&
      over_)
    return;
  const std::string call = fmt::format("stream_{} {}", sync ? "sync" : "query", stream(s));
  if (!decide(complete, idle, twin_.held(twin_.streams[s].runtime), "ORDER-SOUND", call + " completes",
              {call + " -> ok"}))
    return;
  not_awaited(twin_.streams[s].runtime);
  spec::observe(after);
  rules_ = after;
  twin_.prove(program, twin_.streams[s].runtime);
  if (twin_.streams[s].legacy) twin_.accept_blocking();
  give_back_after(sync, c, call);
}

void Player::answer_event(std::size_t e, bool sync, const Choice& c) {
  State after = rules_;
  const bool complete = spec::prove_event(after, event_ids_[e]);
  const bool not_ready = spec::event_not_ready(rules_, event_ids_[e]);
  const bool ended = twin_.recorded_ended(e);
  const TwinEvent& event = twin_.events[e];
  if (!sync &&
      !decide(not_ready, !ended, Twin::within(event.program, twin_.program_proved), "ORDER-EXACT",
              fmt::format("e{} is not ready", e), {fmt::format("event_query e{} -> not_ready", e)}) &&
      over_)
    return;
  const std::string call = fmt::format("event_{} e{}", sync ? "sync" : "query", e);
  if (!decide(complete, ended, twin_.held(event.runtime), "ORDER-SOUND", call + " completes", {call + " -> ok"}))
    return;
  not_awaited(event.runtime);
  spec::observe(after);
  rules_ = after;
  twin_.prove(event.program, event.runtime);
  give_back_after(sync, c, call);
}

void Player::answer_device(const Choice& c) {
  State after = rules_;
  const bool complete = spec::prove_device(after);
  if (!decide(complete, twin_.all_idle(), twin_.held(twin_.all()), "ORDER-SOUND", "device_sync completes",
              {"device_sync -> ok"}))
    return;
  spec::observe(after);
  rules_ = after;
  twin_.prove(twin_.all(), twin_.all());
  give_back_after(true, c, "device_sync");
}

// Handles
// --------------------------------------------------------------------------------------------------------------------

void Player::add_stream(std::size_t slot, V::Stream identity, bool legacy, bool blocking) {
  slot_stream_[slot] = twin_.streams.size();
  twin_.streams.push_back({.legacy = legacy, .blocking = blocking});
  stream_ids_.push_back(identity);
  stream_names_.of.edit(V::Handle(slot + 1)) = identity;
  stream_names_.given.edit(identity) = 1;
  if (blocking) {
    rules_.follows.edit(identity).push_back(stream_ids_[0]);
    rules_.follows.edit(stream_ids_[0]).push_back(identity);
  }
}

void Player::add_event(std::size_t slot, V::Event identity) {
  slot_event_[slot] = twin_.events.size();
  line(fmt::format("event_create e{}", twin_.events.size()));
  twin_.events.emplace_back();
  event_ids_.push_back(identity);
  event_names_.of.edit(V::Handle(slot + 1)) = identity;
  event_names_.given.edit(identity) = 1;
}

void Player::recreate_stream(const Choice& c) {
  const std::size_t slot = 2 + c.n[0] % (slots - 2);
  const auto handle = V::Handle(slot + 1);
  const auto identity = V::Stream(1 + c.n[1] % (stream_ids_.size() + 1));
  auto names = stream_names_;
  spec::forget<V, V::Stream>(names, handle);
  const bool by_rules = spec::name<V, V::Stream>(names, handle, identity);
  const bool by_twin = std::ranges::find(stream_ids_, identity) == stream_ids_.end();
  if (!decide(by_rules, by_twin, false, "IDENTITY", "a stream is given an identity again",
              {fmt::format("stream_destroy {} -> ok", stream(slot_stream_[slot])),
               fmt::format("stream_create s{} nonblocking -> ok", twin_.streams.size())}))
    return;
  add_stream(slot, identity, false, false);
  stream_names_ = names;
}

void Player::recreate_event(const Choice& c) {
  const std::size_t slot = c.n[0] % event_slots;
  const auto handle = V::Handle(slot + 1);
  const auto identity = V::Event(1 + c.n[1] % (event_ids_.size() + 1));
  auto names = event_names_;
  spec::forget<V, V::Event>(names, handle);
  const bool by_rules = spec::name<V, V::Event>(names, handle, identity);
  const bool by_twin = std::ranges::find(event_ids_, identity) == event_ids_.end();
  if (!decide(by_rules, by_twin, false, "IDENTITY", "an event is given an identity again",
              {fmt::format("event_destroy e{} -> ok", slot_event_[slot])}))
    return;
  add_event(slot, identity);
  event_names_ = names;
}

}  // namespace streampool::model::explorer
