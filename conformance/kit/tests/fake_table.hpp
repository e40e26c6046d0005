// A runtime of a few lines inside the test: one stream in which everything is done at once, addresses from a counter.
#pragma once

#include <cstring>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::kit::fake {

inline std::uint64_t next_address = 0x10000000;
inline std::uint64_t next_handle = 1;

inline streampool_status open(const streampool_option*, size_t, streampool_context* context) {
  *context = 1;
  next_address = 0x10000000;
  return STREAMPOOL_OK;
}
inline streampool_status close(streampool_context) { return STREAMPOOL_OK; }
inline streampool_status describe(streampool_context, streampool_description* out) {
  out->device_count = 1;
  std::strncpy(out->name, "fake", sizeof(out->name));
  std::memset(out->version, 'v', sizeof(out->version));  // no zero at the end: the kit must bear it
  out->alignment = 256;
  out->reserve_granule = 4096;
  return STREAMPOOL_OK;
}
inline streampool_status last_error(streampool_context, int64_t* code, char* text, size_t capacity) {
  *code = -7;
  if (capacity > 0) std::strncpy(text, "seven", capacity);
  return STREAMPOOL_OK;
}
inline streampool_status make(std::uint64_t* out) {
  *out = next_handle++;
  return STREAMPOOL_OK;
}
inline streampool_status stream_create(streampool_context, std::uint32_t, std::uint32_t, streampool_stream* out) {
  return make(out);
}
inline streampool_status stream_done(streampool_context, streampool_stream) { return STREAMPOOL_OK; }
inline streampool_status pool_create(streampool_context, std::uint32_t, std::uint64_t, streampool_pool* out) {
  return make(out);
}
inline streampool_status pool_done(streampool_context, streampool_pool) { return STREAMPOOL_OK; }
inline streampool_status pool_trim(streampool_context, streampool_pool, std::uint64_t) { return STREAMPOOL_OK; }
inline streampool_status malloc_from_pool(streampool_context, streampool_address* out, std::uint64_t bytes,
                                          streampool_pool, streampool_stream) {
  *out = 0;
  if (bytes > (1u << 30)) return STREAMPOOL_OUT_OF_MEMORY;
  *out = next_address;
  next_address += (bytes + 4095) / 4096 * 4096;
  return STREAMPOOL_OK;
}
inline streampool_status free_async(streampool_context, streampool_address, streampool_stream) { return STREAMPOOL_OK; }
inline std::uint64_t capabilities(streampool_context) {
  return STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_POOL | STREAMPOOL_CAP_MEMORY;
}

inline streampool_runtime table() {
  streampool_runtime t{};
  t.size = sizeof(t);
  t.abi_version = STREAMPOOL_ABI_VERSION;
  t.capabilities = capabilities(0);
  t.open = open;
  t.close = close;
  t.describe = describe;
  t.capabilities_of = capabilities;
  t.last_error = last_error;
  t.stream_create = stream_create;
  t.stream_destroy = t.stream_synchronize = t.stream_query = stream_done;
  t.pool_create = pool_create;
  t.pool_destroy = pool_done;
  t.pool_trim = pool_trim;
  t.malloc_from_pool = malloc_from_pool;
  t.free_async = free_async;
  return t;
}

}  // namespace streampool::kit::fake
