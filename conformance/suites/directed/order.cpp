#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "order/query_held_stream",
     .aims = {"ORDER-EARLY"_clause, "ORDER-STABLE"_clause, "ORDER-QUERY-STATUS"_clause},
     .twins = "query_ok_while_pending query_never_ok query_fails",
     .setup = streams,
     .text = R"(gate_hold s1 g
)" STREAMPOOL_SETTLE R"(stream_query s1
stream_query s2
gate_open g
stream_sync s1
stream_query s1
)"},
    {.name = "order/query_of_two_gates",
     .aims = {"ORDER-EARLY"_clause},
     .twins = "query_ok_while_pending",
     .setup = streams,
     .text = R"(gate_create h
gate_hold s1 g
gate_hold s2 h
gate_open g
stream_sync s1
)" STREAMPOOL_SETTLE R"(stream_query s1
stream_query s2
gate_open h
stream_sync s2
)"},
    {.name = "order/sync_does_not_return_early",
     .aims = {"ORDER-EARLY"_clause},
     .twins = "sync_returns_early",
     .setup = streams,
     .text = R"(gate_hold s1 g
stream_query s2
[t1] call c stream_sync s1
)" STREAMPOOL_SETTLE R"(stream_query s1
gate_open g
[t1] return c -> ok
stream_query s1
)"},
    {.name = "order/sync_of_legacy_does_not_return_early",
     .aims = {"ORDER-EARLY"_clause},
     .twins = "sync_returns_early",
     .setup = streams,
     .text = R"(gate_hold legacy g
[t1] call c stream_sync legacy
)" STREAMPOOL_SETTLE R"(stream_query legacy
gate_open g
[t1] return c -> ok
)",
     .applies = has_default_streams},
    {.name = "order/syncs_succeed",
     .aims = {"ORDER-SYNC-STATUS"_clause},
     .twins = "sync_fails",
     .setup = streams,
     .text = R"(event_record e s1
stream_sync s1
event_sync e
device_sync
)"},
    {.name = "order/records_and_waits_succeed",
     .aims = {"ORDER-SUBMIT-STATUS"_clause},
     .twins = "record_fails wait_fails",
     .setup = streams,
     .text = R"(stream_wait_event s2 e
event_record e s1
stream_wait_event s2 e
event_record e s2
stream_sync s2
)"},
    {.name = "order/event_query_held",
     .aims = {"ORDER-EARLY-EVENT"_clause, "ORDER-STABLE"_clause, "ORDER-QUERY-STATUS"_clause},
     .twins = "event_query_ok_while_pending event_query_never_ok record_captures_nothing event_query_fails",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_record f s2
)" STREAMPOOL_SETTLE R"(event_query e
event_sync f
gate_open g
event_sync e
event_query e
)"},
    {.name = "order/event_sync_does_not_return_early",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "event_sync_returns_early",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_record f s2
event_sync f
[t1] call c event_sync e
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
[t1] return c -> ok
event_query e
)"},
    {.name = "order/event_does_not_cover_what_follows",
     .aims = {"ORDER-STABLE"_clause},
     .twins = "record_captures_later",
     .setup = streams,
     .text = R"(event_record e s1
stream_sync s1
gate_hold s1 g
event_query e
stream_query s1
gate_open g
stream_sync s1
)"},
    {.name = "order/wait_is_transitive",
     .aims = {"ORDER-EARLY"_clause, "ORDER-EARLY-EVENT"_clause},
     .twins = "wait_ignored query_sees_own_gates_only record_captures_nothing",
     .setup = streams,
     .text = R"(stream_create s4 nonblocking
event_create h
event_record h s4
gate_hold s1 g
stream_sync s4
event_record e s1
stream_wait_event s2 e
event_record f s2
stream_wait_event s3 f
)" STREAMPOOL_SETTLE R"(stream_query s3
event_query f
event_sync h
gate_open g
stream_sync s3
stream_query s1
stream_query s2
)"},
    {.name = "order/wait_keeps_the_cut_of_its_moment",
     .aims = {"ORDER-EARLY"_clause},
     .twins = "wait_follows_event",
     .setup = streams,
     .text = R"(gate_hold s1 g
stream_query s3
event_record e s1
stream_wait_event s2 e
event_record e s3
)" STREAMPOOL_SETTLE R"(stream_query s2
gate_open g
stream_sync s2
)"},
    {.name = "order/second_record_counts",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "record_kept_first",
     .setup = streams,
     .text = R"(event_record e s3
event_record f s2
gate_hold s1 g
event_sync f
event_record e s1
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
)"},
    {.name = "order/second_record_replaces_the_first",
     .aims = {"ORDER-STABLE"_clause},
     .twins = "record_joins",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_record e s3
stream_sync s3
event_query e
gate_open g
event_sync e
)"},
    {.name = "order/never_recorded_event",
     .aims = {"ORDER-EVENT-EMPTY"_clause},
     .twins = "unrecorded_event_pending",
     .setup = streams,
     .text = R"(gate_hold s2 g
event_query e
event_sync e
stream_wait_event s1 e
stream_sync s1
event_query e
gate_open g
stream_sync s2
)"},
    {.name = "order/record_after_the_wait_orders_nothing",
     .aims = {"ORDER-EVENT-EMPTY"_clause, "ORDER-SYNC-STATUS"_clause},
     .twins = "unrecorded_event_holds",
     .setup = streams,
     .text = R"(event_query e
stream_wait_event s2 e
gate_hold s1 g
event_record e s1
stream_sync s2
stream_query s2
gate_open g
stream_sync s1
)"},
    {.name = "order/device_sync_does_not_return_early",
     .aims = {"ORDER-EARLY-DEVICE"_clause},
     .twins = "device_sync_returns_early",
     .setup = streams,
     .text = R"(gate_hold s1 g
[t1] call c device_sync
)" STREAMPOOL_SETTLE R"(stream_query s1
gate_open g
[t1] return c -> ok
gate_create h
gate_hold s2 h
gate_open h
device_sync
stream_query s1
)"},
    {.name = "order/device_sync_covers_the_legacy_stream",
     .aims = {"ORDER-EARLY-DEVICE"_clause},
     .twins = "device_sync_forgets_default_streams",
     .setup = streams,
     .text = R"(gate_hold legacy g
[t1] call c device_sync
)" STREAMPOOL_SETTLE R"(stream_query legacy
gate_open g
[t1] return c -> ok
stream_query legacy
)",
     .applies = has_default_streams},
    {.name = "order/device_sync_covers_per_thread_streams",
     .aims = {"ORDER-EARLY-DEVICE"_clause},
     .twins = "device_sync_forgets_default_streams",
     .setup = streams,
     .text = R"([t2] gate_hold per_thread g
[t1] call c device_sync
)" STREAMPOOL_SETTLE R"(stream_query s1
gate_open g
[t1] return c -> ok
[t2] stream_query per_thread
)",
     .applies = has_default_streams},
    {.name = "order/device_sync_knows_destroyed_streams",
     .aims = {"ORDER-EARLY-DEVICE"_clause, "LIFE-STREAM-DESTROY"_clause, "ORDER-EARLY-EVENT"_clause},
     .twins = "device_sync_forgets_destroyed stream_destroy_fails destroyed_stream_drops_items",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
stream_destroy s1
event_query e
[t1] call c device_sync
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
[t1] return c -> ok
event_query e
)",
     .applies = stream_destroy_returns},
    {.name = "order/legacy_follows_blocking_streams",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "legacy_ignores_blocking",
     .setup = streams,
     .text = R"(stream_create b blocking
gate_hold b g
event_record e legacy
event_record f s1
event_sync f
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
stream_query b
)",
     .applies = has_default_streams},
    {.name = "order/legacy_follows_streams_created_later",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "legacy_ignores_later_streams",
     .setup = streams,
     .text = R"(event_record f legacy
stream_create b blocking
gate_hold b g
event_sync f
event_record e legacy
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
)",
     .applies = has_default_streams},
    {.name = "order/blocking_streams_follow_legacy",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "blocking_ignores_legacy",
     .setup = streams,
     .text = R"(stream_create b blocking
gate_hold legacy g
event_record e b
event_record f s1
)" STREAMPOOL_SETTLE R"(event_query e
event_sync f
gate_open g
event_sync e
)",
     .applies = has_default_streams},
    {.name = "order/new_blocking_stream_follows_legacy",
     .aims = {"ORDER-EARLY"_clause},
     .twins = "blocking_ignores_legacy",
     .setup = streams,
     .text = R"(gate_hold legacy g
stream_query s1
stream_create b blocking
event_record e b
)" STREAMPOOL_SETTLE R"(stream_query b
gate_open g
stream_sync b
)",
     .applies = has_default_streams},
    {.name = "order/blocking_streams_meet_in_legacy",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "legacy_ignores_blocking blocking_ignores_legacy",
     .setup = streams,
     .text = R"(stream_create b blocking
stream_create c blocking
gate_hold b g
event_record f s1
event_sync f
event_record f legacy
event_record e c
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
)",
     .applies = has_default_streams},
    {.name = "order/legacy_follows_per_thread",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "legacy_ignores_per_thread",
     .setup = streams,
     .text = R"([t1] gate_hold per_thread g
event_record f s1
event_sync f
event_record e legacy
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
)",
     .applies = has_default_streams},
    {.name = "order/per_thread_follows_legacy",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "per_thread_ignores_legacy",
     .setup = streams,
     .text = R"(gate_hold legacy g
event_record f s1
event_sync f
[t1] event_record e per_thread
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
)",
     .applies = has_default_streams},
    {.name = "order/nonblocking_streams_do_not_follow_legacy",
     .aims = {"ORDER-SYNC-STATUS"_clause},
     .twins = "nonblocking_follows_legacy",
     .setup = streams,
     .text = R"(gate_hold legacy g
event_record e s1
event_sync e
stream_sync s1
gate_open g
stream_sync legacy
)",
     .applies = has_default_streams},
    {.name = "order/legacy_does_not_follow_nonblocking_streams",
     .aims = {"ORDER-SYNC-STATUS"_clause},
     .twins = "legacy_follows_nonblocking",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e legacy
event_sync e
gate_open g
stream_sync s1
)",
     .applies = has_default_streams},
    {.name = "order/legacy_follows_destroyed_blocking_streams",
     .aims = {"ORDER-EARLY-EVENT"_clause},
     .twins = "legacy_forgets_destroyed destroyed_stream_drops_items",
     .setup = streams,
     .text = R"(stream_create b blocking
gate_hold b g
event_record f s1
event_sync f
stream_destroy b
event_record e legacy
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
)",
     .applies =
         [](const model::Profile& profile) { return has_default_streams(profile) && stream_destroy_returns(profile); }},
    {.name = "order/items_of_a_destroyed_stream_run",
     .aims = {"ORDER-EARLY-EVENT"_clause, "LIFE-STREAM-DESTROY"_clause},
     .twins = "destroyed_stream_drops_items",
     .setup = streams,
     .text = R"(gate_hold s1 g
event_record e s1
event_record f s2
event_sync f
stream_destroy s1
)" STREAMPOOL_SETTLE R"(event_query e
gate_open g
event_sync e
event_query e
)",
     .applies = stream_destroy_returns},
};

}  // namespace

std::span<const Case> order_cases() { return cases; }

}  // namespace streampool::suites
