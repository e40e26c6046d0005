#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

using model::Parameters;

constexpr Case cases[] = {
    {.name = "lifecycle/handles_are_distinct",
     .aims = {"LIFE-HANDLE-DISTINCT"_clause, "LIFE-CREATE-STATUS"_clause},
     .twins = "handles_repeat create_fails create_with_small_max_fails",
     .setup = streams,
     .text = R"(stream_create b blocking
pool_create p max_size=0
pool_create q max_size={granule}
pool_create r max_size=1
event_create h
event_record e s1
event_record f s2
event_record h s3
event_query h
stream_query b
)"},
    {.name = "lifecycle/stream_with_pending_items_is_destroyed",
     .aims = {"LIFE-STREAM-DESTROY"_clause},
     .twins = "stream_destroy_fails",
     .setup = held_free,
     .text = R"(stream_destroy s1
stream_destroy s2
gate_open g
device_sync
)",
     .applies = stream_destroy_returns},
    {.name = "lifecycle/event_is_destroyed",
     .aims = {"LIFE-EVENT-DESTROY"_clause},
     .twins = "event_destroy_fails",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_destroy e
event_destroy f
gate_open g
stream_sync s1
)"},
    {.name = "lifecycle/waits_outlive_their_event",
     .aims = {"LIFE-EVENT-DESTROY"_clause, "ORDER-EARLY"_clause},
     .twins = "wait_after_destroy_dropped",
     .setup = streams,
     .text = R"(gate_hold s1 g
stream_query s3
event_record e s1
stream_wait_event s2 e
event_destroy e
stream_query s2
gate_open g
stream_sync s2
)"},
    {.name = "lifecycle/idle_pool_gives_back",
     .aims = {"LIFE-POOL-GIVES-BACK"_clause},
     .twins = "destroyed_pool_leaks",
     .setup = keeping_pool,
     .text = R"(memory_info
pool_create q max_size=0
pool_set q release_threshold max
malloc a {4*granule} q s1
free a s1
stream_sync s1
pool_destroy q
memory_info
)",
     .applies = promises_remapping},
    {.name = "lifecycle/destroyed_pool_gives_back_with_its_last_allocation",
     .aims = {"LIFE-POOL-GIVES-BACK"_clause},
     .twins = "orphan_memory_leaks",
     .setup = keeping_pool,
     .text = R"(memory_info
pool_create q max_size=0
malloc a {4*granule} q s1
malloc b {granule} q s1
pool_destroy q
free a s1
free b s1
stream_sync s1
memory_info
)",
     .applies = promises_remapping},
    {.name = "lifecycle/destroyed_pool_keeps_what_is_pending",
     .aims = {"RELEASE-LIVE-KEPT"_clause},
     .twins = "destroy_gives_back_pending",
     .setup = held_free,
     .text = R"(pool_get p reserved_mem_current
memory_info
pool_destroy p
memory_info
gate_open g
stream_sync s1
memory_info
)",
     .applies =
         [](const model::Profile& profile) { return destroys_deferred(profile) && promises_remapping(profile); }},
    {.name = "lifecycle/destroyed_pool_keeps_what_lives",
     .aims = {"RELEASE-LIVE-KEPT"_clause},
     .twins = "destroy_gives_back_pending",
     .setup = keeping_pool,
     .text = R"(malloc a {2*granule} p s1
pool_get p reserved_mem_current
memory_info
pool_destroy p
memory_info
free a s1
stream_sync s1
)",
     .applies =
         [](const model::Profile& profile) { return destroys_deferred(profile) && promises_remapping(profile); }},
    {.name = "lifecycle/destroyed_pool_makes_room",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "destroyed_pool_leaks",
     .setup = keeping_pool,
     .text = R"(limit d0 {8*granule}
pool_create q max_size=0
pool_set q release_threshold max
malloc a {6*granule} q s1
free a s1
stream_sync s1
pool_destroy q
malloc b {6*granule} p s1
free b s1
stream_sync s1
malloc c {7*granule} p s1
)",
     .applies = promises_remapping},
    {.name = "lifecycle/idle_pool_is_destroyed",
     .aims = {"LIFE-POOL-DESTROY"_clause},
     .twins = "pool_destroy_fails",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
pool_destroy q
malloc a {granule} p s1
free a s1
stream_sync s1
pool_destroy p
)"},
    {.name = "lifecycle/pool_destroyed_with_live_memory",
     .aims = {"LIFE-POOL-DESTROY-LIVE"_clause, "LIFE-POOL-DEFERRED"_clause, "ALLOC-CONTENT"_clause},
     .twins = "destroy_with_live_refused destroy_clears_live destroy_immediate",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x3C
pool_destroy p
check s1 a 0x3C
free a s1
stream_sync s1
)",
     .applies = destroys_deferred},
    {.name = "lifecycle/pool_destroyed_with_pending_free",
     .aims = {"LIFE-POOL-DESTROY-LIVE"_clause},
     .twins = "destroy_with_live_refused",
     .setup = held_free,
     .text = R"(pool_destroy p
gate_open g
stream_sync s1
)",
     .applies = destroys_deferred},
    {.name = "lifecycle/memory_of_a_destroyed_pool_is_nobody_elses",
     .aims = {"LIFE-POOL-DEFERRED"_clause, "ALLOC-CONTENT"_clause, "ALLOC-OVERLAP"_clause},
     .twins = "destroy_clears_live destroy_immediate",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x3D
pool_destroy p
pool_create q max_size=0
malloc b {granule} q s1
fill s1 b 0x4D
stream_sync s1
check s2 a 0x3D
free a s1
)",
     .applies = destroys_deferred},
    {.name = "lifecycle/dead_pool_is_refused",
     .aims = {"LIFE-POOL-DEAD"_clause},
     .twins = "dead_pool_accepted dead_pool_status",
     .setup = keeping_pool,
     .text = R"(pool_destroy p
malloc a {granule} p s1
pool_trim p 0
pool_get p release_threshold
pool_set p release_threshold 0
)",
     .misuse = &Parameters::dead_handle},
    {.name = "lifecycle/dead_pool_is_refused_while_memory_lives",
     .aims = {"LIFE-POOL-DEAD"_clause},
     .twins = "dead_pool_accepted dead_pool_status",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_destroy p
malloc b {granule} p s1
pool_trim p 0
pool_get p used_mem_current
free a s1
stream_sync s1
pool_get p used_mem_current
)",
     .misuse = &Parameters::dead_handle,
     .applies = destroys_deferred},
    {.name = "lifecycle/dead_pool_does_not_become_current",
     .aims = {"LIFE-POOL-DEAD"_clause, "LIFE-CURRENT-INITIAL"_clause},
     .twins = "dead_pool_accepted",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_destroy p
pool_set_current p
pool_get_current
)",
     .misuse = &Parameters::dead_handle,
     .applies = has_default_pool},
    {.name = "lifecycle/pool_is_destroyed_once",
     .aims = {"LIFE-POOL-SECOND-DESTROY"_clause},
     .twins = "second_destroy_accepted dead_pool_status",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x19
pool_destroy p
pool_destroy p
check s1 a 0x19
free a s1
stream_sync s1
pool_destroy p
)",
     .misuse = &Parameters::dead_handle,
     .applies = destroys_deferred},
    {.name = "lifecycle/dead_stream_is_refused",
     .aims = {"LIFE-STREAM-DEAD"_clause},
     .twins = "dead_stream_accepted dead_stream_ok",
     .setup = keeping_pool,
     .text = R"(stream_destroy s1
malloc a {granule} p s1
event_record e s1
stream_query s1
stream_sync s1
stream_wait_event s1 f
stream_destroy s1
pool_get p used_mem_current
)",
     .misuse = &Parameters::dead_handle},
    {.name = "lifecycle/malloc_on_a_dead_stream_counts_nothing",
     .aims = {"LIFE-STREAM-DEAD"_clause, "STAT-USED"_clause, "STAT-FRAME"_clause},
     .twins = "dead_stream_malloc_leaks",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s2
pool_get p used_mem_current
stream_destroy s1
malloc b {granule} p s1
pool_get p used_mem_current
)",
     .misuse = &Parameters::dead_handle},
    {.name = "lifecycle/free_on_a_dead_stream",
     .aims = {"LIFE-FREE-DEAD-STREAM"_clause, "LIFE-FREE-LIVE-STREAM"_clause, "STAT-USED"_clause,
              "STAT-FAILED-CALL"_clause},
     .twins = "dead_stream_free_accepted dead_stream_free_frees",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x66
stream_sync s1
stream_destroy s1
pool_get p used_mem_current
free a s1
pool_get p used_mem_current
check s2 a 0x66
free a s2
pool_get p used_mem_current
)",
     .misuse = &Parameters::dead_handle},
    {.name = "lifecycle/free_on_a_live_stream_after_a_refused_one",
     .aims = {"LIFE-FREE-LIVE-STREAM"_clause, "LIFE-FREE-DEAD-STREAM"_clause},
     .twins = "dead_stream_free_frees",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
stream_destroy s1
free a s1
free a s2
stream_sync s2
)",
     .misuse = &Parameters::dead_handle},
    {.name = "lifecycle/dead_event_is_refused",
     .aims = {"LIFE-EVENT-DEAD"_clause},
     .twins = "dead_event_accepted",
     .setup = streams,
     .text = R"(event_record e s1
event_destroy e
event_record e s1
stream_wait_event s2 e
event_query e
event_sync e
event_destroy e
)",
     .misuse = &Parameters::dead_handle},
    {.name = "lifecycle/recycled_stream_is_not_the_same_stream",
     .aims = {"REUSE-UNSAFE"_clause, "LIFE-RECYCLED-STREAM"_clause},
     .twins = "stream_by_handle",
     .setup = held_free,
     .text = R"(stream_destroy s1
stream_create c nonblocking
malloc d {granule} p c
gate_open g
device_sync
expect overlap(a, d) forbidden
)",
     .applies = stream_destroy_returns},
    {.name = "lifecycle/recycled_stream_is_no_stream_of_a_completed_free",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause, "LIFE-RECYCLED-STREAM"_clause},
     .twins = "stream_by_handle",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
free a s1
stream_destroy s1
stream_create c nonblocking
malloc d {granule} p c
expect overlap(a, d) forbidden
)",
     .applies = stream_destroy_returns},
    {.name = "lifecycle/recycled_stream_waits_for_nothing",
     .aims = {"LIFE-RECYCLED-STREAM"_clause, "ORDER-SYNC-STATUS"_clause},
     .twins = "recycled_stream_inherits_items",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
stream_destroy s1
stream_create c nonblocking
event_record f c
stream_sync c
event_query f
gate_open g
event_sync e
)",
     .applies = stream_destroy_returns},
    {.name = "lifecycle/recycled_event_is_empty",
     .aims = {"LIFE-RECYCLED-EVENT"_clause, "ORDER-EVENT-EMPTY"_clause},
     .twins = "recycled_event_inherits",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_destroy e
event_create h
event_query h
gate_open g
stream_sync s1
)"},
    {.name = "lifecycle/recycled_event_orders_nothing",
     .aims = {"REUSE-UNSAFE"_clause, "LIFE-RECYCLED-EVENT"_clause},
     .twins = "recycled_event_inherits",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
event_record e s1
event_destroy e
event_create h
stream_wait_event s2 h
malloc b {granule} p s2
gate_open g
device_sync
expect overlap(a, b) forbidden
)"},
    {.name = "lifecycle/recycled_pool_has_defaults",
     .aims = {"LIFE-RECYCLED-POOL"_clause, "ATTR-DEFAULT-RELEASE_THRESHOLD"_clause,
              "ATTR-DEFAULT-REUSE_ALLOW_OPPORTUNISTIC"_clause},
     .twins = "recycled_pool_inherits_settings",
     .setup = strict_pool,
     .text = R"(pool_destroy p
pool_create q max_size=0
pool_get q release_threshold
pool_get q reuse_allow_opportunistic
)"},
    {.name = "lifecycle/recycled_pool_has_counted_nothing",
     .aims = {"LIFE-RECYCLED-POOL"_clause, "STAT-USED-HIGH"_clause, "STAT-FRAME"_clause, "STAT-RESERVED-HIGH"_clause,
              "ATTR-DEFAULT-USED_MEM_HIGH"_clause},
     .twins = "recycled_pool_inherits_statistics",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
free a s1
stream_sync s1
pool_destroy p
pool_create q max_size=0
pool_get q used_mem_high
pool_get q reserved_mem_high
pool_get q used_mem_current
pool_get q reserved_mem_current
)"},
    {.name = "lifecycle/recycled_pool_is_not_current",
     .aims = {"LIFE-CURRENT-DESTROYED"_clause, "LIFE-RECYCLED-POOL"_clause},
     .twins = "recycled_pool_is_current",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_set_current p
pool_destroy p
pool_create q max_size=0
pool_get_current
)",
     .applies = has_default_pool},
    {.name = "lifecycle/default_pool",
     .aims = {"LIFE-DEFAULT-POOL"_clause},
     .twins = "default_pool_changes",
     .setup = streams,
     .text = R"(pool_default d
malloc a {granule} d s1
free a s1
pool_default c
)",
     .applies = has_default_pool},
    {.name = "lifecycle/default_pool_stays_beside_the_current_one",
     .aims = {"LIFE-DEFAULT-POOL"_clause},
     .twins = "default_pool_changes",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_set_current p
malloc a {granule} current s1
pool_default c
)",
     .applies = has_default_pool},
    {.name = "lifecycle/default_pool_is_current_at_first",
     .aims = {"LIFE-CURRENT-INITIAL"_clause},
     .twins = "current_initial_wrong",
     .setup = streams,
     .text = R"(pool_default d
pool_create p max_size=0
pool_get_current
)",
     .applies = has_default_pool},
    {.name = "lifecycle/default_pool_counts_in_differences",
     .aims = {"LIFE-DEFAULT-POOL-UNKNOWN"_clause, "STAT-USED"_clause, "STAT-FRAME"_clause},
     .twins = "used_never_drops counts_into_all_pools",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_get d used_mem_current
malloc a {granule} d s1
pool_get d used_mem_current
free a s1
stream_sync s1
pool_get d used_mem_current
malloc b {granule} p s1
pool_get d used_mem_current
)",
     .applies = has_default_pool},
    {.name = "lifecycle/default_pool_is_not_destroyed",
     .aims = {"LIFE-DEFAULT-POOL-DESTROY"_clause, "ALLOC-STATUS"_clause},
     .twins = "default_pool_destroyed default_pool_destroy_empties",
     .setup = streams,
     .text = R"(pool_default d
pool_destroy d
malloc a {granule} d s1
free a s1
)",
     .misuse = &Parameters::default_pool_destroy,
     .applies = has_default_pool},
    {.name = "lifecycle/current_pool_is_the_one_that_was_set",
     .aims = {"LIFE-CURRENT-SET"_clause},
     .twins = "current_not_set",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
pool_default d
pool_set_current p
pool_get_current
pool_set_current q
pool_get_current
pool_set_current d
pool_get_current
)",
     .applies = has_default_pool},
    {.name = "lifecycle/current_pool_serves_malloc",
     .aims = {"LIFE-CURRENT-MALLOC"_clause},
     .twins = "current_malloc_from_default current_at_stream_creation",
     .setup = keeping_pool,
     .text = R"(pool_get p used_mem_current
pool_set_current p
malloc a {granule} current s1
pool_get p used_mem_current
free a s1
)",
     .applies = has_default_pool},
    {.name = "lifecycle/current_pool_serves_malloc_at_the_call",
     .aims = {"LIFE-CURRENT-MALLOC"_clause, "STAT-FRAME"_clause},
     .twins = "current_malloc_from_default",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
pool_set_current p
malloc a {granule} current s1
pool_set_current q
pool_get p used_mem_current
malloc b {2*granule} current s1
pool_get q used_mem_current
pool_get p used_mem_current
free a s1
free b s1
)",
     .applies = has_default_pool},
    {.name = "lifecycle/destroyed_current_pool_gives_way_to_the_default",
     .aims = {"LIFE-CURRENT-DESTROYED"_clause, "LIFE-CURRENT-SET"_clause},
     .twins = "current_dangles",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_set_current p
pool_get_current
pool_destroy p
pool_get_current
malloc a {granule} current s1
free a s1
)",
     .applies = has_default_pool},
};

}  // namespace

std::span<const Case> lifecycle_cases() { return cases; }

}  // namespace streampool::suites
