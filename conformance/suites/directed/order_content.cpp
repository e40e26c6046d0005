// Order as the memory shows it: a write that runs before the one it follows is overwritten by it. A runtime whose own
// books are right, but whose device runs too early, answers every query and synchronize well.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "order/writes_follow_a_wait",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "wait_blocks_nothing",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
gate_hold s1 g
fill s1 a 0x01
event_record e s1
stream_wait_event s2 e
fill s2 a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)"},
    {.name = "order/writes_follow_a_chain_of_waits",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "wait_blocks_nothing",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
gate_hold s1 g
fill s1 a 0x01
event_record e s1
stream_wait_event s3 e
event_record f s3
stream_wait_event s2 f
fill s2 a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)"},
    {.name = "order/writes_follow_the_cut_of_the_wait_call",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "wait_follows_event",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
gate_hold s1 g
fill s1 a 0x01
event_record e s1
stream_wait_event s2 e
event_record e s3
fill s2 a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)"},
    {.name = "order/writes_follow_a_destroyed_event",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "wait_after_destroy_dropped",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
gate_hold s1 g
fill s1 a 0x01
event_record e s1
stream_wait_event s2 e
event_destroy e
fill s2 a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)"},
    {.name = "order/writes_of_legacy_follow_blocking_streams",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "legacy_ignores_blocking",
     .setup = strict_pool,
     .text = R"(stream_create b blocking
malloc a {granule} p s1
stream_sync s1
gate_hold b g
fill b a 0x01
fill legacy a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)",
     .applies = has_default_streams},
    {.name = "order/writes_of_blocking_streams_follow_legacy",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "blocking_ignores_legacy",
     .setup = strict_pool,
     .text = R"(stream_create b blocking
malloc a {granule} p s1
stream_sync s1
gate_hold legacy g
fill legacy a 0x01
fill b a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)",
     .applies = has_default_streams},
    {.name = "order/writes_of_legacy_follow_per_thread",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "legacy_ignores_per_thread",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
[t1] gate_hold per_thread g
[t1] fill per_thread a 0x01
fill legacy a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)",
     .applies = has_default_streams},
    {.name = "order/writes_of_per_thread_follow_legacy",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "per_thread_ignores_legacy",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
gate_hold legacy g
fill legacy a 0x01
[t1] fill per_thread a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)",
     .applies = has_default_streams},
    {.name = "order/writes_follow_a_destroyed_stream",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "legacy_forgets_destroyed",
     .setup = strict_pool,
     .text = R"(stream_create b blocking
malloc a {granule} p s1
stream_sync s1
gate_hold b g
fill b a 0x01
stream_destroy b
fill legacy a 0x02
)" STREAMPOOL_SETTLE R"(gate_open g
device_sync
check s3 a 0x02
)",
     .applies =
         [](const model::Profile& profile) { return has_default_streams(profile) && stream_destroy_returns(profile); }},
};

}  // namespace

std::span<const Case> order_content_cases() { return cases; }

}  // namespace streampool::suites
