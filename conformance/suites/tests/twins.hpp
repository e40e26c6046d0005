// The faulty twins: each is a small, right runtime with one thing wrong. A directed case names those that it tells from
// the right one; directed_test.cpp runs it on both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/history/history.hpp"

namespace streampool::suites::twins {

// Name, and what is wrong. `X(name, about)`. Where `about` says ATTRIBUTE, the twin's full name ends in `:` and the
// attribute.
#define STREAMPOOL_TWINS(X)                                                                               \
  /* order */                                                                                             \
  X(query_ok_while_pending, "stream_query answers ok whatever is pending")                                \
  X(query_never_ok, "stream_query always answers not_ready")                                              \
  X(query_fails, "stream_query of pending work answers an error")                                         \
  X(query_sees_own_gates_only, "stream_query looks at its own stream's gates, not at what they wait for") \
  X(sync_returns_early, "stream_sync does not wait")                                                      \
  X(sync_fails, "stream_sync, event_sync and device_sync wait and then answer an error")                  \
  X(event_query_ok_while_pending, "event_query answers ok whatever is pending")                           \
  X(event_query_never_ok, "event_query of a recorded event always answers not_ready")                     \
  X(event_query_fails, "event_query of pending work answers an error")                                    \
  X(event_sync_returns_early, "event_sync does not wait")                                                 \
  X(device_sync_returns_early, "device_sync does not wait")                                               \
  X(device_sync_forgets_destroyed, "device_sync does not wait for destroyed streams")                     \
  X(device_sync_forgets_default_streams, "device_sync does not wait for the default streams")             \
  X(wait_ignored, "stream_wait_event orders nothing")                                                     \
  X(wait_blocks_nothing, "stream_wait_event orders, but items behind it run at once")                     \
  X(wait_follows_event, "a wait follows what the event holds when it is asked, not at the wait call")     \
  X(wait_after_destroy_dropped, "destroying an event drops the waits that took its cut")                  \
  X(record_captures_nothing, "an event is complete as soon as it is recorded")                            \
  X(record_kept_first, "a second record of an event changes nothing")                                     \
  X(record_joins, "a second record of an event adds to the first")                                        \
  X(record_fails, "event_record answers an error")                                                        \
  X(wait_fails, "stream_wait_event of a never-recorded event answers an error")                           \
  X(record_captures_later, "an event holds everything of its stream, what comes after the record too")    \
  X(unrecorded_event_pending, "an event that was never recorded is not ready")                            \
  X(unrecorded_event_holds, "waiting for a never-recorded event waits for its first record")              \
  X(legacy_ignores_blocking, "the legacy stream does not follow blocking streams")                        \
  X(legacy_ignores_per_thread, "the legacy stream does not follow per-thread streams")                    \
  X(legacy_forgets_destroyed, "the legacy stream does not follow destroyed blocking streams")             \
  X(legacy_ignores_later_streams, "the legacy stream follows only streams older than its first use")      \
  X(blocking_ignores_legacy, "blocking streams do not follow the legacy stream")                          \
  X(per_thread_ignores_legacy, "per-thread streams do not follow the legacy stream")                      \
  X(nonblocking_follows_legacy, "non-blocking streams follow the legacy stream")                          \
  X(legacy_follows_nonblocking, "the legacy stream follows non-blocking streams")                         \
  X(destroyed_stream_drops_items, "destroying a stream completes its pending items")                      \
  /* allocation */                                                                                        \
  X(hands_out_live_memory, "a malloc may return memory that is not freed")                                \
  X(pools_share_addresses, "two pools hand out the same addresses")                                       \
  X(plain_shares_addresses, "plain memory lies where pool memory lies")                                   \
  X(padding_shared, "the padding of a block belongs to its neighbour")                                    \
  X(misaligned, "addresses are multiples of 16 only")                                                     \
  X(misaligned_remainder, "what remains of a split block begins where the request ended")                 \
  X(null_success, "a malloc that finds no memory answers ok and null")                                    \
  X(unwritten_success, "a malloc answers ok and does not write the address")                              \
  X(malloc_status, "a malloc that finds no memory answers not_supported")                                 \
  X(wraps, "a size near 2^64 is taken modulo 2^64")                                                       \
  X(content_lost_by_growth, "growing moves the pool and loses what it held")                              \
  X(content_lost_by_neighbour, "a reuse clears one unit too much")                                        \
  X(content_lost_by_failed_call, "a malloc that fails clears the pool")                                   \
  X(content_lost_by_set, "setting an attribute clears the pool")                                          \
  X(shares_physical_memory, "fresh memory is backed by what a pending free still backs")                  \
  X(foreign_stream_free_refused, "free_async on another stream than the allocating one is refused")       \
  X(free_refused, "free_async answers an error")                                                          \
  X(free_sync_refused, "a synchronous free of pool memory answers an error")                              \
  X(plain_free_refused, "plain_free answers an error")                                                    \
  X(async_free_of_plain_refused, "free_async of plain memory is refused")                                 \
  X(cross_free_refused, "a free of the other kind of memory is refused")                                  \
  X(blocks_die_with_stream, "destroying a stream frees the blocks that were made on it")                  \
  X(free_sync_proves_nothing, "bytes of a synchronous free keep an old label")                            \
  X(zero_size_refused, "a malloc of size zero is refused")                                                \
  X(zero_size_allocates, "a malloc of size zero makes an allocation")                                     \
  X(free_null_refused, "free_async of null is refused")                                                   \
  X(double_free_accepted, "a second free while the first is pending is accepted, and counts")             \
  X(double_free_proved_accepted, "a second free after the first was proved is accepted")                  \
  X(double_free_counts, "a second free is refused and yet counted")                                       \
  X(interior_accepted, "an interior pointer frees its block")                                             \
  X(interior_frees, "an interior pointer is refused, but the block is freed")                             \
  X(crashes_on_foreign_pointer, "a free of an unknown address ends the process")                          \
  X(foreign_pointer_accepted, "a free of an unknown address is accepted")                                 \
  /* reuse */                                                                                             \
  X(reuses_any_free, "any freed block may be handed out")                                                 \
  X(stale_event, "waiting for any event of the freeing stream counts as order")                           \
  X(allocating_stream_label, "a freed block is labelled with the stream that allocated it")               \
  X(remainder_relabelled, "what remains of a split block belongs to the stream that split it")            \
  X(merge_keeps_first_label, "neighbouring free blocks merge under the first one's label")                \
  X(first_label_stays, "a block keeps the label of its first free")                                       \
  X(checks_first_byte_only, "only the first byte of a run is checked")                                    \
  X(checks_all_but_last_unit, "the last unit of a run is not checked")                                    \
  X(event_switch_ignored, "reuse_follow_event_dependencies is taken as on")                               \
  X(opportunistic_switch_ignored, "reuse_allow_opportunistic is taken as on")                             \
  X(internal_switch_ignored, "reuse_allow_internal_dependencies is taken as on")                          \
  X(opportunistic_without_completion, "an opportunistic reuse does not ask whether the free has run")     \
  X(dependency_not_inserted, "an internal dependency is claimed and not inserted")                        \
  X(dependency_on_first_only, "an internal dependency is inserted for the first block of a merge only")   \
  X(switches_frozen, "the switches count as they stood when the pool was made")                           \
  X(switches_at_free, "the switches count as they stood at the free")                                     \
  X(switches_of_first_pool, "the switches of the first pool count for all")                               \
  X(switches_of_last_pool, "the switches of the newest pool count for all")                               \
  X(sync_observes_everything, "any synchronize makes every free reusable")                                \
  X(sync_observes_later_frees, "a stream that was once synchronized counts as observed for ever")         \
  X(not_ready_observes, "a query observes even where it answers not_ready")                               \
  X(record_observes, "recording an event behind a free observes it")                                      \
  X(destroy_observes, "destroying a stream observes its frees")                                           \
  X(release_forgets_pending, "a release takes pending frees along")                                       \
  X(trim_forgets_pending, "a trim takes pending frees along")                                             \
  X(destroy_forgets_pending, "destroying a pool forgets its pending frees")                               \
  X(plain_takes_pending, "plain_malloc takes pool memory whose free is pending")                          \
  X(pools_trade_pending, "a pool takes another pool's pending free")                                      \
  X(stream_by_handle, "streams are told apart by their handle value")                                     \
  X(per_thread_is_one_stream, "the per-thread streams of two threads are one")                            \
  X(legacy_orders_reuse_everywhere, "legacy's frees may be reused on every stream")                       \
  X(blocking_streams_ordered, "blocking streams count as ordered among themselves")                       \
  X(never_reuses, "freed memory is never handed out again")                                               \
  X(pending_after_opportunistic, "what was reused opportunistically still runs")                          \
  X(no_room_after_free, "free memory of the own stream is not found again")                               \
  /* attributes */                                                                                        \
  X(default_wrong, "ATTRIBUTE of a new pool is not its default")                                          \
  X(set_ignored, "setting ATTRIBUTE succeeds and stores nothing")                                         \
  X(set_refused, "setting ATTRIBUTE to a lawful value is refused")                                        \
  X(get_refused, "reading ATTRIBUTE is refused")                                                          \
  X(off_for_ever, "ATTRIBUTE cannot be switched on again")                                                \
  X(set_sticks_to_max, "ATTRIBUTE only ever grows")                                                       \
  X(too_wide, "reading ATTRIBUTE writes bytes beyond it")                                                 \
  X(too_narrow, "reading ATTRIBUTE writes too few bytes")                                                 \
  X(read_only_accepted, "setting ATTRIBUTE, which is read only, succeeds")                                \
  X(failed_set_stores, "setting ATTRIBUTE is refused, and stores all the same")                           \
  X(failed_set_clears, "a refused set of ATTRIBUTE puts the settings back to their defaults")             \
  X(reset_ignored, "setting ATTRIBUTE to 0 changes nothing")                                              \
  X(reset_to_zero, "setting ATTRIBUTE to 0 stores 0")                                                     \
  X(reset_nonzero_accepted, "setting ATTRIBUTE to another value than 0 succeeds")                         \
  X(moves_with_neighbour, "ATTRIBUTE moves when another attribute is set")                                \
  X(shared_by_pools, "ATTRIBUTE of one pool is that of all")                                              \
  X(moves_with_calls, "ATTRIBUTE goes back to its default at a synchronize or trim")                      \
  X(other_value_taken, "a value other than 0 and 1 is taken for ATTRIBUTE")                               \
  X(threshold_32_bits, "release_threshold keeps 32 bits")                                                 \
  X(threshold_signed, "release_threshold refuses values of 2^63 and more")                                \
  X(threshold_below_size_only, "release_threshold refuses the pool's size and more")                      \
  X(null_stores, "a null value of ATTRIBUTE is refused and puts it to zero")                              \
  X(new_pools_copy_the_last, "a new pool starts with the settings of the one before")                     \
  X(threshold_capped, "release_threshold is cut to the pool's size")                                      \
  X(unknown_id_accepted, "an unknown attribute id is accepted")                                           \
  X(unknown_id_wraps, "attribute ids are taken modulo 256")                                               \
  X(null_value_accepted, "a null value is accepted, and clears the attribute")                            \
  /* statistics */                                                                                        \
  X(used_counts_rounded, "used counts whole units of alignment")                                          \
  X(used_counts_granules, "used counts whole granules")                                                   \
  X(used_drops_at_completion, "used drops when a free has run")                                           \
  X(sync_free_not_counted, "a synchronous free leaves used as it was")                                    \
  X(used_never_drops, "used keeps what was freed")                                                        \
  X(used_drops_twice, "a free is counted off twice where its block was split off")                        \
  X(used_forgets_reuse, "a reused block is not counted")                                                  \
  X(used_above_reserved, "reserved lags behind: the newest granule is not counted")                       \
  X(used_high_follows, "used_mem_high falls with used_mem_current")                                       \
  X(used_high_sampled, "used_mem_high only sees the values that were read")                               \
  X(used_high_frozen, "used_mem_high does not move after its reset")                                      \
  X(reserved_high_beyond_cap, "reserved_mem_high counts a granule that was not got")                      \
  X(reserved_reports_one_more, "reserved counts one granule more than there is")                          \
  X(failed_malloc_reserves, "a malloc that fails keeps a granule")                                        \
  X(used_high_counts_pending, "used_mem_high counts pending frees too")                                   \
  X(reserved_high_follows, "reserved_mem_high falls with reserved_mem_current")                           \
  X(reserved_high_sampled, "reserved_mem_high only sees the values that were read")                       \
  X(reserved_high_frozen, "reserved_mem_high does not move after its reset")                              \
  X(high_below_current, "a reset takes the smallest value")                                               \
  X(reserved_rises_at_free, "a free reserves a granule")                                                  \
  X(reserved_rises_at_sync, "a synchronize reserves a granule ahead")                                     \
  X(reserved_falls_at_free, "a free gives memory back")                                                   \
  X(reserved_falls_at_query, "a query gives memory back")                                                 \
  X(reserved_falls_at_malloc, "a malloc that fits gives idle memory back")                                \
  X(reserved_counts_bytes, "reserved counts used bytes, not granules")                                    \
  X(reserved_hides_pending, "reserved does not count memory of pending frees")                            \
  X(counts_into_all_pools, "used counts for every pool")                                                  \
  X(reserves_into_all_pools, "reserved counts for every pool")                                            \
  X(failed_malloc_counts, "a malloc that fails counts as used")                                           \
  X(failed_malloc_raises_high, "a malloc that fails raises used_mem_high")                                \
  X(reserved_high_counts_used, "reserved_mem_high is the peak of used")                                   \
  X(pressure_takes_from_all, "a request that does not fit takes idle memory of every pool")               \
  X(high_shared, "the watermarks are one for all pools")                                                  \
  /* release */                                                                                           \
  X(threshold_ignored, "a synchronize gives everything back")                                             \
  X(threshold_undershoots, "a synchronize gives back one granule too many")                               \
  X(threshold_rounded_down, "the threshold is rounded down to granules")                                  \
  X(threshold_compares_idle, "the threshold is held against idle bytes")                                  \
  X(trim_rounded_down, "a trim's target is rounded down to granules")                                     \
  X(trim_keeps_threshold, "a trim stops at the threshold")                                                \
  X(trim_loses_content, "trim moves live blocks and loses what they hold")                                \
  X(frees_count_for_ever_in_trim, "a free that was pending at a trim is outstanding for ever")            \
  X(threshold_old_value, "the threshold counts as it stood at the last malloc")                           \
  X(never_releases, "a synchronize gives nothing back")                                                   \
  X(stream_sync_keeps, "stream_sync gives nothing back")                                                  \
  X(event_sync_keeps, "event_sync gives nothing back")                                                    \
  X(device_sync_keeps, "device_sync gives nothing back")                                                  \
  X(trim_refused, "trim below what is used answers an error")                                             \
  X(trim_refuses_large, "trim above what is reserved answers an error")                                   \
  X(trim_ignores_target, "trim gives everything back")                                                    \
  X(trim_undershoots, "trim gives back one granule too many")                                             \
  X(trim_does_nothing, "trim gives nothing back")                                                         \
  X(trim_takes_from_all, "trim gives back memory of every pool")                                          \
  X(trim_grows, "trim above what is reserved reserves up to it")                                          \
  X(trim_releases_live, "trim takes memory from under live blocks")                                       \
  X(sync_releases_live, "a synchronize takes memory from under live blocks")                              \
  X(trim_takes_pending, "trim takes memory from under pending frees")                                     \
  X(releases_whole_or_nothing, "memory is given back only where the pool is empty")                       \
  /* life cycle */                                                                                        \
  X(handles_repeat, "two live objects get one handle value")                                              \
  X(create_fails, "creating an object of lawful properties is refused")                                   \
  X(create_with_small_max_fails, "a pool smaller than a granule is refused")                              \
  X(stream_destroy_fails, "destroying a stream with pending items is refused")                            \
  X(event_destroy_fails, "destroying a recorded event is refused")                                        \
  X(destroyed_pool_leaks, "a destroyed pool's memory is lost to the device")                              \
  X(destroy_gives_back_pending, "a destroyed pool's memory is the device's at once")                      \
  X(orphan_memory_leaks, "a pool destroyed with live blocks never gives their memory back")               \
  X(plain_memory_leaks, "freed plain memory is lost to the device")                                       \
  X(failed_free_counts, "a free whose submission fails frees all the same")                               \
  X(failed_record_records, "a record whose submission fails records all the same")                        \
  X(release_counts_only, "what reserved falls by is lost to the device")                                  \
  X(default_pool_keeps, "the default pool never gives anything back")                                     \
  X(pool_destroy_fails, "destroying an idle pool is refused")                                             \
  X(destroy_with_live_refused, "destroying a pool with live or pending memory is refused")                \
  X(destroy_immediate, "destroying a pool takes its live allocations")                                    \
  X(destroy_clears_live, "destroying a pool loses what its allocations hold")                             \
  X(dead_pool_accepted, "a destroyed pool goes on")                                                       \
  X(second_destroy_accepted, "a second destroy of a pool succeeds")                                       \
  X(dead_pool_status, "a destroyed pool answers invalid_value")                                           \
  X(dead_stream_accepted, "a destroyed stream goes on")                                                   \
  X(dead_stream_ok, "calls on a destroyed stream answer ok and do nothing")                               \
  X(dead_stream_free_accepted, "free_async on a destroyed stream succeeds")                               \
  X(dead_stream_free_frees, "free_async on a destroyed stream is refused, but the block is freed")        \
  X(dead_stream_malloc_leaks, "malloc on a destroyed stream is refused, but counted")                     \
  X(dead_event_accepted, "a destroyed event goes on")                                                     \
  X(default_pool_changes, "pool_default makes a new pool each time")                                      \
  X(default_pool_destroyed, "the default pool can be destroyed")                                          \
  X(default_pool_destroy_empties, "the refused destroy of the default pool makes it unusable")            \
  X(current_initial_wrong, "the current pool is another than the default one")                            \
  X(current_not_set, "pool_set_current changes nothing")                                                  \
  X(current_malloc_from_default, "a malloc without a pool is served from the default pool")               \
  X(current_dangles, "the destroyed current pool stays current")                                          \
  X(current_at_stream_creation, "a stream remembers the pool that was current when it was made")          \
  X(recycled_stream_inherits_items, "a new stream with an old handle waits for the old one's items")      \
  X(recycled_event_inherits, "a new event with an old handle keeps the old cut")                          \
  X(recycled_pool_inherits_settings, "a new pool with an old handle keeps the old settings")              \
  X(recycled_pool_inherits_statistics, "a new pool with an old handle keeps the old statistics")          \
  X(recycled_pool_is_current, "a new pool with the old current pool's handle is current")                 \
  /* asynchrony */                                                                                        \
  X(malloc_waits, "malloc_async waits for its stream")                                                    \
  X(malloc_waits_when_short, "malloc_async waits for pending frees when memory is short")                 \
  X(free_waits, "free_async waits for its stream")                                                        \
  X(free_of_reused_waits, "free_async of a reused block waits for the block's earlier free")              \
  X(record_waits, "event_record waits for its stream")                                                    \
  X(record_again_waits, "a second event_record waits for the first")                                      \
  X(wait_waits, "stream_wait_event waits for the event")                                                  \
  X(get_waits, "pool_get waits for the pool's pending frees")                                             \
  X(set_waits, "pool_set waits for the pool's pending frees")                                             \
  X(trim_waits, "pool_trim waits for the pool's pending frees")                                           \
  X(destroy_waits, "pool_destroy waits for the pool's pending frees")                                     \
  X(destroy_waits_for_streams, "pool_destroy waits for every stream")                                     \
  /* capacity */                                                                                          \
  X(oom_status, "a request that does not fit is an invalid value")                                        \
  X(oom_leaves_pointer, "a failed malloc leaves the output pointer as it was")                            \
  X(oom_garbage_pointer, "a failed malloc leaves an address in the output pointer")                       \
  X(needs_contiguous, "a request is not served from scattered idle granules")                             \
  X(no_pressure, "idle memory is not given back for a request that does not fit")                         \
  X(frees_count_for_ever, "pending frees are never found complete")                                       \
  X(event_sync_finds_nothing, "event_sync does not make frees available again")                           \
  X(cap_exclusive, "a pool's maximum is one granule less than it was told")                               \
  X(cap_rounded_down, "a pool's maximum is rounded down to granules")                                     \
  X(cap_ignored, "a pool's maximum is no limit")                                                          \
  X(cap_counts_touched_twice, "a live block takes a granule more than it touches")                        \
  X(cap_exclusive_of_device, "the last granule of the device is never used")                              \
  X(failed_malloc_leaks, "a malloc that fails keeps what it reserved")                                    \
  X(fault_leaks, "a failed map leaves its reservation")                                                   \
  X(fault_ignored, "a failed submission is answered with ok")                                             \
  X(fault_sticks, "after a failed reservation every malloc fails")                                        \
  X(fault_leaves_item, "a failed submission leaves an allocation")                                        \
  X(no_native_code, "errors carry no code of their own")                                                  \
  /* threads */                                                                                           \
  X(sync_holds_the_lock, "a synchronize keeps the runtime's lock while it waits")                         \
  X(last_error_of_all_threads, "the last error's code is one for all threads")                            \
  X(race_hands_out_twice, "a malloc gets the block that another thread has just got")                     \
  X(count_lost_between_threads, "used misses what another thread has counted at the same time")           \
  X(free_lost_between_threads, "used does not see a free of another thread than the last one's")          \
  X(blocks_belong_to_threads, "a free on another host thread than the malloc's is refused")               \
  X(proofs_stay_in_their_thread, "what a second thread's synchronize proves is not seen by the first")    \
  X(settings_stay_in_their_thread, "what a second thread sets is not seen by the first")                  \
  X(settings_mix, "two threads' settings of one attribute mix")                                           \
  /* devices */                                                                                           \
  X(device_sync_of_first_device_only, "device_sync of any device waits for the first one")                \
  X(device_sync_observes_all_devices, "device_sync of one device observes the frees of all")              \
  X(wait_for_other_device_ignored, "a wait for an event of another device orders nothing")                \
  X(default_streams_of_all_devices, "the legacy stream orders blocking streams of every device")          \
  X(one_default_pool_for_all_devices, "every device has the same default pool")                           \
  X(one_current_pool_for_all_devices, "setting a device's current pool sets every device's")              \
  X(one_limit_for_all_devices, "a limit of one device limits the others")

enum class Fault : std::uint16_t {
  none,
#define STREAMPOOL_ENUMERATOR(name, about) name,
  STREAMPOOL_TWINS(STREAMPOOL_ENUMERATOR)
#undef STREAMPOOL_ENUMERATOR
};

struct Info {
  std::string_view name, about;
};
inline constexpr Info all[] = {
#define STREAMPOOL_INFO(name, about) {#name, about},
    STREAMPOOL_TWINS(STREAMPOOL_INFO)
#undef STREAMPOOL_INFO
};

// What is wrong with a runtime; `attribute` where the fault has one.
struct Twin {
  Fault fault = Fault::none;
  history::Attribute attribute{0};

  [[nodiscard]] bool is(Fault asked) const { return fault == asked; }
  [[nodiscard]] bool is(Fault asked, history::Attribute id) const { return fault == asked && attribute == id; }
};

// "stale_event", or "default_wrong:release_threshold". Nothing where there is no such twin.
[[nodiscard]] std::optional<Twin> find(std::string_view name);

}  // namespace streampool::suites::twins
