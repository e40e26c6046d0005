// The HIP runtime API as the adapter uses it: own declarations, checked against headers of HIP 5.2 or later by
// check_headers.cpp. Source of the facts: AMD's public HIP reference.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/adapters/vendor/calls.hpp"
#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::vendor::hip {

// X(entry of Calls, the library's name, what is lost without it)
#define STREAMPOOL_HIP_SYMBOLS(X)                                                             \
  X(device_count, hipGetDeviceCount, everything)                                              \
  X(device_set, hipSetDevice, everything)                                                     \
  X(device_attribute, hipDeviceGetAttribute, everything)                                      \
  X(runtime_version, hipRuntimeGetVersion, everything)                                        \
  X(driver_version, hipDriverGetVersion, everything)                                          \
  X(error_text, hipGetErrorString, nothing)                                                   \
  X(device_synchronize, hipDeviceSynchronize, everything)                                     \
  X(memory_info, hipMemGetInfo, STREAMPOOL_CAP_MEMORY_INFO)                                   \
  X(stream_create, hipStreamCreateWithFlags, everything)                                      \
  X(stream_destroy, hipStreamDestroy, everything)                                             \
  X(stream_synchronize, hipStreamSynchronize, everything)                                     \
  X(stream_query, hipStreamQuery, STREAMPOOL_CAP_STREAM)                                      \
  X(event_create, hipEventCreateWithFlags, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)       \
  X(event_destroy, hipEventDestroy, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)              \
  X(event_record, hipEventRecord, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)                \
  X(stream_wait_event, hipStreamWaitEvent, STREAMPOOL_CAP_EVENT)                              \
  X(event_synchronize, hipEventSynchronize, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)      \
  X(event_query, hipEventQuery, STREAMPOOL_CAP_EVENT)                                         \
  X(pool_create, hipMemPoolCreate, STREAMPOOL_CAP_POOL)                                       \
  X(pool_destroy, hipMemPoolDestroy, STREAMPOOL_CAP_POOL)                                     \
  X(pool_trim, hipMemPoolTrimTo, STREAMPOOL_CAP_POOL)                                         \
  X(pool_default, hipDeviceGetDefaultMemPool, STREAMPOOL_CAP_DEFAULT_POOL)                    \
  X(pool_set_current, hipDeviceSetMemPool, STREAMPOOL_CAP_DEFAULT_POOL)                       \
  X(pool_get_current, hipDeviceGetMemPool, STREAMPOOL_CAP_DEFAULT_POOL)                       \
  X(attribute_get, hipMemPoolGetAttribute, STREAMPOOL_CAP_ATTRIBUTE)                          \
  X(attribute_set, hipMemPoolSetAttribute, STREAMPOOL_CAP_ATTRIBUTE)                          \
  X(free_async, hipFreeAsync, STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_DEFAULT_POOL)            \
  X(plain_malloc, hipMalloc, STREAMPOOL_CAP_PLAIN)                                            \
  X(free_now, hipFree, STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_FREE_SYNC | STREAMPOOL_CAP_GATE) \
  X(memset_async, hipMemsetAsync, STREAMPOOL_CAP_PROBE)                                       \
  X(memcpy_async, hipMemcpyAsync, STREAMPOOL_CAP_PROBE)                                       \
  X(host_malloc, hipHostMalloc, STREAMPOOL_CAP_PROBE)                                         \
  X(host_free, hipHostFree, STREAMPOOL_CAP_PROBE)

// The same for names that the header overloads in C++.
#define STREAMPOOL_HIP_OVERLOADED_SYMBOLS(X)                         \
  X(malloc_from_pool, hipMallocFromPoolAsync, STREAMPOOL_CAP_MEMORY) \
  X(malloc_current, hipMallocAsync, STREAMPOOL_CAP_DEFAULT_POOL)

using StreamWaitValue = int(void* stream, void* word, std::uint32_t value, unsigned flags, std::uint32_t mask);
using ExtMallocWithFlags = int(void** address, std::size_t bytes, unsigned flags);

inline constexpr int event_disable_timing = 2;
inline constexpr int stream_non_blocking = 1;
inline constexpr int malloc_signal_memory = 2;  // the only memory that every version waits on
inline constexpr int wait_value_at_least = 0;
inline constexpr int device_to_host = 2;
inline constexpr int memory_pools_supported = 88;
inline constexpr std::uintptr_t stream_per_thread = 2;
inline constexpr int allocation_pinned = 1, location_device = 1;
inline constexpr int max_size_since = 60200000;  // 6.2: before it the field was reserved and ignored

struct MemPoolProps {
  int allocation_type;
  int handle_types;
  int location_type;
  int location_id;
  void* security_attributes;
  std::size_t max_size;
  unsigned char reserved[56];
};

inline constexpr StatusCode statuses[] = {
    {1, STREAMPOOL_INVALID_VALUE},     // hipErrorInvalidValue
    {2, STREAMPOOL_OUT_OF_MEMORY},     // hipErrorOutOfMemory
    {17, STREAMPOOL_INVALID_VALUE},    // hipErrorInvalidDevicePointer
    {35, STREAMPOOL_NOT_SUPPORTED},    // hipErrorInsufficientDriver
    {100, STREAMPOOL_NOT_SUPPORTED},   // hipErrorNoDevice
    {101, STREAMPOOL_INVALID_VALUE},   // hipErrorInvalidDevice
    {400, STREAMPOOL_INVALID_HANDLE},  // hipErrorInvalidHandle
    {600, STREAMPOOL_NOT_READY},       // hipErrorNotReady
    {700, STREAMPOOL_INTERNAL},        // hipErrorIllegalAddress
    {709, STREAMPOOL_INVALID_HANDLE},  // hipErrorContextIsDestroyed: what later versions answer for a dead stream
    {719, STREAMPOOL_INTERNAL},        // hipErrorLaunchFailure
    {801, STREAMPOOL_NOT_SUPPORTED},   // hipErrorNotSupported
    {900, STREAMPOOL_NOT_PERMITTED},   // hipErrorStreamCaptureUnsupported
};

}  // namespace streampool::vendor::hip
