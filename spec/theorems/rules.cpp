// MONOTONE, EXACT-OFF, THRESHOLD, FRAME and the per-step form of RELEASE-SAFE: statements about the rules themselves,
// against formulas that are written here a second time, from the clauses.
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

spec::FreeMark<L> any_mark() {
  return {unknown<Stream>("mark.stream"), unknown<Nat>("mark.position"), unknown<Bool>("mark.synchronous"),
          unknown<Bool>("mark.released")};
}
spec::Switches<L> any_switches(const std::string& name) {
  return {unknown<Bool>(name + ".follow"), unknown<Bool>(name + ".opportunistic"), unknown<Bool>(name + ".internal")};
}

struct Asked {
  Stream s = unknown<Stream>("asked.s");
  Cut reach = unknown<Cut>("asked.reach"), proved = unknown<Cut>("asked.proved");
  spec::FreeMark<L> mark = any_mark();
  Bool completed = unknown<Bool>("asked.completed");

  spec::Explanations<L> operator()(const spec::Switches<L>& switches) const {
    return spec::explain_reuse<L>(s, reach, proved, mark, switches, completed);
  }
};

Bool same_pool(const spec::Pools<L>& x, const spec::Pools<L>& y, const Pool& p) {
  return iff(x.made(p), y.made(p)) && iff(x.destroyed(p), y.destroyed(p)) &&
         iff(x.follow_event_dependencies(p), y.follow_event_dependencies(p)) &&
         iff(x.allow_opportunistic(p), y.allow_opportunistic(p)) &&
         iff(x.allow_internal_dependencies(p), y.allow_internal_dependencies(p)) &&
         x.release_threshold(p) == y.release_threshold(p) && x.reserved(p) == y.reserved(p) &&
         x.reserved_high(p) == y.reserved_high(p) && x.used(p) == y.used(p) && x.used_high(p) == y.used_high(p) &&
         x.max_size(p) == y.max_size(p) &&
         every<Stream>([&](const Stream& t) { return x.released(p)(t) == y.released(p)(t); });
}

// Every column of pool p, but for those that the call may touch.
struct Touches {
  bool made = false, destroyed = false, switches[3] = {false, false, false}, threshold = false, reserved = false,
       reserved_high = false, used = false, used_high = false, max_size = false, released = false;
};
Bool same_but(const spec::Pools<L>& x, const spec::Pools<L>& y, const Pool& p, const Touches& t) {
  const auto keep = [](bool touched, const Bool& same) { return touched ? L::boolean(true) : same; };
  return keep(t.made, iff(x.made(p), y.made(p))) && keep(t.destroyed, iff(x.destroyed(p), y.destroyed(p))) &&
         keep(t.switches[0], iff(x.follow_event_dependencies(p), y.follow_event_dependencies(p))) &&
         keep(t.switches[1], iff(x.allow_opportunistic(p), y.allow_opportunistic(p))) &&
         keep(t.switches[2], iff(x.allow_internal_dependencies(p), y.allow_internal_dependencies(p))) &&
         keep(t.threshold, x.release_threshold(p) == y.release_threshold(p)) &&
         keep(t.reserved, x.reserved(p) == y.reserved(p)) &&
         keep(t.reserved_high, x.reserved_high(p) == y.reserved_high(p)) && keep(t.used, x.used(p) == y.used(p)) &&
         keep(t.used_high, x.used_high(p) == y.used_high(p)) && keep(t.max_size, x.max_size(p) == y.max_size(p)) &&
         keep(t.released, every<Stream>([&](const Stream& u) { return x.released(p)(u) == y.released(p)(u); }));
}
Touches touched_by(const std::string& name) {
  const auto is = [&](std::initializer_list<const char*> names) {
    for (const char* n : names)
      if (name == n) return true;
    return false;
  };
  Touches t;
  const bool create = name == "create_pool";
  t.made = create;
  t.destroyed = name == "destroy_pool";
  t.switches[0] = create || name == "set_follow_event";
  t.switches[1] = create || name == "set_opportunistic";
  t.switches[2] = create || name == "set_internal";
  t.threshold = create || name == "set_threshold";
  t.max_size = create;
  t.reserved = is({"reserve", "unmap", "release", "trim"});
  t.reserved_high = t.reserved || name == "reset_reserved_high";
  t.used = is({"malloc", "stop_counting", "settle"});
  t.used_high = t.used || name == "reset_used_high";
  t.released = is({"unmap", "release", "trim"});
  return t;
}

}  // namespace

void add_rules(std::vector<StepStatement>& steps, std::vector<Consequence>& consequences) {
  consequences.push_back(
      {"MONOTONE", "MONOTONE", {}, [](const World&) {
         const Asked ask;
         const auto fewer = any_switches("fewer"), more = any_switches("more");
         const Bool only_on = implies(fewer.follow_event_dependencies, more.follow_event_dependencies) &&
                              implies(fewer.allow_opportunistic, more.allow_opportunistic) &&
                              implies(fewer.allow_internal_dependencies, more.allow_internal_dependencies);
         const auto a = ask(fewer), b = ask(more);
         return implies(only_on, implies(a.any(), b.any()) && implies(a.same_stream, b.same_stream) &&
                                     implies(a.observed, b.observed) && implies(a.released, b.released) &&
                                     implies(a.event_order, b.event_order) &&
                                     implies(a.opportunistic, b.opportunistic) &&
                                     implies(a.internal_dependency, b.internal_dependency));
       }});
  consequences.push_back({"EXACT-OFF", "EXACT-OFF", {}, [](const World&) {
                            const Asked ask;
                            const spec::Switches<L> off{L::boolean(false), L::boolean(false), L::boolean(false)};
                            const Bool lawful = ask.mark.stream == ask.s || ask.mark.synchronous || ask.mark.released ||
                                                ask.mark.position <= ask.proved(ask.mark.stream);
                            return iff(ask(off).any(), lawful);
                          }});
  // The same with switches on, so that neither a missing nor an extra explanation goes unseen.
  consequences.push_back(
      {"EXACT-ON", "EXACT-OFF", {}, [](const World&) {
         const Asked ask;
         const auto on = any_switches("on");
         const auto why = ask(on);
         const Bool in_order = ask.mark.position <= ask.reach(ask.mark.stream);
         return iff(why.event_order, on.follow_event_dependencies && in_order) &&
                iff(why.opportunistic, on.allow_opportunistic && ask.completed) &&
                iff(why.internal_dependency, on.allow_internal_dependencies) &&
                iff(why.same_stream, ask.mark.stream == ask.s) && iff(why.released, ask.mark.released) &&
                iff(why.observed, ask.mark.synchronous || ask.mark.position <= ask.proved(ask.mark.stream)) &&
                iff(why.any(), why.same_stream || why.observed || why.released || why.event_order ||
                                   why.opportunistic || why.internal_dependency) &&
                iff(why.ordered(), why.same_stream || why.observed || why.event_order) &&
                iff(why.shows_complete(),
                    !why.ordered() && !why.internal_dependency && (why.released || why.opportunistic));
       }});
  // Exactly one clause is named when nothing explains a reuse and order does not either.
  consequences.push_back({"BROKEN-NAMED", "EXACT-OFF", {}, [](const World&) {
                            const Asked ask;
                            const auto broken = spec::classify_broken_reuse<L>(ask.reach, ask.mark, ask.completed);
                            const Bool in_order = ask.mark.position <= ask.reach(ask.mark.stream);
                            return iff(broken.policy_event, in_order) &&
                                   iff(broken.policy_opportunistic, !in_order && ask.completed) &&
                                   iff(broken.unsafe, !in_order && !ask.completed);
                          }});
  consequences.push_back({"EXACT-PLAIN", "EXACT-OFF", {}, [](const World&) {
                            const Asked ask;
                            return iff(spec::plain_reuse_permitted<L>(ask.proved, ask.mark, ask.completed),
                                       ask.mark.synchronous || ask.mark.released || ask.completed ||
                                           ask.mark.position <= ask.proved(ask.mark.stream));
                          }});

  steps.push_back(
      {"THRESHOLD",
       "THRESHOLD",
       {},
       [](const World& w, const std::string& name, const Arguments& a, const World& after) {
         const auto& x = w.state.pools;
         const Nat before = x.reserved(a.p), left = after.state.pools.reserved(a.p),
                   threshold = x.release_threshold(a.p);
         if (name == "release") {
           const Nat slack = parameters().slack;
           const Nat idle{minus(before.term, x.used(a.p).term)};
           const auto least = [](const Nat& u, const Nat& v) { return choose(u <= v, u, v); };
           return a.flag && choose(parameters().compares_idle,
                                   implies(x.used(a.p) <= before, x.used(a.p) + least(threshold, idle) <= left + slack),
                                   least(threshold, before) <= left + slack);
         }
         if (name == "trim")
           return implies(a.amount <= before, a.amount <= left) && implies(before <= a.amount, left == before);
         return L::boolean(true);
       }});
  // What loses its memory belonged to nobody, and its free had ended.
  steps.push_back({"UNMAPPED",
                   "RELEASE-SAFE",
                   {"FREE-ITEM"},
                   [](const World& w, const std::string&, const Arguments&, const World& after) {
                     return every<Address>([&](const Address& a) {
                       const auto& row = w.state.allocations;
                       const Allocation x = w.state.newest(a);
                       const Bool lost = !is_none(w.state.backed(a)) && !(after.state.backed(a) == w.state.backed(a));
                       return implies(
                           lost, is_none(x) || (row.freed(x) &&
                                                (row.free_synchronous(x) ||
                                                 row.free_position(x) <= w.state.device.executed(row.free_stream(x)))));
                     });
                   }});
  steps.push_back(
      {"FRAME", "FRAME", {}, [](const World& w, const std::string& name, const Arguments& a, const World& after) {
         const auto& x = w.state.pools;
         const auto& y = after.state.pools;
         const bool counts = name == "stop_counting" || name == "settle";
         const Pool own = counts ? w.state.allocations.pool(a.x) : a.p;
         return every<Pool>(
             [&](const Pool& p) { return choose(p == own, same_but(x, y, p, touched_by(name)), same_pool(x, y, p)); });
       }});
}

}  // namespace streampool::theorems
