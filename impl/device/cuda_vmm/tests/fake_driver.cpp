#include "impl/device/cuda_vmm/tests/fake_driver.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>

#include "impl/device/cuda_vmm/driver.hpp"

namespace {

using namespace streampool::engine::cuda;

constexpr std::size_t least_granule = std::size_t{64} << 10;
constexpr Result invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_context = 201;

fake::Ledger ledger;
std::map<DevicePointer, std::size_t> reservations;
struct Mapping {
  std::size_t bytes;
  AllocationHandle handle;
};
std::map<DevicePointer, Mapping> mappings;
std::map<AllocationHandle, std::pair<std::size_t, int>> memories;  // bytes, who needs it
AllocationHandle next_handle = 1;
void* recorded = nullptr;

bool fails(const char* call) {
  return ledger.failing != nullptr && std::strcmp(ledger.failing, call) == 0 && --ledger.failing_nth == 0;
}
void drop(AllocationHandle handle) {
  const auto it = memories.find(handle);
  if (--it->second.second != 0) return;
  ledger.physical -= it->second.first;
  memories.erase(it);
}
bool mapped(DevicePointer at, std::size_t bytes) {
  const auto next = mappings.lower_bound(at);
  if (next != mappings.end() && next->first < at + bytes) return true;
  return next != mappings.begin() && std::prev(next)->first + std::prev(next)->second.bytes > at;
}
bool reserved(DevicePointer at, std::size_t bytes) {
  const auto next = reservations.upper_bound(at);
  return next != reservations.begin() && std::prev(next)->first + std::prev(next)->second >= at + bytes;
}
// The mappings that make up exactly this range, or none.
std::vector<DevicePointer> whole(DevicePointer at, std::size_t bytes) {
  std::vector<DevicePointer> parts;
  DevicePointer end = at;
  for (auto it = mappings.find(at); it != mappings.end() && it->first == end && end < at + bytes; ++it) {
    parts.push_back(it->first);
    end += it->second.bytes;
  }
  if (end != at + bytes) parts.clear();
  return parts;
}
void* memory(DevicePointer at) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(at)); }

}  // namespace

extern "C" {

fake::Ledger* fake_ledger() { return &ledger; }

Result cuInit(unsigned) { return success; }
Result cuGetErrorString(Result code, const char** text) {
  *text = code == out_of_memory ? "out of memory" : code == no_device ? "no CUDA-capable device is detected" : nullptr;
  return *text != nullptr ? success : invalid_value;
}
Result cuDeviceGet(Device* device, int ordinal) {
  if (ordinal >= ledger.devices) return no_device;
  *device = ordinal;
  return success;
}
Result cuDevicePrimaryCtxRetain(Context* context, Device) {
  ++ledger.contexts;
  *context = reinterpret_cast<Context>(&ledger);
  return success;
}
Result cuDevicePrimaryCtxRelease_v2(Device) { return --ledger.contexts, success; }
Result cuCtxPushCurrent_v2(Context) { return ++ledger.depth, success; }
Result cuCtxPopCurrent_v2(Context*) { return --ledger.depth, success; }

Result cuMemGetAllocationGranularity(std::size_t* granule, const AllocationProperties*, int) {
  *granule = least_granule;
  return success;
}
Result cuMemAddressReserve(DevicePointer* out, std::size_t bytes, std::size_t alignment, DevicePointer,
                           unsigned long long) {
  if (fails("cuMemAddressReserve") || bytes % least_granule != 0) return out_of_memory;
  void* start = ::mmap(nullptr, bytes + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return out_of_memory;
  *out = (reinterpret_cast<std::uintptr_t>(start) + alignment - 1) / alignment * alignment;
  reservations[*out] = bytes;
  ledger.reserved += bytes;
  return success;
}
Result cuMemAddressFree(DevicePointer at, std::size_t bytes) {
  const auto it = reservations.find(at);
  if (it == reservations.end() || it->second != bytes || mapped(at, bytes)) return invalid_value;
  ::munmap(memory(at), bytes);
  reservations.erase(it);
  ledger.reserved -= bytes;
  return success;
}
Result cuMemCreate(AllocationHandle* out, std::size_t bytes, const AllocationProperties* p, unsigned long long) {
  if (ledger.depth == 0) return invalid_context;
  if (fails("cuMemCreate")) return out_of_memory;
  if (bytes % least_granule != 0 || p->type != AllocationProperties::pinned) return invalid_value;
  *out = next_handle++;
  memories[*out] = {bytes, 1};
  ledger.physical += bytes;
  ++ledger.handles;
  return success;
}
Result cuMemRelease(AllocationHandle handle) {
  if (!memories.contains(handle)) return invalid_value;
  --ledger.handles;
  drop(handle);
  return success;
}
Result cuMemMap(DevicePointer at, std::size_t bytes, std::size_t offset, AllocationHandle handle, unsigned long long) {
  ++ledger.maps;
  if (fails("cuMemMap")) return out_of_memory;
  const auto it = memories.find(handle);
  if (it == memories.end() || it->second.first != bytes || offset != 0) return invalid_value;
  if (!reserved(at, bytes) || mapped(at, bytes)) return invalid_value;
  ++it->second.second;
  mappings[at] = {bytes, handle};
  ledger.mapped += bytes;
  return success;
}
Result cuMemUnmap(DevicePointer at, std::size_t bytes) {
  ++ledger.unmaps;
  const auto parts = whole(at, bytes);
  if (parts.empty()) return invalid_value;
  for (const DevicePointer part : parts) {
    drop(mappings.at(part).handle);
    mappings.erase(part);
  }
  ledger.mapped -= bytes;
  ::mmap(memory(at), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return success;
}
Result cuMemSetAccess(DevicePointer at, std::size_t bytes, const AccessDescription* access, std::size_t count) {
  ++ledger.accesses;
  if (fails("cuMemSetAccess")) return out_of_memory;
  if (count != 1 || access->flags != AccessDescription::read_write || whole(at, bytes).empty()) return invalid_value;
  return ::mprotect(memory(at), bytes, PROT_READ | PROT_WRITE) == 0 ? success : out_of_memory;
}

Result cuStreamQuery(Stream stream) {
  const bool busy = std::find(ledger.busy.begin(), ledger.busy.end(), static_cast<void*>(stream)) != ledger.busy.end();
  return busy ? not_ready : success;
}
Result cuEventCreate(Event* event, unsigned) {
  *event = reinterpret_cast<Event>(&recorded);
  return success;
}
Result cuEventDestroy_v2(Event) { return success; }
Result cuEventRecord(Event, Stream stream) {
  if (fails("cuEventRecord")) return invalid_context;
  recorded = stream;
  return success;
}
Result cuStreamWaitEvent(Stream stream, Event, unsigned) {
  ledger.waits.emplace_back(recorded, stream);
  return success;
}

}  // extern "C"
