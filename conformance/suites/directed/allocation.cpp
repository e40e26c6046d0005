#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

using model::Parameters;

constexpr Case cases[] = {
    {.name = "allocation/odd_sizes_keep_their_ends",
     .aims = {"ALLOC-CONTENT"_clause, "ALLOC-OVERLAP"_clause},
     .twins = "content_lost_by_neighbour",
     .setup = keeping_pool,
     .text = R"(malloc a {alignment+1} p s1
malloc b 1 p s1
malloc c {2*alignment-1} p s1
malloc d 7 p s1
fill s1 a 0xA1
fill s1 b 0xB2
fill s1 c 0xC3
fill s1 d 0xD4
check s1 a 0xA1
check s1 b 0xB2
check s1 c 0xC3
check s1 d 0xD4
free b s1
malloc h 1 p s1
check s1 a 0xA1
check s1 c 0xC3
)"},
    {.name = "allocation/sizes_around_the_alignment",
     .aims = {"ALLOC-STATUS"_clause, "ALLOC-NONNULL"_clause, "ALLOC-ALIGNMENT"_clause, "ALLOC-OVERLAP"_clause,
              "ALLOC-WRAP"_clause},
     .twins = "misaligned padding_shared unwritten_success",
     .setup = keeping_pool,
     .text = R"(malloc a 1 p s1
malloc b {alignment-1} p s1
malloc c {alignment} p s2
malloc d {alignment+1} p s2
malloc h {2*alignment} p s3
malloc i 1 p s3
)"},
    {.name = "allocation/sizes_around_the_granule",
     .aims = {"ALLOC-STATUS"_clause, "ALLOC-ALIGNMENT"_clause, "ALLOC-OVERLAP"_clause},
     .twins = "hands_out_live_memory",
     .setup = keeping_pool,
     .text = R"(malloc a {granule-1} p s1
malloc b {granule} p s1
malloc c {granule+1} p s2
malloc d {3*granule} p s2
)"},
    {.name = "allocation/remainders_are_aligned",
     .aims = {"ALLOC-ALIGNMENT"_clause, "ALLOC-OVERLAP"_clause},
     .twins = "misaligned_remainder",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
free a s1
malloc b 1 p s1
malloc c {alignment+1} p s1
malloc d {alignment} p s1
)"},
    {.name = "allocation/pools_are_apart",
     .aims = {"ALLOC-OVERLAP"_clause},
     .twins = "pools_share_addresses",
     .setup = keeping_pool,
     .text = R"(pool_create q max_size=0
malloc a {granule} p s1
malloc b {granule} q s1
malloc c {granule} p s2
malloc d {granule} q s2
)"},
    {.name = "allocation/plain_memory_is_apart",
     .aims = {"ALLOC-OVERLAP"_clause},
     .twins = "plain_shares_addresses",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
plain_malloc b {granule}
malloc c {granule} p s2
plain_malloc d 1
)"},
    {.name = "allocation/a_request_that_fails_says_so",
     .aims = {"ALLOC-STATUS"_clause, "ALLOC-NONNULL"_clause, "CAP-OOM-STATUS"_clause},
     .twins = "malloc_status null_success",
     .setup = limited_pool,
     .text = R"(malloc a {4*granule} p s1
malloc b {granule} p s1
malloc c 1 p s2
)"},
    {.name = "allocation/content_survives_growth",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "content_lost_by_growth",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x5A
malloc b {4*granule} p s1
fill s1 b 0xC3
malloc c {granule} p s2
check s1 a 0x5A
check s1 b 0xC3
)"},
    {.name = "allocation/content_survives_reuse_beside_it",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "content_lost_by_neighbour",
     .setup = keeping_pool,
     .text = R"(malloc a {alignment} p s1
malloc b {alignment} p s1
malloc c {alignment} p s1
fill s1 a 0x11
fill s1 c 0x33
free b s1
malloc d {alignment} p s1
fill s1 d 0x44
check s1 a 0x11
check s1 c 0x33
check s1 d 0x44
)"},
    {.name = "allocation/content_survives_a_failed_request",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "content_lost_by_failed_call",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x71
malloc b {8*granule} p s1
check s1 a 0x71
)"},
    {.name = "allocation/content_survives_attribute_changes",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "content_lost_by_set",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x72
pool_set p release_threshold 0
pool_set p reuse_allow_opportunistic 0
pool_set p used_mem_high 0
check s1 a 0x72
)"},
    {.name = "allocation/late_writes_to_freed_memory_hit_nobody",
     .aims = {"ALLOC-CONTENT"_clause},
     .twins = "shares_physical_memory",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
fill s1 a 0x11
free a s1
malloc b {granule} p s2
fill s2 b 0x22
stream_sync s2
gate_open g
stream_sync s1
check s2 b 0x22
)"},
    {.name = "allocation/late_writes_after_a_foreign_free_hit_nobody",
     .aims = {"ALLOC-CONTENT"_clause, "REUSE-UNSAFE"_clause},
     .twins = "allocating_stream_label",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
event_record e s1
stream_wait_event s2 e
gate_hold s2 g
fill s2 a 0x11
free a s2
malloc b {granule} p s1
fill s1 b 0x22
stream_sync s1
gate_open g
stream_sync s2
check s1 b 0x22
)"},
    {.name = "allocation/free_on_another_stream",
     .aims = {"ALLOC-FREE-FOREIGN-STREAM"_clause},
     .twins = "foreign_stream_free_refused",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x21
event_record e s1
stream_wait_event s2 e
free a s2
malloc b {granule} p s3
fill s3 b 0x22
check s3 b 0x22
)"},
    {.name = "allocation/outlives_its_stream",
     .aims = {"ALLOC-OUTLIVES-STREAM"_clause, "ALLOC-CONTENT"_clause},
     .twins = "blocks_die_with_stream",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
fill s1 a 0x77
stream_sync s1
stream_destroy s1
check s2 a 0x77
free a s2
)"},
    {.name = "allocation/every_free_succeeds",
     .aims = {"ALLOC-FREE-STATUS"_clause},
     .twins = "free_refused free_sync_refused plain_free_refused",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
plain_malloc c {granule}
stream_sync s1
free a s1
free_sync b
plain_free c
)"},
    {.name = "allocation/plain_memory_is_freed_on_a_stream",
     .aims = {"ALLOC-PAIRING"_clause},
     .twins = "async_free_of_plain_refused",
     .setup = keeping_pool,
     .text = R"(plain_malloc a {granule}
free a s1
plain_malloc b 1
free b s2
device_sync
)",
     .misuse = &Parameters::async_free_of_plain},
    {.name = "allocation/each_free_takes_the_other_kind",
     .aims = {"ALLOC-PAIRING"_clause},
     .twins = "cross_free_refused",
     .setup = keeping_pool,
     .text = R"(plain_malloc a {granule}
malloc b {granule} p s1
stream_sync s1
free_sync a
plain_free b
)",
     .misuse = &Parameters::plain_free_of_pool},
    {.name = "allocation/sizes_that_overflow",
     .aims = {"ALLOC-OVERFLOW"_clause},
     .twins = "wraps",
     .setup = keeping_pool,
     .text = R"(malloc a max p s1
malloc b 0xFFFFFFFFFFFFFFFE p s1
malloc c {granule} p s1
)"},
    {.name = "allocation/sizes_that_wrap",
     .aims = {"ALLOC-WRAP"_clause},
     .twins = "wraps",
     .setup = keeping_pool,
     .text = R"(malloc a 0xFFFFFFFFFFE00000 p s1
malloc b 0x8000000000000000 p s1
malloc c {granule} p s1
)"},
    {.name = "allocation/size_zero",
     .aims = {"ALLOC-SIZE-ZERO"_clause},
     .twins = "zero_size_refused zero_size_allocates",
     .setup = keeping_pool,
     .text = R"(malloc a 0 p s1
pool_get p used_mem_current
malloc b 1 p s1
pool_get p used_mem_current
)"},
    {.name = "allocation/free_null",
     .aims = {"ALLOC-FREE-NULL"_clause},
     .twins = "free_null_refused",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p used_mem_current
free null s1
pool_get p used_mem_current
)"},
    {.name = "allocation/double_free",
     .aims = {"ALLOC-DOUBLE-FREE"_clause, "STAT-USED"_clause, "STAT-FAILED-CALL"_clause, "PROGRAM-OTHER-BLOCK"_clause},
     .twins = "double_free_accepted double_free_counts",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
gate_hold s1 g
free a s1
pool_get p used_mem_current
free a s1
pool_get p used_mem_current
gate_open g
stream_sync s1
)",
     .misuse = &Parameters::double_free},
    {.name = "allocation/double_free_on_another_stream",
     .aims = {"ALLOC-DOUBLE-FREE"_clause},
     .twins = "double_free_accepted",
     .setup = held_free,
     .text = R"(free a s2
free a s3
gate_open g
stream_sync s1
)",
     .misuse = &Parameters::double_free},
    {.name = "allocation/double_free_after_sync",
     .aims = {"ALLOC-DOUBLE-FREE"_clause, "STAT-USED"_clause, "STAT-FAILED-CALL"_clause, "PROGRAM-OTHER-BLOCK"_clause},
     .twins = "double_free_proved_accepted double_free_counts",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s1
free a s1
stream_sync s1
free a s1
pool_get p used_mem_current
)",
     .misuse = &Parameters::double_free_proved},
    {.name = "allocation/free_interior_pointer",
     .aims = {"ALLOC-INTERIOR"_clause, "STAT-USED"_clause, "STAT-FAILED-CALL"_clause},
     .twins = "interior_accepted interior_frees",
     .setup = keeping_pool,
     .text = R"(malloc a {2*alignment} p s1
fill s1 a 0x42
free a+{alignment} s1
pool_get p used_mem_current
free a+1 s1
check s1 a 0x42
free a s1
)",
     .misuse = &Parameters::interior_pointer,
     .applies =
         [](const model::Profile& profile) { return !profile.interior_pointer.value.allows(history::Status::ok); }},
    {.name = "allocation/free_foreign_pointer",
     .aims = {"ALLOC-FOREIGN-POINTER"_clause, "LIFE-NO-CRASH"_clause},
     .twins = "foreign_pointer_accepted crashes_on_foreign_pointer",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
free @0x1000 s1
pool_get p used_mem_current
)",
     .misuse = &Parameters::foreign_pointer},
};

}  // namespace

std::span<const Case> allocation_cases() { return cases; }

}  // namespace streampool::suites
