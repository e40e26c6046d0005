// Each call that may not wait, while a closed gate holds what it could wait for.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "asynchrony/malloc_on_a_held_stream",
     .aims = {"ASYNC-BLOCKED-MALLOC"_clause, "ASYNC-BLOCKED"_clause},
     .twins = "malloc_waits",
     .setup = keeping_pool,
     .text = R"(gate_hold s1 g
malloc a {granule} p s1
malloc b {granule} p s2
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/malloc_when_memory_is_short",
     .aims = {"ASYNC-BLOCKED-MALLOC"_clause},
     .twins = "malloc_waits_when_short",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
gate_hold s1 g
free a s1
malloc b {4*granule} p s2
gate_open g
stream_sync s1
)",
     .applies =
         [](const model::Profile& profile) {
           return profile.malloc_may_wait.binds() && !profile.malloc_may_wait.value;
         }},
    {.name = "asynchrony/free_on_a_held_stream",
     .aims = {"ASYNC-BLOCKED-FREE"_clause},
     .twins = "free_waits",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
fill s1 a 0x01
free a s1
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/free_of_a_large_block",
     .aims = {"ASYNC-BLOCKED-FREE"_clause},
     .twins = "free_waits",
     .setup = keeping_pool,
     .text = R"(malloc a 16MiB p s1
gate_hold s1 g
launch s1 a
free a s1
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/free_of_a_block_that_follows_a_held_free",
     .aims = {"ASYNC-BLOCKED-FREE"_clause},
     .twins = "free_of_reused_waits",
     .setup = held_free,
     .text = R"(malloc b {granule} p s1
free b s1
malloc c {granule} p s1
free c s1
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/free_of_a_block_reused_across_streams",
     .aims = {"ASYNC-BLOCKED-FREE"_clause},
     .twins = "free_of_reused_waits",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
free b s2
gate_open g
stream_sync s2
)"},
    {.name = "asynchrony/record_on_a_held_stream",
     .aims = {"ASYNC-BLOCKED-EVENT"_clause},
     .twins = "record_waits record_again_waits",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_record e s1
event_record e s2
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/wait_for_a_held_event",
     .aims = {"ASYNC-BLOCKED-EVENT"_clause},
     .twins = "wait_waits",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
stream_wait_event s2 e
event_record f s2
stream_wait_event s3 f
gate_open g
stream_sync s3
)"},
    {.name = "asynchrony/reading_attributes_while_a_free_is_held",
     .aims = {"ASYNC-BLOCKED-ATTRIBUTE"_clause},
     .twins = "get_waits",
     .setup = held_free,
     .text = R"(pool_get p reuse_follow_event_dependencies
pool_get p release_threshold
pool_get p reserved_mem_current
pool_get p reserved_mem_high
pool_get p used_mem_current
pool_get p used_mem_high
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/setting_attributes_while_a_free_is_held",
     .aims = {"ASYNC-BLOCKED-ATTRIBUTE"_clause},
     .twins = "set_waits",
     .setup = held_free,
     .text = R"(pool_set p reserved_mem_high 0
pool_set p used_mem_high 0
pool_set p release_threshold 0
pool_set p reuse_follow_event_dependencies 1
pool_set p reuse_allow_opportunistic 1
pool_set p reuse_allow_internal_dependencies 1
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/trim_while_a_free_is_held",
     .aims = {"ASYNC-BLOCKED-TRIM"_clause, "RELEASE-TRIM-OK"_clause},
     .twins = "trim_waits",
     .setup = held_free,
     .text = R"(pool_trim p {granule}
pool_trim p 0
gate_open g
stream_sync s1
)"},
    {.name = "asynchrony/destroy_while_a_free_is_held",
     .aims = {"ASYNC-BLOCKED-DESTROY"_clause},
     .twins = "destroy_waits destroy_waits_for_streams",
     .setup = held_free,
     .text = R"(pool_destroy p
gate_open g
stream_sync s1
)",
     .applies = says_what_destruction_does},
    {.name = "asynchrony/destroy_of_an_idle_pool_while_a_stream_is_held",
     .aims = {"ASYNC-BLOCKED-DESTROY"_clause, "LIFE-POOL-DESTROY"_clause},
     .twins = "destroy_waits_for_streams",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
free a s1
stream_sync s1
gate_hold s2 g
pool_destroy p
gate_open g
stream_sync s2
)"},
    {.name = "asynchrony/destroy_with_live_memory_while_its_stream_is_held",
     .aims = {"ASYNC-BLOCKED-DESTROY"_clause},
     .twins = "destroy_waits_for_streams",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
fill s1 a 0x55
pool_destroy p
free a s1
gate_open g
stream_sync s1
)",
     .applies = destroys_deferred},
    {.name = "asynchrony/everything_behind_two_gates",
     .aims = {"ASYNC-BLOCKED-MALLOC"_clause, "ASYNC-BLOCKED-FREE"_clause, "ASYNC-BLOCKED-EVENT"_clause},
     .twins = "malloc_waits free_waits record_waits wait_waits",
     .setup = keeping_pool,
     .text = R"(gate_create h
gate_hold s1 g
gate_hold s2 h
malloc a {granule} p s1
fill s1 a 0x01
event_record e s1
stream_wait_event s2 e
fill s2 a 0x02
free a s2
malloc b {granule} p s2
free b s2
gate_open h
gate_open g
stream_sync s2
)"},
};

}  // namespace

std::span<const Case> asynchrony_cases() { return cases; }

}  // namespace streampool::suites
