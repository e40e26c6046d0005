// Functions that programs call and the adapters do not: in the shape of CUDA's, which HIP shares where it has them.
#pragma once

#include <cstddef>

namespace streampool::record {

struct Dim3 {
  unsigned x, y, z;
};

// What cudaLaunchConfig_t begins with.
struct LaunchConfig {
  Dim3 grid, block;
  std::size_t shared_bytes;
  void* stream;
};
using Launch = int(const void*, Dim3, Dim3, void**, std::size_t, void*);

}  // namespace streampool::record

// X(the library's name without its prefix, type). In both libraries.
#define STREAMPOOL_RECORDED_BOTH(X)                                                                         \
  X(StreamCreate, int(void**))                                                                              \
  X(StreamCreateWithPriority, int(void**, unsigned, int))                                                   \
  X(EventCreate, int(void**))                                                                               \
  X(Memcpy, int(void*, const void*, std::size_t, int))                                                      \
  X(Memset, int(void*, int, std::size_t))                                                                   \
  X(Memcpy2DAsync, int(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, int, void*)) \
  X(LaunchKernel, streampool::record::Launch)                                                               \
  X(LaunchHostFunc, int(void*, void (*)(void*), void*))                                                     \
  X(StreamBeginCapture, int(void*, int))                                                                    \
  X(GraphLaunch, int(void*, void*))                                                                         \
  X(DeviceReset, int())

// Only in CUDA.
#define STREAMPOOL_RECORDED_CUDA(X)                      \
  X(LaunchCooperativeKernel, streampool::record::Launch) \
  X(EventRecordWithFlags, int(void*, void*, unsigned))   \
  X(LaunchKernelExC, int(const streampool::record::LaunchConfig*, const void*, void**))

// Not recorded, but asked for what the recorder must know.
#define STREAMPOOL_ASKED(X) \
  X(GetDevice, int(int*))   \
  X(StreamGetFlags, int(void*, unsigned*))
