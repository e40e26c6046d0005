// Programs with a fault of their own: the kit must say so, and blame no runtime.
//
// They name no twin: it is the judge that they try. Nothing in them is dangerous: what is touched is mapped.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "program/use_on_an_unordered_stream",
     .aims = {"PROGRAM-USE-BEFORE-ALLOC"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-USE-BEFORE-ALLOC
malloc a {granule} p s1
launch s2 a
)"},
    {.name = "program/use_ordered_by_an_event_recorded_too_early",
     .aims = {"PROGRAM-USE-BEFORE-ALLOC"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-USE-BEFORE-ALLOC
event_record e s1
malloc a {granule} p s1
stream_wait_event s2 e
launch s2 a
)"},
    {.name = "program/use_after_the_free_call",
     .aims = {"PROGRAM-USE-AFTER-FREE"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-USE-AFTER-FREE
malloc a {granule} p s1
launch s1 a
free a s1
launch s1 a
)"},
    {.name = "program/free_not_ordered_after_the_allocation",
     .aims = {"PROGRAM-FREE-UNORDERED"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-FREE-UNORDERED
malloc a {granule} p s1
free a s2
)"},
    {.name = "program/free_not_ordered_after_a_use",
     .aims = {"PROGRAM-FREE-UNORDERED"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-FREE-UNORDERED
malloc a {granule} p s1
event_record e s1
stream_wait_event s2 e
launch s2 a
free a s1
)"},
    {.name = "program/free_ordered_by_a_query_that_was_not_ready",
     .aims = {"PROGRAM-FREE-UNORDERED"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-FREE-UNORDERED
gate_hold s1 g
malloc a {granule} p s1
stream_query s1
free a s2
)"},
    {.name = "program/synchronous_free_without_a_proof",
     .aims = {"PROGRAM-SYNC-FREE"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-SYNC-FREE
malloc a {granule} p s1
stream_sync s2
free_sync a
)",
     .applies =
         [](const model::Profile& profile) {
           return profile.sync_free_waits.binds() && !profile.sync_free_waits.value;
         }},
    {.name = "program/destroyed_gate",
     .aims = {"PROGRAM-MISUSE"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-MISUSE
gate_destroy g
gate_hold s1 g
)"},
};

}  // namespace

std::span<const Case> program_cases() { return cases; }

}  // namespace streampool::suites
