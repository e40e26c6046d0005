// Rare shapes of histories, counted: a generator that never makes them finds nothing there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace streampool::generate {

enum class Shape : std::uint8_t {
  call,
  cross_stream_free,  // freed on another stream than it was allocated on
  stale_event,        // a wait on an event whose record is older than the newest free
  rerecorded_event,
  transitive_chain,  // a wait on an event recorded on a stream that itself waited
  recycled_handle,   // a creating call gave the handle of a dead object
  recycled_address,  // a malloc gave the address of a freed block
  split_block,       // … inside a freed block that is larger
  merged_block,      // … over more than one freed block
  switch_flip,       // with live allocations
  two_pools,         // a malloc while another pool has live allocations
  exhaustion,        // out_of_memory
  trim_boundary,     // a target within a byte of a multiple of the granule
  threshold_boundary,
  destroy_with_live,
  misuse,
  gate_closed_malloc,  // made while some closed gate holds an item
  gate_closed_free,
  gate_closed_event,
  gate_closed_attribute,
  gate_closed_trim,
  gate_closed_destroy,
  gate_closed_use,     // fill, check, launch
  gate_closed_query,   // of a stream or an event
  gate_closed_life,    // creation or end of a stream or an event
  gate_closed_sync,    // that the gate holds, made by another thread
  limit,               // of the device's memory
  failing_memory,      // a reserve or map that is to fail
  failing_submission,  // a submission that was to fail, and did
  device_step,
};
inline constexpr std::array<std::string_view, 30> shape_names{"call",
                                                              "cross_stream_free",
                                                              "stale_event",
                                                              "rerecorded_event",
                                                              "transitive_chain",
                                                              "recycled_handle",
                                                              "recycled_address",
                                                              "split_block",
                                                              "merged_block",
                                                              "switch_flip",
                                                              "two_pools",
                                                              "exhaustion",
                                                              "trim_boundary",
                                                              "threshold_boundary",
                                                              "destroy_with_live",
                                                              "misuse",
                                                              "gate_closed_malloc",
                                                              "gate_closed_free",
                                                              "gate_closed_event",
                                                              "gate_closed_attribute",
                                                              "gate_closed_trim",
                                                              "gate_closed_destroy",
                                                              "gate_closed_use",
                                                              "gate_closed_query",
                                                              "gate_closed_life",
                                                              "gate_closed_sync",
                                                              "limit",
                                                              "failing_memory",
                                                              "failing_submission",
                                                              "device_step"};
static_assert(static_cast<std::size_t>(Shape::device_step) + 1 == shape_names.size());

class Shapes {
 public:
  void count(Shape shape) { ++counts_[static_cast<std::size_t>(shape)]; }
  [[nodiscard]] std::uint64_t of(Shape shape) const { return counts_[static_cast<std::size_t>(shape)]; }
  void add(const Shapes& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }

 private:
  std::array<std::uint64_t, shape_names.size()> counts_{};
};

}  // namespace streampool::generate
