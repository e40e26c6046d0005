// The steps of the machine, each the rule text plus what the history variables remember of it.
#include "spec/rules/attributes.hpp"
#include "spec/rules/pool.hpp"
#include "spec/rules/program.hpp"
#include "spec/theorems/world.hpp"

namespace streampool::theorems {
namespace {

spec::Range<L> range(const Arguments& a) { return {a.base, a.size}; }

Bool range_exists(const Arguments& a) {
  return one() <= a.size && Bool{less_equal(Address{}.term, a.base.term)} &&
         Bool{less_equal(L::after(a.base, a.size).term, top().term)};
}

// One item was submitted to s.
void remember_item(const World& before, World& after, const Stream& s) {
  const Nat n = submitted(before, s) + one();
  L::put(after.history.cut, s, n, after.state.runtime.reach(s));
  L::put(after.history.stamp, s, n, before.history.stamps);
  after.history.stamps = before.history.stamps + one();
}

void remember_allocation(const World& before, World& after, const Allocation& x) {
  L::put(after.history.age, x, before.history.ages);
  after.history.ages = before.history.ages + one();
}

// A sum over addresses after every byte of the range has come to belong to `owner`.
Map<Pool, Map<Address, Nat>> moved(const Map<Pool, Map<Address, Nat>>& sum, const Arguments& a, const Pool& owner) {
  return Map<Pool, Map<Address, Nat>>([=](const Pool& p) {
    return Map<Address, Nat>([=](const Address& at) {
      const Address end = L::after(a.base, a.size);
      const Bool own = p == owner;
      const Nat into{minus(at.term, a.base.term)};
      const Nat within = sum(p)(a.base) + choose(own, into, zero());
      const Nat beyond{minus(plus(sum(p)(at).term, sum(p)(a.base).term), sum(p)(end).term)};
      return choose(Bool{less_equal(at.term, a.base.term)}, sum(p)(at),
                    choose(Bool{less_equal(at.term, end.term)}, within, beyond + choose(own, a.size, zero())));
    });
  });
}

Bool for_pools(const std::function<Bool(const Pool&)>& body) {
  return {for_all(Sort::pool, [&](Term p) { return body(Pool{p}).term; })};
}

// Pools other than `p` have as much below `at` as below the range's base: nothing of the range is theirs.
Induction nothing_of_others(const std::string& name, const Map<Pool, Map<Address, Nat>>& sum, const Arguments& a,
                            const Pool& p) {
  return {name, a.base, L::after(a.base, a.size), [=](const Address& at) {
            return for_pools([&](const Pool& q) { return is_none(q) || q == p || sum(q)(at) == sum(q)(a.base); });
          }};
}

Stepped step_device(const World& w, const std::function<Bool(spec::Device<L>&)>& rule) {
  Stepped r{.guard = L::boolean(true), .owed = L::boolean(true), .after = w, .inductions = {}};
  r.guard = rule(r.after.state.device);
  return r;
}

Stepped step_state(const World& w, const std::function<Bool(State&)>& rule) {
  Stepped r{.guard = L::boolean(true), .owed = L::boolean(true), .after = w, .inductions = {}};
  r.guard = rule(r.after.state);
  return r;
}

// A call that submits one item to s.
Stepped step_item(const World& w, const Stream& s, const std::function<Bool(State&)>& rule) {
  Stepped r = step_state(w, rule);
  r.owed = w.streams.given(s);
  remember_item(w, r.after, s);
  return r;
}

Stepped step_pools(const World& w, const std::function<Bool(spec::Pools<L>&)>& rule) {
  return step_state(w, [&](State& state) { return rule(state.pools); });
}

// An attribute of a pool that exists.
Stepped step_attribute(const World& w, const Pool& p, const std::function<void(spec::Pools<L>&)>& rule) {
  Stepped r = step_state(w, [&](State& state) { return rule(state.pools), L::boolean(true); });
  r.owed = w.state.pools.made(p);
  return r;
}

Stepped step_use(const World& w, const Arguments& a) {
  Stepped r = step_item(w, a.s, [&](State& state) { return spec::submit(state, a.s), L::boolean(true); });
  r.owed = r.owed && spec::use_owed(r.after.state, a.s, a.x);
  spec::note_use(r.after.state, a.s, a.x);
  L::put(r.after.history.touched, a.s, submitted(w, a.s) + one(), a.x);
  return r;
}

Stepped step_malloc(const World& w, const Arguments& a) {
  Stepped r = step_item(w, a.s, [&](State& state) {
    return spec::malloc(state, a.s, spec::Grant<L>{a.x, a.p, range(a), a.waits});
  });
  r.owed = r.owed && range_exists(a);
  remember_allocation(w, r.after, a.x);
  const auto counted = w.history.counted_below;
  const auto recounted = Definitions::last_count();
  r.after.history.counted_below = moved(counted, a, a.p);
  r.inductions.push_back({"recounted", a.base, L::after(a.base, a.size), [=](const Address& at) {
                            return for_pools([&](const Pool& q) {
                              return !(q == a.p) || counted(q)(at) == counted(q)(a.base) + recounted(at);
                            });
                          }});
  r.inductions.push_back(nothing_of_others("others", counted, a, a.p));
  return r;
}

Stepped step_free(const World& w, const Arguments& a) {
  Stepped r = step_item(w, a.s, [&](State& state) { return spec::free(state, a.s, a.x); });
  // What the program owes is read with the item in place and the allocation not yet freed.
  State asked = r.after.state;
  asked.allocations.freed = w.state.allocations.freed;
  r.owed = r.owed && spec::free_owed(asked, a.s, a.x);
  return r;
}

Stepped step_free_sync(const World& w, const Arguments& a) {
  Stepped r = step_state(w, [&](State& state) { return spec::free_sync(state, a.x); });
  r.owed = spec::free_sync_owed(w.state, a.x);
  return r;
}

// The bytes of x leave the count of their pool; `guard` on top of the rule's own.
Stepped step_uncount(const World& w, const Arguments& a, const std::function<Bool(State&)>& rule) {
  Stepped r = step_state(w, rule);
  const auto& row = w.state.allocations;
  const Pool pool = row.pool(a.x);
  const Address base = row.base(a.x), end = L::after(base, row.size(a.x));
  const auto counted = w.history.counted_below;
  const auto own = Definitions::last_count();
  r.after.history.counted_below = Map<Pool, Map<Address, Nat>>([=](const Pool& p) {
    return Map<Address, Nat>([=](const Address& at) {
      const Nat gone = choose(Bool{less_equal(at.term, base.term)}, zero(),
                              choose(Bool{less_equal(at.term, end.term)}, own(at), own(end)));
      return choose(p == pool, Nat{minus(counted(p)(at).term, gone.term)}, counted(p)(at));
    });
  });
  r.inductions.push_back({"own", base, end, [=](const Address& at) {
                            return for_pools([&](const Pool& q) { return !(q == pool) || own(at) <= counted(q)(at); });
                          }});
  return r;
}

Stepped step_plain_malloc(const World& w, const Arguments& a) {
  Stepped r = step_state(w, [&](State& state) { return spec::plain_malloc(state, a.x, range(a)); });
  r.owed = range_exists(a);
  remember_allocation(w, r.after, a.x);
  const auto counted = w.history.counted_below;
  r.after.history.counted_below = moved(counted, a, Pool{});
  r.inductions.push_back(nothing_of_others("others", counted, a, Pool{}));
  return r;
}

Stepped step_reserve(const World& w, const Arguments& a) {
  Stepped r = step_state(w, [&](State& state) { return spec::reserve(state, a.p, range(a), parameters().unit); });
  r.owed = range_exists(a) && one() <= parameters().unit;
  const auto backed = w.history.backed_below;
  r.after.history.backed_below = moved(backed, a, a.p);
  r.inductions.push_back(nothing_of_others("others", backed, a, Pool{}));
  return r;
}

Stepped step_unmap(const World& w, const Arguments& a, const std::function<Bool(State&)>& rule) {
  Stepped r = step_state(w, rule);
  r.owed = range_exists(a) && !is_none(a.p);
  const auto backed = w.history.backed_below;
  r.after.history.backed_below = moved(backed, a, Pool{});
  r.inductions.push_back({"own", a.base, L::after(a.base, a.size), [=](const Address& at) {
                            return for_pools([&](const Pool& q) {
                              return !(q == a.p) || Bool{equal(plus(backed(q)(at).term, a.base.term),
                                                               plus(backed(q)(a.base).term, at.term))};
                            });
                          }});
  r.inductions.push_back(nothing_of_others("others", backed, a, a.p));
  return r;
}

template <class Rule>
Bool always(const Rule& rule) {
  rule();
  return L::boolean(true);
}

}  // namespace

const std::vector<Transition>& transitions() {
  using W = const World&;
  using A = const Arguments&;
  static const std::vector<Transition> table = {
      {"submit",
       [](W w, A a) { return step_item(w, a.s, [&](State& t) { return always([&] { spec::submit(t, a.s); }); }); }},
      {"use", step_use},
      {"record",
       [](W w, A a) {
         Stepped r = step_item(w, a.s, [&](State& t) { return always([&] { spec::record(t, a.e, a.s); }); });
         r.owed = r.owed && w.events.given(a.e);
         return r;
       }},
      {"wait",
       [](W w, A a) { return step_item(w, a.s, [&](State& t) { return always([&] { spec::wait(t, a.s, a.e); }); }); }},
      {"hold", [](W w, A a) { return step_item(w, a.s, [&](State& t) { return spec::hold(t, a.s, a.g); }); }},
      {"make_gate", [](W w, A a) { return step_device(w, [&](auto& d) { return spec::make_gate(d, a.g); }); }},
      {"open", [](W w, A a) { return step_device(w, [&](auto& d) { return always([&] { spec::open(d, a.g); }); }); }},
      {"start", [](W w, A a) { return step_device(w, [&](auto& d) { return spec::start(d, w.state.runtime, a.s); }); }},
      {"finish", [](W w, A a) { return step_device(w, [&](auto& d) { return spec::finish(d, a.s); }); }},
      {"prove_stream", [](W w, A a) { return step_state(w, [&](State& t) { return spec::prove_stream(t, a.s); }); }},
      {"prove_event", [](W w, A a) { return step_state(w, [&](State& t) { return spec::prove_event(t, a.e); }); }},
      {"prove_device", [](W w, A) { return step_state(w, [&](State& t) { return spec::prove_device(t); }); }},
      {"observe", [](W w, A) { return step_state(w, [&](State& t) { return always([&] { spec::observe(t); }); }); }},
      {"malloc", step_malloc},
      {"free", step_free},
      {"free_sync", step_free_sync},
      {"stop_counting",
       [](W w, A a) {
         Stepped r = step_uncount(w, a, [&](State& t) { return spec::stop_counting(t, a.x); });
         r.owed = w.state.allocations.freed(a.x);
         return r;
       }},
      {"settle", [](W w, A a) { return step_uncount(w, a, [&](State& t) { return spec::settle(t, a.x); }); }},
      {"plain_malloc", step_plain_malloc},
      {"reserve", step_reserve},
      {"unmap", [](W w, A a) { return step_unmap(w, a, [&](State& t) { return spec::unmap(t, a.p, range(a)); }); }},
      {"release",
       [](W w, A a) {
         return step_unmap(w, a, [&](State& t) {
           return spec::release(t, a.p, range(a), a.flag, parameters().compares_idle, parameters().slack);
         });
       }},
      {"trim",
       [](W w, A a) { return step_unmap(w, a, [&](State& t) { return spec::trim(t, a.p, range(a), a.amount); }); }},
      {"create_pool",
       [](W w, A a) {
         return step_pools(w, [&](auto& p) { return spec::create(p, a.p, a.switches, a.amount, a.size); });
       }},
      {"destroy_pool", [](W w, A a) { return step_pools(w, [&](auto& p) { return spec::destroy(p, a.p); }); }},
      {"set_follow_event",
       [](W w, A a) {
         return step_attribute(w, a.p, [&](auto& p) { spec::set_follow_event_dependencies(p, a.p, a.flag); });
       }},
      {"set_opportunistic",
       [](W w, A a) {
         return step_attribute(w, a.p, [&](auto& p) { spec::set_allow_opportunistic(p, a.p, a.flag); });
       }},
      {"set_internal",
       [](W w, A a) {
         return step_attribute(w, a.p, [&](auto& p) { spec::set_allow_internal_dependencies(p, a.p, a.flag); });
       }},
      {"set_threshold",
       [](W w, A a) {
         return step_attribute(w, a.p, [&](auto& p) { spec::set_release_threshold(p, a.p, a.amount); });
       }},
      {"reset_reserved_high",
       [](W w, A a) {
         return step_attribute(w, a.p,
                               [&](auto& p) { spec::reset_reserved_high(p, a.p, parameters().reset_takes_current); });
       }},
      {"reset_used_high",
       [](W w, A a) {
         return step_attribute(w, a.p,
                               [&](auto& p) { spec::reset_used_high(p, a.p, parameters().reset_takes_current); });
       }},
      {"name_stream",
       [](W w, A a) {
         Stepped r{.guard = L::boolean(true), .owed = L::boolean(true), .after = w, .inductions = {}};
         r.guard = spec::name<L, Stream>(r.after.streams, a.h, a.s);
         return r;
       }},
      {"forget_stream",
       [](W w, A a) {
         Stepped r{.guard = L::boolean(true), .owed = L::boolean(true), .after = w, .inductions = {}};
         r.guard = spec::forget<L, Stream>(r.after.streams, a.h);
         return r;
       }},
      {"name_event",
       [](W w, A a) {
         Stepped r{.guard = L::boolean(true), .owed = L::boolean(true), .after = w, .inductions = {}};
         r.guard = spec::name<L, Event>(r.after.events, a.h, a.e);
         return r;
       }},
      {"forget_event",
       [](W w, A a) {
         Stepped r{.guard = L::boolean(true), .owed = L::boolean(true), .after = w, .inductions = {}};
         r.guard = spec::forget<L, Event>(r.after.events, a.h);
         return r;
       }},
  };
  return table;
}

const Transition& transition(const std::string& name) {
  for (const Transition& t : transitions()) {
    if (t.name == name) return t;
  }
  return transitions().front();
}

}  // namespace streampool::theorems
