// Giving memory back: what an implicit release and a trim leave (chapter RELEASE). All values are bytes.
#pragma once

#include "spec/rules/logic.hpp"

namespace streampool::spec {

// RELEASE-THRESHOLD-FLOOR: the least that an implicit release leaves reserved. `compares_idle`: the profile holds the
// threshold against idle bytes instead of reserved ones.
template <Carrier L>
typename L::Nat release_floor(const typename L::Nat& threshold, const typename L::Nat& reserved,
                              const typename L::Nat& used, const typename L::Bool& compares_idle,
                              const typename L::Nat& slack) {
  const typename L::Nat of_idle = used + minimum<L>(threshold, L::minus(reserved, used));
  return L::minus(L::select(compares_idle, of_idle, minimum<L>(threshold, reserved)), slack);
}

// RELEASE-TRIM-FLOOR, RELEASE-TRIM-NOOP: trim_to(keep) leaves at least this.
template <Carrier L>
typename L::Nat trim_floor(const typename L::Nat& keep, const typename L::Nat& reserved) {
  return minimum<L>(keep, reserved);
}

// RELEASE-THRESHOLD-REST, RELEASE-TRIM-REST: the most that may stay when every free of the pool is proved. `touched`:
// bytes of the granules that live allocations touch.
template <Carrier L>
typename L::Nat release_rest(const typename L::Nat& target, const typename L::Nat& reserved,
                             const typename L::Nat& touched, const typename L::Nat& granule) {
  return minimum<L>(reserved, L::round_up(maximum<L>(target, touched), granule));
}

}  // namespace streampool::spec
