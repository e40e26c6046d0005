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

  // Statistics: what one allocation counts.
  static Bytes counted(Bytes requested, Bytes /*granted*/) { return requested; }

  // Release: the least that an implicit release leaves reserved, and how far memory that goes back must have passed.
  static Bytes release_floor(Bytes release_threshold, Bytes reserved) { return std::min(release_threshold, reserved); }
  static Bytes trim_floor(Bytes keep, Bytes reserved) { return std::min(keep, reserved); }
  static Position releasable(Position proved, Position passed) { return std::max(proved, passed); }

  // Capacity of a pool with this limit of its own; 0 is none.
  static Bytes capacity(Bytes max_size, Bytes granule) {
    if (max_size == 0 || max_size > ~Bytes{0} - granule) return ~Bytes{0};
    return (max_size / granule + (max_size % granule != 0 ? 1 : 0)) * granule;
  }
};

}  // namespace streampool::engine
