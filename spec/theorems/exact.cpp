// PERMITTED and EXACT-STEP: every step of the rules exists exactly where the clauses say, and does exactly what they
// say.
//
// The safety theorems notice a rule that permits too much; nothing but these notices one that permits too little, or
// moves a number that no invariant ties down. Each step is written here a second time, straight from the clauses and on
// plain terms: no function of spec/rules is called. What sums over bytes (`used`) is left to ACCOUNTING.
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

Nat larger(const Nat& a, const Nat& b) { return choose(a <= b, b, a); }
Nat smaller(const Nat& a, const Nat& b) { return choose(a <= b, a, b); }
Nat less(const Nat& a, const Nat& b) { return choose(b <= a, Nat{minus(a.term, b.term)}, zero()); }
Bool yes() { return L::boolean(true); }

template <class Key, class Value>
Map<Key, Value> with(const Map<Key, Value>& map, const Key& key, const Value& value) {
  return Map<Key, Value>([=](const Key& k) { return choose(k == key, value, map(k)); });
}

template <Sort S>
Bool same(const Value<S>& a, const Value<S>& b) {
  return {equal(a.term, b.term)};
}
template <class Key, class Result>
Bool same(const Map<Key, Result>& a, const Map<Key, Result>& b) {
  if (a.is(b)) return yes();
  return every<Key>([&](const Key& k) { return same(a(k), b(k)); });
}

struct Expected {
  Bool permitted = yes();
  State after;
};
using Clause = std::function<void(Expected&, const World&, const Arguments&)>;

// Items
// --------------------------------------------------------------------------------------------------------------------

// ORDER: the next item of s comes after all earlier ones, what was proved, and the streams that s follows.
void item(Expected& e, const World& w, const Stream& s) {
  const auto enter = [&](spec::Order<L>& order) {
    const auto reach = order.reach;
    const Cut proved = order.proved, others = L::join_of(reach, w.state.follows(s));
    order.reach = with(reach, s, Cut([=](const Stream& t) {
                         const Nat before = larger(reach(s)(t), others(t));
                         return choose(t == s, before + one(), larger(before, proved(t)));
                       }));
  };
  const auto follows = w.state.follows;
  const auto reach = w.state.runtime.reach;
  const Nat n = reach(s)(s) + one();
  auto& awaits = e.after.device.awaits;
  awaits = with(awaits, s,
                with(awaits(s), n, Cut([=](const Stream& t) { return choose(follows(s)(t), reach(t)(t), zero()); })));
  enter(e.after.program);
  enter(e.after.runtime);
}
void follow_cut(spec::Order<L>& order, const Stream& s, const Cut& cut) {
  const auto reach = order.reach;
  order.reach = with(reach, s, Cut([=](const Stream& t) { return larger(reach(s)(t), cut(t)); }));
}
void also_awaits(Expected& e, const World& w, const Stream& s, const Cut& cut) {
  const Nat n = w.state.runtime.reach(s)(s) + one();
  auto& awaits = e.after.device.awaits;
  const Cut own = awaits(s)(n);
  awaits = with(awaits, s, with(awaits(s), n, Cut([=](const Stream& t) { return larger(own(t), cut(t)); })));
}
Cut only(const Stream& s, const Nat& n) {
  return Cut([=](const Stream& t) { return choose(t == s, n, zero()); });
}
void proved(Expected& e, const Cut& program, const Cut& runtime) {
  const Cut before = e.after.program.proved, of_runtime = e.after.runtime.proved;
  e.after.program.proved = Cut([=](const Stream& t) { return larger(before(t), program(t)); });
  e.after.runtime.proved = Cut([=](const Stream& t) { return larger(of_runtime(t), runtime(t)); });
}
Bool reached(const World& w, const Stream& s, const Nat& n) { return n <= w.state.device.executed(s); }

// Memory
// --------------------------------------------------------------------------------------------------------------------

Bool inside(const Arguments& a, const Address& at) {
  return {all_of({less_equal(a.base.term, at.term), negate(less_equal(plus(a.base.term, a.size.term), at.term))})};
}
Bool bytes(const Arguments& a, const std::function<Bool(const Address&)>& holds) {
  return every<Address>([&](const Address& at) { return implies(inside(a, at), holds(at)); });
}
template <class Result>
Map<Address, Result> over(const Map<Address, Result>& map, const Arguments& a, const Result& value) {
  return Map<Address, Result>([=](const Address& at) { return choose(inside(a, at), value, map(at)); });
}
Bool backed_by(const World& w, const Arguments& a, const Pool& p) {
  return bytes(a, [&](const Address& at) { return w.state.backed(at) == p; });
}
Bool living(const World& w, const Pool& p) { return w.state.pools.made(p) && !w.state.pools.destroyed(p); }
Bool ended(const World& w, const Allocation& y) {
  const auto& row = w.state.allocations;
  return row.free_synchronous(y) || reached(w, row.free_stream(y), row.free_position(y));
}
Bool seen(const World& w, const Allocation& y) {
  const auto& row = w.state.allocations;
  return row.free_synchronous(y) || row.free_position(y) <= w.state.observed(row.free_stream(y));
}
Bool given_back(const World& w, const Allocation& y) {
  const auto& row = w.state.allocations;
  return row.free_position(y) <= w.state.pools.released(row.pool(y))(row.free_stream(y));
}
void owned(Expected& e, const Arguments& a, const Pool& p, const Stream& s, const Nat& n) {
  auto& row = e.after.allocations;
  row.made = with(row.made, a.x, yes());
  row.pool = with(row.pool, a.x, p);
  row.stream = with(row.stream, a.x, s);
  row.position = with(row.position, a.x, n);
  row.base = with(row.base, a.x, a.base);
  row.size = with(row.size, a.x, a.size);
  e.after.newest = over(e.after.newest, a, a.x);
}
void reserved(Expected& e, const World& w, const Pool& p, const Nat& value) {
  e.after.pools.reserved = with(e.after.pools.reserved, p, value);
  e.after.pools.reserved_high = with(e.after.pools.reserved_high, p, larger(w.state.pools.reserved_high(p), value));
}
// Nobody's bytes, or those of an allocation whose free has ended and that is no longer counted.
Bool idle(const World& w, const Arguments& a) {
  return bytes(a, [&](const Address& at) {
    const Allocation y = w.state.newest(at);
    return is_none(y) || (w.state.allocations.freed(y) && ended(w, y) && !w.state.allocations.counted(y));
  });
}
void taken_away(Expected& e, const World& w, const Arguments& a) {
  reserved(e, w, a.p, less(w.state.pools.reserved(a.p), a.size));
  e.after.backed = over(e.after.backed, a, Pool{});
  e.after.pools.released = with(e.after.pools.released, a.p, w.state.device.executed);
}
Nat left(const World& w, const Arguments& a) { return less(w.state.pools.reserved(a.p), a.size); }

// REUSE-*, one line an explanation.
void malloc(Expected& e, const World& w, const Arguments& a) {
  item(e, w, a.s);
  const Cut reach = e.after.runtime.reach(a.s);
  const auto& row = w.state.allocations;
  const auto& pools = w.state.pools;
  const auto by_order = [&](const Allocation& y) {
    const Bool event = pools.follow_event_dependencies(a.p) && row.free_position(y) <= reach(row.free_stream(y));
    return row.free_stream(y) == a.s || seen(w, y) || event;
  };
  const auto permitted = [&](const Allocation& y) {
    const Bool opportunistic = pools.allow_opportunistic(a.p) && ended(w, y);
    const Bool internal = pools.allow_internal_dependencies(a.p) && row.free_position(y) <= a.waits(row.free_stream(y));
    return row.freed(y) && (by_order(y) || given_back(w, y) || opportunistic || internal);
  };
  e.permitted =
      !is_none(a.x) && !row.made(a.x) && living(w, a.p) &&
      every<Stream>([&](const Stream& t) { return a.waits(t) <= w.state.runtime.reach(t)(t); }) &&
      backed_by(w, a, a.p) &&
      bytes(a, [&](const Address& at) { return is_none(w.state.newest(at)) || permitted(w.state.newest(at)); });
  also_awaits(e, w, a.s, a.waits);
  owned(e, a, a.p, a.s, w.state.runtime.reach(a.s)(a.s) + one());
  e.after.allocations.counted = with(e.after.allocations.counted, a.x, yes());
}

void release(Expected& e, const World& w, const Arguments& a) {
  const Nat before = w.state.pools.reserved(a.p), threshold = w.state.pools.release_threshold(a.p),
            used = w.state.pools.used(a.p);
  const Nat kept =
      choose(parameters().compares_idle, used + smaller(threshold, less(before, used)), smaller(threshold, before));
  e.permitted = a.flag && backed_by(w, a, a.p) && idle(w, a) && less(kept, parameters().slack) <= left(w, a);
  taken_away(e, w, a);
}

void reserve(Expected& e, const World& w, const Arguments& a) {
  const Nat sum = w.state.pools.reserved(a.p) + a.size, cap = w.state.pools.max_size(a.p);
  e.permitted = living(w, a.p) && backed_by(w, a, Pool{}) &&
                bytes(a,
                      [&](const Address& at) {
                        return is_none(w.state.newest(at)) || w.state.allocations.freed(w.state.newest(at));
                      }) &&
                (cap == zero() || sum <= L::round_up(cap, parameters().unit));
  reserved(e, w, a.p, sum);
  e.after.backed = over(e.after.backed, a, a.p);
}

void create(Expected& e, const World& w, const Arguments& a) {
  auto& pools = e.after.pools;
  e.permitted = !is_none(a.p) && !w.state.pools.made(a.p);
  pools.made = with(pools.made, a.p, yes());
  pools.follow_event_dependencies = with(pools.follow_event_dependencies, a.p, a.switches.follow_event_dependencies);
  pools.allow_opportunistic = with(pools.allow_opportunistic, a.p, a.switches.allow_opportunistic);
  pools.allow_internal_dependencies =
      with(pools.allow_internal_dependencies, a.p, a.switches.allow_internal_dependencies);
  pools.release_threshold = with(pools.release_threshold, a.p, a.amount);
  pools.max_size = with(pools.max_size, a.p, a.size);
}

Nat after_reset(const Nat& current) { return choose(parameters().reset_takes_current, current, zero()); }

const std::vector<std::pair<const char*, Clause>>& clauses() {
  using W = const World&;
  using A = const Arguments&;
  static const std::vector<std::pair<const char*, Clause>> table = {
      {"submit", [](Expected& e, W w, A a) { item(e, w, a.s); }},
      {"use",
       [](Expected& e, W w, A a) {
         item(e, w, a.s);
         auto& uses = e.after.allocations.uses;
         uses = with(uses, a.x, with(uses(a.x), a.s, e.after.program.reach(a.s)(a.s)));
       }},
      {"record",
       [](Expected& e, W w, A a) {
         item(e, w, a.s);
         e.after.program.captured = with(e.after.program.captured, a.e, e.after.program.reach(a.s));
         e.after.runtime.captured = with(e.after.runtime.captured, a.e, e.after.runtime.reach(a.s));
         e.after.device.recorded_on = with(e.after.device.recorded_on, a.e, a.s);
         e.after.device.recorded_at = with(e.after.device.recorded_at, a.e, e.after.runtime.reach(a.s)(a.s));
       }},
      {"wait",
       [](Expected& e, W w, A a) {
         item(e, w, a.s);
         follow_cut(e.after.program, a.s, w.state.program.captured(a.e));
         follow_cut(e.after.runtime, a.s, w.state.runtime.captured(a.e));
         also_awaits(e, w, a.s, only(w.state.device.recorded_on(a.e), w.state.device.recorded_at(a.e)));
       }},
      {"hold",
       [](Expected& e, W w, A a) {
         e.permitted = w.state.device.gate_made(a.g);
         item(e, w, a.s);
         auto& gate = e.after.device.gate;
         gate = with(gate, a.s, with(gate(a.s), e.after.runtime.reach(a.s)(a.s), a.g));
       }},
      {"make_gate",
       [](Expected& e, W w, A a) {
         e.permitted = !(a.g == Gate{}) && !w.state.device.gate_made(a.g);
         e.after.device.gate_made = with(e.after.device.gate_made, a.g, yes());
         e.after.device.closed = with(e.after.device.closed, a.g, yes());
       }},
      {"open", [](Expected& e, W, A a) { e.after.device.closed = with(e.after.device.closed, a.g, !yes()); }},
      {"start",
       [](Expected& e, W w, A a) {
         const auto& device = w.state.device;
         const Nat n = device.started(a.s) + one();
         e.permitted = n <= submitted(w, a.s) && device.started(a.s) <= device.executed(a.s) &&
                       every<Stream>([&](const Stream& t) { return device.awaits(a.s)(n)(t) <= device.executed(t); });
         e.after.device.started = with(e.after.device.started, a.s, n);
       }},
      {"finish",
       [](Expected& e, W w, A a) {
         const auto& device = w.state.device;
         const Nat n = device.executed(a.s) + one();
         e.permitted = n <= device.started(a.s) && !device.closed(device.gate(a.s)(n));
         e.after.device.executed = with(e.after.device.executed, a.s, n);
       }},
      {"prove_stream",
       [](Expected& e, W w, A a) {
         e.permitted = reached(w, a.s, submitted(w, a.s));
         proved(e, w.state.program.reach(a.s), w.state.runtime.reach(a.s));
       }},
      {"prove_event",
       [](Expected& e, W w, A a) {
         e.permitted = reached(w, w.state.device.recorded_on(a.e), w.state.device.recorded_at(a.e));
         proved(e, w.state.program.captured(a.e), w.state.runtime.captured(a.e));
       }},
      {"prove_device",
       [](Expected& e, W w, A) {
         const auto reach = w.state.runtime.reach;
         const Cut all([=](const Stream& t) { return reach(t)(t); });
         e.permitted = every<Stream>([&](const Stream& t) { return reached(w, t, all(t)); });
         proved(e, all, all);
       }},
      {"observe",
       [](Expected& e, W w, A) {
         const Cut before = w.state.observed, shown = w.state.runtime.proved;
         e.after.observed = Cut([=](const Stream& t) { return larger(before(t), shown(t)); });
       }},
      {"malloc", malloc},
      {"free",
       [](Expected& e, W w, A a) {
         auto& row = e.after.allocations;
         e.permitted = row.made(a.x) && !row.freed(a.x);
         item(e, w, a.s);
         row.freed = with(row.freed, a.x, yes());
         row.free_stream = with(row.free_stream, a.x, a.s);
         row.free_position = with(row.free_position, a.x, e.after.runtime.reach(a.s)(a.s));
         row.free_cut = with(row.free_cut, a.x, e.after.runtime.reach(a.s));
       }},
      {"free_sync",
       [](Expected& e, W w, A a) {
         auto& row = e.after.allocations;
         e.permitted = w.state.allocations.made(a.x) && !w.state.allocations.freed(a.x);
         row.freed = with(row.freed, a.x, yes());
         row.free_synchronous = with(row.free_synchronous, a.x, yes());
       }},
      {"stop_counting",
       [](Expected& e, W w, A a) {
         e.permitted = w.state.allocations.counted(a.x);
         e.after.allocations.counted = with(e.after.allocations.counted, a.x, !yes());
       }},
      {"settle",
       [](Expected& e, W w, A a) {
         e.permitted = w.state.allocations.counted(a.x) && w.state.allocations.freed(a.x) && ended(w, a.x);
         e.after.allocations.counted = with(e.after.allocations.counted, a.x, !yes());
       }},
      {"plain_malloc",
       [](Expected& e, W w, A a) {
         e.permitted =
             !is_none(a.x) && !w.state.allocations.made(a.x) && backed_by(w, a, Pool{}) &&
             bytes(a, [&](const Address& at) {
               const Allocation y = w.state.newest(at);
               return is_none(y) || (w.state.allocations.freed(y) && (given_back(w, y) || seen(w, y) || ended(w, y)));
             });
         owned(e, a, Pool{}, Stream{}, zero());
       }},
      {"reserve", reserve},
      {"unmap",
       [](Expected& e, W w, A a) {
         e.permitted = backed_by(w, a, a.p) && idle(w, a);
         taken_away(e, w, a);
       }},
      {"release", release},
      {"trim",
       [](Expected& e, W w, A a) {
         e.permitted =
             backed_by(w, a, a.p) && idle(w, a) && smaller(a.amount, w.state.pools.reserved(a.p)) <= left(w, a);
         taken_away(e, w, a);
       }},
      {"create_pool", create},
      {"destroy_pool",
       [](Expected& e, W w, A a) {
         e.permitted = living(w, a.p);
         e.after.pools.destroyed = with(e.after.pools.destroyed, a.p, yes());
       }},
      {"set_follow_event",
       [](Expected& e, W, A a) {
         e.after.pools.follow_event_dependencies = with(e.after.pools.follow_event_dependencies, a.p, a.flag);
       }},
      {"set_opportunistic",
       [](Expected& e, W, A a) {
         e.after.pools.allow_opportunistic = with(e.after.pools.allow_opportunistic, a.p, a.flag);
       }},
      {"set_internal",
       [](Expected& e, W, A a) {
         e.after.pools.allow_internal_dependencies = with(e.after.pools.allow_internal_dependencies, a.p, a.flag);
       }},
      {"set_threshold",
       [](Expected& e, W, A a) {
         e.after.pools.release_threshold = with(e.after.pools.release_threshold, a.p, a.amount);
       }},
      {"reset_reserved_high",
       [](Expected& e, W w, A a) {
         e.after.pools.reserved_high = with(e.after.pools.reserved_high, a.p, after_reset(w.state.pools.reserved(a.p)));
       }},
      {"reset_used_high",
       [](Expected& e, W w, A a) {
         e.after.pools.used_high = with(e.after.pools.used_high, a.p, after_reset(w.state.pools.used(a.p)));
       }},
  };
  return table;
}

// Handles.
Bool may_name(const Bool& none, const Bool& given, const Bool& in_use) { return !none && !given && !in_use; }

struct NameClause {
  const char* transition;
  std::function<Bool(const World&, const Arguments&)> permitted;
  std::function<void(World&, const Arguments&)> change;
};
const std::vector<NameClause>& name_clauses() {
  using W = const World&;
  using A = const Arguments&;
  static const std::vector<NameClause> table = {
      {"name_stream",
       [](W w, A a) { return may_name(a.s == Stream{}, w.streams.given(a.s), !(w.streams.of(a.h) == Stream{})); },
       [](World& w, A a) {
         w.streams.of = with(w.streams.of, a.h, a.s);
         w.streams.given = with(w.streams.given, a.s, yes());
       }},
      {"forget_stream", [](W w, A a) { return !(w.streams.of(a.h) == Stream{}); },
       [](World& w, A a) { w.streams.of = with(w.streams.of, a.h, Stream{}); }},
      {"name_event",
       [](W w, A a) { return may_name(a.e == Event{}, w.events.given(a.e), !(w.events.of(a.h) == Event{})); },
       [](World& w, A a) {
         w.events.of = with(w.events.of, a.h, a.e);
         w.events.given = with(w.events.given, a.e, yes());
       }},
      {"forget_event", [](W w, A a) { return !(w.events.of(a.h) == Event{}); },
       [](World& w, A a) { w.events.of = with(w.events.of, a.h, Event{}); }},
  };
  return table;
}

Bool same_state(const State& x, const State& y, bool sums) {
  const auto order = [](const spec::Order<L>& a, const spec::Order<L>& b) {
    return same(a.reach, b.reach) && same(a.captured, b.captured) && same(a.proved, b.proved);
  };
  const auto &d = x.device, &f = y.device;
  const auto &r = x.allocations, &q = y.allocations;
  const auto &p = x.pools, &o = y.pools;
  return order(x.program, y.program) && order(x.runtime, y.runtime) && same(x.follows, y.follows) &&
         same(x.observed, y.observed) && same(d.started, f.started) && same(d.executed, f.executed) &&
         same(d.awaits, f.awaits) && same(d.gate, f.gate) && same(d.gate_made, f.gate_made) &&
         same(d.closed, f.closed) && same(d.recorded_on, f.recorded_on) && same(d.recorded_at, f.recorded_at) &&
         same(r.made, q.made) && same(r.freed, q.freed) && same(r.pool, q.pool) && same(r.stream, q.stream) &&
         same(r.position, q.position) && same(r.base, q.base) && same(r.size, q.size) && same(r.uses, q.uses) &&
         same(r.free_stream, q.free_stream) && same(r.free_position, q.free_position) &&
         same(r.free_synchronous, q.free_synchronous) && same(r.free_cut, q.free_cut) && same(r.counted, q.counted) &&
         same(p.made, o.made) && same(p.destroyed, o.destroyed) &&
         same(p.follow_event_dependencies, o.follow_event_dependencies) &&
         same(p.allow_opportunistic, o.allow_opportunistic) &&
         same(p.allow_internal_dependencies, o.allow_internal_dependencies) &&
         same(p.release_threshold, o.release_threshold) && same(p.reserved, o.reserved) &&
         same(p.reserved_high, o.reserved_high) && same(p.max_size, o.max_size) && same(p.released, o.released) &&
         same(x.newest, y.newest) && same(x.backed, y.backed) &&
         (sums ? same(p.used, o.used) && same(p.used_high, o.used_high) : yes());
}

// Not compared for malloc: the runtime's order, which EDGES says. Of what sums over bytes, the watermark alone: it
// rises to the new value and no higher.
Bool does_what_it_says(const std::string& name, const World& w, const Arguments& a, const State& after, Expected e) {
  const bool sums = name == "malloc" || name == "stop_counting" || name == "settle";
  if (!sums) return same_state(after, e.after, true);
  if (name == "malloc") e.after.runtime.reach = after.runtime.reach;
  const Pool own = name == "malloc" ? a.p : w.state.allocations.pool(a.x);
  const auto high = w.state.pools.used_high;
  const Bool raised = same(after.pools.used_high, with(high, own, larger(high(own), after.pools.used(own))));
  return same_state(after, e.after, false) && raised;
}

// What a malloc adds to the runtime's order: the cuts of the frees that order alone does not explain, nothing else.
Bool edges(const World& w, const Arguments& a, const World& after) {
  Expected e{yes(), w.state};
  item(e, w, a.s);
  const Cut plain = e.after.runtime.reach(a.s), reach = after.state.runtime.reach(a.s);
  const auto& row = w.state.allocations;
  const auto adds = [&](const Address& at) {
    const Allocation y = w.state.newest(at);
    const Bool event =
        w.state.pools.follow_event_dependencies(a.p) && row.free_position(y) <= plain(row.free_stream(y));
    return !is_none(y) && !(row.free_stream(y) == a.s || seen(w, y) || event);
  };
  const auto others = every<Stream, Stream>([&](const Stream& u, const Stream& t) {
    return u == a.s || after.state.runtime.reach(u)(t) == w.state.runtime.reach(u)(t);
  });
  return others && every<Stream>([&](const Stream& t) {
           return plain(t) <= reach(t) &&
                  bytes(a,
                        [&](const Address& at) {
                          return implies(adds(at), row.free_cut(w.state.newest(at))(t) <= reach(t));
                        }) &&
                  (reach(t) == plain(t) || some<Address>([&](const Address& at) {
                     return inside(a, at) && adds(at) && reach(t) == row.free_cut(w.state.newest(at))(t);
                   }));
         });
}

}  // namespace

void add_exact(std::vector<Consequence>& consequences) {
  const auto add = [&](const std::string& name, const std::function<Bool(const World&, const Arguments&)>& permitted,
                       const std::function<Bool(const World&, const Arguments&, const World&)>& does) {
    const auto run = [name](const World& w) { return transition(name).step(w, arguments("")); };
    const std::vector<std::string> clocks{"WITHIN", "PROGRAM-WITHIN"};  // what follows a stream is never ahead of it
    consequences.push_back({"PERMITTED-" + name, "PERMITTED", clocks,
                            [=](const World& w) { return implies(permitted(w, arguments("")), run(w).guard); }});
    consequences.push_back({"ONLY-" + name, "EXACT-STEP", clocks,
                            [=](const World& w) { return implies(run(w).guard, permitted(w, arguments(""))); }});
    consequences.push_back(
        {"DOES-" + name, "EXACT-STEP", clocks, [=](const World& w) { return does(w, arguments(""), run(w).after); }});
  };
  for (const auto& [name, clause] : clauses()) {
    const auto expected = [clause](const World& w, const Arguments& a) {
      Expected e{yes(), w.state};
      clause(e, w, a);
      return e;
    };
    add(
        name, [=](const World& w, const Arguments& a) { return expected(w, a).permitted; },
        [=, name = std::string(name)](const World& w, const Arguments& a, const World& after) {
          return does_what_it_says(name, w, a, after.state, expected(w, a));
        });
  }
  for (const NameClause& clause : name_clauses()) {
    add(clause.transition, clause.permitted, [&clause](const World& w, const Arguments& a, const World& after) {
      World e = w;
      clause.change(e, a);
      return same(after.streams.of, e.streams.of) && same(after.streams.given, e.streams.given) &&
             same(after.events.of, e.events.of) && same(after.events.given, e.events.given);
    });
  }
  consequences.push_back({"EDGES", "EXACT-STEP", {"WITHIN", "PROGRAM-WITHIN"}, [](const World& w) {
                            return edges(w, arguments(""), transition("malloc").step(w, arguments("")).after);
                          }});
}

}  // namespace streampool::theorems
