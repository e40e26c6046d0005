// Reuse rules that runtimes use or used, and that hand out memory too early. Each stands where ReuseRule stands; the
// prover must find a run in which two owners share a byte.
#pragma once

#include "spec/rules/pool.hpp"

namespace streampool::theorems::unsound {

using spec::Explanations;
using spec::State;
using spec::Switches;

// A set of "safe streams" in place of positions: once s has waited for anything of the freeing stream, all its frees
// count as ordered.
template <spec::MachineCarrier L>
struct SafeStreams {
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    auto why = spec::ReuseRule<L>{}(state, s, reach, switches, y);
    why.event_order =
        switches.follow_event_dependencies && L::nat(1) <= L::at(reach, L::get(state.allocations.free_stream, y));
    return why;
  }
};

// A freed block carries the stream that allocated it, not the one that freed it.
template <spec::MachineCarrier L>
struct AllocatingStreamLabel {
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    auto why = spec::ReuseRule<L>{}(state, s, reach, switches, y);
    why.same_stream = L::get(state.allocations.stream, y) == s;
    return why;
  }
};

// When a reused block is split or freed again, it keeps the position of its first free. `First` gives that position's
// mark.
template <spec::MachineCarrier L, class First>
struct OldPosition {
  First first;
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    return spec::ReuseRule<L>{}(state, s, reach, switches, first(y));
  }
};

// Streams are known by their handle, and a handle that comes back starts counting again: the new stream passes for the
// old one.
template <spec::MachineCarrier L, class HandleOf>
struct RecycledCounter {
  HandleOf handle_of;
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    auto why = spec::ReuseRule<L>{}(state, s, reach, switches, y);
    why.same_stream = handle_of(L::get(state.allocations.free_stream, y)) == handle_of(s);
    return why;
  }
};

// Opportunistic reuse without asking whether the free has completed.
template <spec::MachineCarrier L>
struct UncheckedOpportunistic {
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    auto why = spec::ReuseRule<L>{}(state, s, reach, switches, y);
    why.opportunistic = switches.allow_opportunistic;
    return why;
  }
};

// An event counts for frees that come right after its record: the position is compared with one less.
template <spec::MachineCarrier L>
struct OffByOne {
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    auto why = spec::ReuseRule<L>{}(state, s, reach, switches, y);
    const auto& row = state.allocations;
    why.event_order = switches.follow_event_dependencies &&
                      L::get(row.free_position, y) <= L::at(reach, L::get(row.free_stream, y)) + L::nat(1);
    return why;
  }
};

// Any synchronizing call of the host makes every free of the past reusable, whatever it waited for.
template <spec::MachineCarrier L>
struct AnySyncProvesAll {
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    auto why = spec::ReuseRule<L>{}(state, s, reach, switches, y);
    why.observed = why.observed || L::nat(1) <= L::at(state.observed, s);
    return why;
  }
};

}  // namespace streampool::theorems::unsound
