// The pool's decisions, one small function each. The pool is a template over them, so that another policy (a faulty one
// for testing the tests, an adversarial one) replaces a decision without a trace in the shipped library.
#pragma once

#include <algorithm>

#include "impl/pool/units.hpp"

namespace streampool::engine {

struct StandardPolicy {
  // What a free leaves behind: where in its stream it lies.
  static Position record_free(Position here) { return here; }

  // Reuse. Each answers up to which position frees of a stream may be taken; `none` is none.
  // Same stream: all of them. Observed: what some call showed complete. Event order: what the asking stream comes
  // after. Opportunistic: what the stream has in fact passed. Internal dependency: all, with a wait for it.
  static Position same_stream() { return Position::all; }
  static Position observed(Position proved) { return proved; }
  static Position event_order(bool follow_event_dependencies, Position known) {
    return follow_event_dependencies ? known : Position::none;
  }
  static Position opportunistic(bool allow_opportunistic, Position passed) {
    return allow_opportunistic ? passed : Position::none;
  }
  static Position internal_dependency(bool allow_internal_dependencies) {
    return allow_internal_dependencies ? Position::all : Position::none;
  }
  // Is the wait really made?
  static bool make_wait() { return true; }

  // What calls show. How far a stream's items are proved by a cut that holds it up to `at`; what a query that finds
  // work pending proves; whether a stream takes part in the order of the legacy stream; whether a wait for an event is
  // really made.
  static Position proved_by(Position at, Position /*tail*/) { return at; }
  static bool not_ready_proves() { return false; }
  static bool takes_part(bool blocking, bool legacy) { return blocking || legacy; }
  static bool make_event_wait() { return true; }
  // An event was recorded, a stream has waited for it: nothing follows from the one for the other.
  template <class Order, class Record>
  static void event_recorded(Order& /*order*/, const void* /*event*/, const Record& /*record*/) {}
  template <class Order, class Event>
  static void event_awaited(Order& /*order*/, Event* /*event*/, StreamIndex /*by*/) {}

  // Histories of blocks. The rest of a split block keeps its free; a merged block takes the later one (`at` is the free
  // that happens now), and blocks merge only where the rules of the arena say so.
  static bool rest_keeps_history() { return true; }
  static Position merged(Position at, Position /*earliest_swallowed*/) { return at; }
  static bool merges(bool same_history) { return same_history; }

  // Statistics: what one allocation counts.
  static Bytes counted(Bytes requested, Bytes /*granted*/) { return requested; }

  // Release: the least that an implicit release leaves reserved, and how far memory that goes back must have passed.
  static Bytes release_floor(Bytes release_threshold, Bytes reserved, Bytes /*used*/) {
    return std::min(release_threshold, reserved);
  }
  static Bytes trim_floor(Bytes keep, Bytes reserved) { return std::min(keep, reserved); }
  static Position releasable(Position proved, Position passed) { return std::max(proved, passed); }

  // Are scattered idle granules given back for a request that does not fit?
  static bool makes_room() { return true; }
  // Capacity of a pool with this limit of its own; 0 is none.
  static Bytes capacity(Bytes max_size, Bytes granule) {
    if (max_size == 0 || max_size > ~Bytes{0} - granule) return ~Bytes{0};
    return (max_size / granule + (max_size % granule != 0 ? 1 : 0)) * granule;
  }
};

}  // namespace streampool::engine

// The policy of this build. A build of its own, as that of the mutants, brings another one.
#ifdef STREAMPOOL_POLICY_HEADER
#include STREAMPOOL_POLICY_HEADER  // defines streampool::engine::BuildPolicy
#else
namespace streampool::engine {
using BuildPolicy = StandardPolicy;
}
#endif
