// MONITOR-SOUND for order and reuse: whatever the machine can do, the monitor's checks let pass.
//
// The monitor applies the same order transitions to the same calls and results; which edges a reuse adds depends on
// nothing that only the device knows, so its orders are the machine's (SAME-EDGES). In place of the device it has
// `limit`: for every stream the items before its first one that has a closed gate in its cut, or all that there can
// ever be.
#include "spec/rules/device.hpp"
#include "spec/rules/observe.hpp"
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

Cut limit() { return unknown<Cut>("limit"); }

Bool limit_is_lawful(const World& w) {
  const Nat most = unknown<Nat>("most_items");
  return every<Stream>([&](const Stream& s) {
    const Cut held = w.history.cut(s)(limit()(s) + one());
    const Stream u = unknown<Map<Stream, Stream>>("gate_on")(s);
    const Nat m = unknown<Map<Stream, Nat>>("gate_at")(s);
    return submitted(w, s) <= most &&
           (most <= limit()(s) || (one() <= m && m <= held(u) && w.state.device.closed(w.state.device.gate(u)(m))));
  });
}

// The monitor's reading of a free: released where a release point lay behind it and nothing held it there.
spec::FreeMark<L> seen_mark(const World& w, const Allocation& y) {
  spec::FreeMark<L> mark = spec::free_mark(w.state, y);
  const Cut limit_at_release = unknown<Map<Pool, Cut>>("limit_at_release")(w.state.allocations.pool(y));
  mark.released = spec::may_have_ended<L>(limit_at_release, mark.stream, mark.position);
  return mark;
}
Bool release_limits_are_lawful(const World& w) {
  return every<Pool, Stream>([&](const Pool& p, const Stream& t) {
    return w.state.pools.released(p)(t) <= unknown<Map<Pool, Cut>>("limit_at_release")(p)(t);
  });
}
Bool may_have_ended(const World& w, const Allocation& y) {
  const auto& row = w.state.allocations;
  return spec::may_have_ended<L>(limit(), row.free_stream(y), row.free_position(y));
}

}  // namespace

void add_monitor(std::vector<Consequence>& consequences) {
  const std::string theorem = "MONITOR-SOUND";
  consequences.push_back({"LIMIT", theorem, {"GATES", "CLOSED", "RUN"}, [](const World& w) {
                            return implies(limit_is_lawful(w), L::covers(limit(), w.state.device.executed));
                          }});
  const auto limit_covers = [](const World& w) { return L::covers(limit(), w.state.device.executed); };
  consequences.push_back(
      {"COMPLETE-POSSIBLE", theorem, {"CLOSED", "NEWEST-CUT", "CAPTURED", "RUN"}, [=](const World& w) {
         return implies(limit_covers(w), every<Stream, Event>([&](const Stream& s, const Event& e) {
                          State a = w.state, b = w.state, c = w.state;
                          return implies(spec::prove_stream(a, s),
                                         spec::completion_possible<L>(limit(), w.state.runtime.reach(s))) &&
                                 implies(spec::prove_event(b, e),
                                         spec::completion_possible<L>(limit(), w.state.runtime.captured(e))) &&
                                 implies(spec::prove_device(c),
                                         spec::completion_possible<L>(limit(), L::diagonal(w.state.runtime.reach)));
                        }));
       }});
  consequences.push_back(
      {"NOT-READY-POSSIBLE", theorem, {"PROVED", "CAPTURED", "OWN-POSITION", "RUN"}, [](const World& w) {
         return every<Stream, Event>([&](const Stream& s, const Event& e) {
           return implies(spec::stream_not_ready(w.state, s),
                          spec::not_ready_possible<L>(w.state.runtime.proved, w.state.runtime.reach(s))) &&
                  implies(spec::event_not_ready(w.state, e),
                          spec::not_ready_possible<L>(w.state.runtime.proved, w.state.runtime.captured(e)));
         });
       }});
  consequences.push_back(
      {"REUSE-ACCEPTED", theorem, {"RELEASED"}, [=](const World& w) {
         return implies(limit_covers(w) && release_limits_are_lawful(w),
                        every<Stream, Pool, Allocation>([&](const Stream& s, const Pool& p, const Allocation& y) {
                          const Cut reach = unknown<Cut>("asked.reach");
                          const auto switches = spec::switches(w.state.pools, p);
                          const auto machine =
                              spec::explain_reuse<L>(s, reach, w.state.observed, spec::free_mark(w.state, y), switches,
                                                     spec::free_executed(w.state, y));
                          const auto monitor = spec::explain_reuse<L>(s, reach, w.state.observed, seen_mark(w, y),
                                                                      switches, may_have_ended(w, y));
                          return implies(w.state.allocations.made(y) && w.state.allocations.freed(y),
                                         implies(machine.any(), monitor.any()));
                        }));
       }});
  consequences.push_back(
      {"SAME-EDGES", theorem, {}, [](const World& w) {
         return every<Stream, Pool, Allocation>([&](const Stream& s, const Pool& p, const Allocation& y) {
           const Cut reach = unknown<Cut>("asked.reach");
           const auto switches = spec::switches(w.state.pools, p);
           const auto machine = spec::explain_reuse<L>(s, reach, w.state.observed, spec::free_mark(w.state, y),
                                                       switches, spec::free_executed(w.state, y));
           const auto monitor =
               spec::explain_reuse<L>(s, reach, w.state.observed, seen_mark(w, y), switches, may_have_ended(w, y));
           return iff(machine.ordered(), monitor.ordered());
         });
       }});
  consequences.push_back(
      {"PLAIN-ACCEPTED", theorem, {"RELEASED"}, [=](const World& w) {
         return implies(limit_covers(w) && release_limits_are_lawful(w), every<Allocation>([&](const Allocation& y) {
                          return implies(
                              w.state.allocations.made(y) && w.state.allocations.freed(y) &&
                                  spec::plain_reuse_permitted<L>(w.state.observed, spec::free_mark(w.state, y),
                                                                 spec::free_executed(w.state, y)),
                              spec::plain_reuse_permitted<L>(w.state.observed, seen_mark(w, y), may_have_ended(w, y)));
                        }));
       }});
}

}  // namespace streampool::theorems
