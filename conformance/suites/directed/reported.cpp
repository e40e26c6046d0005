// Troubles that users of these pools reported in public, each as the smallest history that shows it. The number is that
// of the list in the project's notes; twins are the defects or wrong fixes behind the reports.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

bool sync_free_does_not_wait(const model::Profile& profile) {
  return profile.sync_free_waits.binds() && !profile.sync_free_waits.value;
}

constexpr Case cases[] = {
    // NVIDIA/spark-rapids#4710, rapidsai/rmm#993
    {.name = "reported/01_opportunistic_while_running",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "opportunistic_without_completion",
     .setup = strict_pool,
     .text = R"(pool_set p reuse_allow_opportunistic 1
gate_create h
malloc a {alignment} p s1
malloc b {granule} p s1
malloc c {alignment} p s2
malloc d {granule} p s2
gate_hold s1 g
gate_hold s2 h
fill s1 b 0x01
free a s1
free b s1
fill s2 d 0x02
free c s2
free d s2
malloc i {granule} p s3
malloc j {alignment} p s3
malloc k {2*granule} p s3
fill s3 i 0x33
stream_sync s3
gate_open g
gate_open h
device_sync
check s3 i 0x33
)"},
    // NVIDIA/spark-rapids#4818
    {.name = "reported/03_freed_on_an_unordered_stream",
     .aims = {"PROGRAM-FREE-UNORDERED"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-FREE-UNORDERED
malloc a {granule} p s1
launch s1 a
free a s2
)"},
    {.name = "reported/03_freed_after_an_event",
     .aims = {"ALLOC-FREE-FOREIGN-STREAM"_clause},
     .twins = "foreign_stream_free_refused",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
launch s1 a
event_record e s1
stream_wait_event s2 e
free a s2
)"},
    // rapidsai/rmm#1245
    {.name = "reported/04_pending_frees_of_many_streams",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "frees_count_for_ever",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
malloc b {granule} p s2
malloc c {granule} p s3
malloc x {4*granule} p s1
gate_hold s1 g
event_record e s1
stream_wait_event s2 e
stream_wait_event s3 e
free a s1
free b s2
free c s3
malloc d {3*granule} p s1
gate_open g
stream_sync s1
stream_sync s2
stream_sync s3
malloc h {3*granule} p s1
)",
     .applies = promises_remapping},
    // rapidsai/rmm#2156
    {.name = "reported/05_freed_before_allocated",
     .aims = {"PROGRAM-FREE-UNORDERED"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-FREE-UNORDERED
malloc a {granule} p s1
free a s2
)"},
    {.name = "reported/05_freed_after_a_sync",
     .aims = {"ALLOC-FREE-FOREIGN-STREAM"_clause},
     .twins = "foreign_stream_free_refused",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
free a s2
)"},
    // rapidsai/rmm#2401
    {.name = "reported/06_free_without_a_sync",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause, "REUSE-OBSERVED"_clause},
     .twins = "opportunistic_switch_ignored sync_observes_later_frees",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
free a s1
malloc b {granule} p s2
stream_sync s1
malloc c {granule} p s2
)"},
    // cupy/cupy#4537
    {.name = "reported/08_free_on_a_destroyed_stream",
     .aims = {"LIFE-FREE-DEAD-STREAM"_clause, "LIFE-FREE-LIVE-STREAM"_clause},
     .twins = "dead_stream_free_accepted dead_stream_free_frees",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
stream_sync s1
stream_destroy s1
free a s1
free a s2
stream_sync s2
)",
     .misuse = &model::Parameters::dead_handle},
    // cupy/cupy#3777
    {.name = "reported/09_cached_memory_starves_plain_memory",
     .aims = {"RELEASE-TRIM-REST"_clause},
     .twins = "trim_does_nothing",
     .setup = keeping_pool,
     .text = R"(malloc a {3*granule} p s1
limit d0 {4*granule}
free a s1
plain_malloc b {2*granule}
stream_sync s1
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
plain_malloc c {2*granule}
)"},
    // JuliaGPU/CUDA.jl#1157
    {.name = "reported/11_polling_does_not_release",
     .aims = {"STAT-RESERVED-FALL"_clause, "RELEASE-THRESHOLD-REST"_clause},
     .twins = "stream_sync_keeps reserved_falls_at_query",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {2*granule} p s1
free a s1
event_record e s1
pool_get p reserved_mem_current
stream_query s1
event_query e
pool_get p reserved_mem_current
stream_sync s1
pool_get p reserved_mem_current
)"},
    // JuliaGPU/CUDA.jl#818
    {.name = "reported/12_reserve_of_a_running_free",
     .aims = {"STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause, "RELEASE-THRESHOLD-REST"_clause,
              "STAT-RESERVED-FALL"_clause},
     .twins = "release_forgets_pending reserved_falls_at_free never_releases",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc k {granule} p s2
malloc a {4*granule} p s1
gate_hold s1 g
fill s1 a 0x12
pool_get p reserved_mem_current
free a s1
pool_get p reserved_mem_current
stream_sync s2
pool_get p reserved_mem_current
gate_open g
stream_sync s1
pool_get p reserved_mem_current
)"},
    // JuliaGPU/CUDA.jl#1540
    {.name = "reported/15_back_to_the_threshold",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause, "RELEASE-THRESHOLD-REST"_clause, "STAT-USED"_clause},
     .twins = "never_releases threshold_undershoots used_never_drops",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold {4*granule}
malloc a {granule} p s1
malloc b {granule} p s1
malloc c {granule} p s1
malloc d {granule} p s1
malloc h {granule} p s1
malloc i {granule} p s1
pool_get p reserved_mem_current
free a s1
free b s1
free c s1
free d s1
free h s1
free i s1
stream_sync s1
pool_get p reserved_mem_current
pool_get p used_mem_current
)"},
    // tensorflow/tensorflow#50699
    {.name = "reported/19_sync_and_retry",
     .aims = {"CAP-MUST-SERVE"_clause, "ASYNC-BLOCKED-MALLOC"_clause},
     .twins = "frees_count_for_ever malloc_waits_when_short",
     .setup = limited_pool,
     .text = R"(malloc a {3*granule} p s1
malloc x {2*granule} p s1
gate_hold s1 g
free a s1
malloc b {3*granule} p s2
gate_open g
stream_sync s1
malloc c {3*granule} p s2
)",
     .applies =
         [](const model::Profile& profile) {
           return promises_remapping(profile) && profile.malloc_may_wait.binds() && !profile.malloc_may_wait.value;
         }},
    {.name = "reported/19_internal_dependency_instead",
     .aims = {"REUSE-INTERNAL"_clause, "REUSE-DEPENDENCY-MISSING"_clause},
     .twins = "dependency_not_inserted",
     .setup = limited_pool,
     .text = R"(pool_set p reuse_allow_internal_dependencies 1
malloc a {3*granule} p s1
gate_hold s1 g
free a s1
malloc b {3*granule} p s2
fill s2 b 0x19
event_record e s2
event_query e
stream_query s2
gate_open g
stream_sync s2
)"},
    // pytorch/pytorch#110194
    {.name = "reported/21_sizes_that_vary",
     .aims = {"STAT-USED-LE-RESERVED"_clause, "STAT-USED"_clause, "STAT-RESERVED-MIN"_clause,
              "RELEASE-LIVE-KEPT"_clause},
     .twins = "used_above_reserved used_drops_twice",
     .setup = keeping_pool,
     .text = R"(malloc a {3*granule} p s1
malloc k {granule} p s1
pool_get p used_mem_current
pool_get p reserved_mem_current
free a s1
malloc b {granule} p s1
malloc c {alignment+1} p s1
malloc d {granule+alignment} p s1
pool_get p used_mem_current
pool_get p reserved_mem_current
free c s1
malloc h {2*granule} p s1
free b s1
pool_get p used_mem_current
pool_get p reserved_mem_current
free d s1
free h s1
stream_sync s1
pool_get p used_mem_current
pool_get p reserved_mem_current
)"},
    // pytorch/pytorch#188110
    {.name = "reported/22_small_blocks_then_a_large_one",
     .aims = {"CAP-MUST-SERVE"_clause},
     .twins = "no_pressure needs_contiguous",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
malloc k {granule} p s1
malloc b {granule} p s2
malloc x {4*granule} p s1
free a s1
free b s2
device_sync
malloc c {3*granule} p s3
)",
     .applies = promises_remapping},
    {.name = "reported/22_trim_and_retry",
     .aims = {"RELEASE-TRIM-REST"_clause, "CAP-MUST-SERVE"_clause},
     .twins = "trim_does_nothing",
     .setup = limited_pool,
     .text = R"(malloc a {granule} p s1
malloc k {granule} p s1
malloc x {4*granule} p s1
free a s1
stream_sync s1
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
malloc c {3*granule} p s2
)",
     .applies = promises_remapping},
    // pytorch/pytorch#65365
    {.name = "reported/25_block_used_on_several_streams",
     .aims = {"REUSE-POLICY-OPPORTUNISTIC"_clause},
     .twins = "allocating_stream_label opportunistic_switch_ignored",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
event_record e s1
stream_wait_event s2 e
stream_wait_event s3 e
launch s2 a
launch s3 a
event_record f s2
stream_wait_event s3 f
free a s3
malloc b {granule} p s1
)"},
    {.name = "reported/25_one_wait_forgotten",
     .aims = {"PROGRAM-FREE-UNORDERED"_clause},
     .setup = strict_pool,
     .text = R"(expect program_fault PROGRAM-FREE-UNORDERED
malloc a {granule} p s1
event_record e s1
stream_wait_event s2 e
stream_wait_event s3 e
launch s2 a
launch s3 a
free a s3
)"},
    // kokkos/kokkos#9307
    {.name = "reported/29_free_while_a_kernel_runs",
     .aims = {"PROGRAM-SYNC-FREE"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-SYNC-FREE
malloc a {granule} p s1
stream_sync s1
launch s1 a
free_sync a
)",
     .applies = sync_free_does_not_wait},
    {.name = "reported/29_free_after_a_sync",
     .aims = {"ALLOC-FREE-STATUS"_clause, "REUSE-OBSERVED"_clause},
     .twins = "free_sync_refused",
     .setup = strict_pool,
     .text = R"(malloc a {granule} p s1
launch s1 a
stream_sync s1
free_sync a
malloc b {granule} p s2
)"},
    // NVIDIA/cuda-python#2807: the part of it that is not about access
    {.name = "reported/30_recycled_handle",
     .aims = {"LIFE-RECYCLED-POOL"_clause, "ATTR-DEFAULT-RELEASE_THRESHOLD"_clause},
     .twins = "recycled_pool_inherits_settings",
     .setup = keeping_pool,
     .text = R"(pool_destroy p
pool_create q max_size=0
pool_get q release_threshold
)"},
    // NVIDIA/cuda-python#1272
    {.name = "reported/35_width_of_a_value",
     .aims = {"ATTR-WIDTH-RESERVED_MEM_CURRENT"_clause, "ATTR-WIDTH-REUSE_ALLOW_OPPORTUNISTIC"_clause},
     .twins = "too_wide:reuse_allow_opportunistic too_narrow:reserved_mem_current",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
pool_get p reserved_mem_current
pool_get p reuse_allow_opportunistic
)"},
    // rapidsai/rmm#2510
    {.name = "reported/38_threshold_zero_in_a_loop",
     .aims = {"RELEASE-THRESHOLD-REST"_clause},
     .twins = "never_releases stream_sync_keeps",
     .setup = keeping_pool,
     .text = R"(pool_set p release_threshold 0
malloc a {2*granule} p s1
free a s1
stream_sync s1
pool_get p reserved_mem_current
malloc b {2*granule} p s1
pool_get p reserved_mem_current
free b s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    {.name = "reported/38_threshold_max_in_a_loop",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause, "REUSE-IDLE-OWN-STREAM"_clause},
     .twins = "threshold_ignored never_reuses",
     .setup = keeping_pool,
     .text = R"(malloc a {2*granule} p s1
free a s1
pool_get p reserved_mem_current
stream_sync s1
pool_get p reserved_mem_current
malloc b {2*granule} p s1
free b s1
stream_sync s1
pool_get p reserved_mem_current
)"},
    // pytorch/executorch#22312
    {.name = "reported/43_trim_with_a_free_pending",
     .aims = {"STAT-RESERVED-MIN"_clause, "RELEASE-LIVE-KEPT"_clause, "RELEASE-TRIM-REST"_clause},
     .twins = "trim_takes_pending frees_count_for_ever_in_trim",
     .setup = keeping_pool,
     .text = R"(malloc k {granule} p s2
malloc a {4*granule} p s1
gate_hold s1 g
launch s1 a
free a s1
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
gate_open g
stream_sync s1
pool_trim p 0
pool_get p reserved_mem_current
)"},
    // kekzl/imp#915
    {.name = "reported/44_trim_on_teardown",
     .aims = {"RELEASE-THRESHOLD-FLOOR"_clause, "RELEASE-TRIM-REST"_clause},
     .twins = "threshold_ignored trim_does_nothing",
     .setup = keeping_pool,
     .text = R"(malloc a {4*granule} p s1
free a s1
pool_get p reserved_mem_current
stream_sync s1
pool_get p reserved_mem_current
pool_trim p 0
pool_get p reserved_mem_current
)"},
    // Project-HAMi/HAMi-core#93
    {.name = "reported/50_every_entry_point_is_freed",
     .aims = {"ALLOC-FREE-STATUS"_clause, "ALLOC-PAIRING"_clause},
     .twins = "cross_free_refused free_refused",
     .setup = keeping_pool,
     .text = R"(pool_set_current p
malloc a {granule} current s1
malloc b {granule} p s1
malloc c {granule} current s1
plain_malloc d {granule}
stream_sync s1
free a s1
plain_free b
plain_free c
free_sync d
)",
     .misuse = &model::Parameters::plain_free_of_pool,
     .applies = has_default_pool},
    // ooples/AiDotNet.Tensors#609
    {.name = "reported/52_host_free_of_memory_in_flight",
     .aims = {"PROGRAM-SYNC-FREE"_clause},
     .setup = keeping_pool,
     .text = R"(expect program_fault PROGRAM-SYNC-FREE
plain_malloc a {granule}
launch s1 a
plain_free a
)",
     .applies = sync_free_does_not_wait},
    {.name = "reported/52_stream_ordered_free_of_memory_in_flight",
     .aims = {"ALLOC-FREE-STATUS"_clause, "ASYNC-BLOCKED-FREE"_clause},
     .twins = "free_refused free_waits",
     .setup = keeping_pool,
     .text = R"(malloc a {granule} p s1
gate_hold s1 g
launch s1 a
free a s1
gate_open g
stream_sync s1
)"},
};

}  // namespace

std::span<const Case> reported_cases() { return cases; }

}  // namespace streampool::suites
