// Attributes of a pool (chapter ATTR): each set changes one column of one pool. What values mean is the profile's; the
// caller has turned them into the arguments here. A call that fails makes no transition at all.
#pragma once

#include "spec/rules/state.hpp"
#include "spec/rules/statistics.hpp"

namespace streampool::spec {

template <MachineCarrier L>
void set_follow_event_dependencies(Pools<L>& pools, const typename L::Pool& p, const typename L::Bool& on) {
  L::put(pools.follow_event_dependencies, p, on);
}

template <MachineCarrier L>
void set_allow_opportunistic(Pools<L>& pools, const typename L::Pool& p, const typename L::Bool& on) {
  L::put(pools.allow_opportunistic, p, on);
}

template <MachineCarrier L>
void set_allow_internal_dependencies(Pools<L>& pools, const typename L::Pool& p, const typename L::Bool& on) {
  L::put(pools.allow_internal_dependencies, p, on);
}

template <MachineCarrier L>
void set_release_threshold(Pools<L>& pools, const typename L::Pool& p, const typename L::Nat& bytes) {
  L::put(pools.release_threshold, p, bytes);
}

// STAT-HIGH-RESET: the only thing that lowers a watermark.
template <MachineCarrier L>
void reset_reserved_high(Pools<L>& pools, const typename L::Pool& p, const typename L::Bool& takes_current) {
  L::put(pools.reserved_high, p, reset_watermark<L>(L::get(pools.reserved, p), takes_current));
}

template <MachineCarrier L>
void reset_used_high(Pools<L>& pools, const typename L::Pool& p, const typename L::Bool& takes_current) {
  L::put(pools.used_high, p, reset_watermark<L>(L::get(pools.used, p), takes_current));
}

}  // namespace streampool::spec
