// ORDER-SOUND, NO-DEADLOCK, IDENTITY, and what MONITOR-SOUND says of order.
//
// The device moves by queues, gates and awaited items alone. That what it has executed is closed under the clocks is a
// consequence: each entry of an item's cut comes from its predecessor, from something executed already, or from the cut
// of an item that it awaits (REASON), so when the item may start, all of it has executed.
#include "spec/rules/device.hpp"
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

Nat executed(const World& w, const Stream& s) { return w.state.device.executed(s); }
Nat started(const World& w, const Stream& s) { return w.state.device.started(s); }
Nat cut(const World& w, const Stream& s, const Nat& n, const Stream& t) { return w.history.cut(s)(n)(t); }
Nat awaits(const World& w, const Stream& s, const Nat& n, const Stream& t) { return w.state.device.awaits(s)(n)(t); }
Nat pred(const Nat& n) { return {minus(n.term, one().term)}; }

}  // namespace

Bool cut_closed_at(const World& w, const Stream& s, const Nat& n, const Stream& u, const Nat& m) {
  return every<Stream>([&](const Stream& t) {
    return implies(is_item(w, s, n) && one() <= m && m <= cut(w, s, n, u), cut(w, u, m, t) <= cut(w, s, n, t));
  });
}
Bool program_within(const World& w, const Stream& s) {
  return every<Stream>([&](const Stream& t) { return w.state.program.reach(s)(t) <= w.state.runtime.reach(s)(t); });
}

void add_order(std::vector<Invariant>& invariants, std::vector<Consequence>& consequences) {
  const std::string theorem = "ORDER-SOUND";
  invariants.push_back({"RUN", theorem, {}, [](const World& w) {
                          return every<Stream>([&](const Stream& s) {
                            return executed(w, s) <= started(w, s) && started(w, s) <= submitted(w, s) &&
                                   started(w, s) <= executed(w, s) + one();
                          });
                        }});
  // No clock speaks of an item that was not submitted.
  invariants.push_back({"WITHIN", theorem, {"RUN", "PROGRAM-WITHIN"}, [](const World& w) {
                          const auto& r = w.state.runtime;
                          return every<Stream, Stream>([&](const Stream& s, const Stream& t) {
                                   return r.reach(s)(t) <= submitted(w, t);
                                 }) &&
                                 every<Event, Stream>([&](const Event& e, const Stream& t) {
                                   return r.captured(e)(t) <= submitted(w, t);
                                 }) &&
                                 every<Allocation, Stream>([&](const Allocation& x, const Stream& t) {
                                   return w.state.allocations.free_cut(x)(t) <= submitted(w, t);
                                 }) &&
                                 every<Stream>([&](const Stream& t) { return r.proved(t) <= submitted(w, t); });
                        }});
  // The clock that a stream carries is the cut of its newest item.
  invariants.push_back({"NEWEST-CUT", theorem, {"RUN", "WITHIN"}, [](const World& w) {
                          return every<Stream, Stream>([&](const Stream& s, const Stream& t) {
                            const Nat n = submitted(w, s);
                            return choose(n == zero(), w.state.runtime.reach(s)(t) == zero(),
                                          w.state.runtime.reach(s)(t) == cut(w, s, n, t));
                          });
                        }});
  invariants.push_back({"OWN-POSITION", theorem, {"NEWEST-CUT", "WITHIN"}, [](const World& w) {
                          return every<Stream, Nat>([&](const Stream& s, const Nat& n) {
                            return implies(is_item(w, s, n), cut(w, s, n, s) == n);
                          });
                        }});
  invariants.push_back({"CAPTURED", theorem, {"WITHIN"}, [](const World& w) {
                          return every<Event, Stream>([&](const Event& e, const Stream& t) {
                            const Stream on = w.state.device.recorded_on(e);
                            const Nat at = w.state.device.recorded_at(e);
                            return choose(
                                at == zero(), w.state.runtime.captured(e)(t) == zero(),
                                at <= submitted(w, on) && w.state.runtime.captured(e)(t) == cut(w, on, at, t));
                          });
                        }});
  invariants.push_back({"PROVED", theorem, {"CLOSED", "NEWEST-CUT", "CAPTURED", "RUN", "WITHIN"}, [](const World& w) {
                          return every<Stream>([&](const Stream& t) {
                            return w.state.runtime.proved(t) <= executed(w, t) &&
                                   w.state.observed(t) <= w.state.runtime.proved(t);
                          });
                        }});
  // A pool's release point shows only what had executed.
  invariants.push_back({"RELEASED", theorem, {}, [](const World& w) {
                          return every<Pool, Stream>([&](const Pool& p, const Stream& t) {
                            return w.state.pools.released(p)(t) <= executed(w, t);
                          });
                        }});
  invariants.push_back({"BOUND", theorem, {"WITHIN"}, [](const World& w) {
                          return every<Stream, Nat, Stream>([&](const Stream& s, const Nat& n, const Stream& t) {
                            return implies(is_item(w, s, n), cut(w, s, n, t) <= submitted(w, t));
                          });
                        }});
  invariants.push_back({"AWAITED-EARLIER", "NO-DEADLOCK", {"CAPTURED", "WITHIN", "STAMPED"}, [](const World& w) {
                          return every<Stream, Nat, Stream>([&](const Stream& s, const Nat& n, const Stream& u) {
                            const Nat m = awaits(w, s, n, u);
                            return implies(is_item(w, s, n) && one() <= m,
                                           m <= submitted(w, u) && w.history.stamp(u)(m) < w.history.stamp(s)(n));
                          });
                        }});
  invariants.push_back(
      {"GROWS", theorem, {"NEWEST-CUT", "OWN-POSITION", "WITHIN"}, [](const World& w) {
         return every<Stream, Nat, Nat, Stream>([&](const Stream& s, const Nat& n, const Nat& m, const Stream& t) {
           return implies(one() <= n && n <= m && m <= submitted(w, s), cut(w, s, n, t) <= cut(w, s, m, t));
         });
       }});
  // Why (t, k) with k ≤ cut(s, n)[t] comes before an item (s, n) that has not started.
  invariants.push_back({"REASON",
                        theorem,
                        {"NEWEST-CUT", "CAPTURED", "PROVED", "RUN", "WITHIN", "GROWS", "FREE-ITEM", "FREE-CUT",
                         "CLOSED", "OWN-POSITION", "RELEASED", "AWAITED-EARLIER", "NEWEST-MADE"},
                        [](const World& w) {
                          return every<Stream, Nat, Stream>([&](const Stream& s, const Nat& n, const Stream& t) {
                            const Nat entry = cut(w, s, n, t);
                            return implies(is_item(w, s, n) && started(w, s) < n,
                                           (t == s && entry == n) || (one() < n && entry <= cut(w, s, pred(n), t)) ||
                                               entry <= executed(w, t) || some<Stream>([&](const Stream& u) {
                                                 return one() <= awaits(w, s, n, u) &&
                                                        entry <= cut(w, u, awaits(w, s, n, u), t);
                                               }));
                          });
                        }});
  // An item that has started has everything before it behind it.
  invariants.push_back({"STARTED",
                        theorem,
                        {"REASON", "CLOSED", "RUN", "WITHIN", "AWAITED-EARLIER", "OWN-POSITION"},
                        [](const World& w) {
                          return every<Stream, Nat, Stream>([&](const Stream& s, const Nat& n, const Stream& t) {
                            return implies(one() <= n && n <= started(w, s),
                                           (t == s && cut(w, s, n, t) == n) || cut(w, s, n, t) <= executed(w, t));
                          });
                        }});
  invariants.push_back({"CLOSED", theorem, {"STARTED", "RUN", "WITHIN"}, [](const World& w) {
                          return every<Stream, Nat, Stream>([&](const Stream& s, const Nat& n, const Stream& t) {
                            return implies(one() <= n && n <= executed(w, s), cut(w, s, n, t) <= executed(w, t));
                          });
                        }});
  // Cuts are closed: they hold what their items hold.
  invariants.push_back({"PROVED-CLOSED",
                        theorem,
                        {"CUT-CLOSED", "NEWEST-CUT", "CAPTURED", "RUN", "WITHIN", "BOUND", "PROVED"},
                        [](const World& w) {
                          return every<Stream, Nat, Stream>([&](const Stream& u, const Nat& m, const Stream& t) {
                            return implies(one() <= m && m <= w.state.runtime.proved(u),
                                           cut(w, u, m, t) <= w.state.runtime.proved(t));
                          });
                        }});
  invariants.push_back({"CUT-CLOSED",
                        theorem,
                        {"REACH-CLOSED", "CAPTURED-CLOSED", "FREE-CUT-CLOSED", "PROVED-CLOSED", "BOUND", "WITHIN",
                         "RUN", "FREE-ITEM", "NEWEST-MADE"},
                        [](const World& w) {
                          return every<Stream, Nat, Stream, Nat>(
                              [&](const Stream& s, const Nat& n, const Stream& u, const Nat& m) {
                                return cut_closed_at(w, s, n, u, m);
                              });
                        }});
  // The same of clocks, by what they are equal to.
  const auto closed = [](const World& w, const Cut& clock) {
    return every<Stream, Nat, Stream>([&](const Stream& u, const Nat& m, const Stream& t) {
      return implies(one() <= m && m <= clock(u), cut(w, u, m, t) <= clock(t));
    });
  };
  consequences.push_back({"REACH-CLOSED", theorem, {"NEWEST-CUT", "CUT-CLOSED", "RUN", "WITHIN"}, [=](const World& w) {
                            return every<Stream>([&](const Stream& s) { return closed(w, w.state.runtime.reach(s)); });
                          }});
  consequences.push_back({"CAPTURED-CLOSED", theorem, {"CAPTURED", "CUT-CLOSED", "RUN", "WITHIN"}, [=](const World& w) {
                            return every<Event>([&](const Event& e) { return closed(w, w.state.runtime.captured(e)); });
                          }});
  consequences.push_back(
      {"FREE-CUT-CLOSED", theorem, {"FREE-ITEM", "FREE-CUT", "CUT-CLOSED", "RUN", "WITHIN"}, [](const World& w) {
         return every<Allocation, Stream, Nat, Stream>(
             [&](const Allocation& x, const Stream& u, const Nat& m, const Stream& t) {
               const auto& row = w.state.allocations;
               const auto& clock = row.free_cut(x);
               return implies(row.freed(x) && !row.free_synchronous(x) && one() <= m && m <= clock(u),
                              cut(w, u, m, t) <= clock(t));
             });
       }});
  // The program's order is part of the runtime's.
  invariants.push_back({"PROGRAM-WITHIN", theorem, {"RUN", "WITHIN"}, [](const World& w) {
                          const auto& p = w.state.program;
                          const auto& r = w.state.runtime;
                          return every<Stream>([&](const Stream& s) { return program_within(w, s); }) &&
                                 every<Stream>([&](const Stream& s) { return p.reach(s)(s) == r.reach(s)(s); }) &&
                                 every<Event, Stream>([&](const Event& e, const Stream& t) {
                                   return p.captured(e)(t) <= r.captured(e)(t);
                                 }) &&
                                 every<Stream>([&](const Stream& t) { return p.proved(t) <= r.proved(t); });
                        }});
  consequences.push_back(
      {"ORDER-SOUND", theorem, {"CLOSED"}, [](const World& w) {
         return every<Stream, Nat, Stream, Nat>([&](const Stream& s, const Nat& n, const Stream& t, const Nat& m) {
           return implies(one() <= n && n <= executed(w, s) && m <= cut(w, s, n, t), m <= executed(w, t));
         });
       }});
  consequences.push_back({"ORDER-SOUND-CLOCK", theorem, {"CLOSED", "NEWEST-CUT", "RUN", "WITHIN"}, [](const World& w) {
                            return every<Stream>([&](const Stream& s) {
                              return implies(executed(w, s) == submitted(w, s),
                                             L::covers(w.state.device.executed, w.state.runtime.reach(s)));
                            });
                          }});

  // Stamps: submissions are in one line, and every queue follows it.
  invariants.push_back({"STAMPED", "NO-DEADLOCK", {"RUN", "WITHIN"}, [](const World& w) {
                          return every<Stream, Nat>([&](const Stream& s, const Nat& n) {
                            return implies(is_item(w, s, n), w.history.stamp(s)(n) < w.history.stamps);
                          });
                        }});
  invariants.push_back({"STAMPS-RISE", "NO-DEADLOCK", {"STAMPED", "WITHIN"}, [](const World& w) {
                          return every<Stream, Nat, Nat>([&](const Stream& s, const Nat& n, const Nat& m) {
                            return implies(one() <= n && n < m && m <= submitted(w, s),
                                           w.history.stamp(s)(n) < w.history.stamp(s)(m));
                          });
                        }});
  // Of all pending items take one that was submitted first; with its gate open the device can begin or end it.
  consequences.push_back(
      {"NO-DEADLOCK", "NO-DEADLOCK", {"AWAITED-EARLIER", "STAMPS-RISE", "RUN", "WITHIN"}, [](const World& w) {
         return every<Stream, Nat>([&](const Stream& s, const Nat& n) {
           const auto pending = [&](const Stream& t, const Nat& m) { return is_item(w, t, m) && executed(w, t) < m; };
           const Bool first = every<Stream, Nat>([&](const Stream& t, const Nat& m) {
             return implies(pending(t, m), w.history.stamp(s)(n) <= w.history.stamp(t)(m));
           });
           const Bool gates_open = every<Gate>([&](const Gate& g) { return !w.state.device.closed(g); });
           auto starting = w.state.device, finishing = w.state.device;
           const Bool can_start = spec::start(starting, w.state.runtime, s);
           const Bool can_finish = spec::finish(finishing, s);
           const Bool running = executed(w, s) + one() <= started(w, s);
           return implies(pending(s, n) && first && gates_open, choose(running, can_finish, can_start));
         });
       }});

  // A gate item has not ended while its gate is closed.
  invariants.push_back({"GATE-MADE", "MONITOR-SOUND", {"RUN", "WITHIN"}, [](const World& w) {
                          return every<Stream, Nat>([&](const Stream& s, const Nat& n) {
                                   const Gate g = w.state.device.gate(s)(n);
                                   return g == Gate{} || (w.state.device.gate_made(g) && n <= submitted(w, s));
                                 }) &&
                                 every<Gate>([&](const Gate& g) {
                                   return implies(w.state.device.closed(g), w.state.device.gate_made(g));
                                 }) &&
                                 !w.state.device.closed(Gate{}) && !w.state.device.gate_made(Gate{});
                        }});
  invariants.push_back({"GATES", "MONITOR-SOUND", {"GATE-MADE", "RUN", "WITHIN"}, [](const World& w) {
                          return every<Stream, Nat>([&](const Stream& s, const Nat& n) {
                            return implies(one() <= n && n <= executed(w, s),
                                           !w.state.device.closed(w.state.device.gate(s)(n)));
                          });
                        }});

  // Identities that were not given have no past.
  invariants.push_back(
      {"UNGIVEN", "IDENTITY", {"RUN", "WITHIN"}, [](const World& w) {
         return every<Stream>([&](const Stream& s) { return w.streams.given(s) || submitted(w, s) == zero(); }) &&
                every<Event>(
                    [&](const Event& e) { return w.events.given(e) || w.state.device.recorded_at(e) == zero(); }) &&
                every<Handle>(
                    [&](const Handle& h) { return w.streams.of(h) == Stream{} || w.streams.given(w.streams.of(h)); }) &&
                every<Handle>(
                    [&](const Handle& h) { return w.events.of(h) == Event{} || w.events.given(w.events.of(h)); });
       }});
  invariants.push_back({"ONE-HANDLE", "IDENTITY", {"UNGIVEN"}, [](const World& w) {
                          return every<Handle, Handle>([&](const Handle& g, const Handle& h) {
                            return g == h || w.streams.of(g) == Stream{} || !(w.streams.of(g) == w.streams.of(h));
                          });
                        }});
  // What a handle gets when it is given again: no item, no order, no cut of anyone holds an item of it.
  consequences.push_back(
      {"IDENTITY-STREAM",
       "IDENTITY",
       {"UNGIVEN", "RUN", "WITHIN", "NEWEST-CUT", "BOUND", "CAPTURED", "PROVED"},
       [](const World& w) {
         return every<Handle, Stream, Stream, Nat, Event>([&](const Handle& h, const Stream& s, const Stream& t,
                                                              const Nat& n, const Event& e) {
           auto names = w.streams;
           const Bool guard = spec::name<L, Stream>(names, h, s);
           return implies(guard, names.of(h) == s && submitted(w, s) == zero() &&
                                     w.state.runtime.reach(s)(t) == zero() && executed(w, s) == zero() &&
                                     w.state.runtime.captured(e)(s) == zero() && w.state.runtime.proved(s) == zero() &&
                                     implies(is_item(w, t, n), cut(w, t, n, s) == zero()));
         });
       }});
  consequences.push_back({"IDENTITY-EVENT", "IDENTITY", {"UNGIVEN", "CAPTURED"}, [](const World& w) {
                            return every<Handle, Event, Stream>([&](const Handle& h, const Event& e, const Stream& t) {
                              auto names = w.events;
                              const Bool guard = spec::name<L, Event>(names, h, e);
                              return implies(guard, names.of(h) == e && w.state.runtime.captured(e)(t) == zero());
                            });
                          }});
}

}  // namespace streampool::theorems
