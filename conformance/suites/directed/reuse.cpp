// Unsafe reuse of every kind, and the permitted ones beside it. reuse_policy.cpp has the switches, reuse_pools.cpp what
// leaves its pool.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

// Each forbidden reuse is within reach: the block is the only one that is free, and as large as what is asked for.
constexpr Case cases[] = {
    // First: where legacy holds every stream up, each case before it costs time.
    {.name = "reuse/unsafe_legacy_and_nonblocking_stream",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "legacy_orders_reuse_everywhere",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
malloc a {granule} p legacy
gate_hold legacy g
free a legacy
malloc b {granule} p s1
gate_open g
stream_sync legacy
expect overlap(a, b) forbidden
)",
     .applies = has_default_streams},
    {.name = "reuse/idle_block_of_the_own_stream",
     .aims = {"REUSE-IDLE-OWN-STREAM"_clause},
     .twins = "never_reuses no_room_after_free",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
free a s1
stream_sync s1
pool_get p reserved_mem_current
malloc b {granule} p s1
expect overlap(a, b) allowed
)"},
    {.name = "reuse/same_stream_while_the_free_is_held",
     .aims = {"REUSE-SAME"_clause, "REUSE-IDLE-OWN-STREAM"_clause},
     .twins = "no_room_after_free",
     .setup = held_free,
     .text = R"(pool_get p reserved_mem_current
malloc b {granule} p s1
gate_open g
stream_sync s1
expect overlap(a, b) allowed
)"},
    {.name = "reuse/unsafe_all_switches_off",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "reuses_any_free internal_switch_ignored",
     .setup = held_free,
     .text = R"(malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_many_small_blocks",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "reuses_any_free checks_first_byte_only",
     .setup = strict_pool,
     .text = R"(malloc a {alignment} p s1
malloc b {alignment} p s2
malloc c {alignment} p s1
malloc d {alignment} p s2
gate_hold s1 g
free a s1
free c s1
free b s2
free d s2
malloc h {2*alignment} p s2
malloc i {alignment} p s3
malloc j {4*alignment} p s2
gate_open g
device_sync
)"},
    {.name = "reuse/unsafe_stale_event",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "stale_event",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
malloc a {granule} p s1
gate_hold s1 g
event_record e s1
free a s1
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_event_recorded_again",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "record_joins",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
event_record e s1
event_record e s3
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_wait_before_the_record",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "wait_follows_event",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
malloc a {granule} p s1
gate_hold s1 g
stream_wait_event s2 e
free a s1
event_record e s1
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_chain_closed_too_early",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "stale_event",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
event_record f s2
event_record e s1
stream_wait_event s2 e
stream_wait_event s3 f
malloc b {granule} p s3
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_order_in_the_other_direction",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "reuses_any_free",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
event_record e s2
stream_wait_event s1 e
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_freeing_stream_counts",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "allocating_stream_label",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
event_record e s1
stream_wait_event s2 e
gate_hold s2 g
free a s2
malloc b {granule} p s1
gate_open g
stream_sync s2
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_newest_free_counts",
     .aims = {"REUSE-UNSAFE"_clause, "REUSE-SAME"_clause},
     .twins = "first_label_stays allocating_stream_label",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
free a s1
malloc b {granule} p s1
event_record e s1
stream_wait_event s2 e
gate_hold s2 g
free b s2
malloc c {granule} p s1
gate_open g
stream_sync s2
expect overlap(b, c) forbidden
)"},
    {.name = "reuse/unsafe_sync_of_another_stream",
     .aims = {"REUSE-UNSAFE"_clause, "REUSE-OBSERVED"_clause},
     .twins = "sync_observes_everything",
     .setup = held_free,
     .text = R"(stream_sync s2
malloc b {granule} p s2
gate_open g
stream_sync s1
malloc c {granule} p s2
expect overlap(a, b) forbidden
expect overlap(a, c) allowed
)"},
    {.name = "reuse/unsafe_sync_before_the_free",
     .aims = {"REUSE-UNSAFE"_clause, "REUSE-OBSERVED"_clause},
     .twins = "sync_observes_later_frees",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
gate_hold s1 g
free a s1
malloc b {granule} p s2
gate_open g
device_sync
malloc c {granule} p s2
expect overlap(a, b) forbidden
expect overlap(a, c) allowed
)"},
    {.name = "reuse/unsafe_event_sync_of_an_older_record",
     .aims = {"REUSE-UNSAFE"_clause, "REUSE-OBSERVED"_clause},
     .twins = "sync_observes_later_frees",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
event_record e s1
gate_hold s1 g
free a s1
event_sync e
malloc b {granule} p s2
gate_open g
event_record e s1
event_sync e
malloc c {granule} p s2
expect overlap(a, b) forbidden
expect overlap(a, c) allowed
)"},
    {.name = "reuse/unsafe_not_ready_observes_nothing",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "not_ready_observes",
     .setup = held_free,
     .text = R"(event_record e s1
stream_query s1
event_query e
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_destroyed_stream",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "destroy_observes",
     .setup = held_free,
     .text = R"(stream_destroy s1
malloc b {granule} p s2
gate_open g
device_sync
expect overlap(a, b) forbidden
)",
     .applies = stream_destroy_returns},
    {.name = "reuse/unsafe_record_observes_nothing",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "record_observes",
     .setup = held_free,
     .text = R"(event_record e s1
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_remainder_of_a_split",
     .aims = {"REUSE-UNSAFE"_clause, "REUSE-SPLIT"_clause},
     .twins = "remainder_relabelled",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
pool_set p reuse_allow_opportunistic 1
malloc a {2*granule} p s1
gate_hold s1 g
free a s1
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
malloc c {granule} p s3
gate_open g
stream_sync s1
expect overlap(a, c) forbidden
)"},
    {.name = "reuse/unsafe_second_half_of_a_merge",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "checks_first_byte_only merge_keeps_first_label",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s2
gate_hold s2 g
free a s1
free b s2
malloc c {2*granule} p s1
malloc d {granule} p s1
gate_open g
stream_sync s2
expect overlap(b, c) forbidden
expect overlap(a, d) allowed
)"},
    {.name = "reuse/unsafe_middle_of_a_merge",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "checks_first_byte_only",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
malloc b {alignment} p s2
malloc c {granule} p s1
gate_hold s2 g
free a s1
free b s2
free c s1
malloc d {2*granule+alignment} p s1
malloc h {alignment} p s1
gate_open g
stream_sync s2
expect overlap(b, d) forbidden
)"},
    {.name = "reuse/unsafe_last_bytes_of_a_merge",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "checks_all_but_last_unit checks_first_byte_only",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
malloc b {alignment} p s2
gate_hold s2 g
free a s1
free b s2
malloc c {granule+1} p s1
malloc d {alignment} p s1
gate_open g
stream_sync s2
expect overlap(b, c) forbidden
)"},
    {.name = "reuse/merge_of_two_streams_in_order",
     .aims = {"REUSE-MERGE"_clause, "REUSE-EVENT"_clause, "ORDER-EARLY"_clause},
     .twins = "wait_blocks_nothing",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
malloc a {granule} p s1
malloc b {granule} p s2
gate_hold s2 g
stream_query s3
free a s1
free b s2
event_record e s2
stream_wait_event s1 e
malloc c {2*granule} p s1
stream_query s1
gate_open g
stream_sync s1
)"},
    {.name = "reuse/split_keeps_its_halves_apart",
     .aims = {"REUSE-SPLIT"_clause, "REUSE-SAME"_clause, "ALLOC-CONTENT"_clause},
     .twins = "content_lost_by_neighbour",
     .setup = strict_pool,
     .text = R"(malloc a {2*granule} p s1
fill s1 a 0x0F
free a s1
malloc b {granule} p s1
malloc c {granule} p s1
fill s1 b 0xB0
fill s1 c 0xC0
free b s1
malloc d {granule} p s1
check s1 c 0xC0
expect overlap(a, b) allowed
expect overlap(a, c) allowed
)"},
    {.name = "reuse/event_order",
     .aims = {"REUSE-EVENT"_clause, "ORDER-EARLY"_clause},
     .twins = "wait_blocks_nothing",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
stream_query s3
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
stream_query s2
gate_open g
stream_sync s2
expect overlap(a, b) allowed
)"},
    {.name = "reuse/event_order_through_a_third_stream",
     .aims = {"REUSE-EVENT"_clause, "ORDER-EARLY-EVENT"_clause},
     .twins = "wait_blocks_nothing",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
event_query f
event_record e s1
stream_wait_event s2 e
event_record f s2
event_destroy e
stream_wait_event s3 f
malloc b {granule} p s3
event_record f s3
event_query f
gate_open g
stream_sync s3
expect overlap(a, b) allowed
)"},
    {.name = "reuse/event_order_through_legacy",
     .aims = {"REUSE-EVENT"_clause, "ORDER-EARLY"_clause},
     .twins = "legacy_ignores_blocking",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
stream_create b blocking
malloc a {granule} p b
gate_hold b g
stream_query s1
free a b
malloc c {granule} p legacy
stream_query legacy
gate_open g
stream_sync legacy
expect overlap(a, c) allowed
)",
     .applies = has_default_streams},
    {.name = "reuse/unsafe_two_blocking_streams",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "blocking_streams_ordered",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
stream_create b blocking
stream_create c blocking
malloc a {granule} p b
gate_hold b g
free a b
malloc d {granule} p c
gate_open g
stream_sync b
expect overlap(a, d) forbidden
)",
     .applies = has_default_streams},
    {.name = "reuse/unsafe_per_thread_streams_of_two_threads",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "per_thread_is_one_stream",
     .setup = strict_pool,
     .text = R"([t1] malloc a {granule} p per_thread
[t1] gate_hold per_thread g
[t1] free a per_thread
[t2] malloc b {granule} p per_thread
gate_open g
device_sync
expect overlap(a, b) forbidden
)",
     .applies = has_default_streams},
};

}  // namespace

std::span<const Case> reuse_cases() { return cases; }

}  // namespace streampool::suites
