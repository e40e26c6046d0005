#include "conformance/kit/shortage.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace streampool::kit {

using history::Op;

std::optional<DeviceMemory> read_memory(Target& target) {
  if ((target.capabilities() & STREAMPOOL_CAP_MEMORY_INFO) == 0) return std::nullopt;
  history::Call call;
  call.op = Op::memory_info;
  history::Result result;
  target.run(call, result);
  if (result.status != history::Status::ok || !result.value || !result.total) return std::nullopt;
  return DeviceMemory{*result.value, *result.total};
}

std::uint64_t taken_of(const DeviceMemory& at_start, std::uint64_t memory) {
  const std::uint64_t all = memory != 0 ? memory : at_start.total;
  return all > at_start.free ? all - at_start.free : 0;
}

std::string shortage(const DeviceMemory& at_start, std::span<const history::Line> lines) {
  std::unordered_map<history::Name, std::uint64_t> live;  // bytes asked for
  std::uint64_t held = 0;
  for (const history::Line& line : lines) {
    if (!line.result) continue;
    const bool allocates = line.call.op == Op::malloc || line.call.op == Op::plain_malloc;
    const bool frees = line.call.op == Op::free || line.call.op == Op::free_sync || line.call.op == Op::plain_free;
    const std::uint64_t size = line.call.size.value_or(0);
    if (allocates && line.result->status == history::Status::ok) {
      live[line.call.allocation] = size;
      held += size;
    } else if (allocates && line.result->status == history::Status::out_of_memory) {
      // Sizes that the device never had are refused by any runtime; the first test keeps the sum from wrapping.
      if (size > at_start.total || held + size > at_start.total || held + size <= at_start.free) continue;
      return fmt::format(
          "The device was short of memory: of its {} bytes {} were free when the case began, and line {} needs {} "
          "beside what is allocated.",
          at_start.total, at_start.free, line.number, size);
    } else if (frees && line.result->status == history::Status::ok) {
      if (const auto freed = live.find(line.call.pointer.name); freed != live.end()) {
        held -= freed->second;
        live.erase(freed);
      }
    }
  }
  return {};
}

}  // namespace streampool::kit
