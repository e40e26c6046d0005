#include "conformance/suites/tests/twin_device.hpp"

#include <algorithm>

namespace streampool::suites::twins {

using enum Fault;

namespace {
constexpr std::uint32_t blocking = 0, nonblocking = 1, legacy_kind = 2, per_thread_kind = 3;
}

Stream Device::add_stream(std::uint32_t kind, std::uint64_t handle, std::uint32_t device) {
  StreamState made;
  made.kind = kind;
  made.device = device;
  made.handle = handle;
  made.before_legacy = legacy_ == no_gate;
  if (twin_.is(recycled_stream_inherits_items)) {
    for (const StreamState& old : streams_) {
      if (!old.alive && old.handle == handle && handle != 0) made.reach.join(old.reach);
    }
    if (!made.reach.at.empty()) made.items.push_back({made.reach, no_gate, no_gate, {}});
  }
  streams_.push_back(std::move(made));
  advance();
  return streams_.size() - 1;
}

Stream Device::legacy() {
  if (legacy_ == no_gate) {
    legacy_ = add_stream(legacy_kind, 0);
    // A legacy stream that nobody asked for has no items, so making it late is the same as having had it.
  }
  return legacy_;
}

Stream Device::per_thread() {
  const auto key = twin_.is(per_thread_is_one_stream) ? std::thread::id{} : std::this_thread::get_id();
  const auto found = per_thread_.find(key);
  if (found != per_thread_.end()) return found->second;
  return per_thread_[key] = add_stream(per_thread_kind, 0);
}

Event Device::add_event(std::uint64_t handle, bool inherit) {
  EventState made;
  made.handle = handle;
  if (inherit && dead_events_.contains(handle)) {
    made.recorded = true;
    made.captured = made.items = dead_events_[handle];
  }
  events_.push_back(std::move(made));
  return events_.size() - 1;
}

std::uint64_t Device::submit(Stream s, Item item, const Cut& takes) {
  StreamState& mine = streams_[s];
  const auto follow = [&](Stream t) {
    item.after.put(t, streams_[t].submitted());
    streams_[s].reach.join(streams_[t].reach);
  };
  const bool takes_part = mine.kind == blocking || mine.kind == per_thread_kind;
  if (mine.kind == legacy_kind) {
    for (Stream t = 0; t < streams_.size(); ++t) {
      const StreamState& other = streams_[t];
      const bool follows = (other.kind == blocking && !twin_.is(legacy_ignores_blocking)) ||
                           (other.kind == per_thread_kind && !twin_.is(legacy_ignores_per_thread)) ||
                           (other.kind == nonblocking && twin_.is(legacy_follows_nonblocking));
      const bool elsewhere = other.device != mine.device && !twin_.is(default_streams_of_all_devices);
      if (!follows || elsewhere || (!other.alive && twin_.is(legacy_forgets_destroyed)) ||
          (!other.before_legacy && twin_.is(legacy_ignores_later_streams))) {
        continue;
      }
      follow(t);
    }
  } else if (legacy_ != no_gate && (mine.device == 0 || twin_.is(default_streams_of_all_devices))) {
    const bool follows = (takes_part && !(mine.kind == blocking && twin_.is(blocking_ignores_legacy)) &&
                          !(mine.kind == per_thread_kind && twin_.is(per_thread_ignores_legacy))) ||
                         (mine.kind == nonblocking && twin_.is(nonblocking_follows_legacy));
    if (follows) follow(legacy_);
  }
  StreamState& now = streams_[s];
  now.reach.join(proved_);
  now.reach.join(item.after);
  now.reach.join(takes);
  now.items.push_back(std::move(item));
  now.reach.put(s, now.submitted());
  const std::uint64_t n = now.submitted();
  advance();
  return n;
}

void Device::record(Event e, Stream s) {
  submit(s);
  EventState& event = events_[e];
  if (twin_.is(record_kept_first) && event.recorded) return;
  if (!twin_.is(record_joins)) event.captured = event.items = {};
  event.recorded = true;
  event.on = s;
  if (twin_.is(record_captures_nothing)) return;
  event.captured.join(streams_[s].reach);
  event.items.put(s, streams_[s].submitted());
  if (twin_.is(record_observes)) prove(event.captured);
  advance();  // who waits for the event itself may go on
}

void Device::wait(Stream s, Event e) {
  Item item;
  const EventState& event = events_[e];
  if (twin_.is(wait_follows_event) || (twin_.is(unrecorded_event_holds) && !event.recorded)) {
    item.follows = e;
  } else if (!twin_.is(wait_ignored) && !twin_.is(wait_blocks_nothing)) {
    item.after = event.items;
  }
  if (twin_.is(wait_for_other_device_ignored) && event.recorded && streams_[event.on].device != streams_[s].device)
    item.after = {};
  // What it takes as ordered from now on, whatever the item really waits for.
  if (event.recorded && twin_.is(stale_event)) streams_[s].reach.join(streams_[event.on].reach);
  const Cut takes = twin_.is(wait_ignored) ? Cut{} : event.captured;
  if (twin_.is(wait_follows_event)) streams_[s].followed.insert(e);
  submit(s, std::move(item), takes);
}

void Device::open(Gate g) {
  gates_[g] = true;
  advance();
  changed_.notify_all();
}

void Device::destroy(Stream s) {
  streams_[s].alive = false;
  if (twin_.is(destroyed_stream_drops_items)) {
    streams_[s].done = streams_[s].submitted();
    advance();
  }
  if (twin_.is(destroy_observes)) prove(streams_[s].reach);
}

void Device::destroy_event(Event e) {
  events_[e].alive = false;
  dead_events_[events_[e].handle] = events_[e].captured;
  if (!twin_.is(wait_after_destroy_dropped)) return;
  for (StreamState& stream : streams_) {
    for (std::size_t i = stream.done; i < stream.items.size(); ++i) stream.items[i].after = {};
  }
  advance();
}

bool Device::ordered(Stream s, Stream t, std::uint64_t n) const {
  const StreamState& mine = streams_[s];
  const std::uint32_t theirs = streams_[t].kind;
  if (mine.reach.contains(t, n) || proved_.contains(t, n)) return true;
  if (twin_.is(legacy_orders_reuse_everywhere) && theirs == legacy_kind) return true;
  if (twin_.is(blocking_streams_ordered) && theirs == blocking && mine.kind == blocking) return true;
  for (const Event e : mine.followed) {
    if (events_[e].captured.contains(t, n)) return true;
  }
  if (streams_[t].device != mine.device && !twin_.is(default_streams_of_all_devices)) return false;
  // The default streams' order comes with the submission.
  const auto takes_part = [](std::uint32_t kind) { return kind == blocking || kind == per_thread_kind; };
  if (mine.kind == legacy_kind && takes_part(theirs)) return true;
  return theirs == legacy_kind && takes_part(mine.kind);
}

bool Device::done(const Cut& cut) const {
  for (const auto& [s, n] : cut.at) {
    if (!done(s, std::min(n, streams_[s].submitted()))) return false;
  }
  return true;
}

bool Device::can_run(Stream s) const {
  const StreamState& stream = streams_[s];
  if (stream.done == stream.submitted()) return false;
  const Item& next = stream.items[stream.done];
  if (next.gate != no_gate && !gates_[next.gate]) return false;
  if (next.follows != no_gate) {
    const EventState& event = events_[next.follows];
    if (twin_.is(unrecorded_event_holds) && !event.recorded) return false;
    if (!done(event.items)) return false;
  }
  return done(next.after);
}

void Device::advance() {
  for (bool again = true; again;) {
    again = false;
    for (Stream s = 0; s < streams_.size(); ++s) {
      while (can_run(s)) {
        // The effect may not look at the stream: it runs before the item counts as done.
        if (streams_[s].items[streams_[s].done].effect) streams_[s].items[streams_[s].done].effect();
        ++streams_[s].done;
        again = true;
      }
    }
  }
  changed_.notify_all();
}

Cut Device::everything() const {
  Cut cut;
  for (const StreamState& stream : streams_) cut.join(everything(stream.device));
  return cut;
}

Cut Device::everything(std::uint32_t device) const {
  Cut cut;
  for (Stream s = 0; s < streams_.size(); ++s) {
    if (streams_[s].device != device) continue;
    if (!streams_[s].alive && twin_.is(device_sync_forgets_destroyed)) continue;
    if (streams_[s].kind >= legacy_kind && twin_.is(device_sync_forgets_default_streams)) continue;
    if (streams_[s].submitted() > 0) cut.put(s, streams_[s].submitted());
  }
  return cut;
}

void Device::wait_for(const Cut& cut, std::unique_lock<std::mutex>& lock) {
  if (twin_.is(sync_holds_the_lock)) {
    // Nobody else gets in while it waits; only the watchdog, which asks no lock, gets it out.
    while (!done(cut)) {
      if (released_.exchange(false)) {
        for (Gate g = 0; g < gates_.size(); ++g) open(g);
      }
      std::this_thread::yield();
    }
    return;
  }
  changed_.wait(lock, [&] { return done(cut); });
}

}  // namespace streampool::suites::twins
