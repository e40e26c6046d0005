// The state of the whole machine: what the runtime knows, what the device has done, who owns which byte.
//
// Objects are identities that are given once; a handle that comes back is a new identity (names.hpp). Every map is
// total: an untouched key holds 0, false or the empty cut. The transitions are in device.hpp (items and the host's
// proofs), pool.hpp (memory) and attributes.hpp; what the program owes is in program.hpp, what may be concluded from
// outside in observe.hpp.
//
// A transition applies its updates and returns its guard: the step exists exactly where the guard holds, which is read
// on the state before. So the model calls it on a copy or asks the guard's parts first; the theorems assume it.
#pragma once

#include "spec/rules/order.hpp"
#include "spec/rules/reuse.hpp"

namespace streampool::spec {

// What really happens: in-order queues, waits and gates. No clock takes part.
template <MachineCarrier L>
struct Device {
  typename L::Cut started, executed;                     // how many items of each stream have begun, have ended
  typename L::template ItemMap<typename L::Cut> awaits;  // what an item waits for besides its queue
  typename L::template ItemMap<typename L::Gate> gate;   // the gate that the item stands for; none for all others
  typename L::template Map<typename L::Gate, typename L::Bool> gate_made, closed;
  typename L::template Map<typename L::Event, typename L::Stream> recorded_on;  // the item of the newest record …
  typename L::template Map<typename L::Event, typename L::Nat> recorded_at;     // … position 0 before the first
};

// A row per allocation. `item` is where its life begins in stream order; memory from outside the pools has pool none,
// item (_, 0).
template <MachineCarrier L>
struct Allocations {
  template <class Value>
  using Column = typename L::template Map<typename L::Allocation, Value>;

  Column<typename L::Bool> made, freed;
  Column<typename L::Pool> pool;
  Column<typename L::Stream> stream;  // of the item
  Column<typename L::Nat> position;
  Column<typename L::Address> base;
  Column<typename L::Nat> size;  // bytes of the range, padding included
  Column<typename L::Cut> uses;  // the newest item of each stream that touches it
  Column<typename L::Stream> free_stream;
  Column<typename L::Nat> free_position;
  Column<typename L::Bool> free_synchronous;
  Column<typename L::Cut> free_cut;  // what comes before the free in runtime order, itself included
  Column<typename L::Bool> counted;  // its bytes are in its pool's `used`
};

template <MachineCarrier L>
struct Pools {
  template <class Value>
  using Column = typename L::template Map<typename L::Pool, Value>;

  Column<typename L::Bool> made, destroyed;
  Column<typename L::Bool> follow_event_dependencies, allow_opportunistic, allow_internal_dependencies;
  Column<typename L::Nat> release_threshold, reserved, reserved_high, used, used_high, max_size;
  Column<typename L::Cut> released;  // what had executed at the last point where the pool could give memory back
};

template <MachineCarrier L>
struct State {
  Order<L> program;  // what the program may rely on
  Order<L> runtime;  // with the edges that reuse adds
  // Default streams: the streams whose newest items a submission to this one comes after. Empty for a non-blocking
  // stream.
  typename L::template Map<typename L::Stream, typename L::StreamSet> follows;
  typename L::Cut observed;  // what calls among the profile's observing_calls have proved
  Device<L> device;
  Allocations<L> allocations;
  Pools<L> pools;
  // The newest allocation over a byte: its owner while it is not freed, the newest free by call order afterwards.
  typename L::template AddressMap<typename L::Allocation> newest;
  typename L::template AddressMap<typename L::Pool> backed;  // the pool that keeps physical memory under a byte
};

// Has item (s, n) ended?
template <MachineCarrier L>
typename L::Bool executed(const Device<L>& device, const typename L::Stream& s, const typename L::Nat& n) {
  return contains<L>(device.executed, s, n);
}

// Has the free of a freed allocation ended?
template <MachineCarrier L>
typename L::Bool free_executed(const State<L>& state, const typename L::Allocation& x) {
  const Allocations<L>& row = state.allocations;
  return L::get(row.free_synchronous, x) ||
         executed(state.device, L::get(row.free_stream, x), L::get(row.free_position, x));
}

template <MachineCarrier L>
FreeMark<L> free_mark(const State<L>& state, const typename L::Allocation& x) {
  const Allocations<L>& row = state.allocations;
  const auto stream = L::get(row.free_stream, x);
  const auto position = L::get(row.free_position, x);
  return {.stream = stream,
          .position = position,
          .synchronous = L::get(row.free_synchronous, x),
          .released = contains<L>(L::get(state.pools.released, L::get(row.pool, x)), stream, position)};
}

template <MachineCarrier L>
Switches<L> switches(const Pools<L>& pools, const typename L::Pool& p) {
  return {.follow_event_dependencies = L::get(pools.follow_event_dependencies, p),
          .allow_opportunistic = L::get(pools.allow_opportunistic, p),
          .allow_internal_dependencies = L::get(pools.allow_internal_dependencies, p)};
}

}  // namespace streampool::spec
