// REUSE-SAFE, NO-OVERLAP, ACCESS-EXCLUSIVE, RELEASE-SAFE, PROGRAM-SOUND.
//
// The rule asks about the newest free of a byte only. REUSED carries the older ones: the program frees an allocation
// after its item, so what the allocation between came after, its free comes after too.
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

Nat executed(const World& w, const Stream& s) { return w.state.device.executed(s); }
Nat started(const World& w, const Stream& s) { return w.state.device.started(s); }
Nat cut(const World& w, const Stream& s, const Nat& n, const Stream& t) { return w.history.cut(s)(n)(t); }

// Of an allocation that has been freed on a stream.
Bool freed_on_stream(const World& w, const Allocation& x) {
  const auto& row = w.state.allocations;
  return row.made(x) && row.freed(x) && !row.free_synchronous(x);
}
// Both own the byte at some time, the first earlier.
Bool successive(const World& w, const Allocation& older, const Allocation& newer, const Address& a) {
  return covers_address(w, older, a) && covers_address(w, newer, a) && w.history.age(older) < w.history.age(newer);
}
Bool item_executed(const World& w, const Allocation& x) {
  const auto& row = w.state.allocations;
  return row.position(x) <= executed(w, row.stream(x));
}
Bool item_started(const World& w, const Allocation& x) {
  const auto& row = w.state.allocations;
  return row.position(x) <= started(w, row.stream(x));
}
Bool free_done(const World& w, const Allocation& x) {
  return w.state.allocations.freed(x) && spec::free_executed(w.state, x);
}

}  // namespace

void add_memory(std::vector<Invariant>& invariants, std::vector<Consequence>& consequences) {
  invariants.push_back(
      {"FREE-ITEM", "REUSE-SAFE", {"RUN", "WITHIN"}, [](const World& w) {
         return every<Allocation>([&](const Allocation& x) {
                  const auto& row = w.state.allocations;
                  const Nat n = row.free_position(x);
                  return implies(freed_on_stream(w, x), one() <= n && n <= submitted(w, row.free_stream(x))) &&
                         implies(row.freed(x), row.made(x)) && implies(!row.freed(x), !row.free_synchronous(x));
                }) &&
                !w.state.allocations.made(Allocation{});
       }});
  invariants.push_back(
      {"FREE-CUT", "REUSE-SAFE", {"FREE-ITEM", "RUN", "WITHIN"}, [](const World& w) {
         return every<Allocation, Stream>([&](const Allocation& x, const Stream& t) {
                  const auto& row = w.state.allocations;
                  return implies(freed_on_stream(w, x),
                                 row.free_cut(x)(t) == cut(w, row.free_stream(x), row.free_position(x), t));
                }) &&
                every<Allocation>([&](const Allocation& x) {
                  const auto& row = w.state.allocations;
                  return implies(freed_on_stream(w, x), row.free_cut(x)(row.free_stream(x)) == row.free_position(x));
                });
       }});
  invariants.push_back({"ITEM", "REUSE-SAFE", {"RUN", "WITHIN"}, [](const World& w) {
                          return every<Allocation>([&](const Allocation& x) {
                            const auto& row = w.state.allocations;
                            return implies(row.made(x), row.position(x) <= submitted(w, row.stream(x)));
                          });
                        }});
  invariants.push_back({"NEWEST-MADE", "NO-OVERLAP", {"FREE-ITEM"}, [](const World& w) {
                          return every<Address>([&](const Address& a) {
                            return is_none(w.state.newest(a)) || covers_address(w, w.state.newest(a), a);
                          });
                        }});
  invariants.push_back({"OWNED", "NO-OVERLAP", {"NEWEST-MADE", "FREE-ITEM"}, [](const World& w) {
                          return every<Allocation, Address>([&](const Allocation& x, const Address& a) {
                            return implies(covers_address(w, x, a) && !w.state.allocations.freed(x),
                                           w.state.newest(a) == x);
                          });
                        }});
  consequences.push_back(
      {"NO-OVERLAP", "NO-OVERLAP", {"OWNED"}, [](const World& w) {
         return every<Allocation, Allocation, Address>([&](const Allocation& x, const Allocation& y, const Address& a) {
           const auto& row = w.state.allocations;
           return implies(covers_address(w, x, a) && covers_address(w, y, a) && !row.freed(x) && !row.freed(y), x == y);
         });
       }});
  invariants.push_back({"AGED", "REUSE-SAFE", {"FREE-ITEM"}, [](const World& w) {
                          return every<Allocation>([&](const Allocation& x) {
                            return implies(w.state.allocations.made(x), w.history.age(x) < w.history.ages);
                          });
                        }});
  invariants.push_back({"AGES-DIFFER", "REUSE-SAFE", {"AGED"}, [](const World& w) {
                          return every<Allocation, Allocation>([&](const Allocation& x, const Allocation& y) {
                            const auto& made = w.state.allocations.made;
                            return implies(made(x) && made(y) && w.history.age(x) == w.history.age(y), x == y);
                          });
                        }});
  invariants.push_back({"NEWEST-LAST", "REUSE-SAFE", {"NEWEST-MADE", "AGED", "FREE-ITEM"}, [](const World& w) {
                          return every<Allocation, Address>([&](const Allocation& x, const Address& a) {
                            return implies(
                                covers_address(w, x, a),
                                !is_none(w.state.newest(a)) && w.history.age(x) <= w.history.age(w.state.newest(a)));
                          });
                        }});
  // PROGRAM-FREE made lasting: the free is behind the allocation's item and behind every use.
  invariants.push_back(
      {"FREE-AFTER",
       "REUSE-SAFE",
       {"FREE-ITEM", "PROGRAM-WITHIN", "PROVED", "NEWEST-CUT", "RUN", "WITHIN", "ITEM", "CLOSED", "USES"},
       [](const World& w) {
         return every<Allocation, Stream>([&](const Allocation& x, const Stream& u) {
           const auto& row = w.state.allocations;
           const Stream s = row.stream(x);
           const auto behind = [&](const Stream& t) { return cut(w, row.free_stream(x), row.free_position(x), t); };
           return implies(freed_on_stream(w, x), row.position(x) <= behind(s) && row.uses(x)(u) <= behind(u)) &&
                  implies(row.made(x) && row.freed(x) && row.free_synchronous(x),
                          item_executed(w, x) && row.uses(x)(u) <= executed(w, u));
         });
       }});
  invariants.push_back(
      {"USES", "ACCESS-EXCLUSIVE", {"RUN", "WITHIN", "FREE-ITEM", "PROGRAM-WITHIN"}, [](const World& w) {
         return every<Allocation, Stream>([&](const Allocation& x, const Stream& u) {
           const auto& row = w.state.allocations;
           return choose(row.made(x), row.uses(x)(u) <= submitted(w, u), row.uses(x)(u) == zero());
         });
       }});
  // Why an older free of a byte comes before a newer allocation's item: none is needed, it has ended, or it is in the
  // item's cut.
  invariants.push_back(
      {"REUSED",
       "REUSE-SAFE",
       {"FREED-AFTER-REUSED", "ITEM", "FREE-ITEM", "FREE-CUT", "NEWEST-MADE", "NEWEST-LAST", "AGED", "AGES-DIFFER",
        "CLOSED", "PROVED", "RELEASED", "RUN", "WITHIN"},
       [](const World& w) {
         return every<Allocation, Allocation, Address>([&](const Allocation& y, const Allocation& x, const Address& a) {
           const auto& row = w.state.allocations;
           const Stream t = row.free_stream(y);
           const Nat n = row.free_position(y);
           return implies(successive(w, y, x, a), row.freed(y) && (row.free_synchronous(y) || n <= executed(w, t) ||
                                                                   (one() <= row.position(x) &&
                                                                    n <= cut(w, row.stream(x), row.position(x), t) &&
                                                                    implies(t == row.stream(x), n < row.position(x)))));
         });
       },
       [](const World& before, const World& after, const std::string& name, const Arguments& a) {
         if (name != "malloc") return L::boolean(true);
         const auto& row = before.state.allocations;
         return every<Allocation>([&](const Allocation& z) {
           return cut_closed_at(after, a.s, submitted(before, a.s) + one(), row.free_stream(z), row.free_position(z));
         });
       }});
  // … and so it is in the cut of that allocation's own free.
  invariants.push_back(
      {"FREED-AFTER-REUSED",
       "REUSE-SAFE",
       {"REUSED", "FREE-ITEM", "FREE-AFTER", "CLOSED", "ITEM", "RUN", "WITHIN", "PROGRAM-WITHIN", "PROVED", "AGED",
        "AGES-DIFFER"},
       [](const World& w) {
         return every<Allocation, Allocation, Address>([&](const Allocation& y, const Allocation& x, const Address& a) {
           const auto& row = w.state.allocations;
           const Stream t = row.free_stream(y);
           const Nat n = row.free_position(y);
           return implies(successive(w, y, x, a) && row.freed(x),
                          row.freed(y) &&
                              (row.free_synchronous(y) || n <= executed(w, t) ||
                               (!row.free_synchronous(x) && n <= cut(w, row.free_stream(x), row.free_position(x), t))));
         });
       },
       [](const World& before, const World& after, const std::string& name, const Arguments& a) {
         if (name != "free") return L::boolean(true);
         const auto& row = before.state.allocations;
         return cut_closed_at(after, a.s, submitted(before, a.s) + one(), row.stream(a.x), row.position(a.x)) &&
                program_within(after, a.s);
       }});
  consequences.push_back({"REUSE-SAFE", "REUSE-SAFE", {"REUSED", "CLOSED", "ITEM"}, [](const World& w) {
                            return every<Allocation, Allocation, Address>(
                                [&](const Allocation& y, const Allocation& x, const Address& a) {
                                  return implies(successive(w, y, x, a) && item_executed(w, x), free_done(w, y));
                                });
                          }});
  consequences.push_back(
      {"ACCESS-EXCLUSIVE",
       "ACCESS-EXCLUSIVE",
       {"REUSED", "CLOSED", "STARTED", "ITEM", "FREE-AFTER", "FREE-ITEM", "RUN", "WITHIN", "OWN-POSITION"},
       [](const World& w) {
         return every<Allocation, Allocation, Address, Stream>(
             [&](const Allocation& y, const Allocation& x, const Address& a, const Stream& u) {
               return implies(successive(w, y, x, a) && item_started(w, x),
                              w.state.allocations.uses(y)(u) <= executed(w, u));
             });
       }});

  // Physical memory under every byte that somebody owns or whose free is pending.
  invariants.push_back({"BACKED", "RELEASE-SAFE", {"OWNED", "NEWEST-MADE", "FREE-ITEM"}, [](const World& w) {
                          return every<Allocation, Address>([&](const Allocation& x, const Address& a) {
                            const auto& row = w.state.allocations;
                            return implies(covers_address(w, x, a) && w.state.newest(a) == x && !is_none(row.pool(x)) &&
                                               !free_done(w, x),
                                           w.state.backed(a) == row.pool(x));
                          });
                        }});
  consequences.push_back({"RELEASE-SAFE", "RELEASE-SAFE", {"BACKED", "OWNED"}, [](const World& w) {
                            return every<Allocation, Address>([&](const Allocation& x, const Address& a) {
                              const auto& row = w.state.allocations;
                              return implies(covers_address(w, x, a) && !row.freed(x) && !is_none(row.pool(x)),
                                             w.state.backed(a) == row.pool(x));
                            });
                          }});

  // Every use of a program without fault.
  invariants.push_back({"TOUCHED",
                        "PROGRAM-SOUND",
                        {"RUN", "WITHIN", "FREE-ITEM", "PROGRAM-WITHIN", "USES", "OWN-POSITION", "ITEM"},
                        [](const World& w) {
                          return every<Stream, Nat>([&](const Stream& s, const Nat& n) {
                            const Allocation x = w.history.touched(s)(n);
                            const auto& row = w.state.allocations;
                            return is_none(x) || (row.made(x) && is_item(w, s, n) && n <= row.uses(x)(s) &&
                                                  row.position(x) <= cut(w, s, n, row.stream(x)) &&
                                                  implies(row.stream(x) == s, row.position(x) < n));
                          });
                        }});
  // No use is submitted to the freeing stream behind the free.
  invariants.push_back({"USED-BEFORE", "PROGRAM-SOUND", {"RUN", "WITHIN", "FREE-ITEM", "USES"}, [](const World& w) {
                          return every<Allocation>([&](const Allocation& x) {
                            const auto& row = w.state.allocations;
                            return implies(freed_on_stream(w, x),
                                           row.uses(x)(row.free_stream(x)) < row.free_position(x));
                          });
                        }});
  consequences.push_back(
      {"PROGRAM-SOUND",
       "PROGRAM-SOUND",
       {"TOUCHED", "USED-BEFORE", "STARTED", "CLOSED", "FREE-AFTER", "FREE-ITEM", "RUN", "WITHIN", "OWN-POSITION",
        "ITEM"},
       [](const World& w) {
         return every<Stream, Nat, Allocation>([&](const Stream& s, const Nat& n, const Allocation& x) {
           const auto& row = w.state.allocations;
           const Bool use = w.history.touched(s)(n) == x && !is_none(x);
           const Bool free_started =
               row.freed(x) && (row.free_synchronous(x) || row.free_position(x) <= started(w, row.free_stream(x)));
           return implies(use && n <= started(w, s), item_executed(w, x)) &&
                  implies(use && free_started, n <= executed(w, s));
         });
       }});
}

}  // namespace streampool::theorems
