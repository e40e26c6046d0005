#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

bool fails_when_short(const model::Profile& profile) {
  return profile.malloc_may_wait.binds() && !profile.malloc_may_wait.value;
}

constexpr Case cases[] = {
    {.name = "capacity/exactly_the_maximum_is_served",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "cap_exclusive",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc b {4*granule+1} p s1
free a s1
stream_sync s1
malloc c {4*granule} p s2
)",
     .applies = promises_remapping},
    {.name = "capacity/one_byte_more_than_the_maximum_is_not",
     .aims = {"CAP-MAX-SIZE"_clause, "CAP-OOM-STATUS"_clause, "ALLOC-STATUS"_clause},
     .twins = "cap_ignored oom_status",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s2
malloc b {4*granule+1} p s1
malloc c {3*granule} p s1
malloc d 1 p s1
)"},
    {.name = "capacity/maximum_is_rounded_up",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "cap_rounded_down",
     .setup = "stream_create s1 nonblocking\npool_create p max_size={granule+1}\n",
     .text = R"(malloc a {3*granule} p s1
malloc b {2*granule} p s1
)",
     .applies = promises_remapping},
    {.name = "capacity/small_maximum_is_one_granule",
     .aims = {"CAP-MUST-SERVE"_clause, "CAP-MAX-SIZE"_clause},
     .twins = "cap_rounded_down cap_ignored",
     .setup = "stream_create s1 nonblocking\npool_create p max_size=1\n",
     .text = R"(malloc a {2*granule} p s1
malloc b {granule} p s1
malloc c {granule} p s1
)",
     .applies = promises_remapping},
    {.name = "capacity/output_pointer_of_a_failed_malloc",
     .aims = {"CAP-OUT-POINTER"_clause},
     .twins = "oom_leaves_pointer oom_garbage_pointer",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc b 1 p s1
)"},
    {.name = "capacity/proved_frees_are_served_again",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "frees_count_for_ever",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc x 1 p s1
free a s1
stream_sync s1
malloc b {4*granule} p s2
free b s2
stream_sync s2
malloc c {2*granule} p s1
malloc d {2*granule} p s2
)",
     .applies = promises_remapping},
    {.name = "capacity/event_sync_makes_frees_available",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "event_sync_finds_nothing",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s2
malloc x 1 p s2
free a s2
event_record e s2
event_sync e
malloc b {4*granule} p s3
)",
     .applies = promises_remapping},
    {.name = "capacity/synchronous_frees_are_served_again",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "free_sync_proves_nothing",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc x 1 p s2
stream_sync s1
free_sync a
malloc b {4*granule} p s2
)",
     .applies = promises_remapping},
    {.name = "capacity/held_frees_may_fail_and_are_served_after_the_sync",
     .aims = {"CAP-MUST-SERVE"_clause, "CAP-OOM-STATUS"_clause},
     .twins = "frees_count_for_ever",
     .setup = limited_pool,
     .text = R"(malloc a {2*granule} p s1
malloc b {2*granule} p s2
malloc x {4*granule} p s3
gate_hold s1 g
free a s1
free b s2
malloc c {4*granule} p s3
gate_open g
stream_sync s1
stream_sync s2
malloc d {4*granule} p s3
)",
     .applies = [](const model::Profile& profile) { return promises_remapping(profile) && fails_when_short(profile); }},
    {.name = "capacity/scattered_granules_are_served",
     .aims = {"CAP-MUST-SERVE"_clause, "ALLOC-CONTENT"_clause},
     .twins = "needs_contiguous",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
malloc c {granule} p s1
malloc d {granule} p s1
malloc x 1 p s1
fill s1 b 0xB1
fill s1 d 0xD1
free a s1
free c s1
stream_sync s1
malloc h {2*granule} p s1
fill s1 h 0xEE
check s1 b 0xB1
check s1 d 0xD1
check s1 h 0xEE
)",
     .applies = promises_remapping},
    {.name = "capacity/idle_memory_of_other_sizes_is_served",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "no_pressure needs_contiguous",
     .setup = limited_pool,
     .text = R"(malloc a {3*granule} p s1
malloc x {4*granule} p s1
free a s1
stream_sync s1
malloc b {4*granule} p s2
)",
     .applies = promises_remapping},
    {.name = "capacity/a_small_live_block_takes_one_granule",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "cap_counts_touched_twice",
     .setup = limited_pool,
     .text = R"(malloc a 1 p s1
malloc x {4*granule} p s1
malloc b {3*granule} p s1
)",
     .applies = promises_remapping},
    {.name = "capacity/native_code_of_a_failure",
     .aims = {"CAP-NATIVE-CODE"_clause},
     .twins = "no_native_code",
     .setup = limited_pool,
     .text = R"(malloc a {8*granule} p s1
stream_query s1
pool_trim p 0
malloc b {8*granule} p s2
)"},
    {.name = "capacity/last_error_is_the_threads_own",
     .aims = {"CAP-NATIVE-CODE"_clause},
     .twins = "last_error_of_all_threads",
     .setup = limited_pool,
     .text = R"([t1] malloc a {8*granule} p s1
[t2] pool_trim p 0
[t2] pool_set p used_mem_current 1
[t1] stream_query s1
[t1] malloc b {8*granule} p s1
[t2] stream_query s1
)",
     .misuse = &model::Parameters::read_only},
    {.name = "capacity/plain_memory_goes_back",
     .aims = {"CAP-PLAIN-GIVES-BACK"_clause},
     .twins = "plain_memory_leaks",
     .setup = streams,
     .text = R"(memory_info
plain_malloc a {4*granule}
plain_free a
memory_info
plain_malloc b {2*granule}
memory_info
free_sync b
memory_info
)",
     .applies = promises_remapping},
    {.name = "capacity/plain_memory_freed_in_order_goes_back",
     .aims = {"CAP-PLAIN-GIVES-BACK"_clause},
     .twins = "plain_memory_leaks",
     .setup = streams,
     .text = R"(memory_info
plain_malloc a {4*granule}
free a s1
stream_sync s1
memory_info
)",
     .applies = promises_remapping},
    {.name = "capacity/freed_plain_memory_makes_room",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "plain_memory_leaks",
     .setup = keeping_pool,
     .text = R"(limit d0 {8*granule}
plain_malloc a {6*granule}
plain_free a
malloc b {6*granule} p s1
free b s1
stream_sync s1
malloc c {7*granule} p s1
)",
     .applies = promises_remapping},
    {.name = "capacity/failed_reserve",
     .aims = {"CAP-FAULT"_clause, "ALLOC-STATUS"_clause, "CAP-MUST-SERVE"_clause},
     .twins = "fault_sticks",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fail reserve 1
malloc b {granule} p s1
malloc c {granule} p s1
malloc d {granule} p s2
)"},
    {.name = "capacity/failed_map_leaks_nothing",
     .aims = {"CAP-FAULT"_clause, "STAT-FAILED-CALL"_clause, "STAT-RESERVED-RISE"_clause},
     .twins = "fault_leaks",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
pool_get p reserved_mem_current
fail map 1
malloc b {granule} p s1
pool_get p used_mem_current
pool_get p reserved_mem_current
malloc c {granule} p s1
pool_get p used_mem_current
)"},
    {.name = "capacity/failed_submission",
     .aims = {"CAP-FAULT"_clause, "ALLOC-NONNULL"_clause, "STAT-USED"_clause, "STAT-FAILED-CALL"_clause},
     .twins = "fault_ignored fault_leaves_item",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
pool_get p reserved_mem_current
fail submit 1
malloc b {granule} p s1
pool_get p used_mem_current
pool_get p reserved_mem_current
malloc c {granule} p s1
pool_get p used_mem_current
)"},
    {.name = "capacity/failed_record_captures_nothing",
     .aims = {"CAP-FAULT"_clause, "ORDER-EVENT-EMPTY"_clause, "ORDER-SUBMIT-STATUS"_clause},
     .twins = "failed_record_records",
     .setup = streams,
     .text = R"(gate_hold s1 g
fail submit 1
event_record e s1
event_query e
gate_open g
stream_sync s1
event_record e s1
event_sync e
)"},
    {.name = "capacity/failed_submission_of_a_free",
     .aims = {"CAP-FAULT"_clause, "STAT-FAILED-CALL"_clause},
     .twins = "failed_free_counts",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
pool_get p used_mem_current
fail submit 1
free a s1
pool_get p used_mem_current
pool_get p reserved_mem_current
)"},
    {.name = "capacity/second_fault_counts_from_the_first",
     .aims = {"CAP-FAULT"_clause, "STAT-FAILED-CALL"_clause},
     .twins = "fault_leaks",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fail map 2
malloc b {granule} p s1
pool_get p reserved_mem_current
malloc c {granule} p s1
pool_get p reserved_mem_current
malloc d {granule} p s1
)"},
    {.name = "capacity/more_than_the_device_has",
     .aims = {"CAP-OOM-STATUS"_clause, "ALLOC-STATUS"_clause, "ALLOC-NONNULL"_clause},
     .twins = "null_success malloc_status",
     .setup = keeping_pool,
     .text = R"(malloc a {memory+granule} p s1
malloc b {4294967296*16384+granule} p s1
malloc c {granule} p s1
)"},
    {.name = "capacity/device_limit",
     .aims = {"CAP-DEVICE-MEMORY"_clause, "CAP-OOM-STATUS"_clause},
     .twins = "failed_malloc_leaks",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
limit d0 {4*granule}
memory_info
malloc b {64*granule} p s1
memory_info
malloc c {granule} p s1
)"},
    {.name = "capacity/device_limit_counts_every_pool",
     .aims = {"CAP-MUST-SERVE"_clause, "CAP-OOM-STATUS"_clause},
     .twins = "cap_exclusive_of_device",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} p s1
pool_get p reserved_mem_current
limit d0 {4*granule}
malloc b {4*granule} q s1
malloc c {3*granule} q s1
)",
     .applies = promises_remapping},
    {.name = "capacity/idle_memory_is_given_back_under_a_device_limit",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "no_pressure needs_contiguous",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
malloc c {granule} p s1
limit d0 {4*granule}
malloc x {4*granule} p s1
free a s1
free c s1
stream_sync s1
malloc d {3*granule} p s2
)",
     .applies = promises_remapping},
};

}  // namespace

std::span<const Case> capacity_cases() { return cases; }

}  // namespace streampool::suites
