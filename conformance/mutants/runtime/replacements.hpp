// Faults that lie at the ABI: each replaces entries of the table. Those in the pool's decisions are in
// faulty_policy.hpp.
#pragma once

#include <span>

#include "conformance/mutants/runtime/fault.hpp"
#include "conformance/mutants/runtime/ledger.hpp"

namespace streampool::mutants {

struct Replacement {
  Fault fault;
  void (*install)(streampool_runtime&);  // into a copy of noted()
};

// One file a chapter.
[[nodiscard]] std::span<const Replacement> reuse_faults();
[[nodiscard]] std::span<const Replacement> order_faults();
[[nodiscard]] std::span<const Replacement> allocation_faults();
[[nodiscard]] std::span<const Replacement> content_faults();
[[nodiscard]] std::span<const Replacement> attribute_faults();
[[nodiscard]] std::span<const Replacement> statistics_faults();
[[nodiscard]] std::span<const Replacement> release_faults();
[[nodiscard]] std::span<const Replacement> lifecycle_faults();
[[nodiscard]] std::span<const Replacement> asynchrony_faults();
[[nodiscard]] std::span<const Replacement> capacity_faults();
[[nodiscard]] std::span<const Replacement> thread_faults();

// The simulated device moves by steps alone; here it is as fast as a device can be: whatever can run has run before the
// next call. What is to stay pending is held by gates.
void run_ready_items(U64 context);

// What a fault keeps between calls: created at the first use in a context, gone with it.
void reset_memories();
using Reset = void (*)();
void at_reset(Reset reset);

// A value that a fault remembers; default again in each new context. One for each `Tag`.
template <class T, class Tag>
T& memory() {
  static T value;
  static const bool registered = (at_reset([] { value = T{}; }), true);
  (void)registered;
  return value;
}

}  // namespace streampool::mutants
