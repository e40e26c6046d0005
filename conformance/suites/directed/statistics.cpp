#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "statistics/reserved_after_a_synchronous_free",
     .aims = {"STAT-RESERVED-MAX"_clause, "STAT-RESERVED-RISE"_clause},
     .twins = "reserved_reports_one_more",
     .setup = two_granules,
     .text = R"(malloc a {2*granule} p s1
stream_sync s1
free_sync a
pool_get p reserved_mem_current
malloc b {2*granule} p s2
pool_get p reserved_mem_current
stream_sync s2
free_sync b
)"},
    {.name = "statistics/reserved_that_falls_is_the_devices_again",
     .aims = {"STAT-RESERVED-PHYSICAL"_clause},
     .twins = "release_counts_only",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
pool_get p reserved_mem_current
memory_info
free a s1
stream_sync s1
pool_trim p {granule}
pool_get p reserved_mem_current
memory_info
pool_set p release_threshold 0
device_sync
pool_get p reserved_mem_current
memory_info
)",
     .applies = promises_remapping},
    {.name = "statistics/used_counts_what_was_asked_for",
     .aims = {"STAT-USED"_clause},
     .twins = "used_counts_rounded used_counts_granules used_never_drops",
     .setup = keeping_pool,
     .text = R"(malloc a 1 p s1
pool_get p used_mem_current
malloc b {alignment+1} p s1
pool_get p used_mem_current
malloc c {3*granule-1} p s2
pool_get p used_mem_current
free b s1
stream_sync s1
pool_get p used_mem_current
free a s1
free c s2
device_sync
pool_get p used_mem_current
)"},
    {.name = "statistics/used_of_reused_blocks",
     .aims = {"STAT-USED"_clause},
     .twins = "used_forgets_reuse used_drops_twice",
     .setup = keeping_pool,
     .text = R"(malloc a {2*granule} p s1
malloc k {granule} p s1
free a s1
malloc b {granule} p s1
pool_get p used_mem_current
malloc c {granule} p s1
pool_get p used_mem_current
free b s1
pool_get p used_mem_current
free c s1
pool_get p used_mem_current
)"},
    {.name = "statistics/used_of_a_pending_free",
     .aims = {"STAT-USED-DROP"_clause},
     .twins = "used_drops_at_completion",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s2
gate_hold s1 g
free a s1
pool_get p used_mem_current
gate_open g
stream_sync s1
pool_get p used_mem_current
)"},
    {.name = "statistics/used_after_a_synchronous_free",
     .aims = {"STAT-USED"_clause},
     .twins = "sync_free_not_counted",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {2*granule} p s1
stream_sync s1
free_sync a
pool_get p used_mem_current
free_sync b
pool_get p used_mem_current
)"},
    {.name = "statistics/used_is_within_reserved",
     .aims = {"STAT-USED-LE-RESERVED"_clause, "STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause},
     .twins = "used_above_reserved",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p reserved_mem_current
pool_get p used_mem_current
malloc b {2*granule} p s2
pool_get p used_mem_current
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_covers_held_frees",
     .aims = {"STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause},
     .twins = "reserved_hides_pending",
     .setup = strict_pool,
     .text = R"(malloc a {3*granule} p s1
malloc b {granule} p s2
gate_hold s1 g
free a s1
malloc c {granule} p s2
pool_get p reserved_mem_current
gate_open g
stream_sync s1
)"},
    {.name = "statistics/used_high_keeps_the_peak",
     .aims = {"STAT-USED-HIGH"_clause, "STAT-HIGH-RESET"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "used_high_follows used_high_sampled",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {2*granule} p s1
free b s1
pool_get p used_mem_high
stream_sync s1
pool_get p used_mem_high
malloc c {alignment} p s1
free c s1
pool_get p used_mem_high
pool_get p used_mem_current
)"},
    {.name = "statistics/used_high_does_not_count_pending_frees",
     .aims = {"STAT-USED-HIGH"_clause},
     .twins = "used_high_counts_pending",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
free a s1
malloc b {granule} p s2
free b s2
malloc c {granule} p s2
pool_get p used_mem_high
gate_open g
stream_sync s1
)",
     .applies = [](const model::Profile& profile) { return profile.used_drops_at.value == model::UsedDropsAt::call; }},
    {.name = "statistics/used_high_reset_above_current",
     .aims = {"ATTR-RESET-USED_MEM_HIGH"_clause, "STAT-USED-HIGH"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "reset_ignored:used_mem_high reset_to_zero:used_mem_high high_below_current",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {2*granule} p s1
free b s1
stream_sync s1
pool_get p used_mem_high
pool_set p used_mem_high 0
pool_get p used_mem_high
pool_get p used_mem_current
malloc c {granule} p s1
pool_get p used_mem_high
)"},
    {.name = "statistics/used_high_goes_on_after_a_reset",
     .aims = {"STAT-USED-HIGH"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "used_high_sampled used_high_frozen",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
pool_set p used_mem_high 0
malloc b {4*granule} p s1
free b s1
malloc c {granule} p s2
pool_get p used_mem_high
)"},
    {.name = "statistics/reserved_high_reset_above_current",
     .aims = {"ATTR-RESET-RESERVED_MEM_HIGH"_clause, "STAT-RESERVED-HIGH"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "reset_ignored:reserved_mem_high reset_to_zero:reserved_mem_high reserved_high_follows",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {4*granule} p s1
pool_get p reserved_mem_current
free b s1
stream_sync s1
pool_trim p 0
pool_get p reserved_mem_current
pool_get p reserved_mem_high
pool_set p reserved_mem_high 0
pool_get p reserved_mem_high
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_high_keeps_the_peak",
     .aims = {"STAT-RESERVED-HIGH"_clause, "STAT-HIGH-RESET"_clause},
     .twins = "reserved_high_follows",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
pool_get p reserved_mem_current
pool_get p reserved_mem_high
free a s1
stream_sync s1
pool_trim p 0
pool_get p reserved_mem_high
malloc b {granule} p s1
pool_get p reserved_mem_high
)"},
    {.name = "statistics/reserved_high_goes_on_after_a_reset",
     .aims = {"STAT-RESERVED-HIGH"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "reserved_high_frozen reserved_high_sampled",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p reserved_mem_current
pool_set p reserved_mem_high 0
malloc b {4*granule} p s1
pool_get p reserved_mem_high
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_high_is_at_least_current",
     .aims = {"STAT-RESERVED-HIGH"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "reserved_high_frozen",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_set p reserved_mem_high 0
malloc b {4*granule} p s1
pool_get p reserved_mem_current
pool_get p reserved_mem_high
)"},
    {.name = "statistics/reserved_high_is_within_the_maximum",
     .aims = {"STAT-RESERVED-HIGH"_clause, "STAT-RESERVED-MAX"_clause},
     .twins = "reserved_high_beyond_cap",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc b 1 p s1
pool_get p reserved_mem_current
pool_get p reserved_mem_high
)"},
    {.name = "statistics/reserved_does_not_rise_at_a_free",
     .aims = {"STAT-RESERVED-RISE"_clause},
     .twins = "reserved_rises_at_free",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p reserved_mem_current
free a s1
event_record e s1
stream_wait_event s2 e
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_does_not_rise_at_a_synchronize",
     .aims = {"STAT-RESERVED-RISE"_clause},
     .twins = "reserved_rises_at_sync",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p reserved_mem_current
stream_sync s1
device_sync
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_does_not_fall_at_a_free",
     .aims = {"STAT-RESERVED-FALL"_clause},
     .twins = "reserved_falls_at_free",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {granule} p s1
malloc b {granule} p s1
pool_get p reserved_mem_current
free a s1
pool_get p reserved_mem_current
event_record e s1
stream_wait_event s2 e
pool_get p reserved_mem_current
)",
     .applies =
         [](const model::Profile& profile) { return !profile.release_calls.value.contains(model::ReleaseCall::free); }},
    {.name = "statistics/idle_memory_does_not_go_at_a_free",
     .aims = {"STAT-RESERVED-FALL"_clause},
     .twins = "reserved_falls_at_free",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
free a s1
stream_sync s1
pool_set p release_threshold 0
pool_get p reserved_mem_current
free b s1
pool_get p reserved_mem_current
)",
     .applies =
         [](const model::Profile& profile) { return !profile.release_calls.value.contains(model::ReleaseCall::free); }},
    {.name = "statistics/pressure_on_one_pool_leaves_another",
     .aims = {"STAT-RESERVED-FALL"_clause, "STAT-FRAME"_clause},
     .twins = "pressure_takes_from_all",
     .setup = two_granules,
     .text = R"(pool_create q
pool_set q release_threshold max
malloc x {2*granule} q s2
free x s2
malloc a {granule} p s1
malloc b {granule} p s1
free a s1
free b s1
device_sync
pool_get q reserved_mem_current
malloc c {2*granule} p s3
malloc d {granule} p s3
pool_get q reserved_mem_current
)"},
    {.name = "statistics/reserved_high_of_a_small_block",
     .aims = {"STAT-RESERVED-HIGH"_clause, "STAT-HIGH-GE-CURRENT"_clause},
     .twins = "reserved_high_counts_used",
     .setup = keeping_pool,
     .text = R"(malloc a 256 p s1
pool_get p reserved_mem_current
pool_get p reserved_mem_high
)"},
    {.name = "statistics/reserved_does_not_fall_at_a_query",
     .aims = {"STAT-RESERVED-FALL"_clause},
     .twins = "reserved_falls_at_query",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
free a s1
event_record e s1
)" STREAMPOOL_SETTLE R"(pool_set p release_threshold 0
pool_get p reserved_mem_current
stream_query s1
event_query e
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_does_not_fall_at_a_malloc_that_fits",
     .aims = {"STAT-RESERVED-FALL"_clause},
     .twins = "reserved_falls_at_malloc",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
free a s1
free b s1
stream_sync s1
pool_get p reserved_mem_current
malloc c {granule} p s1
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_is_whole_granules",
     .aims = {"STAT-GRANULE"_clause},
     .twins = "reserved_counts_bytes",
     .setup = keeping_pool,
     .text = R"(malloc a 1 p s1
pool_get p reserved_mem_current
malloc b {granule+1} p s1
pool_get p reserved_mem_current
)"},
    {.name = "statistics/reserved_is_within_the_maximum",
     .aims = {"STAT-RESERVED-MAX"_clause},
     .twins = "reserved_reports_one_more",
     .setup = limited_pool,
     .text = R"(malloc a {3*granule} p s1
malloc b {granule} p s2
pool_get p reserved_mem_current
)"},
    {.name = "statistics/used_of_another_pool_does_not_move",
     .aims = {"STAT-FRAME"_clause},
     .twins = "counts_into_all_pools",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} p s1
pool_get p used_mem_current
malloc b {2*granule} q s1
pool_get p used_mem_current
free b s1
pool_get p used_mem_current
)"},
    {.name = "statistics/reserved_of_another_pool_does_not_move",
     .aims = {"STAT-FRAME"_clause},
     .twins = "reserves_into_all_pools",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} p s1
pool_get p reserved_mem_current
malloc b {2*granule} q s1
pool_get p reserved_mem_current
free b s1
pool_trim q 0
pool_get p reserved_mem_current
)"},
    {.name = "statistics/watermarks_of_another_pool_do_not_move",
     .aims = {"STAT-FRAME"_clause},
     .twins = "high_shared",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} p s1
malloc c {granule} p s1
free c s1
pool_get p used_mem_high
pool_get p reserved_mem_high
malloc b {4*granule} q s1
pool_get p used_mem_high
pool_get p reserved_mem_high
free b s1
pool_set q used_mem_high 0
pool_set q reserved_mem_high 0
pool_get p used_mem_high
pool_get p reserved_mem_high
)"},
    {.name = "statistics/failed_malloc_moves_nothing",
     .aims = {"STAT-USED"_clause, "STAT-USED-HIGH"_clause, "STAT-FAILED-CALL"_clause},
     .twins = "failed_malloc_counts failed_malloc_raises_high",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
pool_get p used_mem_high
malloc b {64*granule} p s1
pool_get p used_mem_current
pool_get p used_mem_high
)"},
    {.name = "statistics/malloc_of_too_many_bytes_moves_nothing",
     .aims = {"STAT-FAILED-CALL"_clause},
     .twins = "failed_malloc_counts",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
pool_get p used_mem_high
malloc b max p s1
pool_get p used_mem_current
pool_get p used_mem_high
)"},
    {.name = "statistics/failed_malloc_does_not_raise_reserved",
     .aims = {"STAT-RESERVED-RISE"_clause, "STAT-RESERVED-MAX"_clause, "STAT-FAILED-CALL"_clause,
              "RELEASE-TRIM-REST"_clause},
     .twins = "failed_malloc_reserves",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
pool_get p reserved_mem_current
malloc b {4*granule} p s2
pool_get p reserved_mem_current
)"},
};

}  // namespace

std::span<const Case> statistics_cases() { return cases; }

}  // namespace streampool::suites
