// Compares every declaration and number of cuda.hpp with a toolkit's headers. Compiled only where they are found.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "conformance/adapters/cuda/cuda.hpp"
#include "conformance/adapters/vendor/same_shape.hpp"

namespace streampool::vendor::cuda {

#define X(entry, name, groups) \
  static_assert(same_shape<decltype(Calls::entry)::Function, std::remove_pointer_t<decltype(&::name)>>, #name);
STREAMPOOL_CUDA_SYMBOLS(X)
#undef X
static_assert(same_shape<StreamWaitValue, std::remove_pointer_t<decltype(&::cuStreamWaitValue32)>>);
#if CUDART_VERSION >= 12050
static_assert(
    same_shape<GetDriverEntryPointByVersion, std::remove_pointer_t<decltype(&::cudaGetDriverEntryPointByVersion)>>);
#endif

static_assert(event_disable_timing == cudaEventDisableTiming);
static_assert(stream_non_blocking == cudaStreamNonBlocking);
static_assert(host_portable == cudaHostAllocPortable && host_mapped == cudaHostAllocMapped);
static_assert(wait_value_at_least == CU_STREAM_WAIT_VALUE_GEQ);
static_assert(device_to_host == cudaMemcpyDeviceToHost);
static_assert(memory_pools_supported == cudaDevAttrMemoryPoolsSupported);
static_assert(allocation_pinned == cudaMemAllocationTypePinned && location_device == cudaMemLocationTypeDevice);

static_assert(sizeof(MemPoolProps) == sizeof(cudaMemPoolProps) && sizeof(MemPoolProps) <= sizeof(PoolProperties));
static_assert(offsetof(MemPoolProps, allocation_type) == offsetof(cudaMemPoolProps, allocType));
static_assert(offsetof(MemPoolProps, handle_types) == offsetof(cudaMemPoolProps, handleTypes));
static_assert(offsetof(MemPoolProps, location_type) == offsetof(cudaMemPoolProps, location.type));
static_assert(offsetof(MemPoolProps, location_id) == offsetof(cudaMemPoolProps, location.id));
#if CUDART_VERSION >= 12020
static_assert(offsetof(MemPoolProps, max_size) == offsetof(cudaMemPoolProps, maxSize));
#endif

// The handles are casts of these numbers in the header, which no constant expression may contain.
#define TEXT_OF(macro) TEXT(macro)
#define TEXT(text) #text
static_assert(std::string_view(TEXT_OF(cudaStreamLegacy)) == "((cudaStream_t)0x1)" && stream_legacy == 1);
static_assert(std::string_view(TEXT_OF(cudaStreamPerThread)) == "((cudaStream_t)0x2)" && stream_per_thread == 2);

consteval streampool_status status_of(cudaError code) {
  for (const StatusCode& each : statuses) {
    if (each.native == static_cast<int>(code)) return each.status;
  }
  return STREAMPOOL_UNKNOWN;
}
static_assert(cudaSuccess == 0);
static_assert(status_of(cudaErrorInvalidValue) == STREAMPOOL_INVALID_VALUE);
static_assert(status_of(cudaErrorMemoryAllocation) == STREAMPOOL_OUT_OF_MEMORY);
static_assert(status_of(cudaErrorInvalidDevicePointer) == STREAMPOOL_INVALID_VALUE);
static_assert(status_of(cudaErrorStubLibrary) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(cudaErrorInsufficientDriver) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(cudaErrorCallRequiresNewerDriver) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(cudaErrorNoDevice) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(cudaErrorInvalidDevice) == STREAMPOOL_INVALID_VALUE);
static_assert(status_of(cudaErrorInvalidResourceHandle) == STREAMPOOL_INVALID_HANDLE);
static_assert(status_of(cudaErrorNotReady) == STREAMPOOL_NOT_READY);
static_assert(status_of(cudaErrorIllegalAddress) == STREAMPOOL_INTERNAL);
static_assert(status_of(cudaErrorLaunchFailure) == STREAMPOOL_INTERNAL);
static_assert(status_of(cudaErrorNotPermitted) == STREAMPOOL_NOT_PERMITTED);
static_assert(status_of(cudaErrorNotSupported) == STREAMPOOL_NOT_SUPPORTED);
static_assert(status_of(cudaErrorStreamCaptureUnsupported) == STREAMPOOL_NOT_PERMITTED);
static_assert(status_of(cudaErrorUnknown) == STREAMPOOL_UNKNOWN);

static_assert(int{STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES} == int{cudaMemPoolReuseFollowEventDependencies});
static_assert(int{STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC} == int{cudaMemPoolReuseAllowOpportunistic});
static_assert(int{STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES} == int{cudaMemPoolReuseAllowInternalDependencies});
static_assert(int{STREAMPOOL_RELEASE_THRESHOLD} == int{cudaMemPoolAttrReleaseThreshold});
static_assert(int{STREAMPOOL_RESERVED_MEM_CURRENT} == int{cudaMemPoolAttrReservedMemCurrent});
static_assert(int{STREAMPOOL_RESERVED_MEM_HIGH} == int{cudaMemPoolAttrReservedMemHigh});
static_assert(int{STREAMPOOL_USED_MEM_CURRENT} == int{cudaMemPoolAttrUsedMemCurrent});
static_assert(int{STREAMPOOL_USED_MEM_HIGH} == int{cudaMemPoolAttrUsedMemHigh});

}  // namespace streampool::vendor::cuda
