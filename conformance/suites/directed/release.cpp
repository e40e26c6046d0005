#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

bool counts_reserved(const model::Profile& profile) {
  return profile.threshold_compares.value == model::ThresholdCompares::reserved;
}

constexpr Case cases[] = {
    {.name = "release/the_default_pool_releases_too",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "default_pool_keeps",
     .setup = streams,
     .text = R"(pool_default d
pool_get d used_mem_current
pool_set d release_threshold 0
malloc a {4*granule} d s1
free a s1
stream_sync s1
pool_get d reserved_mem_current
)",
     .applies = has_default_pool},
    {.name = "release/the_default_pool_is_trimmed_too",
     .aims = {"RELEASE-TRIM-REST"_clause},
     .twins = "default_pool_keeps",
     .setup = streams,
     .text = R"(pool_default d
pool_get d used_mem_current
pool_set d release_threshold max
malloc a {4*granule} d s1
free a s1
stream_sync s1
pool_trim d {granule}
pool_get d reserved_mem_current
)",
     .applies = has_default_pool},
    {.name = "release/plain_memory_that_runs_short_takes_nothing_pending",
     .aims = {"STAT-RESERVED-MIN"_clause, "REUSE-UNSAFE"_clause},
     .twins = "plain_takes_pending",
     .setup = held_free,
     .text = R"(limit d0 {granule}
plain_malloc b {granule}
pool_get p reserved_mem_current
gate_open g
stream_sync s1
)"},
    {.name = "release/threshold_zero_gives_everything_back",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "never_releases stream_sync_keeps",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/every_event_sync_releases",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "event_sync_keeps",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {4*granule} p s1
free a s1
event_record e s1
pool_get p reserved_mem_current
event_sync e
pool_get p reserved_mem_current
)"},
    {.name = "release/every_device_sync_releases",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "device_sync_keeps",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {4*granule} p s1
free a s1
pool_get p reserved_mem_current
device_sync
pool_get p reserved_mem_current
)"},
    {.name = "release/threshold_is_a_floor",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause, "RELEASE-THRESHOLD-REST"_clause},
     .twins = "threshold_ignored threshold_undershoots never_releases",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {2*granule}
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/threshold_within_a_granule",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause, "RELEASE-THRESHOLD-REST"_clause},
     .twins = "threshold_ignored threshold_undershoots threshold_rounded_down",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {2*granule+1}
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/threshold_at_reserved_keeps_everything",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause},
     .twins = "threshold_ignored",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {4*granule}
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/threshold_one_byte_below_reserved",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause},
     .twins = "threshold_ignored threshold_rounded_down",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {4*granule-1}
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/threshold_max_keeps_everything",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause},
     .twins = "threshold_ignored",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
event_sync e
device_sync
pool_get p reserved_mem_current
)"},
    {.name = "release/threshold_is_held_against_reserved_not_idle_bytes",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause, "RELEASE-THRESHOLD-REST"_clause},
     .twins = "threshold_compares_idle",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {2*granule}
malloc a {granule} p s1
malloc b {granule} p s1
malloc c {4*granule} p s1
pool_get p reserved_mem_current
free c s1
stream_sync s1
pool_get p reserved_mem_current
)",
     .applies = counts_reserved},
    {.name = "release/threshold_of_the_moment_counts",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause},
     .twins = "threshold_old_value",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
pool_set p release_threshold {3*granule}
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/lowering_the_threshold_counts_at_the_next_sync",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "threshold_old_value",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
free a s1
stream_sync s1
pool_get p reserved_mem_current
pool_set p release_threshold 0
pool_get p reserved_mem_current
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/around_live_memory",
     .aims = {"RELEASE-THRESHOLD-REST"_clause, "RELEASE-LIVE-KEPT"_clause, "ALLOC-CONTENT"_clause},
     .twins = "sync_releases_live releases_whole_or_nothing",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {granule} p s1
malloc b {granule} p s1
malloc c {granule} p s1
fill s1 a 0xA1
fill s1 c 0xC1
pool_get p reserved_mem_current
free b s1
stream_sync s1
pool_get p reserved_mem_current
check s1 a 0xA1
check s1 c 0xC1
)"},
    {.name = "release/small_live_block_pins_its_granule",
     .aims = {"RELEASE-THRESHOLD-REST"_clause, "RELEASE-LIVE-KEPT"_clause, "ALLOC-CONTENT"_clause},
     .twins = "sync_releases_live releases_whole_or_nothing",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {2*granule} p s1
malloc b 1 p s1
malloc c {2*granule} p s1
fill s1 b 0xB2
pool_get p reserved_mem_current
free a s1
free c s1
stream_sync s1
pool_get p reserved_mem_current
check s1 b 0xB2
)"},
    {.name = "release/end_of_a_granule_pins_it",
     .aims = {"ALLOC-CONTENT"_clause, "STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause},
     .twins = "sync_releases_live",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {alignment} p s1
malloc b {2*granule-alignment} p s1
fill s1 b 0xB2
free a s1
stream_sync s1
pool_get p reserved_mem_current
check s1 b 0xB2
)"},
    {.name = "release/last_bytes_of_a_granule_pin_it",
     .aims = {"ALLOC-CONTENT"_clause, "STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause},
     .twins = "sync_releases_live",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {2*granule-alignment} p s1
malloc b {alignment} p s1
fill s1 b 0xB2
free a s1
stream_sync s1
pool_get p reserved_mem_current
check s1 b 0xB2
)"},
    {.name = "release/trim_of_one_pool_leaves_another",
     .aims = {"STAT-RESERVED-FALL"_clause, "STAT-FRAME"_clause},
     .twins = "trim_takes_from_all",
     .setup = keeping_pool,
     .text = R"(pool_create q
pool_set q release_threshold max
malloc x {2*granule} q s2
malloc a {2*granule} p s1
free x s2
free a s1
device_sync
pool_get q reserved_mem_current
pool_trim p 0
pool_get q reserved_mem_current
)"},
    {.name = "release/threshold_counts_after_pressure",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause},
     .twins = "threshold_ignored",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
malloc b {3*granule} p s1
free b s1
stream_sync s1
malloc c {5*granule} p s2
malloc d {3*granule} p s2
free d s2
pool_get p reserved_mem_current
stream_sync s2
pool_get p reserved_mem_current
)"},
    {.name = "release/content_of_live_memory_after_trim",
     .aims = {"RELEASE-LIVE-KEPT"_clause, "STAT-RESERVED-MIN"_clause, "ALLOC-CONTENT"_clause},
     .twins = "trim_releases_live trim_loses_content",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
fill s1 a 0xA3
free b s1
stream_sync s1
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
check s1 a 0xA3
)"},
    {.name = "release/pending_free_stays_at_a_sync_of_another_stream",
     .aims = {"STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause},
     .twins = "release_forgets_pending",
     .setup = held_free,
     .text = R"(malloc b {granule} p s2
pool_get p reserved_mem_current
pool_set p release_threshold 0
stream_sync s2
pool_get p reserved_mem_current
gate_open g
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_to_zero",
     .aims = {"RELEASE-TRIM-REST"_clause},
     .twins = "trim_does_nothing",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_trim p 0
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_always_succeeds",
     .aims = {"RELEASE-TRIM-OK"_clause},
     .twins = "trim_refused trim_refuses_large",
     .setup = keeping_pool,
     .text = R"(pool_trim p 0
pool_trim p max
malloc a {4*granule} p s1
pool_trim p 0
pool_trim p {2*granule}
pool_trim p {4*granule}
pool_trim p {5*granule}
pool_trim p max
)"},
    {.name = "release/trim_is_a_floor",
     .aims = {"RELEASE-TRIM-FLOOR"_clause, "RELEASE-TRIM-REST"_clause},
     .twins = "trim_ignores_target trim_undershoots trim_does_nothing",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_trim p {2*granule}
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_within_a_granule",
     .aims = {"RELEASE-TRIM-FLOOR"_clause, "RELEASE-TRIM-REST"_clause},
     .twins = "trim_undershoots trim_rounded_down",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_trim p {2*granule+1}
pool_get p reserved_mem_current
pool_trim p 1
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_at_reserved_does_nothing",
     .aims = {"RELEASE-TRIM-NOOP"_clause},
     .twins = "trim_ignores_target",
     .setup = keeping_pool,
     .text = R"(malloc a {2*granule} p s1
free a s1
stream_sync s1
pool_get p reserved_mem_current
pool_trim p {2*granule}
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_above_reserved_does_nothing",
     .aims = {"RELEASE-TRIM-NOOP"_clause},
     .twins = "trim_ignores_target trim_grows",
     .setup = keeping_pool,
     .text = R"(malloc a {2*granule} p s1
free a s1
stream_sync s1
pool_get p reserved_mem_current
pool_trim p {64*granule}
pool_get p reserved_mem_current
pool_trim p max
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_of_an_empty_pool",
     .aims = {"RELEASE-TRIM-NOOP"_clause},
     .twins = "trim_grows",
     .setup = keeping_pool,
     .text = R"(pool_get p reserved_mem_current
pool_trim p {4*granule}
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_ignores_the_threshold",
     .aims = {"RELEASE-TRIM-REST"_clause},
     .twins = "trim_keeps_threshold",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {3*granule}
malloc a {4*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_trim p {granule}
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_with_a_held_free",
     .aims = {"STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause, "RELEASE-TRIM-PENDING"_clause},
     .twins = "trim_takes_pending",
     .setup = held_free,
     .text = R"(malloc b {granule} p s2
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
gate_open g
stream_sync s1
pool_trim p 0
pool_get p reserved_mem_current
)"},
    {.name = "release/trim_after_the_sync",
     .aims = {"RELEASE-TRIM-REST"_clause},
     .twins = "trim_does_nothing frees_count_for_ever_in_trim",
     .setup = held_free,
     .text = R"(pool_trim p 0
gate_open g
stream_sync s1
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
)"},
    {.name = "release/each_pool_has_its_own_threshold",
     .aims = {"RELEASE-THRESHOLD-REST"_clause, "RELEASE-THRESHOLD-FLOOR"_clause},
     .twins = "shared_by_pools:release_threshold threshold_ignored",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
pool_set q release_threshold {granule}
malloc a {2*granule} p s1
malloc b {2*granule} q s1
pool_get p reserved_mem_current
pool_get q reserved_mem_current
free a s1
free b s1
stream_sync s1
pool_get p reserved_mem_current
pool_get q reserved_mem_current
)"},
    {.name = "release/reserved_comes_back_when_needed",
     .aims = {"RELEASE-THRESHOLD-REST"_clause, "ALLOC-CONTENT"_clause},
     .twins = "never_releases",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {2*granule} p s1
pool_get p reserved_mem_current
free a s1
stream_sync s1
pool_get p reserved_mem_current
malloc b {2*granule} p s1
fill s1 b 0x66
check s1 b 0x66
pool_get p reserved_mem_current
free b s1
stream_sync s1
pool_get p reserved_mem_current
)"},
};

}  // namespace

std::span<const Case> release_cases() { return cases; }

}  // namespace streampool::suites
