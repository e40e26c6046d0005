// Two devices: what belongs to one is no other's. On a runtime that describes one device none of these runs.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

// s1 … of the first device with its pool p, t1 and t2 of the second with its pool q. Nothing is given back, and no
// switch permits a reuse.
#define STREAMPOOL_TWO_DEVICES                                                                    \
  "device d1\n"                                                                                   \
  "stream_create s1 nonblocking\nstream_create s2 nonblocking\n"                                  \
  "stream_create t1 nonblocking d1\nstream_create t2 nonblocking d1\n"                            \
  "event_create e\ngate_create g\n"                                                               \
  "pool_create p max_size=0\npool_set p release_threshold max\npool_get p reserved_mem_current\n" \
  "pool_create q max_size=0 device=d1\npool_set q release_threshold max\npool_get q reserved_mem_current\n"
#define STREAMPOOL_SWITCHES_OFF_OF(pool) \
  "pool_set " pool                       \
  " reuse_follow_event_dependencies 0\n" \
  "pool_set " pool                       \
  " reuse_allow_opportunistic 0\n"       \
  "pool_set " pool " reuse_allow_internal_dependencies 0\n"
constexpr std::string_view two_devices = STREAMPOOL_TWO_DEVICES;
constexpr std::string_view two_strict_pools =
    STREAMPOOL_TWO_DEVICES STREAMPOOL_SWITCHES_OFF_OF("p") STREAMPOOL_SWITCHES_OFF_OF("q");

constexpr Case cases[] = {
    {.name = "devices/sync_of_one_covers_its_streams",
     .aims = {"ORDER-EARLY-DEVICE"_clause},
     .twins = "device_sync_of_first_device_only",
     .setup = two_devices,
     .text = R"(gate_hold t1 g
[t1] call c device_sync d1
)" STREAMPOOL_SETTLE R"(stream_query t1
gate_open g
[t1] return c -> ok
stream_query t1
)"},
    {.name = "devices/sync_of_one_releases_its_memory",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "device_sync_keeps device_sync_of_first_device_only",
     .setup = two_devices,
     .text = R"(pool_set q release_threshold 0
malloc a {4*granule} q t1
free a t1
pool_get q reserved_mem_current
device_sync d1
pool_get q reserved_mem_current
)"},
    {.name = "devices/unsafe_sync_of_the_other",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "device_sync_observes_all_devices",
     .setup = two_strict_pools,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
free a s1
device_sync d1
malloc b {granule} p s2
gate_open g
device_sync
expect overlap(a, b) forbidden
)"},
    {.name = "devices/event_orders_streams_of_both",
     .aims = {"ORDER-EARLY"_clause},
     .twins = "wait_for_other_device_ignored",
     .setup = two_devices,
     .text = R"(event_create h
event_record h t2
gate_hold s1 g
event_record e s1
stream_wait_event t1 e
)" STREAMPOOL_SETTLE R"(stream_query t1
stream_sync t2
gate_open g
stream_sync t1
stream_query s1
)"},
    {.name = "devices/unsafe_legacy_and_a_blocking_stream_of_the_other",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "default_streams_of_all_devices",
     .setup = two_devices,
     .text = R"(stream_create b blocking d1
pool_set p reuse_allow_opportunistic 0
pool_set p reuse_allow_internal_dependencies 0
malloc a {granule} p b
gate_hold b g
free a b
launch legacy
malloc c {granule} p legacy
gate_open g
device_sync
device_sync d1
expect overlap(a, c) forbidden
)",
     .applies = has_default_streams},
    {.name = "devices/default_pools",
     .aims = {"LIFE-HANDLE-DISTINCT"_clause, "LIFE-DEFAULT-POOL"_clause},
     .twins = "one_default_pool_for_all_devices",
     .setup = "device d1\n",
     .text = R"(pool_default d d0
pool_default f d1
pool_default h d0
pool_default i d1
)",
     .applies = has_default_pool},
    {.name = "devices/current_pools",
     .aims = {"LIFE-CURRENT-INITIAL"_clause, "LIFE-CURRENT-SET"_clause, "LIFE-CURRENT-MALLOC"_clause},
     .twins = "one_current_pool_for_all_devices",
     .setup = two_devices,
     .text = R"(pool_default d d0
pool_get p used_mem_current
pool_get q used_mem_current
pool_set_current q d1
pool_get_current d0
pool_get_current d1
pool_set_current p d0
malloc a {granule} current t1
pool_get q used_mem_current
malloc b {2*granule} current s1
pool_get p used_mem_current
pool_get q used_mem_current
free a t1
free b s1
)",
     .applies = has_default_pool},
    {.name = "devices/statistics",
     .aims = {"STAT-FRAME"_clause},
     .twins = "counts_into_all_pools",
     .setup = two_devices,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
pool_get q used_mem_current
malloc b {2*granule} q t1
pool_get q used_mem_current
pool_get p used_mem_current
pool_get p reserved_mem_current
free b t1
device_sync d1
pool_trim q 0
pool_get p reserved_mem_current
)"},
    {.name = "devices/limits",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "one_limit_for_all_devices",
     .setup = two_devices,
     .text = R"(limit d1 {2*granule}
limit d0 {8*granule}
malloc a {9*granule} p s1
malloc b {8*granule} p s1
free b s1
stream_sync s1
malloc c {8*granule} p s2
)",
     .applies = promises_remapping},
};

}  // namespace

std::span<const Case> device_cases() { return cases; }

}  // namespace streampool::suites
