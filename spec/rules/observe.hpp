// What may be concluded from outside, where only calls and their results are seen (theorem MONITOR-SOUND is about
// these).
//
// `limit` says what closed gates leave possible: for every stream how many of its items can have ended at most, that is
// one less than its first item that has a closed gate in its cut, and more than there can be for a stream without one.
// Besides the carrier's own these need L::covers.
#pragma once

#include "spec/rules/order.hpp"

namespace streampool::spec {

// Item (s, n) is held when a closed gate lies in its cut. Where it is not, it may have ended.
template <Carrier L>
typename L::Bool may_have_ended(const typename L::Cut& limit, const typename L::Stream& s, const typename L::Nat& n) {
  return contains<L>(limit, s, n);
}

// ORDER-EARLY, ORDER-EARLY-EVENT: an answer that shows a cut complete is possible only where nothing in it is held.
template <Carrier L>
typename L::Bool completion_possible(const typename L::Cut& limit, const typename L::Cut& cut) {
  return L::covers(limit, cut);
}

// ORDER-STABLE: "not ready" is possible only where something in the cut has not been proved.
template <Carrier L>
typename L::Bool not_ready_possible(const typename L::Cut& proved, const typename L::Cut& cut) {
  return !L::covers(proved, cut);
}

}  // namespace streampool::spec
