// The part of the CUDA driver that the device uses: own declarations, bound to the driver's library at run time, so
// that one binary runs with and without it. check_header.cpp compares them with the toolkit's cuda.h where there is
// one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace streampool::engine::cuda {

using Result = int;  // 0 is success
using Device = int;
using DevicePointer = unsigned long long;
using AllocationHandle = unsigned long long;
using Context = struct ContextObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;

struct Location {
  int type = location_device;
  int id = 0;
  static constexpr int location_device = 1;
};
struct AllocationProperties {
  int type = pinned;
  int handle_types = 0;
  Location location;
  void* win32_meta_data = nullptr;
  unsigned char flags[8] = {};
  static constexpr int pinned = 1;
};
struct AccessDescription {
  Location location;
  int flags = read_write;
  static constexpr int read_write = 3;
};
inline constexpr Result success = 0, not_ready = 600;
inline constexpr int granularity_minimum = 0;
inline constexpr unsigned event_disable_timing = 2;

// X(member, symbol in the library, name in cuda.h, parameters…)
#define STREAMPOOL_CUDA_DRIVER(X)                                                                                      \
  X(init, cuInit, cuInit, unsigned)                                                                                    \
  X(error_string, cuGetErrorString, cuGetErrorString, Result, const char**)                                            \
  X(device_get, cuDeviceGet, cuDeviceGet, Device*, int)                                                                \
  X(context_retain, cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, Context*, Device)                              \
  X(context_release, cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease, Device)                                  \
  X(context_push, cuCtxPushCurrent_v2, cuCtxPushCurrent, Context)                                                      \
  X(context_pop, cuCtxPopCurrent_v2, cuCtxPopCurrent, Context*)                                                        \
  X(granularity, cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, std::size_t*,                           \
    const AllocationProperties*, int)                                                                                  \
  X(reserve, cuMemAddressReserve, cuMemAddressReserve, DevicePointer*, std::size_t, std::size_t, DevicePointer,        \
    unsigned long long)                                                                                                \
  X(unreserve, cuMemAddressFree, cuMemAddressFree, DevicePointer, std::size_t)                                         \
  X(create, cuMemCreate, cuMemCreate, AllocationHandle*, std::size_t, const AllocationProperties*, unsigned long long) \
  X(release, cuMemRelease, cuMemRelease, AllocationHandle)                                                             \
  X(map, cuMemMap, cuMemMap, DevicePointer, std::size_t, std::size_t, AllocationHandle, unsigned long long)            \
  X(unmap, cuMemUnmap, cuMemUnmap, DevicePointer, std::size_t)                                                         \
  X(set_access, cuMemSetAccess, cuMemSetAccess, DevicePointer, std::size_t, const AccessDescription*, std::size_t)     \
  X(stream_query, cuStreamQuery, cuStreamQuery, Stream)                                                                \
  X(stream_wait_event, cuStreamWaitEvent, cuStreamWaitEvent, Stream, Event, unsigned)                                  \
  X(event_create, cuEventCreate, cuEventCreate, Event*, unsigned)                                                      \
  X(event_destroy, cuEventDestroy_v2, cuEventDestroy, Event)                                                           \
  X(event_record, cuEventRecord, cuEventRecord, Event, Stream)

// The driver's entry points. Immutable once loaded; the library stays loaded as long as the object lives.
class Driver {
 public:
  // Null, with the reason in `why`: there is no such library, or it is too old to have an entry point.
  static std::unique_ptr<const Driver> load(const std::string& library, std::string& why);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

#define X(member, symbol, name, ...) Result (*member)(__VA_ARGS__) = nullptr;
  STREAMPOOL_CUDA_DRIVER(X)
#undef X
  // The driver's own words for a code.
  [[nodiscard]] std::string text(Result code) const;

 private:
  explicit Driver(void* library) : library_(library) {}
  void* const library_;
};

}  // namespace streampool::engine::cuda
