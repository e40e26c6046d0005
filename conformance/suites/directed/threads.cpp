// Calls of several host threads. Overlapping ones are judged over every order that respects real time.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

using model::Parameters;

constexpr Case cases[] = {
    {.name = "threads/a_waiting_sync_lets_others_through",
     .aims = {"ASYNC-BLOCKED-MALLOC"_clause, "THREAD-DEADLOCK"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "sync_holds_the_lock",
     .setup = keeping_pool,
     .text = R"(gate_hold s1 g
[t1] call c stream_sync s1
malloc a {granule} p s2
fill s2 a 0x10
free a s2
gate_open g
[t1] return c -> ok
)"},
    {.name = "threads/a_waiting_event_sync_lets_mallocs_through",
     .aims = {"ASYNC-BLOCKED-MALLOC"_clause, "THREAD-DEADLOCK"_clause},
     .twins = "sync_holds_the_lock",
     .setup = keeping_pool,
     .text = R"(gate_hold s1 g
event_record e s1
[t1] call c event_sync e
malloc a {4*granule} p s2
free a s2
gate_open g
[t1] return c -> ok
)"},
    {.name = "threads/a_waiting_event_sync_lets_others_through",
     .aims = {"ASYNC-BLOCKED-EVENT"_clause, "THREAD-DEADLOCK"_clause},
     .twins = "sync_holds_the_lock",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
[t1] call c event_sync e
event_record f s2
stream_wait_event s3 f
gate_open g
[t1] return c -> ok
)"},
    {.name = "threads/a_waiting_device_sync_lets_others_through",
     .aims = {"ASYNC-BLOCKED-ATTRIBUTE"_clause, "ASYNC-BLOCKED-TRIM"_clause, "THREAD-DEADLOCK"_clause},
     .twins = "sync_holds_the_lock",
     .setup = held_free,
     .text = R"([t1] call c device_sync
pool_set p reuse_allow_opportunistic 1
pool_get p release_threshold
pool_trim p max
gate_open g
[t1] return c -> ok
)"},
    {.name = "threads/two_syncs_of_two_gates",
     .aims = {"ORDER-EARLY"_clause, "ORDER-EARLY-EVENT"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "sync_returns_early event_sync_returns_early",
     .setup = streams,
     .text = R"(gate_create h
gate_hold s1 g
gate_hold s2 h
event_record e s2
[t1] call c stream_sync s1
[t2] call d event_sync e
gate_open g
[t1] return c -> ok
stream_query s1
stream_query s2
event_query e
gate_open h
[t2] return d -> ok
event_query e
)"},
    {.name = "threads/mallocs_that_overlap_are_apart",
     .aims = {"ALLOC-OVERLAP"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "race_hands_out_twice",
     .setup = keeping_pool,
     .text = R"([t1] call c malloc a {granule} p s1
[t2] call d malloc b {granule} p s2
[t1] return c -> ok
[t2] return d -> ok
[t1] call c malloc h {alignment} p s1
[t2] call d malloc i {alignment} p s2
[t2] return d -> ok
[t1] return c -> ok
)"},
    {.name = "threads/frees_and_mallocs_that_overlap",
     .aims = {"ALLOC-CONTENT"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "content_lost_by_neighbour",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s2
fill s2 b 0xB0
[t1] call c free a s1
[t2] call d malloc h {granule} p s2
[t1] return c -> ok
[t2] return d -> ok
malloc i {granule} p s1
check s2 b 0xB0
)"},
    {.name = "threads/any_thread_may_free",
     .aims = {"ALLOC-FREE-STATUS"_clause},
     .twins = "blocks_belong_to_threads",
     .setup = keeping_pool,
     .text = R"([t1] malloc a {granule} p s1
free a s1
malloc b {granule} p s1
[t1] fill s1 b 0x20
[t2] free b s1
)"},
    {.name = "threads/a_proof_counts_for_every_thread",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "proofs_stay_in_their_thread",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc x 1 p s1
free a s1
[t1] stream_sync s1
malloc b {4*granule} p s2
)",
     .applies = promises_remapping},
    {.name = "threads/settings_count_for_every_thread",
     .aims = {"ATTR-READBACK-RELEASE_THRESHOLD"_clause, "ATTR-READBACK-REUSE_ALLOW_OPPORTUNISTIC"_clause},
     .twins = "settings_stay_in_their_thread",
     .setup = keeping_pool,
     .text = R"([t1] pool_set p release_threshold {granule}
[t1] pool_set p reuse_allow_opportunistic 0
pool_get p release_threshold
pool_get p reuse_allow_opportunistic
)"},
    {.name = "threads/the_current_pool_is_that_of_every_thread",
     .aims = {"LIFE-CURRENT-SET"_clause, "LIFE-CURRENT-MALLOC"_clause},
     .twins = "current_not_set",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_get p used_mem_current
[t1] pool_set_current p
pool_get_current
[t2] malloc a {granule} current s1
pool_get p used_mem_current
free a s1
)",
     .applies = has_default_pool},
    {.name = "threads/settings_that_overlap_do_not_mix",
     .aims = {"ATTR-READBACK-RELEASE_THRESHOLD"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "settings_mix",
     .setup = keeping_pool,
     .text = R"([t1] call c pool_set p release_threshold {granule}
[t2] call d pool_set p release_threshold {2*granule}
[t1] return c -> ok
[t2] return d -> ok
pool_get p release_threshold
)"},
    {.name = "threads/counts_of_mallocs_that_overlap",
     .aims = {"STAT-USED"_clause, "STAT-USED-HIGH"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "count_lost_between_threads",
     .setup = keeping_pool,
     .text = R"([t1] call c malloc a {granule} p s1
[t2] call d malloc b {2*granule} p s2
[t1] return c -> ok
[t2] return d -> ok
pool_get p used_mem_current
pool_get p used_mem_high
)"},
    {.name = "threads/counts_of_frees_that_overlap",
     .aims = {"STAT-USED"_clause, "STAT-USED-DROP"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "free_lost_between_threads",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {2*granule} p s2
device_sync
[t1] call c free a s1
[t2] call d free b s2
[t1] return c -> ok
[t2] return d -> ok
pool_get p used_mem_current
)"},
    {.name = "threads/a_sync_covers_what_came_before_it",
     .aims = {"THREAD-PROOF-OVERLAP"_clause, "ORDER-EARLY"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "sync_returns_early",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
[t1] call c stream_sync s1
free a s1
malloc b {granule} p s2
gate_open g
[t1] return c -> ok
stream_sync s1
)"},
    {.name = "threads/a_sync_proves_nothing_of_what_came_while_it_waited",
     .aims = {"THREAD-PROOF-OVERLAP"_clause, "REUSE-UNSAFE"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "sync_observes_later_frees",
     .setup = strict_pool,
     .text = R"(gate_create h
malloc a {granule} p s1
gate_hold s1 g
[t1] call c stream_sync s1
gate_hold s1 h
free a s1
gate_open g
[t1] return c -> ok
malloc b {granule} p s2
gate_open h
stream_sync s1
)"},
    {.name = "threads/an_event_sync_proves_what_the_event_held_at_first",
     .aims = {"THREAD-PROOF-OVERLAP"_clause, "REUSE-UNSAFE"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "sync_observes_later_frees",
     .setup = strict_pool,
     .text = R"(gate_create h
malloc a {granule} p s1
gate_hold s1 g
event_record e s1
[t1] call c event_sync e
gate_hold s1 h
free a s1
event_record e s1
gate_open g
[t1] return c -> ok
malloc b {granule} p s2
gate_open h
stream_sync s1
)"},
    {.name = "threads/a_free_beside_the_destruction_of_its_pool",
     .aims = {"LIFE-POOL-DEFERRED"_clause, "ALLOC-FREE-STATUS"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "free_refused",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} q s1
malloc b {granule} q s1
device_sync
[t1] call c pool_destroy q
[t2] call d free a s1
[t1] return c -> ok
[t2] return d -> ok
free b s1
device_sync
)",
     .applies = destroys_deferred},
    {.name = "threads/two_destructions_of_one_pool",
     .aims = {"LIFE-POOL-SECOND-DESTROY"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "second_destroy_accepted",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
[t1] call c pool_destroy q
[t2] call d pool_destroy q
[t1] return c -> ok
[t2] return d -> ok
)",
     .misuse = &Parameters::dead_handle},
    {.name = "threads/the_last_free_beside_the_destruction_of_its_pool",
     .aims = {"LIFE-POOL-GIVES-BACK"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "orphan_memory_leaks",
     .setup = streams,
     .text = R"(memory_info
pool_create q max_size=0
malloc a {granule} q s1
device_sync
[t1] call c pool_destroy q
[t2] call d free a s1
[t1] return c -> ok
[t2] return d -> ok
device_sync
memory_info
)",
     .applies =
         [](const model::Profile& profile) { return destroys_deferred(profile) && promises_remapping(profile); }},
    {.name = "threads/a_malloc_beside_the_destruction_of_its_pool",
     .aims = {"LIFE-POOL-DEAD"_clause, "THREAD-LINEARIZABLE"_clause, "ALLOC-FREE-STATUS"_clause},
     .twins = "dead_pool_status",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
[t1] call c pool_destroy q
[t2] call d malloc a {granule} q s1
[t1] return c -> ok
[t2] return d -> ok
free a s1
pool_get q release_threshold
device_sync
)",
     .misuse = &Parameters::dead_handle,
     .applies = destroys_deferred},
    {.name = "threads/a_malloc_beside_a_trim",
     .aims = {"ALLOC-CONTENT"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "trim_loses_content",
     .setup = keeping_pool,
     .text = R"(malloc x {granule} p s1
fill s1 x 0x0F
free x s1
device_sync
malloc h {granule} p s2
fill s2 h 0x2F
[t1] call c pool_trim p 0
[t2] call d malloc a {granule} p s1
[t1] return c -> ok
[t2] return d -> ok
fill s1 a 0x1F
check s1 a 0x1F
check s2 h 0x2F
)"},
    {.name = "threads/two_frees_of_one_block",
     .aims = {"ALLOC-DOUBLE-FREE"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "double_free_accepted",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
[t1] call c free a s1
[t2] call d free a s1
[t1] return c -> ok
[t2] return d -> ok
gate_open g
stream_sync s1
)",
     .misuse = &Parameters::double_free},
    {.name = "threads/readings_beside_the_destruction_of_their_pool",
     .aims = {"LIFE-POOL-DEAD"_clause, "STAT-USED"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "dead_pool_accepted",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} q s1
device_sync
[t1] call c pool_destroy q
[t2] call d pool_get q used_mem_current
[t2] return d -> ok
[t1] return c -> ok
pool_get q used_mem_current
free a s1
device_sync
)",
     .misuse = &Parameters::dead_handle,
     .applies = destroys_deferred},
    {.name = "threads/a_wait_beside_a_record_of_its_event",
     .aims = {"ORDER-EARLY"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "wait_ignored",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
[t1] call c event_record e s1
[t2] call d stream_wait_event s2 e
[t1] return c -> ok
[t2] return d -> ok
stream_query s3
stream_query s2
gate_open g
stream_sync s2
)"},
    {.name = "threads/objects_made_at_once_are_distinct",
     .aims = {"LIFE-HANDLE-DISTINCT"_clause, "THREAD-LINEARIZABLE"_clause},
     .twins = "handles_repeat",
     .setup = streams,
     .text = R"([t1] call c event_create h
[t2] call d event_create i
[t1] return c -> ok
[t2] return d -> ok
[t1] call c stream_create t nonblocking
[t2] call d stream_create u nonblocking
[t1] return c -> ok
[t2] return d -> ok
)"},
};

}  // namespace

std::span<const Case> thread_cases() { return cases; }

}  // namespace streampool::suites
