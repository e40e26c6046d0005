// The CUDA runtime API as the adapter uses it: own declarations, so that nothing of NVIDIA's is needed to build, and
// names only, so that one binary serves 11.2 to 13.x. check_headers.cpp compares all of it with a toolkit's headers.
// Source of the facts: the public reference of the CUDA runtime and driver API.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/adapters/vendor/calls.hpp"
#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::vendor::cuda {

// X(entry of Calls, the library's name, what is lost without it)
#define STREAMPOOL_CUDA_SYMBOLS(X)                                                        \
  X(device_count, cudaGetDeviceCount, everything)                                         \
  X(device_set, cudaSetDevice, everything)                                                \
  X(device_attribute, cudaDeviceGetAttribute, everything)                                 \
  X(runtime_version, cudaRuntimeGetVersion, everything)                                   \
  X(driver_version, cudaDriverGetVersion, everything)                                     \
  X(error_text, cudaGetErrorString, nothing)                                              \
  X(device_synchronize, cudaDeviceSynchronize, everything)                                \
  X(memory_info, cudaMemGetInfo, STREAMPOOL_CAP_MEMORY_INFO)                              \
  X(stream_create, cudaStreamCreateWithFlags, everything)                                 \
  X(stream_destroy, cudaStreamDestroy, everything)                                        \
  X(stream_synchronize, cudaStreamSynchronize, everything)                                \
  X(stream_query, cudaStreamQuery, STREAMPOOL_CAP_STREAM)                                 \
  X(event_create, cudaEventCreateWithFlags, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)  \
  X(event_destroy, cudaEventDestroy, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)         \
  X(event_record, cudaEventRecord, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE)           \
  X(stream_wait_event, cudaStreamWaitEvent, STREAMPOOL_CAP_EVENT)                         \
  X(event_synchronize, cudaEventSynchronize, STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE) \
  X(event_query, cudaEventQuery, STREAMPOOL_CAP_EVENT)                                    \
  X(pool_create, cudaMemPoolCreate, STREAMPOOL_CAP_POOL)                                  \
  X(pool_destroy, cudaMemPoolDestroy, STREAMPOOL_CAP_POOL)                                \
  X(pool_trim, cudaMemPoolTrimTo, STREAMPOOL_CAP_POOL)                                    \
  X(pool_default, cudaDeviceGetDefaultMemPool, STREAMPOOL_CAP_DEFAULT_POOL)               \
  X(pool_set_current, cudaDeviceSetMemPool, STREAMPOOL_CAP_DEFAULT_POOL)                  \
  X(pool_get_current, cudaDeviceGetMemPool, STREAMPOOL_CAP_DEFAULT_POOL)                  \
  X(attribute_get, cudaMemPoolGetAttribute, STREAMPOOL_CAP_ATTRIBUTE)                     \
  X(attribute_set, cudaMemPoolSetAttribute, STREAMPOOL_CAP_ATTRIBUTE)                     \
  X(malloc_from_pool, cudaMallocFromPoolAsync, STREAMPOOL_CAP_MEMORY)                     \
  X(malloc_current, cudaMallocAsync, STREAMPOOL_CAP_DEFAULT_POOL)                         \
  X(free_async, cudaFreeAsync, STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_DEFAULT_POOL)       \
  X(plain_malloc, cudaMalloc, STREAMPOOL_CAP_PLAIN)                                       \
  X(free_now, cudaFree, STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_FREE_SYNC)                  \
  X(memset_async, cudaMemsetAsync, STREAMPOOL_CAP_PROBE)                                  \
  X(memcpy_async, cudaMemcpyAsync, STREAMPOOL_CAP_PROBE)                                  \
  X(host_malloc, cudaHostAlloc, STREAMPOOL_CAP_PROBE | STREAMPOOL_CAP_GATE)               \
  X(host_free, cudaFreeHost, STREAMPOOL_CAP_PROBE | STREAMPOOL_CAP_GATE)                  \
  X(host_device_pointer, cudaHostGetDevicePointer, STREAMPOOL_CAP_GATE)

// The runtime API has no stream wait on a word: the driver's is used.
using StreamWaitValue = int(void* stream, std::uint64_t address, std::uint32_t value, unsigned flags);
// Since 12.5: hands out driver functions by the version whose behaviour is wanted.
using GetDriverEntryPointByVersion = int(const char* symbol, void** function, unsigned version,
                                         unsigned long long flags, int* answer);

inline constexpr int event_disable_timing = 2;
inline constexpr int stream_non_blocking = 1;
inline constexpr int host_portable = 1, host_mapped = 2;
inline constexpr int wait_value_at_least = 0;
inline constexpr int device_to_host = 2;
inline constexpr int memory_pools_supported = 115;
inline constexpr std::uintptr_t stream_legacy = 1, stream_per_thread = 2;
inline constexpr int allocation_pinned = 1, location_device = 1;
inline constexpr int max_size_since = 12020;  // before 12.2 the field was reserved

struct MemPoolProps {
  int allocation_type;
  int handle_types;
  int location_type;
  int location_id;
  void* security_attributes;
  std::size_t max_size;
  unsigned short usage;
  unsigned char reserved[54];
};

inline constexpr StatusCode statuses[] = {
    {1, STREAMPOOL_INVALID_VALUE},     // cudaErrorInvalidValue
    {2, STREAMPOOL_OUT_OF_MEMORY},     // cudaErrorMemoryAllocation
    {17, STREAMPOOL_INVALID_VALUE},    // cudaErrorInvalidDevicePointer
    {34, STREAMPOOL_NOT_SUPPORTED},    // cudaErrorStubLibrary
    {35, STREAMPOOL_NOT_SUPPORTED},    // cudaErrorInsufficientDriver
    {36, STREAMPOOL_NOT_SUPPORTED},    // cudaErrorCallRequiresNewerDriver
    {100, STREAMPOOL_NOT_SUPPORTED},   // cudaErrorNoDevice
    {101, STREAMPOOL_INVALID_VALUE},   // cudaErrorInvalidDevice
    {400, STREAMPOOL_INVALID_HANDLE},  // cudaErrorInvalidResourceHandle
    {600, STREAMPOOL_NOT_READY},       // cudaErrorNotReady
    {700, STREAMPOOL_INTERNAL},        // cudaErrorIllegalAddress
    {719, STREAMPOOL_INTERNAL},        // cudaErrorLaunchFailure
    {800, STREAMPOOL_NOT_PERMITTED},   // cudaErrorNotPermitted
    {801, STREAMPOOL_NOT_SUPPORTED},   // cudaErrorNotSupported
    {900, STREAMPOOL_NOT_PERMITTED},   // cudaErrorStreamCaptureUnsupported
};

}  // namespace streampool::vendor::cuda
