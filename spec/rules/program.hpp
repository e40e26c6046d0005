// What the program owes (chapter PROGRAM): by program order and by the order of calls, never by timing.
#pragma once

#include "spec/rules/device.hpp"

namespace streampool::spec {

// PROGRAM-USE-BEFORE-ALLOC, PROGRAM-USE-AFTER-FREE: the newest item of s touches x. x must not be freed yet, and the
// item must come after x's own.
template <MachineCarrier L>
typename L::Bool use_owed(const State<L>& state, const typename L::Stream& s, const typename L::Allocation& x) {
  const Allocations<L>& row = state.allocations;
  return L::get(row.made, x) && !L::get(row.freed, x) &&
         contains<L>(L::get(state.program.reach, s), L::get(row.stream, x), L::get(row.position, x));
}

// PROGRAM-FREE-UNORDERED: the newest item of s frees x, after x's item and after every use.
template <MachineCarrier L>
typename L::Bool free_owed(const State<L>& state, const typename L::Stream& s, const typename L::Allocation& x) {
  return use_owed(state, s, x) && L::covers(L::get(state.program.reach, s), L::get(state.allocations.uses, x));
}

// PROGRAM-SYNC-FREE: a free without a place in stream order needs proofs instead.
template <MachineCarrier L>
typename L::Bool free_sync_owed(const State<L>& state, const typename L::Allocation& x) {
  const Allocations<L>& row = state.allocations;
  return L::get(row.made, x) && !L::get(row.freed, x) &&
         contains<L>(state.program.proved, L::get(row.stream, x), L::get(row.position, x)) &&
         L::covers(state.program.proved, L::get(row.uses, x));
}

// The newest item of s touches x.
template <MachineCarrier L>
void note_use(State<L>& state, const typename L::Stream& s, const typename L::Allocation& x) {
  L::put_entry(state.allocations.uses, x, s, submitted(state.program, s));
}

}  // namespace streampool::spec
