// Statistics: watermarks, limits and what a request needs (chapters STAT and CAP). All values are bytes.
#pragma once

#include "spec/rules/logic.hpp"

namespace streampool::spec {

// STAT-USED-HIGH, STAT-RESERVED-HIGH: a watermark after the value it follows has become `current`.
template <Carrier L>
typename L::Nat raise_watermark(const typename L::Nat& high, const typename L::Nat& current) {
  return maximum<L>(high, current);
}

// STAT-HIGH-RESET: what a reset stores.
template <Carrier L>
typename L::Nat reset_watermark(const typename L::Nat& current, const typename L::Bool& takes_current) {
  return L::select(takes_current, current, L::nat(0));
}

// STAT-RESERVED-MAX: the cap of a pool whose max_size is above 0.
template <Carrier L>
typename L::Nat capacity_of(const typename L::Nat& max_size, const typename L::Nat& unit) {
  return L::round_up(max_size, unit);
}

// CAP-MUST-SERVE: with every free proved, a request that fits behind the pinned granules may not fail for lack of
// memory.
template <Carrier L>
typename L::Bool must_serve(const typename L::Nat& touched, const typename L::Nat& request,
                            const typename L::Nat& granule, const typename L::Nat& capacity) {
  return touched + L::round_up(request, granule) <= capacity;
}

// Whether a request may have been short of memory: `reserved` as last read, `granted` since then.
template <Carrier L>
typename L::Bool may_not_fit(const typename L::Nat& reserved, const typename L::Nat& granted,
                             const typename L::Nat& request, const typename L::Nat& granule,
                             const typename L::Nat& capacity) {
  return !(L::round_up(reserved + granted + request, granule) <= capacity);
}

// LIFE-POOL-GIVES-BACK, CAP-PLAIN-GIVES-BACK, STAT-RESERVED-PHYSICAL: free device memory at two moments, with what
// pools and plain memory took at least at the first and take at most at the second. What they take no more is free
// again.
template <Carrier L>
typename L::Bool gives_back(const typename L::Nat& free_before, const typename L::Nat& taken_before,
                            const typename L::Nat& free_now, const typename L::Nat& taken_now) {
  return free_before + taken_before <= free_now + taken_now;
}

// RELEASE-LIVE-KEPT: the other way round, with the most that was taken and the least that must be. What is in use is
// not free.
template <Carrier L>
typename L::Bool keeps(const typename L::Nat& free_before, const typename L::Nat& taken_before,
                       const typename L::Nat& free_now, const typename L::Nat& taken_now) {
  return free_now + taken_now <= free_before + taken_before;
}

}  // namespace streampool::spec
