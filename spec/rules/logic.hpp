// What a carrier offers to the rules.
//
// A rule is written once, as a template over a carrier L. The model instantiates it with machine values, the theorems
// with z3 terms. So a rule never branches on an L::Bool, never loops over streams or addresses, and touches state only
// through the cell updates below: the concrete carrier applies them in place, the symbolic one as stores. `==  <=  <  +
// &&  ||  !` are the carrier's own.
//
// A cut says for every stream how many of its items are meant: a position, 0 for none. A set of items that is closed
// under what comes before is exactly such a map (semantics: an in-order stream).
#pragma once

#include <concepts>
#include <cstdint>

namespace streampool::spec {

template <class L>
concept Carrier = requires(typename L::Bool b, typename L::Nat n, typename L::Stream s, typename L::Event e,
                           const typename L::Cut& c, typename L::template Map<typename L::Stream, typename L::Cut>& m) {
  { L::nat(std::uint64_t{}) } -> std::same_as<typename L::Nat>;  // a constant
  { L::boolean(true) } -> std::same_as<typename L::Bool>;
  { L::select(b, n, n) } -> std::same_as<typename L::Nat>;  // chooses between values, never between states
  { L::round_up(n, n) } -> std::same_as<typename L::Nat>;   // to a multiple of the second, which is above 0
  { L::minus(n, n) } -> std::same_as<typename L::Nat>;      // 0 where the second is larger
  { L::at(c, s) } -> std::convertible_to<typename L::Nat>;  // the position of a stream in a cut
  {
    L::get(m, s)
  } -> std::convertible_to<const typename L::Cut&>;  // maps are total: an untouched key holds the empty cut
  L::put(m, s, c);                                   // m[s] = c
  L::join_into(m, s, c);                             // m[s] = pointwise maximum of m[s] and c
  L::put_entry(m, s, s, n);                          // m[s][s] = n
};

// What the rules of the whole machine need beyond that (state.hpp). Key 0 of allocations, pools and gates stands for
// "none". Range operations speak about every byte of a range at once; the concrete carrier walks an interval map, the
// symbolic one argues about one arbitrary address. A predicate is a function of its argument and of the state as it is
// at the call.
template <class L>
concept MachineCarrier =
    Carrier<L> && requires(typename L::Nat n, typename L::Stream s, typename L::Cut& cut, const typename L::Cut& c,
                           typename L::Address a, typename L::Allocation x,
                           typename L::template Map<typename L::Stream, typename L::Cut>& m,
                           const typename L::StreamSet& set, typename L::template ItemMap<typename L::Cut>& items,
                           typename L::template AddressMap<typename L::Allocation>& bytes) {
      { L::template none<typename L::Allocation>() } -> std::same_as<typename L::Allocation>;
      { L::covers(c, c) } -> std::convertible_to<typename L::Bool>;  // the first is at least the second at every stream
      { L::diagonal(m) } -> std::convertible_to<typename L::Cut>;    // d[s] = m[s][s]
      { L::diagonal_of(m, set) } -> std::convertible_to<typename L::Cut>;  // … where the set has s, else 0
      { L::join_of(m, set) } -> std::convertible_to<typename L::Cut>;      // the join of m[s] over the set
      L::join(cut, c);                                                     // cut = pointwise maximum of both
      L::put(cut, s, n);                                                   // cut[s] = n
      { L::get(items, s, n) } -> std::convertible_to<typename L::Cut>;     // a map over items: stream and position
      L::put(items, s, n, c);
      L::join_into(items, s, n, c);
      { L::get(bytes, a) } -> std::convertible_to<typename L::Allocation>;
      L::assign(bytes, a, n, x);  // bytes[a … a + n - 1] = x
      // L::all_in(bytes, a, n, f): does f(bytes[i]) hold for each of these?  L::count_in(bytes, a, n, f): for how many?
      // L::join_in(bytes, a, n, f, cuts): the join of cuts[bytes[i]] over those for which it holds.
    };

template <Carrier L>
typename L::Nat minimum(const typename L::Nat& a, const typename L::Nat& b) {
  return L::select(a <= b, a, b);
}

template <Carrier L>
typename L::Nat maximum(const typename L::Nat& a, const typename L::Nat& b) {
  return L::select(a <= b, b, a);
}

}  // namespace streampool::spec
