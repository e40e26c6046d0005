// What the matrix (attribute_matrix.cpp) does not say of attributes: boundary values, ids that do not exist, new pools.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

using model::Parameters;

constexpr std::string_view new_pool = "stream_create s1 nonblocking\npool_create p max_size=0\n";
constexpr std::string_view small_pool = "stream_create s1 nonblocking\npool_create p max_size={4*granule}\n";

constexpr Case cases[] = {
    {.name = "attributes/threshold_boundaries",
     .aims = {"ATTR-READBACK-RELEASE_THRESHOLD"_clause, "ATTR-STATUS"_clause},
     .twins = "threshold_32_bits threshold_signed",
     .setup = new_pool,
     .text = R"(pool_set p release_threshold 1
pool_get p release_threshold
pool_set p release_threshold 0xFFFFFFFF
pool_get p release_threshold
pool_set p release_threshold 0x100000000
pool_get p release_threshold
pool_set p release_threshold 0x8000000000000000
pool_get p release_threshold
pool_set p release_threshold max
pool_get p release_threshold
pool_set p release_threshold 0
pool_get p release_threshold
)",
     .applies =
         [](const model::Profile& profile) { return profile.threshold_range.value == model::ThresholdRange::any; }},
    {.name = "attributes/threshold_at_the_size_of_the_pool",
     .aims = {"ATTR-READBACK-RELEASE_THRESHOLD"_clause, "ATTR-STATUS"_clause},
     .twins = "threshold_below_size_only",
     .setup = small_pool,
     .text = R"(pool_set p release_threshold {4*granule-1}
pool_get p release_threshold
pool_set p release_threshold {4*granule}
pool_get p release_threshold
)"},
    {.name = "attributes/threshold_above_the_size_of_the_pool",
     .aims = {"ATTR-READBACK-RELEASE_THRESHOLD"_clause, "ATTR-STATUS"_clause},
     .twins = "threshold_capped threshold_below_size_only",
     .setup = small_pool,
     .text = R"(pool_set p release_threshold {4*granule+1}
pool_get p release_threshold
pool_set p release_threshold {64*granule}
pool_get p release_threshold
)",
     .applies =
         [](const model::Profile& profile) { return profile.threshold_range.value == model::ThresholdRange::any; }},
    {.name = "attributes/threshold_above_the_size_is_refused",
     .aims = {"ATTR-THRESHOLD-RANGE"_clause},
     .twins = "threshold_capped",
     .setup = small_pool,
     .text = R"(pool_set p release_threshold {4*granule}
pool_set p release_threshold {4*granule+1}
pool_get p release_threshold
)",
     .applies =
         [](const model::Profile& profile) {
           return profile.threshold_range.value == model::ThresholdRange::at_most_pool_size;
         }},
    {.name = "attributes/unknown_ids",
     .aims = {"ATTR-UNKNOWN"_clause},
     .twins = "unknown_id_accepted unknown_id_wraps",
     .setup = new_pool,
     .text = R"(pool_get p attr:0
pool_get p attr:1000
pool_set p attr:1000 1
pool_set p attr:0 1
pool_get p attr:0x104
pool_set p attr:0x101 0
pool_get p attr:0x7FFFFFFF
pool_get p release_threshold
pool_get p reuse_allow_opportunistic
)",
     .misuse = &Parameters::unknown_attribute},
    {.name = "attributes/null_value",
     .aims = {"ATTR-NULL-VALUE"_clause},
     .twins = "null_value_accepted",
     .setup = new_pool,
     .text = R"(pool_set p release_threshold {granule}
pool_set p release_threshold null
pool_get p release_threshold
pool_set p reuse_allow_opportunistic null
pool_get p reuse_allow_opportunistic
pool_set p used_mem_high null
pool_set p reserved_mem_high null
)",
     .misuse = &Parameters::null_value},
    {.name = "attributes/settings_of_a_pool_leave_the_default_pool",
     .aims = {"ATTR-FRAME-REUSE_ALLOW_OPPORTUNISTIC"_clause, "ATTR-FRAME-RELEASE_THRESHOLD"_clause,
              "ATTR-READBACK-REUSE_ALLOW_OPPORTUNISTIC"_clause, "ATTR-READBACK-RELEASE_THRESHOLD"_clause},
     .twins = "shared_by_pools:reuse_allow_opportunistic shared_by_pools:release_threshold",
     .setup = keeping_pool,
     .text = R"(pool_default d
pool_get d reuse_allow_opportunistic
pool_get d release_threshold
pool_set p reuse_allow_opportunistic 0
pool_set p release_threshold {granule}
pool_get d reuse_allow_opportunistic
pool_get d release_threshold
)",
     .applies = has_default_pool},
    {.name = "attributes/switching_off_leaves_the_other_switches",
     .aims = {"ATTR-FRAME-REUSE_ALLOW_OPPORTUNISTIC"_clause, "ATTR-FRAME-REUSE_ALLOW_INTERNAL_DEPENDENCIES"_clause,
              "ATTR-FRAME-REUSE_FOLLOW_EVENT_DEPENDENCIES"_clause},
     .twins = "moves_with_neighbour:reuse_allow_opportunistic "
              "moves_with_neighbour:reuse_allow_internal_dependencies",
     .setup = streams,
     .text = R"(pool_create p
pool_get p reuse_allow_opportunistic
pool_get p reuse_allow_internal_dependencies
pool_set p reuse_follow_event_dependencies 0
pool_get p reuse_allow_opportunistic
pool_get p reuse_allow_internal_dependencies
pool_set p reuse_allow_opportunistic 0
pool_get p reuse_follow_event_dependencies
pool_get p reuse_allow_internal_dependencies
)"},
    {.name = "attributes/new_pool_is_no_copy_of_the_current_one",
     .aims = {"ATTR-DEFAULT-RELEASE_THRESHOLD"_clause, "ATTR-DEFAULT-REUSE_ALLOW_OPPORTUNISTIC"_clause},
     .twins = "new_pools_copy_the_last",
     .setup = keeping_pool,
     .text = R"(pool_set p reuse_allow_opportunistic 0
pool_set_current p
pool_create q
pool_get q release_threshold
pool_get q reuse_allow_opportunistic
)",
     .applies = has_default_pool},
    {.name = "attributes/a_second_pool_has_its_own_defaults",
     .aims = {"ATTR-DEFAULT-REUSE_FOLLOW_EVENT_DEPENDENCIES"_clause, "ATTR-DEFAULT-REUSE_ALLOW_OPPORTUNISTIC"_clause,
              "ATTR-DEFAULT-REUSE_ALLOW_INTERNAL_DEPENDENCIES"_clause, "ATTR-DEFAULT-RELEASE_THRESHOLD"_clause},
     .twins = "new_pools_copy_the_last",
     .setup = keeping_pool,
     .text = R"(pool_set p reuse_follow_event_dependencies 0
pool_set p reuse_allow_opportunistic 0
pool_set p reuse_allow_internal_dependencies 0
pool_create q max_size=0
pool_get q reuse_follow_event_dependencies
pool_get q reuse_allow_opportunistic
pool_get q reuse_allow_internal_dependencies
pool_get q release_threshold
)"},
    {.name = "attributes/switch_back_on_permits_again",
     .aims = {"ATTR-READBACK-REUSE_FOLLOW_EVENT_DEPENDENCIES"_clause, "ATTR-MONOTONE"_clause},
     .twins = "off_for_ever:reuse_follow_event_dependencies",
     .setup = held_free,
     .text = R"(pool_set p reuse_follow_event_dependencies 1
pool_get p reuse_follow_event_dependencies
event_record e s1
stream_wait_event s2 e
malloc b {granule} p s2
gate_open g
stream_sync s2
)"},
};

}  // namespace

std::span<const Case> attribute_cases() { return cases; }

}  // namespace streampool::suites
