// What a carrier offers to the rules.
//
// A rule is written once, as a template over a carrier L. The model instantiates it with machine values, the theorems with z3 terms.
// So a rule never branches on an L::Bool, never loops over streams or addresses, and touches state only through the cell updates
// below: the concrete carrier applies them in place, the symbolic one as stores. `==  <=  <  +  &&  ||  !` are the carrier's own.
//
// A cut says for every stream how many of its items are meant: a position, 0 for none. A set of items that is closed under what
// comes before is exactly such a map (semantics: an in-order stream).
#pragma once

#include <concepts>
#include <cstdint>

namespace streampool::spec {

template <class L>
concept Carrier = requires(typename L::Bool b, typename L::Nat n, typename L::Stream s, typename L::Event e, const typename L::Cut& c,
                           typename L::template Map<typename L::Stream, typename L::Cut>& m) {
  { L::nat(std::uint64_t{}) } -> std::same_as<typename L::Nat>;       // a constant
  { L::boolean(true) } -> std::same_as<typename L::Bool>;
  { L::select(b, n, n) } -> std::same_as<typename L::Nat>;            // chooses between values, never between states
  { L::round_up(n, n) } -> std::same_as<typename L::Nat>;             // to a multiple of the second, which is above 0
  { L::minus(n, n) } -> std::same_as<typename L::Nat>;                // 0 where the second is larger
  { L::at(c, s) } -> std::convertible_to<typename L::Nat>;            // the position of a stream in a cut
  { L::get(m, s) } -> std::convertible_to<const typename L::Cut&>;    // maps are total: an untouched key holds the empty cut
  L::put(m, s, c);                                                    // m[s] = c
  L::join_into(m, s, c);                                              // m[s] = pointwise maximum of m[s] and c
  L::put_entry(m, s, s, n);                                           // m[s][s] = n
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
