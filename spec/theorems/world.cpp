#include "spec/theorems/world.hpp"

namespace streampool::theorems {
namespace {

// `T::unknown(name)` or the initial value, field by field: one list for both.
template <class Fill>
World make_world(const Fill& fill) {
  World w;
  State& s = w.state;
  fill(s.program.reach, "program.reach");
  fill(s.program.captured, "program.captured");
  fill(s.program.proved, "program.proved");
  fill(s.runtime.reach, "reach");
  fill(s.runtime.captured, "captured");
  fill(s.runtime.proved, "proved");
  fill(s.follows, "follows");
  fill(s.observed, "observed");
  auto& d = s.device;
  fill(d.started, "started");
  fill(d.executed, "executed");
  fill(d.awaits, "awaits");
  fill(d.gate, "gate");
  fill(d.gate_made, "gate_made");
  fill(d.closed, "closed");
  fill(d.recorded_on, "recorded_on");
  fill(d.recorded_at, "recorded_at");
  auto& a = s.allocations;
  fill(a.made, "made");
  fill(a.freed, "freed");
  fill(a.pool, "pool");
  fill(a.stream, "stream");
  fill(a.position, "position");
  fill(a.base, "base");
  fill(a.size, "size");
  fill(a.uses, "uses");
  fill(a.free_stream, "free_stream");
  fill(a.free_position, "free_position");
  fill(a.free_synchronous, "free_synchronous");
  fill(a.free_cut, "free_cut");
  fill(a.counted, "counted");
  auto& p = s.pools;
  fill(p.made, "pool_made");
  fill(p.destroyed, "destroyed");
  fill(p.follow_event_dependencies, "follow_event");
  fill(p.allow_opportunistic, "opportunistic");
  fill(p.allow_internal_dependencies, "internal");
  fill(p.release_threshold, "threshold");
  fill(p.reserved, "reserved");
  fill(p.reserved_high, "reserved_high");
  fill(p.used, "used");
  fill(p.used_high, "used_high");
  fill(p.max_size, "max_size");
  fill(p.released, "released");
  fill(s.newest, "newest");
  fill(s.backed, "backed");
  fill(w.streams.of, "stream_of");
  fill(w.streams.given, "stream_given");
  fill(w.events.of, "event_of");
  fill(w.events.given, "event_given");
  auto& h = w.history;
  fill(h.cut, "cut");
  fill(h.stamp, "stamp");
  fill(h.stamps, "stamps");
  fill(h.age, "age");
  fill(h.ages, "ages");
  fill(h.touched, "touched");
  fill(h.backed_below, "backed_below");
  fill(h.counted_below, "counted_below");
  return w;
}

struct FillUnknown {
  template <class T>
  void operator()(T& field, const char* name) const { field = unknown<T>(name); }
};
struct FillNothing {
  template <class T>
  void operator()(T&, const char*) const {}  // default values are 0, false, none and the empty cut
};

}  // namespace

World any_world() { return make_world(FillUnknown{}); }
World initial_world() { return make_world(FillNothing{}); }

Address top() { return unknown<Address>("top"); }

Parameters parameters() {
  return {.unit = unknown<Nat>("unit"),
          .slack = unknown<Nat>("slack"),
          .compares_idle = unknown<Bool>("compares_idle"),
          .reset_takes_current = unknown<Bool>("reset_takes_current")};
}

Arguments arguments(const std::string& suffix) {
  const auto name = [&](const char* base) { return base + suffix; };
  return {.s = unknown<Stream>(name("arg.s")),
          .e = unknown<Event>(name("arg.e")),
          .x = unknown<Allocation>(name("arg.x")),
          .p = unknown<Pool>(name("arg.p")),
          .g = unknown<Gate>(name("arg.g")),
          .h = unknown<Handle>(name("arg.h")),
          .base = unknown<Address>(name("arg.base")),
          .size = unknown<Nat>(name("arg.size")),
          .amount = unknown<Nat>(name("arg.amount")),
          .flag = unknown<Bool>(name("arg.flag")),
          .flag2 = unknown<Bool>(name("arg.flag2")),
          .switches = {unknown<Bool>(name("arg.follow")), unknown<Bool>(name("arg.opportunistic")), unknown<Bool>(name("arg.internal"))},
          .waits = unknown<Cut>(name("arg.waits"))};
}

}  // namespace streampool::theorems
