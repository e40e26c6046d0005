// Order between items: what a submission, a record, a wait and a proof mean (chapter ORDER).
//
// One state serves both orders of the specification. Program order is the state that sees only these transitions;
// runtime order is a second copy that also sees `depend` (the edges of a reuse that only completion or an inserted wait
// explains).
#pragma once

#include "spec/rules/logic.hpp"

namespace streampool::spec {

template <Carrier L>
struct Order {
  // reach[s]: the cut of the newest item of s, itself included, and of all that is submitted to s from now on.
  typename L::template Map<typename L::Stream, typename L::Cut> reach;
  // captured[e]: the cut that the newest record of e captured; empty before the first.
  typename L::template Map<typename L::Event, typename L::Cut> captured;
  // proved: everything that some call has shown to be complete. Every later submission comes after it.
  typename L::Cut proved;
};

// The number of items submitted to s so far.
template <Carrier L>
typename L::Nat submitted(const Order<L>& order, const typename L::Stream& s) {
  return L::at(L::get(order.reach, s), s);
}

// Is item (t, n) inside the cut?
template <Carrier L>
typename L::Bool contains(const typename L::Cut& cut, const typename L::Stream& t, const typename L::Nat& n) {
  return n <= L::at(cut, t);
}

// Chapter order, streams and host: the new item follows all earlier items of s and everything proved. Returns its
// position.
template <Carrier L>
typename L::Nat submit(Order<L>& order, const typename L::Stream& s) {
  const typename L::Nat n = submitted(order, s) + L::nat(1);
  L::join_into(order.reach, s, order.proved);
  L::put_entry(order.reach, s, s, n);
  return n;
}

// The newest item of s, and all later ones, also follow `cut`: default streams, inserted waits, what a reuse shows.
template <Carrier L>
void depend(Order<L>& order, const typename L::Stream& s, const typename L::Cut& cut) {
  L::join_into(order.reach, s, cut);
}

// Chapter order, events: the event holds everything before that point of s, the record itself (its newest item)
// included.
template <Carrier L>
void capture(Order<L>& order, const typename L::Event& e, const typename L::Stream& s) {
  L::put(order.captured, e, L::get(order.reach, s));
}

// Chapter order, events: the newest item of s and all later ones follow what e holds at this call; a later record of e
// changes nothing for s.
template <Carrier L>
void await(Order<L>& order, const typename L::Stream& s, const typename L::Event& e) {
  depend(order, s, L::get(order.captured, e));
}

template <Carrier L>
typename L::Nat record(Order<L>& order, const typename L::Event& e, const typename L::Stream& s) {
  const typename L::Nat n = submit(order, s);
  capture(order, e, s);
  return n;
}

template <Carrier L>
typename L::Nat wait(Order<L>& order, const typename L::Stream& s, const typename L::Event& e) {
  const typename L::Nat n = submit(order, s);
  await(order, s, e);
  return n;
}

// A call's return proves a cut: stream_sync and a complete stream_query prove reach[s], event_sync and a complete
// event_query captured[e].
template <Carrier L>
void prove(Order<L>& order, const typename L::Cut& cut) {
  L::join(order.proved, cut);
}

}  // namespace streampool::spec
