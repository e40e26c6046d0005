// Compares every declaration and number of driver.hpp with the toolkit's header. Compiled only where that is found.
#include <cuda.h>

#include <type_traits>

#include "impl/device/cuda_vmm/driver.hpp"

namespace streampool::engine::cuda {

// Equal for a caller: both pointers, or numbers of one size and kind.
template <class Ours, class Theirs>
constexpr bool same_value = sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
template <class Ours, class Theirs>
constexpr bool same_shape = false;
template <class R, class... A, class S, class... B>
constexpr bool same_shape<R (*)(A...), S (*)(B...)> = [] {
  if constexpr (sizeof...(A) == sizeof...(B)) {
    return same_value<R, S> && (same_value<A, B> && ...);
  } else {
    return false;
  }
}();

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(text) #text
constexpr bool same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}
// The header renames entry points by macros (cuMemGetInfo is cuMemGetInfo_v2): the symbol must be what it renames to.
#define X(member, symbol, name, ...)                                             \
  static_assert(same_shape<decltype(Driver::member), decltype(&::name)>, #name); \
  static_assert(same_text(#symbol, TEXT_OF(name)), #name);
STREAMPOOL_CUDA_DRIVER(X)
#undef X

static_assert(success == CUDA_SUCCESS && not_ready == CUDA_ERROR_NOT_READY);
static_assert(granularity_minimum == CU_MEM_ALLOC_GRANULARITY_MINIMUM);
static_assert(event_disable_timing == CU_EVENT_DISABLE_TIMING);
static_assert(Location::location_device == CU_MEM_LOCATION_TYPE_DEVICE);
static_assert(AllocationProperties::pinned == CU_MEM_ALLOCATION_TYPE_PINNED);
static_assert(AccessDescription::read_write == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);

static_assert(sizeof(Location) == sizeof(CUmemLocation) && offsetof(Location, id) == offsetof(CUmemLocation, id));
static_assert(sizeof(AllocationProperties) == sizeof(CUmemAllocationProp));
static_assert(offsetof(AllocationProperties, handle_types) == offsetof(CUmemAllocationProp, requestedHandleTypes));
static_assert(offsetof(AllocationProperties, location) == offsetof(CUmemAllocationProp, location));
static_assert(offsetof(AllocationProperties, flags) == offsetof(CUmemAllocationProp, allocFlags));
static_assert(sizeof(AccessDescription) == sizeof(CUmemAccessDesc));
static_assert(offsetof(AccessDescription, flags) == offsetof(CUmemAccessDesc, flags));

}  // namespace streampool::engine::cuda
