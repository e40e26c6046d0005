// ACCOUNTING, and that watermarks fall only at a reset.
//
// `used` and `reserved` are sums over addresses: a history variable holds, for every pool and address, the bytes below
// that address that the pool counts (backs). Ranges enter by induction over their bytes (Stepped::inductions).
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

Address next(const Address& a) { return L::after(a, one()); }
Bool not_above(const Address& a, const Address& b) { return {less_equal(a.term, b.term)}; }
Bool counts(const World& w, const Pool& p, const Address& a) {
  const auto& row = w.state.allocations;
  const Allocation x = w.state.newest(a);
  return row.counted(x) && row.pool(x) == p;
}
Nat bit(const Bool& b) { return choose(b, one(), zero()); }

}  // namespace

void add_accounting(std::vector<Invariant>& invariants, std::vector<StepStatement>& steps,
                    std::vector<Consequence>& consequences) {
  const std::string theorem = "ACCOUNTING";
  invariants.push_back(
      {"COUNTED", theorem, {"NEWEST-MADE", "OWNED", "FREE-ITEM", "CAPPED"}, [](const World& w) {
         return every<Address>([&](const Address& a) {
                  const auto& row = w.state.allocations;
                  const Allocation x = w.state.newest(a);
                  return implies(row.counted(x), !is_none(row.pool(x)) && w.state.backed(a) == row.pool(x));
                }) &&
                every<Allocation>([&](const Allocation& x) {
                  const auto& row = w.state.allocations;
                  return implies(row.counted(x), row.made(x) && !is_none(row.pool(x))) &&
                         implies(row.made(x) && !row.freed(x) && !is_none(row.pool(x)), row.counted(x));
                });
       }});
  // Inside the address space: what is made ends at or below its top.
  invariants.push_back({"IN-SPACE", theorem, {"FREE-ITEM"}, [](const World& w) {
                          return every<Allocation>([&](const Allocation& x) {
                            const auto& row = w.state.allocations;
                            return implies(row.made(x), one() <= row.size(x) &&
                                                            not_above(L::after(row.base(x), row.size(x)), top()) &&
                                                            not_above(Address{}, row.base(x)));
                          });
                        }});
  invariants.push_back({"RESERVED-BELOW", theorem, {"COUNTED"}, [](const World& w) {
                          return every<Pool, Address>([&](const Pool& p, const Address& a) {
                                   const auto& below = w.history.backed_below(p);
                                   return is_none(p) || !not_above(Address{}, a) ||
                                          (below(next(a)) == below(a) + bit(w.state.backed(a) == p));
                                 }) &&
                                 every<Pool>([&](const Pool& p) {
                                   return is_none(p) || w.history.backed_below(p)(Address{}) == zero();
                                 });
                        }});
  invariants.push_back({"RESERVED-SUM", theorem, {"RESERVED-BELOW"}, [](const World& w) {
                          return every<Pool>([&](const Pool& p) {
                            return is_none(p) || w.state.pools.reserved(p) == w.history.backed_below(p)(top());
                          });
                        }});
  invariants.push_back(
      {"USED-BELOW", theorem, {"COUNTED", "NEWEST-MADE", "FREE-ITEM", "OWNED", "IN-SPACE"}, [](const World& w) {
         return every<Pool, Address>([&](const Pool& p, const Address& a) {
                  const auto& below = w.history.counted_below(p);
                  return is_none(p) || !not_above(Address{}, a) || (below(next(a)) == below(a) + bit(counts(w, p, a)));
                }) &&
                every<Pool>(
                    [&](const Pool& p) { return is_none(p) || w.history.counted_below(p)(Address{}) == zero(); });
       }});
  invariants.push_back({"USED-SUM", theorem, {"USED-BELOW", "COUNTED", "FREE-ITEM", "IN-SPACE"}, [](const World& w) {
                          return every<Pool>([&](const Pool& p) {
                            return is_none(p) || w.state.pools.used(p) == w.history.counted_below(p)(top());
                          });
                        }});
  invariants.push_back({"CAPPED", theorem, {}, [](const World& w) {
                          return every<Pool>([&](const Pool& p) {
                                   const Nat max_size = w.state.pools.max_size(p);
                                   return implies(
                                              w.state.pools.made(p) && !(max_size == zero()),
                                              w.state.pools.reserved(p) <= L::round_up(max_size, parameters().unit)) &&
                                          implies(!w.state.pools.made(p), w.state.pools.reserved(p) == zero() &&
                                                                              w.state.pools.used(p) == zero());
                                 }) &&
                                 !w.state.pools.made(Pool{});
                        }});
  invariants.push_back({"HIGH", theorem, {}, [](const World& w) {
                          return every<Pool>([&](const Pool& p) {
                            const auto& pools = w.state.pools;
                            return implies(
                                parameters().reset_takes_current,
                                pools.used(p) <= pools.used_high(p) && pools.reserved(p) <= pools.reserved_high(p));
                          });
                        }});
  steps.push_back(
      {"HIGH-FALLS", theorem, {}, [](const World& w, const std::string& name, const Arguments& a, const World& after) {
         return every<Pool>([&](const Pool& p) {
           const auto& x = w.state.pools;
           const auto& y = after.state.pools;
           const Bool used_reset = L::boolean(name == "reset_used_high") && p == a.p;
           const Bool reserved_reset = L::boolean(name == "reset_reserved_high") && p == a.p;
           return (used_reset || x.used_high(p) <= y.used_high(p)) &&
                  (reserved_reset || x.reserved_high(p) <= y.reserved_high(p)) &&
                  implies(used_reset || reserved_reset, x.used(p) == y.used(p) && x.reserved(p) == y.reserved(p));
         });
       }});
  // Byte by byte the counted part is inside the backed part; so are the sums (USED-WITHIN by induction over addresses).
  const auto within = [](const World& w, const Pool& p, const Address& a) {
    return w.history.counted_below(p)(a) <= w.history.backed_below(p)(a);
  };
  consequences.push_back({"USED-WITHIN-BASE", theorem, {"RESERVED-BELOW", "USED-BELOW"}, [=](const World& w) {
                            return every<Pool>([&](const Pool& p) { return is_none(p) || within(w, p, Address{}); });
                          }});
  consequences.push_back(
      {"USED-WITHIN-STEP", theorem, {"RESERVED-BELOW", "USED-BELOW", "COUNTED"}, [=](const World& w) {
         return every<Pool, Address>([&](const Pool& p, const Address& a) {
           return is_none(p) || implies(not_above(Address{}, a) && within(w, p, a), within(w, p, next(a)));
         });
       }});
  consequences.push_back({"USED-WITHIN", theorem, {"RESERVED-SUM", "USED-SUM"}, [=](const World& w) {
                            const Bool lemma = every<Pool, Address>([&](const Pool& p, const Address& a) {
                              return is_none(p) || implies(not_above(Address{}, a), within(w, p, a));
                            });
                            return implies(lemma, every<Pool>([&](const Pool& p) {
                                             return is_none(p) || w.state.pools.used(p) <= w.state.pools.reserved(p);
                                           }));
                          }});
  // Sums rise with the address (SUMS-RISE by induction over the higher one).
  consequences.push_back({"SUMS-RISE-STEP", theorem, {"RESERVED-BELOW", "USED-BELOW"}, [](const World& w) {
                            return every<Pool, Address, Address>(
                                [&](const Pool& p, const Address& a, const Address& b) {
                                  const auto rise = [&](const Map<Address, Nat>& sum) {
                                    return implies(sum(a) <= sum(b), sum(a) <= sum(next(b)));
                                  };
                                  return is_none(p) || !not_above(Address{}, b) ||
                                         (rise(w.history.backed_below(p)) && rise(w.history.counted_below(p)));
                                });
                          }});
}

}  // namespace streampool::theorems
