// Every field of a world, once: whoever fills, merges or compares worlds goes through this list.
#pragma once

#include "spec/theorems/world.hpp"

namespace streampool::theorems {

// f(name, field of each world …)
template <class F, class... W>
void for_each_field(const F& f, W&... w) {
  f("program.reach", w.state.program.reach...);
  f("program.captured", w.state.program.captured...);
  f("program.proved", w.state.program.proved...);
  f("reach", w.state.runtime.reach...);
  f("captured", w.state.runtime.captured...);
  f("proved", w.state.runtime.proved...);
  f("follows", w.state.follows...);
  f("observed", w.state.observed...);
  f("started", w.state.device.started...);
  f("executed", w.state.device.executed...);
  f("awaits", w.state.device.awaits...);
  f("gate", w.state.device.gate...);
  f("gate_made", w.state.device.gate_made...);
  f("closed", w.state.device.closed...);
  f("recorded_on", w.state.device.recorded_on...);
  f("recorded_at", w.state.device.recorded_at...);
  f("made", w.state.allocations.made...);
  f("freed", w.state.allocations.freed...);
  f("pool", w.state.allocations.pool...);
  f("stream", w.state.allocations.stream...);
  f("position", w.state.allocations.position...);
  f("base", w.state.allocations.base...);
  f("size", w.state.allocations.size...);
  f("uses", w.state.allocations.uses...);
  f("free_stream", w.state.allocations.free_stream...);
  f("free_position", w.state.allocations.free_position...);
  f("free_synchronous", w.state.allocations.free_synchronous...);
  f("free_cut", w.state.allocations.free_cut...);
  f("counted", w.state.allocations.counted...);
  f("pool_made", w.state.pools.made...);
  f("destroyed", w.state.pools.destroyed...);
  f("follow_event", w.state.pools.follow_event_dependencies...);
  f("opportunistic", w.state.pools.allow_opportunistic...);
  f("internal", w.state.pools.allow_internal_dependencies...);
  f("threshold", w.state.pools.release_threshold...);
  f("reserved", w.state.pools.reserved...);
  f("reserved_high", w.state.pools.reserved_high...);
  f("used", w.state.pools.used...);
  f("used_high", w.state.pools.used_high...);
  f("max_size", w.state.pools.max_size...);
  f("released", w.state.pools.released...);
  f("newest", w.state.newest...);
  f("backed", w.state.backed...);
  f("stream_of", w.streams.of...);
  f("stream_given", w.streams.given...);
  f("event_of", w.events.of...);
  f("event_given", w.events.given...);
  f("cut", w.history.cut...);
  f("stamp", w.history.stamp...);
  f("stamps", w.history.stamps...);
  f("age", w.history.age...);
  f("ages", w.history.ages...);
  f("touched", w.history.touched...);
  f("backed_below", w.history.backed_below...);
  f("counted_below", w.history.counted_below...);
}

}  // namespace streampool::theorems
