// The mutants: faulty variants of the engine, each with the clause that it breaks. They measure the kit: whatever
// survives its suites shows a missing case or a hole in the judge.
//
// X(NAME, CLAUSE, MODEL, TEXT)
//   CLAUSE  the clause broken, or the family of clauses; a kill counts where a finding names it or a finer one of it
//   MODEL   the public report or vendor behaviour that it is modelled on; empty: made up
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace streampool::mutants {

#define STREAMPOOL_MUTANTS(X)                                                                                          \
  /* Reuse that is not safe */                                                                                         \
  X(event_covers_every_free, "REUSE-UNSAFE", "", "an event recorded before a free is taken to cover it")               \
  X(free_noted_one_early, "REUSE-UNSAFE", "", "a free is noted one item too early: an event before it covers it")      \
  X(positions_keep_8_bits, "REUSE-UNSAFE", "", "a free is noted with the lowest 8 bits of its position")               \
  X(pending_table_of_64, "REUSE-UNSAFE", "", "with 64 frees pending on a stream the next count as done")               \
  X(wait_follows_later_records, "REUSE-UNSAFE", "", "a wait is taken to hold for what the event records later")        \
  X(wait_takes_current_position, "REUSE-UNSAFE", "", "a wait is taken to cover all of the recorded stream by then")    \
  X(allocating_stream_label, "REUSE-UNSAFE", "HIP H1, Ascend CANN", "a freed block is safe for its allocating stream") \
  X(last_user_label, "REUSE-UNSAFE", "rapidsai/rmm#1245", "a freed block belongs to the stream that used it last")     \
  X(rest_is_settled, "REUSE-UNSAFE", "", "what remains of a split block is free for everybody")                        \
  X(merge_keeps_earlier_free, "REUSE-UNSAFE", "", "a merged block keeps the earlier of two frees")                     \
  X(merge_keeps_one_history, "REUSE-UNSAFE", "", "blocks of several histories merge and keep the newest alone")        \
  X(opportunistic_unchecked, "REUSE-UNSAFE", "Ascend CANN, NVIDIA/spark-rapids#4710 (1)",                              \
    "opportunistic reuse does not ask whether the free ran")                                                           \
  X(internal_switch_ignored, "REUSE-UNSAFE", "", "dependencies are inserted although the switch is off")               \
  X(not_ready_observes, "REUSE-UNSAFE", "", "a query observes where it answers not ready, too")                        \
  X(observed_for_ever, "REUSE-UNSAFE", "", "what a once synchronised stream frees later counts as observed")           \
  X(event_observes_its_stream, "REUSE-UNSAFE", "", "synchronising an event observes all of its stream")                \
  X(legacy_orders_all_streams, "REUSE-UNSAFE", "", "non-blocking streams follow legacy, too")                          \
  X(plain_over_pending, "REUSE-PLAIN", "", "plain memory whose free is pending is handed out at once")                 \
  X(plain_steals_pending, "STAT-RESERVED-MIN", "Ascend CANN",                                                          \
    "plain memory that runs short takes what is pending in pools")                                                     \
  X(destroy_takes_pending, "RELEASE-LIVE-KEPT", "", "a destroyed pool gives memory away whose free is pending")        \
  X(per_thread_is_one_stream, "REUSE-UNSAFE", "", "the per-thread default streams are one stream")                     \
  X(dependency_not_inserted, "REUSE-DEPENDENCY-MISSING", "", "a dependency is claimed and not inserted")               \
  /* Switches */                                                                                                       \
  X(event_switch_ignored, "REUSE-POLICY-EVENT", "", "reuse_follow_event_dependencies is always on")                    \
  X(opportunistic_switch_ignored, "REUSE-POLICY-OPPORTUNISTIC", "", "reuse_allow_opportunistic is always on")          \
  X(switches_stored_only, "REUSE-POLICY-EVENT", "HIP H15", "switches are stored and read back, and mean nothing")      \
  X(switches_swapped, "REUSE-POLICY-EVENT", "", "the event and the opportunistic switch are taken for each other")     \
  X(switches_of_newest_pool, "REUSE-POLICY-EVENT", "", "the switches of the newest pool rule all pools' reuse")        \
  /* Order */                                                                                                          \
  X(legacy_orders_nothing, "ORDER-EARLY", "HIP H15", "blocking streams and legacy run side by side")                   \
  X(event_wait_not_made, "ORDER-EARLY", "", "a stream does not wait for the event that it was told to")                \
  X(waits_made_late, "ORDER-EARLY", "", "a wait looks at its event when its stream is used next")                      \
  X(destroyed_event_frees_waiters, "ORDER-EARLY", "", "destroying an event ends the waits for it")                     \
  X(legacy_forgets_destroyed, "ORDER-EARLY", "", "legacy does not follow destroyed blocking streams")                  \
  X(query_always_complete, "ORDER-EARLY", "", "a stream query answers complete while work is pending")                 \
  X(query_never_complete, "ORDER-STABLE", "", "a stream query answers not ready whatever was proved")                  \
  X(rerecord_keeps_old_cut, "ORDER-STABLE", "", "an event recorded again covers what it covered before, too")          \
  X(query_answers_busy, "ORDER-QUERY-STATUS", "", "a stream query answers not permitted while work is pending")        \
  X(sync_returns_early, "ORDER-EARLY", "", "stream_synchronize does not wait")                                         \
  X(event_sync_returns_early, "ORDER-EARLY-EVENT", "", "event_synchronize does not wait")                              \
  X(device_sync_forgets_destroyed, "ORDER-EARLY-DEVICE", "", "device_synchronize forgets destroyed streams")           \
  X(event_keeps_first_record, "ORDER-EARLY-EVENT", "", "recording an event again changes nothing")                     \
  X(destroyed_stream_drops_items, "ORDER-EARLY-EVENT", "", "what was pending on a destroyed stream counts as done")    \
  X(empty_event_sync_refused, "ORDER-SYNC-STATUS", "", "synchronising an event that was never recorded fails")         \
  X(empty_event_wait_refused, "ORDER-SUBMIT-STATUS", "", "waiting for an event that was never recorded fails")         \
  X(failure_shows_twice, "ORDER-SYNC-STATUS", "NVIDIA CUDA", "a failed malloc fails the next synchronisation, too")    \
  X(empty_event_covers_device, "ORDER-EVENT-EMPTY", "", "an event that was never recorded stands for all work")        \
  X(recycled_event_keeps_record, "LIFE-RECYCLED-EVENT", "", "a new event with an old handle keeps its record")         \
  X(recycled_stream_keeps_items, "LIFE-RECYCLED-STREAM", "", "a new stream with an old handle is the old stream")      \
  /* Allocation */                                                                                                     \
  X(ranges_overlap, "ALLOC-OVERLAP", "", "a large block is backed by half of what was asked for")                      \
  X(odd_end_not_rounded_up, "ALLOC-OVERLAP", "", "the end of an odd size is left to the next block")                   \
  X(misaligned, "ALLOC-ALIGNMENT", "", "small blocks start 16 bytes into their unit")                                  \
  X(aligned_to_half_a_unit, "ALLOC-ALIGNMENT", "", "odd sizes above a unit are aligned to half of one")                \
  X(size_wraps, "ALLOC-OVERFLOW", "", "the rounding of a huge size wraps to a small one")                              \
  X(null_is_success, "ALLOC-NONNULL", "ROCm/hip#3223 (P19)", "running out of memory is success with null")             \
  X(pointer_written_late, "ALLOC-NONNULL", "ROCm/HIP-CPU",                                                             \
    "the address is written when the stream gets to the malloc")                                                       \
  X(shortage_is_invalid_value, "ALLOC-STATUS", "", "running out of memory is reported as an invalid value")            \
  X(failed_map_is_an_address, "ALLOC-WRAP", "", "what a failed mapping returns is handed out as an address")           \
  X(growth_loses_content, "ALLOC-CONTENT", "", "growing moves the pool and leaves the content behind")                 \
  X(reuse_clears_neighbour, "ALLOC-CONTENT", "", "a reused block is cleared one block too far")                        \
  X(odd_end_not_written, "ALLOC-CONTENT", "", "a write stops at a multiple of 16 bytes")                               \
  X(remap_aliases, "ALLOC-CONTENT", "", "regrown memory shares its physical pages with a live block")                  \
  X(release_drops_live, "ALLOC-CONTENT", "", "a release gives back the pages of a live block")                         \
  X(trim_drops_live, "ALLOC-CONTENT", "", "a trim gives back the pages of a live block")                               \
  X(double_free_accepted, "ALLOC-DOUBLE-FREE", "HIP H12", "a second free succeeds")                                    \
  X(interior_frees, "ALLOC-INTERIOR", "HIP H17", "an interior pointer frees its block")                                \
  X(foreign_pointer_accepted, "ALLOC-FOREIGN-POINTER", "", "a free of an unknown address succeeds")                    \
  X(free_null_refused, "ALLOC-FREE-NULL", "kokkos/kokkos#7774 (P24)", "a free of null is an error")                    \
  X(free_sync_refuses_pools, "ALLOC-FREE-STATUS", "", "a synchronous free of pool memory is not permitted")            \
  X(size_zero_refused, "ALLOC-SIZE-ZERO", "alpaka-group/alpaka#2197 (P24)", "a size of zero is an error")              \
  X(pool_memory_not_tracked, "ALLOC-PAIRING", "Project-HAMi/HAMi-core#93", "plain_free refuses memory of a pool")      \
  X(foreign_stream_free_refused, "ALLOC-FREE-FOREIGN-STREAM", "", "a block is freed on its own stream alone")          \
  X(blocks_die_with_stream, "ALLOC-OUTLIVES-STREAM", "", "destroying a stream frees what was allocated on it")         \
  /* Attributes */                                                                                                     \
  X(switches_start_off, "ATTR-DEFAULT", "Ascend CANN", "the switches of a new pool are off")                           \
  X(threshold_starts_high, "ATTR-DEFAULT", "", "the threshold of a new pool is the maximum")                           \
  X(threshold_keeps_32_bits, "ATTR-READBACK", "", "a threshold is cut to 32 bits")                                     \
  X(switch_writes_eight_bytes, "ATTR-WIDTH", "NVIDIA/cuda-python#1272 (35)", "a switch is written in 8 bytes")         \
  X(counter_writes_four_bytes, "ATTR-WIDTH", "", "a statistic is written in 4 bytes")                                  \
  X(read_only_accepted, "ATTR-READ-ONLY", "", "setting a current statistic succeeds")                                  \
  X(unknown_attribute_accepted, "ATTR-UNKNOWN", "", "an unknown attribute reads as 0")                                 \
  X(null_value_accepted, "ATTR-NULL-VALUE", "", "setting from a null value succeeds")                                  \
  X(watermark_takes_any_value, "ATTR-RESET-NONZERO", "", "a watermark may be set to anything")                         \
  X(even_values_are_off, "ATTR-OTHER-VALUE", "HIP H19", "a switch keeps the lowest bit of what is set")                \
  X(failed_set_stores, "ATTR-FAILED-SET", "", "a refused value of a switch turns it off")                              \
  X(settings_fixed_by_use, "ATTR-STATUS", "", "a pool in use takes no settings")                                       \
  X(max_threshold_refused, "ATTR-STATUS", "Ascend CANN", "a threshold above the device's memory is refused")           \
  X(settings_shared, "ATTR-FRAME", "", "a setting of one pool is set for all")                                         \
  X(threshold_set_turns_switch_on, "ATTR-FRAME", "", "setting the threshold turns the internal switch on")             \
  X(watermark_reset_stores_zero, "STAT-HIGH-GE-CURRENT", "HIP H11, Ascend CANN", "a reset watermark reads 0")          \
  X(watermark_reset_ignored, "ATTR-RESET", "", "resetting a watermark does nothing")                                   \
  /* Statistics */                                                                                                     \
  X(used_rounded_up, "STAT-USED", "", "used counts whole units of alignment")                                          \
  X(used_drops_late, "STAT-USED-DROP", "", "used drops at the next synchronisation only")                              \
  X(sync_free_not_counted, "STAT-USED", "rapidsai/rmm#2401 (6)", "a synchronous free leaves used as it was")           \
  X(used_rises_late, "STAT-USED", "", "used rises when the stream gets to the malloc")                                 \
  X(used_counts_whole_block, "STAT-USED", "HIP 2024", "a reused block counts as large as it was")                      \
  X(used_high_sampled, "STAT-USED-HIGH", "", "used_mem_high sees only what was read")                                  \
  X(reading_resets_watermark, "STAT-HIGH-RESET", "", "reading used_mem_high resets it")                                \
  X(used_high_falls, "STAT-USED-HIGH", "", "used_mem_high falls with used_mem_current")                                \
  X(reset_moves_both, "STAT-HIGH-RESET", "", "resetting one watermark resets the other, too")                          \
  X(reserved_high_falls, "STAT-HIGH-RESET", "", "reserved_mem_high falls with reserved_mem_current")                   \
  X(reserved_high_frozen, "STAT-HIGH-GE-CURRENT", "", "reserved_mem_high stays 0")                                     \
  X(reserved_forgets_growth, "STAT-RESERVED-MIN", "", "reserved stays at the first granule when a pool grows")         \
  X(reserved_beyond_the_limit, "STAT-RESERVED-MAX", "",                                                                \
    "a refused request stays counted as reserved beyond the limit")                                                    \
  X(sync_free_drifts_reserved, "STAT-RESERVED-MAX", "Ascend CANN",                                                     \
    "a synchronous free leaves reserved raised, and its reuse raises it again")                                        \
  X(reserved_high_counts_ahead, "STAT-RESERVED-HIGH", "", "reserved_mem_high counts what a pool might still need")     \
  X(free_releases, "STAT-RESERVED-FALL", "HIP 2024", "a free gives idle memory back")                                  \
  X(query_releases, "STAT-RESERVED-FALL", "", "a query gives idle memory back")                                        \
  X(malloc_releases, "STAT-RESERVED-FALL", "", "a malloc that fits gives idle memory back")                            \
  X(sync_reserves_ahead, "STAT-RESERVED-RISE", "", "a synchronisation reserves a granule ahead")                       \
  X(reserved_counts_bytes, "STAT-GRANULE", "", "reserved counts bytes in use, not granules")                           \
  X(used_of_all_pools, "STAT-FRAME", "", "used counts the allocations of all pools")                                   \
  X(reserved_of_all_pools, "STAT-FRAME", "", "reserved counts the memory of all pools")                                \
  X(free_counts_for_newest_pool, "STAT-FRAME", "", "a free lowers used of the newest pool")                            \
  X(trim_of_newest_pool, "STAT-FRAME", "", "a trim of any pool is one of the newest")                                  \
  X(failed_malloc_counts, "STAT-FAILED-CALL", "", "a malloc that failed counts as used")                               \
  X(refused_free_counts, "STAT-FAILED-CALL", "", "a refused free lowers used")                                         \
  X(failed_submit_keeps_reserve, "STAT-FAILED-CALL", "Ascend CANN",                                                    \
    "a malloc whose submission fails leaves reserved raised")                                                          \
  /* Release */                                                                                                        \
  X(threshold_against_idle, "RELEASE-THRESHOLD-REST", "HIP H9", "the threshold is held against idle bytes")            \
  X(threshold_overshot, "RELEASE-THRESHOLD-FLOOR", "", "a release goes one granule below the threshold")               \
  X(threshold_ignored, "RELEASE-THRESHOLD-FLOOR", "ROCm/rocm-systems#11690 (P1)", "a release ignores the threshold")   \
  X(never_releases, "RELEASE-THRESHOLD-REST", "JuliaGPU/CUDA.jl#1157 (11)", "synchronising gives nothing back")        \
  X(unaligned_threshold_keeps_all, "RELEASE-THRESHOLD-REST", "Ascend CANN",                                            \
    "a threshold that is no multiple of a granule stops all release")                                                  \
  X(stream_sync_keeps, "RELEASE-THRESHOLD-REST", "", "stream_synchronize gives nothing back")                          \
  X(event_sync_keeps, "RELEASE-THRESHOLD-REST", "", "event_synchronize gives nothing back")                            \
  X(device_sync_keeps, "RELEASE-THRESHOLD-REST", "", "device_synchronize gives nothing back")                          \
  X(release_takes_pending, "RELEASE-LIVE-KEPT", "", "a release takes memory whose free is pending")                    \
  X(trim_takes_pending, "RELEASE-LIVE-KEPT", "", "a trim takes memory whose free is pending")                          \
  X(trim_refused_below_used, "RELEASE-TRIM-OK", "Ascend CANN", "a trim below what is used is an error")                \
  X(trim_ignores_target, "RELEASE-TRIM-FLOOR", "", "a trim gives all idle memory back")                                \
  X(trim_overshoots, "RELEASE-TRIM-FLOOR", "", "a trim goes one granule below its target")                             \
  X(trim_does_nothing, "RELEASE-TRIM-REST", "pytorch/executorch#22312 (43)", "a trim gives nothing back")              \
  X(trim_keeps_threshold, "RELEASE-TRIM-REST", "kekzl/imp#915 (44)", "a trim stops at the release threshold")          \
  X(trim_reserves, "RELEASE-TRIM-NOOP", "", "a trim above what is reserved reserves a granule")                        \
  X(release_counts_only, "STAT-RESERVED-PHYSICAL", "cupy/cupy#3777 (9)",                                               \
    "what reserved falls by stays with the runtime")                                                                   \
  X(default_pool_keeps, "RELEASE-THRESHOLD-REST", "", "the default pool gives nothing back")                           \
  /* Life cycle */                                                                                                     \
  X(destroy_frees_live, "LIFE-POOL-DEFERRED", "HIP H13, Ascend CANN", "destroying a pool frees its allocations")       \
  X(destroy_clears_live, "ALLOC-CONTENT", "", "destroying a pool loses what its allocations hold")                     \
  X(destroy_refused_with_live, "LIFE-POOL-DESTROY-LIVE", "", "a pool with live allocations is not destroyed")          \
  X(destroyed_pool_leaks, "LIFE-POOL-GIVES-BACK", "", "a destroyed pool's memory is lost to the device")               \
  X(orphan_memory_leaks, "LIFE-POOL-GIVES-BACK", "", "memory that outlived its pool is lost to the device")            \
  X(second_destroy_accepted, "LIFE-POOL-SECOND-DESTROY", "HIP H13", "a second destroy of a pool succeeds")             \
  X(dead_pool_crashes, "LIFE-NO-CRASH", "Ascend CANN", "a destroyed pool is used unchecked")                           \
  X(foreign_free_hangs, "LIFE-NO-CRASH", "", "a free of an unknown address never returns")                             \
  X(dead_pool_serves, "LIFE-POOL-DEAD", "", "a destroyed pool goes on")                                                \
  X(default_pool_destroyed, "LIFE-DEFAULT-POOL-DESTROY", "", "destroying the default pool succeeds")                   \
  X(current_dangles, "LIFE-CURRENT-DESTROYED", "", "the destroyed current pool stays current")                         \
  X(current_is_default, "LIFE-CURRENT-MALLOC", "", "a malloc without a pool is served by the default pool")            \
  X(set_current_ignored, "LIFE-CURRENT-SET", "", "setting the current pool does nothing")                              \
  X(current_of_each_thread, "LIFE-CURRENT-SET", "", "each thread has a current pool of its own")                       \
  X(dead_stream_free_lost, "LIFE-FREE-DEAD-STREAM", "NVIDIA/MatX#578 (55)",                                            \
    "a free on a dead stream succeeds and is lost")                                                                    \
  X(dead_stream_free_frees, "LIFE-FREE-LIVE-STREAM", "cupy/cupy#4537 (8)",                                             \
    "a free on a dead stream is refused, and yet frees")                                                               \
  X(dead_stream_goes_on, "LIFE-STREAM-DEAD", "", "a destroyed stream goes on")                                         \
  X(dead_event_goes_on, "LIFE-EVENT-DEAD", "", "a destroyed event goes on")                                            \
  X(third_stream_refused, "LIFE-CREATE-STATUS", "", "two streams are all that a device has")                           \
  X(event_handles_repeat, "LIFE-HANDLE-DISTINCT", "", "a new event is the one before it")                              \
  X(event_table_of_64, "LIFE-HANDLE-DISTINCT", "", "the 65th event is the first one")                                  \
  X(busy_stream_not_destroyed, "LIFE-STREAM-DESTROY", "", "a stream with pending work cannot be destroyed")            \
  X(busy_event_not_destroyed, "LIFE-EVENT-DESTROY", "", "an event that is pending cannot be destroyed")                \
  X(pool_with_reserve_not_destroyed, "LIFE-POOL-DESTROY", "", "an empty pool that kept memory cannot be destroyed")    \
  X(default_follows_current, "LIFE-DEFAULT-POOL", "", "the default pool is whatever was made current")                 \
  X(current_starts_apart, "LIFE-CURRENT-INITIAL", "", "before one is set, the current pool is a pool of its own")      \
  X(recycled_pool_keeps_settings, "LIFE-RECYCLED-POOL", "NVIDIA/cuda-python#2807 (30)",                                \
    "a new pool with an old handle keeps its settings")                                                                \
  X(recycled_pool_keeps_watermark, "LIFE-RECYCLED-POOL", "", "a new pool with an old handle keeps its watermarks")     \
  X(recycled_pool_is_current, "LIFE-RECYCLED-POOL", "",                                                                \
    "a new pool with the handle of the destroyed current pool is current")                                             \
  /* Blocking */                                                                                                       \
  X(free_waits_for_earlier_free, "ASYNC-BLOCKED-FREE", "HIP H5", "a free waits for the block's earlier free")          \
  X(free_of_plain_waits, "ASYNC-BLOCKED-FREE", "HIP 2024", "a free of plain memory on a stream waits for the device")  \
  X(malloc_waits, "ASYNC-BLOCKED-MALLOC", "", "a malloc waits for its stream")                                         \
  X(growth_waits, "ASYNC-BLOCKED-MALLOC", "", "a malloc that grows its pool waits for the device")                     \
  X(short_malloc_waits, "ASYNC-BLOCKED-MALLOC", "tensorflow/tensorflow#50699 (19)",                                    \
    "a malloc that does not fit synchronises and tries again")                                                         \
  X(record_waits, "ASYNC-BLOCKED-EVENT", "", "a record waits for its stream")                                          \
  X(wait_event_waits, "ASYNC-BLOCKED-EVENT", "", "telling a stream to wait waits for the event")                       \
  X(set_waits, "ASYNC-BLOCKED-ATTRIBUTE", "", "setting an attribute waits for the device")                             \
  X(get_waits, "ASYNC-BLOCKED-ATTRIBUTE", "", "reading a statistic waits for the device")                              \
  X(trim_waits, "ASYNC-BLOCKED-TRIM", "", "a trim waits for the device")                                               \
  X(destroy_waits, "ASYNC-BLOCKED-DESTROY", "", "destroying a pool waits for the device")                              \
  /* Capacity and errors */                                                                                            \
  X(scattered_granules_useless, "CAP-MUST-SERVE", "pytorch/pytorch#110194 (21)",                                       \
    "scattered idle granules do not make room for a large request")                                                    \
  X(address_space_counts, "CAP-MUST-SERVE", "ROCm/rocm-systems#7128 (P6)", "half of a pool's limit is never used")     \
  X(max_size_rounded_down, "CAP-MUST-SERVE", "", "a maximum size is rounded down to granules")                         \
  X(limits_shared, "CAP-MUST-SERVE", "", "what other pools with a maximum size use counts against each")               \
  X(only_device_sync_settles, "CAP-MUST-SERVE", "rapidsai/rmm#1245 (4)",                                               \
    "freed memory serves again after a device synchronisation only")                                                   \
  X(max_size_ignored, "CAP-MAX-SIZE", "ROCm/hip#3422 (P21)", "a maximum size limits nothing")                          \
  X(size_cut_to_32_bits, "CAP-OOM-STATUS", "", "a size is cut to 32 bits")                                             \
  X(one_code_for_everything, "CAP-OOM-STATUS", "Ascend CANN",                                                          \
    "running out of memory is reported as an internal error")                                                          \
  X(output_garbage_on_failure, "CAP-OUT-POINTER", "", "a malloc that failed leaves an address behind")                 \
  X(failed_malloc_leaks, "CAP-DEVICE-MEMORY", "", "a malloc that failed keeps a granule of the device")                \
  X(failed_free_frees, "STAT-FAILED-CALL", "Ascend CANN", "a free whose submission fails frees all the same")          \
  X(plain_memory_leaks, "CAP-PLAIN-GIVES-BACK", "", "freed plain memory is lost to the device")                        \
  X(last_error_of_all_threads, "CAP-NATIVE-CODE", "", "the last error is one for all threads")                         \
  X(fault_sticks, "CAP-FAULT", "", "after a failed reservation a pool serves nothing any more")                        \
  X(failed_record_records, "CAP-FAULT", "", "a record whose submission fails records all the same")                    \
  X(error_code_lost, "CAP-NATIVE-CODE", "", "an error's own code reads 0")                                             \
  /* Threads */                                                                                                        \
  X(statistics_unlocked, "STAT-USED", "", "two calls that count at once lose a count")                                 \
  X(overlapping_free_lost, "STAT-USED", "", "of two frees at once one is lost")                                        \
  X(watermark_unlocked, "STAT-USED-HIGH", "", "of two mallocs at once neither raises used_mem_high")                   \
  X(race_hands_out_twice, "ALLOC-OVERLAP", "", "two mallocs at once take the same free block")                         \
  X(race_repeats_handle, "LIFE-HANDLE-DISTINCT", "", "two events made at once are one")                                \
  X(race_loses_wait, "ORDER-EARLY", "", "a wait beside a record of its event finds the event empty")                   \
  X(race_refuses_free, "THREAD-LINEARIZABLE", "", "a free beside the destruction of its pool is refused")              \
  X(race_destroys_twice, "LIFE-POOL-SECOND-DESTROY", "", "two destructions of a pool at once both succeed")            \
  X(race_leaks_pool, "LIFE-POOL-GIVES-BACK", "", "a pool whose last block is freed beside its destruction is lost")    \
  X(race_forgets_block, "LIFE-POOL-DEFERRED", "", "a block asked for beside the destruction of its pool dies with it") \
  X(race_reads_dying_pool, "THREAD-LINEARIZABLE", "", "used of a pool that is being destroyed reads 0")                \
  X(race_frees_twice, "ALLOC-DOUBLE-FREE", "", "two frees of a block at once both succeed")                            \
  X(race_trim_drops_new, "ALLOC-CONTENT", "", "a trim gives back the pages of a block handed out beside it")           \
  X(race_mixes_settings, "ATTR-READBACK", "Ascend CANN", "two settings of a threshold at once mix")                    \
  X(locks_in_opposite_orders, "THREAD-DEADLOCK", "ROCm/rocm-systems#10529 (P4)",                                       \
    "a malloc and an event synchronisation take two locks in opposite orders")                                         \
  X(sync_proves_at_return, "REUSE-UNSAFE", "", "a synchronisation proves what came while it waited")                   \
  X(sync_holds_the_lock, "ASYNC-BLOCKED-MALLOC", "ROCm/rocm-systems#10529 (P4)",                                       \
    "synchronising an event keeps a lock that a malloc wants")

enum class Fault : std::uint8_t {
  none,
#define STREAMPOOL_FAULT(name, clause, model, text) name,
  STREAMPOOL_MUTANTS(STREAMPOOL_FAULT)
#undef STREAMPOOL_FAULT
};

struct Mutant {
  Fault fault;
  std::string_view name, clause, model, text;
};

inline constexpr std::array catalogue{
#define STREAMPOOL_MUTANT(name, clause, model, text) Mutant{Fault::name, #name, clause, model, text},
    STREAMPOOL_MUTANTS(STREAMPOOL_MUTANT)
#undef STREAMPOOL_MUTANT
};

// Null: there is no mutant of that name.
[[nodiscard]] constexpr const Mutant* find_mutant(std::string_view name) {
  for (const Mutant& mutant : catalogue) {
    if (mutant.name == name) return &mutant;
  }
  return nullptr;
}

// Does a finding of `clause` kill a mutant of `claimed`? It must be that clause, or a finer one of it.
[[nodiscard]] constexpr bool kills(std::string_view clause, std::string_view claimed) {
  return clause.starts_with(claimed) && (clause.size() == claimed.size() || clause[claimed.size()] == '-');
}

}  // namespace streampool::mutants
