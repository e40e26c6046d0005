// Reuse of memory that leaves its pool: by a release, a trim, a destruction, another pool, plain memory.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

constexpr Case cases[] = {
    {.name = "reuse/unsafe_release_of_another_stream",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "release_forgets_pending",
     .setup = held_free,
     .text = R"(pool_set p release_threshold 0
stream_sync s2
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_trim",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "trim_forgets_pending",
     .setup = held_free,
     .text = R"(pool_trim p 0
malloc b {granule} p s2
gate_open g
stream_sync s1
expect overlap(a, b) forbidden
)"},
    {.name = "reuse/unsafe_between_pools",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "pools_trade_pending",
     .setup = held_free,
     .text = R"(malloc b {granule} p s2
pool_create q max_size=0
malloc c {granule} q s2
gate_open g
stream_sync s1
expect overlap(a, c) forbidden
)"},
    {.name = "reuse/unsafe_destroyed_pool",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "destroy_forgets_pending",
     .setup = held_free,
     .text = R"(malloc b {granule} p s2
pool_create q max_size=0
pool_destroy p
malloc c {granule} q s2
gate_open g
stream_sync s1
expect overlap(a, c) forbidden
)",
     .applies = destroys_deferred},
    {.name = "reuse/plain_memory_with_a_pending_free",
     .aims = {"REUSE-UNSAFE"_clause, "REUSE-PLAIN"_clause},
     .twins = "plain_takes_pending",
     .setup = held_free,
     .text = R"(malloc x {granule} p s2
plain_malloc b {granule}
free b s1
plain_malloc c {granule}
gate_open g
stream_sync s1
expect overlap(b, c) forbidden
)",
     .misuse = &model::Parameters::async_free_of_plain},
    {.name = "reuse/plain_malloc_needs_completion",
     .aims = {"REUSE-PLAIN"_clause, "REUSE-UNSAFE"_clause},
     .twins = "plain_takes_pending",
     .setup = strict_pool,
     .text = R"(plain_malloc b {granule}
plain_free b
malloc a {granule} p s1
gate_hold s1 g
free a s1
malloc x {granule} p s2
plain_malloc c {granule}
plain_malloc d {granule}
gate_open g
stream_sync s1
expect overlap(a, c) forbidden
expect overlap(a, d) forbidden
)"},
};

}  // namespace

std::span<const Case> reuse_pool_cases() { return cases; }

}  // namespace streampool::suites
