// Compares every declaration and number of hip.hpp with HIP's headers. Compiled only where they are found.
#define __HIP_DISABLE_CPP_FUNCTIONS__  // leaves out most C++ overloads
#include <hip/hip_runtime_api.h>

#include "conformance/adapters/hip/hip.hpp"
#include "conformance/adapters/vendor/same_shape.hpp"

namespace streampool::vendor::hip {

template <class Ours, class Theirs>
consteval bool same(Theirs*) {
  return same_shape<Ours, Theirs>;
}

#define X(entry, name, groups) static_assert(same<decltype(Calls::entry)::Function>(&::name), #name);
STREAMPOOL_HIP_SYMBOLS(X)
#undef X
static_assert(same<decltype(Calls::malloc_current)::Function>(
    static_cast<hipError_t (*)(void**, std::size_t, hipStream_t)>(&::hipMallocAsync)));
static_assert(same<decltype(Calls::malloc_from_pool)::Function>(
    static_cast<hipError_t (*)(void**, std::size_t, hipMemPool_t, hipStream_t)>(&::hipMallocFromPoolAsync)));
static_assert(same<StreamWaitValue>(&::hipStreamWaitValue32));
static_assert(same<ExtMallocWithFlags>(&::hipExtMallocWithFlags));

static_assert(event_disable_timing == hipEventDisableTiming);
static_assert(stream_non_blocking == hipStreamNonBlocking);
static_assert(malloc_signal_memory == hipMallocSignalMemory);
static_assert(wait_value_at_least == hipStreamWaitValueGte);
static_assert(device_to_host == hipMemcpyDeviceToHost);
static_assert(memory_pools_supported == hipDeviceAttributeMemoryPoolsSupported);
static_assert(allocation_pinned == hipMemAllocationTypePinned && location_device == hipMemLocationTypeDevice);

static_assert(sizeof(MemPoolProps) == sizeof(hipMemPoolProps) && sizeof(MemPoolProps) <= sizeof(PoolProperties));
static_assert(offsetof(MemPoolProps, allocation_type) == offsetof(hipMemPoolProps, allocType));
static_assert(offsetof(MemPoolProps, handle_types) == offsetof(hipMemPoolProps, handleTypes));
static_assert(offsetof(MemPoolProps, location_type) == offsetof(hipMemPoolProps, location.type));
static_assert(offsetof(MemPoolProps, location_id) == offsetof(hipMemPoolProps, location.id));
#if HIP_VERSION >= 60200000
static_assert(offsetof(MemPoolProps, max_size) == offsetof(hipMemPoolProps, maxSize));
#endif

consteval streampool_status status_of(hipError_t code) {
  for (const StatusCode& each : statuses) {
    if (each.native == static_cast<int>(code)) return each.status;
  }
  return STREAMPOOL_UNKNOWN;
}
static_assert(hipSuccess == 0);
static_assert(status_of(hipErrorInvalidValue) == STREAMPOOL_INVALID_VALUE);
static_assert(status_of(hipErrorOutOfMemory) == STREAMPOOL_OUT_OF_MEMORY);
static_assert(status_of(hipErrorInvalidDevicePointer) == STREAMPOOL_INVALID_VALUE);
static_assert(status_of(hipErrorInsufficientDriver) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(hipErrorNoDevice) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(hipErrorInvalidDevice) == STREAMPOOL_INVALID_VALUE);
static_assert(status_of(hipErrorInvalidHandle) == STREAMPOOL_INVALID_HANDLE);
static_assert(status_of(hipErrorNotReady) == STREAMPOOL_NOT_READY);
static_assert(status_of(hipErrorIllegalAddress) == STREAMPOOL_INTERNAL);
static_assert(status_of(hipErrorContextIsDestroyed) == STREAMPOOL_INVALID_HANDLE);
static_assert(status_of(hipErrorLaunchFailure) == STREAMPOOL_INTERNAL);
static_assert(status_of(hipErrorNotSupported) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(hipErrorStreamCaptureUnsupported) == STREAMPOOL_NOT_PERMITTED);
static_assert(status_of(hipErrorUnknown) == STREAMPOOL_UNKNOWN);

static_assert(int{STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES} == int{hipMemPoolReuseFollowEventDependencies});
static_assert(int{STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC} == int{hipMemPoolReuseAllowOpportunistic});
static_assert(int{STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES} == int{hipMemPoolReuseAllowInternalDependencies});
static_assert(int{STREAMPOOL_RELEASE_THRESHOLD} == int{hipMemPoolAttrReleaseThreshold});
static_assert(int{STREAMPOOL_RESERVED_MEM_CURRENT} == int{hipMemPoolAttrReservedMemCurrent});
static_assert(int{STREAMPOOL_RESERVED_MEM_HIGH} == int{hipMemPoolAttrReservedMemHigh});
static_assert(int{STREAMPOOL_USED_MEM_CURRENT} == int{hipMemPoolAttrUsedMemCurrent});
static_assert(int{STREAMPOOL_USED_MEM_HIGH} == int{hipMemPoolAttrUsedMemHigh});

}  // namespace streampool::vendor::hip
