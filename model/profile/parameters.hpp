// The one list of a profile's parameters: name and meaning of each. Loading, printing, comparing and the documentation
// walk it.
#pragma once

#include <string_view>
#include <utility>

#include "model/profile/profile.hpp"

namespace streampool::model {

// Calls visit(name, meaning, parameter) for each parameter, in the order of the struct. `parameters` is a Parameters,
// const or not.
template <class Object, class Visit>
void for_each_parameter(Object&& p, Visit&& visit) {
  visit("switch_defaults", "Values of the attributes 1, 2 and 3 in a new pool.", p.switch_defaults);
  visit("switch_other_values", "What setting a switch to a value other than 0 and 1 does.", p.switch_other_values);
  visit("switch_on_monotone", "Whether switching a reuse attribute on never removes a permitted reuse.",
        p.switch_on_monotone);
  visit("new_pool_threshold", "release_threshold of a new pool, in bytes.", p.new_pool_threshold);
  visit("new_pool_reserved", "reserved_mem_current of a new pool before its first malloc, in bytes.",
        p.new_pool_reserved);
  visit("threshold_range", "Which values release_threshold accepts.", p.threshold_range);
  visit("watermark_reset", "What setting a high watermark to 0 stores.", p.watermark_reset);

  visit("alignment", "Every address is a multiple of it, in bytes; an allocation's range is its size rounded up to it.",
        p.alignment);
  visit("granted", "The most that used_mem_current counts for a request of a size.", p.granted);
  visit("reserve_granule", "The unit in which a pool reserves physical memory, and to which reservations are aligned.",
        p.reserve_granule);
  visit("max_size_unit", "The unit to which a pool's maximum size is rounded up.", p.max_size_unit);
  visit("used_drops_at", "When a pending free stops counting as used.", p.used_drops_at);

  visit("threshold_compares", "What release_threshold is compared with: all reserved bytes, or the idle ones.",
        p.threshold_compares);
  visit("release_calls", "The calls at which idle memory above the threshold is given back.", p.release_calls);
  visit("free_keeps_threshold", "Whether a free that is among release_calls holds onto release_threshold.",
        p.free_keeps_threshold);
  visit("release_slack", "How far below its floor an implicit release may leave reserved_mem_current.",
        p.release_slack);
  visit("release_rest", "Whether giving back everything above the floor is a duty or a matter of quality.",
        p.release_rest);
  visit("trim_compares", "What a trim's target is compared with: all reserved bytes, or the idle ones.",
        p.trim_compares);
  visit("trim_refusal", "Targets that pool_trim refuses.", p.trim_refusal);
  visit("pressure_release", "Whose idle memory a request that does not fit may take back.", p.pressure_release);

  visit("observing_calls", "The calls that make a proved free reusable on every stream.", p.observing_calls);
  visit("sync_free_waits", "Whether a synchronous free of pool memory waits for the device.", p.sync_free_waits);
  visit("stream_destroy_waits", "Whether destroying a stream waits for its items.", p.stream_destroy_waits);
  visit("malloc_may_wait", "Whether a malloc that is short of memory may wait for pending frees instead of failing.",
        p.malloc_may_wait);

  visit("has_default_pool", "Whether devices have a default pool and a current pool.", p.has_default_pool);
  visit("has_default_streams", "Whether there are a legacy and per-thread default streams.", p.has_default_streams);
  visit("destroy_with_live", "What destroying a pool with live allocations or unproved frees does.",
        p.destroy_with_live);

  visit("fragmentation",
        "What stands between free memory and a request: only granules pinned by live allocations, or more.",
        p.fragmentation);
  visit("out_of_memory", "Status of a request that cannot be served.", p.out_of_memory);
  visit("failed_output", "What a malloc that fails for lack of memory leaves in its output pointer.", p.failed_output);

  visit("size_zero", "Status of a malloc of size zero.", p.size_zero);
  visit("size_zero_output", "What a malloc of size zero leaves in its output pointer.", p.size_zero_output);
  visit("free_null", "Status of a stream-ordered free of the null pointer.", p.free_null);
  visit("async_free_of_plain", "Status of a stream-ordered free of plain memory.", p.async_free_of_plain);
  visit("sync_free_of_plain", "Status of a synchronous free of plain memory by the pools' call.", p.sync_free_of_plain);
  visit("plain_free_of_pool", "Status of a plain free of pool memory.", p.plain_free_of_pool);
  visit("double_free", "Status of a second stream-ordered free while the first is pending.", p.double_free);
  visit("double_free_proved", "Status of a second free after the first was proved complete.", p.double_free_proved);
  visit("interior_pointer", "Status of a free of an address inside a live allocation.", p.interior_pointer);
  visit("foreign_pointer", "Status of a free of an address that no call returned.", p.foreign_pointer);
  visit("dead_handle", "Status of a call on a destroyed or foreign stream, event or pool.", p.dead_handle);
  visit("default_pool_destroy", "Status of destroying the default pool.", p.default_pool_destroy);
  visit("unknown_attribute", "Status of reading or setting an attribute id that does not exist.", p.unknown_attribute);
  visit("null_value", "Status of reading into or setting from a null value.", p.null_value);
  visit("read_only", "Status of setting a read-only attribute.", p.read_only);
  visit("nonzero_watermark", "Status of setting a high watermark to a value other than 0.", p.nonzero_watermark);
}

}  // namespace streampool::model
