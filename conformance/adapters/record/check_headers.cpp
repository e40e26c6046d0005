// Compares the types of extra.hpp with a vendor's headers. Compiled only where they are found, never linked.
#ifdef RECORD_HIP
#include <hip/hip_runtime_api.h>
#define VENDOR_NAME(suffix) ::hip##suffix
#else
#include <cuda_runtime_api.h>
#define VENDOR_NAME(suffix) ::cuda##suffix
#endif

#include "conformance/adapters/record/extra.hpp"
#include "conformance/adapters/vendor/same_shape.hpp"

#define CHECK(suffix, ...) \
  static_assert(streampool::vendor::same_shape<__VA_ARGS__, decltype(VENDOR_NAME(suffix))>, #suffix);
STREAMPOOL_ASKED(CHECK)
STREAMPOOL_RECORDED_BOTH(CHECK)
#ifndef RECORD_HIP
STREAMPOOL_RECORDED_CUDA(CHECK)
static_assert(offsetof(streampool::record::LaunchConfig, stream) == offsetof(cudaLaunchConfig_t, stream));
#endif
