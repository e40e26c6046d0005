// Reuse: may a byte be handed out again (chapter REUSE)? The whole rule fits this screen.
//
// The rule asks only about the newest free of a byte by call order. Older frees were explained when the allocation
// between them was granted, and the program owes that its free comes after its allocation (theorem REUSE-SAFE goes by
// induction over the frees).
#pragma once

#include "spec/rules/order.hpp"

namespace streampool::spec {

// The newest free of a byte.
template <Carrier L>
struct FreeMark {
  typename L::Stream stream;     // the freeing stream, not the allocating one
  typename L::Nat position;      // of the free in it
  typename L::Bool synchronous;  // without a position: complete at its return
  typename L::Bool released;     // a release point of the owning pool lay behind it, and no closed gate held it there
};

// The three switches of the pool that serves the request, as they stand at the call.
template <Carrier L>
struct Switches {
  typename L::Bool follow_event_dependencies;
  typename L::Bool allow_opportunistic;
  typename L::Bool allow_internal_dependencies;
};

// Why a byte may be handed out. The names are the clauses REUSE-SAME, -OBSERVED, -RELEASED, -EVENT, -OPPORTUNISTIC,
// -INTERNAL.
template <Carrier L>
struct Explanations {
  typename L::Bool same_stream, observed, released, event_order, opportunistic, internal_dependency;

  typename L::Bool any() const {
    return same_stream || observed || released || event_order || opportunistic || internal_dependency;
  }
  // Explained by order alone: nothing is shown about the device, and no edge is added.
  typename L::Bool ordered() const { return same_stream || observed || event_order; }
  // Only completion can explain it: the free is shown complete.
  typename L::Bool shows_complete() const { return !ordered() && !internal_dependency && (released || opportunistic); }
};

// For the item of an allocation on s whose runtime-order cut is `reach`. `completed`: the free has completed at some
// moment before the call returns; an observer that cannot see the device passes "no closed gate holds it".
template <Carrier L>
Explanations<L> explain_reuse(const typename L::Stream& s, const typename L::Cut& reach, const typename L::Cut& proved,
                              const FreeMark<L>& free, const Switches<L>& switches, const typename L::Bool& completed) {
  return {
      .same_stream = free.stream == s,
      .observed = free.synchronous || contains<L>(proved, free.stream, free.position),
      .released = free.released,
      .event_order = switches.follow_event_dependencies && contains<L>(reach, free.stream, free.position),
      .opportunistic = switches.allow_opportunistic && completed,
      .internal_dependency = switches.allow_internal_dependencies,
  };
}

// Which clause is broken when nothing explains the reuse.
template <Carrier L>
struct BrokenReuse {
  typename L::Bool policy_event, policy_opportunistic, unsafe;
};

template <Carrier L>
BrokenReuse<L> classify_broken_reuse(const typename L::Cut& reach, const FreeMark<L>& free,
                                     const typename L::Bool& completed) {
  const typename L::Bool in_order = contains<L>(reach, free.stream, free.position);
  return {.policy_event = in_order, .policy_opportunistic = !in_order && completed, .unsafe = !in_order && !completed};
}

// Memory from outside the pools has no stream: a byte of it needs completion.
template <Carrier L>
typename L::Bool plain_reuse_permitted(const typename L::Cut& proved, const FreeMark<L>& free,
                                       const typename L::Bool& completed) {
  return free.synchronous || free.released || contains<L>(proved, free.stream, free.position) || completed;
}

}  // namespace streampool::spec
