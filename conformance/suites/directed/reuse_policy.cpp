// The three switches, one at a time, in states where no other rule explains a reuse.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "policy/internal_dependency_on_a_free_held_by_the_legacy_stream",
     .aims = {"REUSE-DEPENDENCY-MISSING"_clause},
     .twins = "dependency_not_inserted",
     .setup = streams,
     .text = R"(stream_create b blocking
pool_create p max_size={granule}
pool_set p release_threshold max
pool_set p reuse_follow_event_dependencies 0
pool_set p reuse_allow_opportunistic 0
malloc a {granule} p b
stream_sync b
gate_hold legacy g
free a b
malloc c {granule} p s2
)" STREAMPOOL_SETTLE R"(stream_query s2
gate_open g
device_sync
)",
     .applies = has_default_streams},
    {.name = "policy/opportunistic_off_for_small_blocks",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "opportunistic_switch_ignored",
     .setup = strict_pool,
     .text = R"(malloc a 256 p s1
free a s1
)" STREAMPOOL_SETTLE R"(malloc b 256 p s2
)"},
    {.name = "policy/opportunistic_free_held_by_the_legacy_stream",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "opportunistic_without_completion",
     .setup = strict_pool,
     .text = R"(stream_create b blocking
malloc a {granule} p b
stream_sync b
gate_hold legacy g
pool_set p reuse_allow_opportunistic 1
free a b
)" STREAMPOOL_SETTLE R"(malloc c {granule} p s2
gate_open g
device_sync
)",
     .applies = has_default_streams},
    {.name = "policy/event_off",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "event_switch_ignored",
     .setup = held_free,
     .text = R"(event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/event_off_through_a_third_stream",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "event_switch_ignored",
     .setup = held_free,
     .text = R"(event_record e s1
stream_wait_event s2 e
event_record f s2
stream_wait_event s3 f
malloc b {granule} p s3
gate_open g
stream_sync s3
expect overlap(a, b) forbidden
)"},
    {.name = "policy/event_off_through_legacy",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "event_switch_ignored",
     .setup = strict_pool,
     .text = R"(stream_create b blocking
malloc a {granule} p b
gate_hold b g
free a b
malloc c {granule} p legacy
gate_open g
device_sync
expect overlap(a, c) forbidden
)",
     .applies = has_default_streams},
    {.name = "policy/event_off_and_others_on",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "event_switch_ignored",
     .setup = held_free,
     .text = R"(pool_set p reuse_allow_opportunistic 1
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/event_switched_off_after_the_free",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "switches_at_free switches_frozen",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
malloc a {granule} p s1
gate_hold s1 g
free a s1
event_record e s1
stream_wait_event s2 e
pool_set p reuse_follow_event_dependencies 0
malloc b {granule} p s2
gate_open g
stream_sync s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/event_of_another_pool",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "switches_of_first_pool",
     .setup = "stream_create s1 nonblocking\nstream_create s2 nonblocking\nevent_create e\ngate_create g\n"
              "pool_create o max_size=0\npool_create p max_size=0\npool_set p release_threshold max\n"
              "pool_set p reuse_follow_event_dependencies 0\npool_set p reuse_allow_opportunistic 0\n"
              "pool_set p reuse_allow_internal_dependencies 0\n",
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
free a s1
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/event_of_a_newer_pool",
     .aims = {"REUSE-POLICY-EVENT"_clause},
     .twins = "switches_of_last_pool",
     .setup = strict_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} p s1
gate_hold s1 g
free a s1
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/event_off_after_split_by_dependency",
     .aims = {"REUSE-POLICY-EVENT"_clause, "REUSE-INTERNAL"_clause},
     .twins = "remainder_relabelled",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_allow_internal_dependencies 1
malloc a {2*granule} p s1
gate_hold s1 g
free a s1
malloc b {granule} p s2
pool_set p reuse_allow_internal_dependencies 0
event_record e s1
stream_wait_event s2 e
malloc c {granule} p s2
gate_open g
device_sync
expect overlap(a, c) forbidden
)"},
    {.name = "policy/opportunistic",
     .aims = {"REUSE-OPPORTUNISTIC"_clause, "REUSE-UNSAFE-PENDING"_clause},
     .twins = "pending_after_opportunistic",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_allow_opportunistic 1
malloc a {granule} p s1
free a s1
stream_query s3
malloc b {granule} p s2
stream_query s1
stream_sync s1
expect overlap(a, b) allowed
)"},
    {.name = "policy/opportunistic_needs_completion",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "opportunistic_without_completion",
     .setup = held_free,
     .text = R"(pool_set p reuse_allow_opportunistic 1
malloc b {granule} p s2
malloc c {granule} p s3
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
expect overlap(a, c) forbidden
)"},
    {.name = "policy/opportunistic_needs_what_the_free_waits_for",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "opportunistic_without_completion",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_allow_opportunistic 1
malloc a {granule} p s1
gate_hold s3 g
event_record e s3
stream_wait_event s1 e
free a s1
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "policy/opportunistic_and_event_on_need_completion",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "opportunistic_without_completion internal_switch_ignored",
     .setup = held_free,
     .text = R"(pool_set p reuse_allow_opportunistic 1
pool_set p reuse_follow_event_dependencies 1
event_record e s1
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "policy/opportunistic_off",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "opportunistic_switch_ignored",
     .setup = held_free,
     .text = R"(gate_open g
malloc b {granule} p s2
malloc c {granule} p s3
expect overlap(a, b) forbidden
expect overlap(a, c) forbidden
)"},
    {.name = "policy/opportunistic_off_and_event_on",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "opportunistic_switch_ignored stale_event",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
malloc a {granule} p s1
event_record e s1
free a s1
stream_wait_event s2 e
malloc b {granule} p s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/opportunistic_off_a_record_observes_nothing",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "record_observes",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
free a s1
event_record e s1
malloc b {granule} p s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/opportunistic_off_a_sync_elsewhere_observes_nothing",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "sync_observes_everything",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
free a s1
stream_sync s2
malloc b {granule} p s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/opportunistic_off_a_destroyed_stream_observes_nothing",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "destroy_observes",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
free a s1
stream_destroy s1
malloc b {granule} p s2
expect overlap(a, b) forbidden
)",
     .applies = stream_destroy_returns},
    {.name = "policy/opportunistic_switched_off_after_the_free",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "switches_at_free switches_frozen",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_allow_opportunistic 1
malloc a {granule} p s1
free a s1
pool_set p reuse_allow_opportunistic 0
malloc b {granule} p s2
expect overlap(a, b) forbidden
)"},
    {.name = "policy/internal_dependency_is_there",
     .aims = {"REUSE-INTERNAL"_clause, "REUSE-DEPENDENCY-MISSING"_clause},
     .twins = "dependency_not_inserted",
     .setup = full_and_held,
     .text = R"(pool_set p reuse_allow_internal_dependencies 1
malloc b {granule} p s2
stream_query s2
gate_open g
stream_sync s2
stream_query s1
expect overlap(a, b) allowed
)"},
    {.name = "policy/internal_dependency_seen_through_an_event",
     .aims = {"REUSE-INTERNAL"_clause, "REUSE-DEPENDENCY-MISSING"_clause},
     .twins = "dependency_not_inserted",
     .setup = full_and_held,
     .text = R"(pool_set p reuse_allow_internal_dependencies 1
malloc b {granule} p s2
fill s2 b 0x2B
event_record e s2
stream_wait_event s3 e
event_record f s3
event_query f
gate_open g
event_sync f
event_query e
expect overlap(a, b) allowed
)"},
    {.name = "policy/internal_dependency_for_each_block_of_a_merge",
     .aims = {"REUSE-INTERNAL"_clause, "REUSE-DEPENDENCY-MISSING"_clause},
     .twins = "dependency_on_first_only",
     .setup = two_granules,
     .text = R"(pool_set p reuse_allow_internal_dependencies 1
gate_create h
malloc a {granule} p s1
malloc b {granule} p s2
gate_hold s1 g
gate_hold s2 h
free a s1
free b s2
malloc c {2*granule} p s3
gate_open g
stream_sync s1
stream_query s3
gate_open h
stream_sync s3
)"},
    {.name = "policy/internal_dependency_off_again",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "switches_at_free switches_frozen",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_allow_internal_dependencies 1
malloc a {granule} p s1
gate_hold s1 g
free a s1
pool_set p reuse_allow_internal_dependencies 0
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
};

}  // namespace

std::span<const Case> reuse_policy_cases() { return cases; }

}  // namespace streampool::suites
