// The engine's decisions, each right but for the fault that is active. Included by impl/pool/policy.hpp in the build of
// the mutants, behind StandardPolicy.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "conformance/mutants/runtime/fault.hpp"
#include "impl/pool/policy.hpp"

namespace streampool::engine {

struct FaultyPolicy : StandardPolicy {
  using Fault = mutants::Fault;

  static Position record_free(Position here) {
    if (mutants::is(Fault::positions_keep_8_bits)) return Position{raw(here) & 0xff};
    return mutants::is(Fault::free_noted_one_early) ? Position{raw(here) - 1} : here;
  }
  static Position observed(Position proved) {
    return mutants::is(Fault::observed_for_ever) && proved != Position::none ? Position::all : proved;
  }
  static Position event_order(bool follow_event_dependencies, Position known) {
    if (mutants::is(Fault::event_switch_ignored)) follow_event_dependencies = true;
    if (mutants::is(Fault::event_covers_every_free)) known = Position::all;
    return StandardPolicy::event_order(follow_event_dependencies, known);
  }
  static Position opportunistic(bool allow_opportunistic, Position passed) {
    if (mutants::is(Fault::opportunistic_switch_ignored)) allow_opportunistic = true;
    if (mutants::is(Fault::opportunistic_unchecked)) passed = Position::all;
    return StandardPolicy::opportunistic(allow_opportunistic, passed);
  }
  static Position internal_dependency(bool allow_internal_dependencies) {
    return StandardPolicy::internal_dependency(allow_internal_dependencies ||
                                               mutants::is(Fault::internal_switch_ignored));
  }
  static bool make_wait() { return !mutants::is(Fault::dependency_not_inserted); }

  static Position proved_by(Position at, Position tail) {
    const bool all = mutants::is(Fault::event_observes_its_stream) || mutants::proving_at_return;
    return all ? std::max(at, tail) : at;
  }
  static bool not_ready_proves() { return mutants::is(Fault::not_ready_observes); }
  static bool takes_part(bool blocking, bool legacy) {
    if (mutants::is(Fault::legacy_orders_nothing)) return false;
    return blocking || legacy || mutants::is(Fault::legacy_orders_all_streams);
  }
  static bool make_event_wait() { return !mutants::is(Fault::event_wait_not_made); }

  template <class Order, class Record>
  static void event_recorded(Order& order, const void* event, const Record& record) {
    if (!mutants::is(Fault::wait_follows_later_records)) return;
    const std::lock_guard lock(waits().mutex);
    for (const StreamIndex stream : waits().streams[event]) order.join(stream, record.cut);
  }
  template <class Order, class Event>
  static void event_awaited(Order& order, Event* event, StreamIndex by) {
    if (mutants::is(Fault::wait_follows_later_records)) {
      const std::lock_guard lock(waits().mutex);
      waits().streams[event].push_back(by);
    }
    const auto record = event->read();
    if (record && mutants::is(Fault::wait_takes_current_position)) {
      auto cut = record->cut;
      cut.raise({record->point.stream, order.tail(record->point.stream)});
      order.join(by, cut);
    }
  }

  static bool rest_keeps_history() { return !mutants::is(Fault::rest_is_settled); }
  static Position merged(Position at, Position earliest_swallowed) {
    return mutants::is(Fault::merge_keeps_earlier_free) ? std::min(at, earliest_swallowed) : at;
  }
  static bool merges(bool same_history) { return same_history || mutants::is(Fault::merge_keeps_one_history); }

  static Bytes counted(Bytes requested, Bytes granted) {
    return mutants::is(Fault::used_rounded_up) ? granted : requested;
  }

  static Bytes release_floor(Bytes release_threshold, Bytes reserved, Bytes used) {
    if (mutants::is(Fault::threshold_ignored)) return 0;
    if (mutants::is(Fault::never_releases)) return reserved;
    if (mutants::is(Fault::threshold_against_idle)) return used + std::min(release_threshold, reserved - used);
    const Bytes floor = StandardPolicy::release_floor(release_threshold, reserved, used);
    return mutants::is(Fault::threshold_overshot) && release_threshold < reserved ? one_granule_less(floor) : floor;
  }
  static Bytes trim_floor(Bytes keep, Bytes reserved) {
    if (mutants::is(Fault::trim_ignores_target) && keep < reserved) return 0;
    const Bytes floor = StandardPolicy::trim_floor(keep, reserved);
    return mutants::is(Fault::trim_overshoots) && keep < reserved ? one_granule_less(floor) : floor;
  }
  static Position releasable(Position proved, Position passed) {
    const bool all = mutants::is(Fault::release_takes_pending) ||
                     (mutants::is(Fault::trim_takes_pending) && mutants::trimming) || mutants::taking_pending;
    return all ? Position::all : StandardPolicy::releasable(proved, passed);
  }

  static bool makes_room() { return !mutants::is(Fault::scattered_granules_useless); }
  static Bytes capacity(Bytes max_size, Bytes granule) {
    if (mutants::is(Fault::max_size_ignored)) return ~Bytes{0};
    if (max_size != 0 && mutants::is(Fault::max_size_rounded_down)) return max_size / granule * granule;
    if (max_size != 0 && mutants::is(Fault::address_space_counts)) max_size = max_size / 2;
    return StandardPolicy::capacity(max_size, granule);
  }

  // A new context begins: nothing of the old one's streams and events is known.
  static void forget() {
    const std::lock_guard lock(waits().mutex);
    waits().streams.clear();
  }

 private:
  static Bytes one_granule_less(Bytes floor) {
    constexpr Bytes granule = Bytes{2} << 20;
    return floor < granule ? 0 : floor - granule;
  }
  struct Waits {
    std::mutex mutex;
    std::map<const void*, std::vector<StreamIndex>> streams;
  };
  static Waits& waits() {
    static Waits all;
    return all;
  }
};

using BuildPolicy = FaultyPolicy;

}  // namespace streampool::engine
