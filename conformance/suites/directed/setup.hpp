// Beginnings that many cases share, and the conditions under which some of them have none.
//
// Reserved is read at first: a request of a pool that was never looked at might not have fitted, and then memory may
// have been given back, which explains a reuse. A pool for reuse has no limit and keeps everything: nothing is released
// between a free and a malloc, so that a reuse can be explained by nothing but the rule that the case is about.
#pragma once

#include <string_view>

#include "model/profile/profile.hpp"

namespace streampool::suites {

#define STREAMPOOL_STREAMS         \
  "stream_create s1 nonblocking\n" \
  "stream_create s2 nonblocking\n" \
  "stream_create s3 nonblocking\n" \
  "event_create e\n"               \
  "event_create f\n"               \
  "gate_create g\n"
#define STREAMPOOL_KEEPING_POOL \
  STREAMPOOL_STREAMS "pool_create p max_size=0\npool_set p release_threshold max\npool_get p reserved_mem_current\n"
#define STREAMPOOL_SWITCHES_OFF                    \
  "pool_set p reuse_follow_event_dependencies 0\n" \
  "pool_set p reuse_allow_opportunistic 0\n"       \
  "pool_set p reuse_allow_internal_dependencies 0\n"

// Time for what runs too early: rounds through a stream that nothing holds. A runtime with threads of its own may
// otherwise answer a query before it has got to the item that it should not run.
#define STREAMPOOL_SETTLE         \
  "stream_create z nonblocking\n" \
  "event_create y\n"              \
  "event_record y z\n"            \
  "event_sync y\n"                \
  "event_record y z\n"            \
  "event_sync y\n"                \
  "event_record y z\n"            \
  "event_sync y\n"

inline constexpr std::string_view streams = STREAMPOOL_STREAMS;
inline constexpr std::string_view keeping_pool = STREAMPOOL_KEEPING_POOL;
// The same with all three reuse switches off.
inline constexpr std::string_view strict_pool = STREAMPOOL_KEEPING_POOL STREAMPOOL_SWITCHES_OFF;
// One granule of p, freed on s1 behind a closed gate; all switches off.
inline constexpr std::string_view held_free =
    STREAMPOOL_KEEPING_POOL STREAMPOOL_SWITCHES_OFF "malloc a {granule} p s1\ngate_hold s1 g\nfree a s1\n";
// The same in a pool that can hold no more: what is handed out next is that block or nothing.
inline constexpr std::string_view full_and_held =
    STREAMPOOL_STREAMS "pool_create p max_size={granule}\npool_set p release_threshold max\n" STREAMPOOL_SWITCHES_OFF
                       "malloc a {granule} p s1\ngate_hold s1 g\nfree a s1\n";
inline constexpr std::string_view two_granules =
    STREAMPOOL_STREAMS "pool_create p max_size={2*granule}\npool_set p release_threshold max\n" STREAMPOOL_SWITCHES_OFF;
// A pool that holds four granules at most and reuses nothing that is not its own stream's or observed.
inline constexpr std::string_view limited_pool =
    STREAMPOOL_STREAMS "pool_create p max_size={4*granule}\npool_set p release_threshold max\n" STREAMPOOL_SWITCHES_OFF;

#undef STREAMPOOL_STREAMS
#undef STREAMPOOL_KEEPING_POOL
#undef STREAMPOOL_SWITCHES_OFF

inline bool has_default_pool(const model::Profile& profile) {
  return profile.has_default_pool.value || !profile.has_default_pool.binds();
}
inline bool has_default_streams(const model::Profile& profile) {
  return profile.has_default_streams.value || !profile.has_default_streams.binds();
}
// A stream with pending items can be destroyed and go on running them.
inline bool stream_destroy_returns(const model::Profile& profile) { return !profile.stream_destroy_waits.value; }
inline bool says_what_destruction_does(const model::Profile& profile) { return profile.destroy_with_live.binds(); }
inline bool destroys_deferred(const model::Profile& profile) {
  return profile.destroy_with_live.binds() && profile.destroy_with_live.value == model::DestroyWithLive::deferred;
}
// The profile settles what the case is about; elsewhere any behaviour is accepted.
inline bool promises_remapping(const model::Profile& profile) {
  return profile.fragmentation.binds() && profile.fragmentation.value == model::Fragmentation::pinned_granules;
}

}  // namespace streampool::suites
