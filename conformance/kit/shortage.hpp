// Whether a device was short of memory before a case began: what others hold there is no fault of the runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "conformance/kit/target.hpp"

namespace streampool::kit {

struct DeviceMemory {
  std::uint64_t free = 0, total = 0;  // bytes
};
// Of device 0, as the runtime tells it; nothing where it cannot. `target` is open and has begun with some names.
[[nodiscard]] std::optional<DeviceMemory> read_memory(Target& target);

// Bytes that were taken at the start, of a device that has `memory` of them (0: as many as it tells).
[[nodiscard]] std::uint64_t taken_of(const DeviceMemory& at_start, std::uint64_t memory);

// Where a request of the history was refused for lack of memory that the device had in all but not free when the
// history began: a sentence about it. Else empty.
[[nodiscard]] std::string shortage(const DeviceMemory& at_start, std::span<const history::Line> lines);

}  // namespace streampool::kit
