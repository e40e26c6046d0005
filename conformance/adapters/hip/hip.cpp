// The runtime `hip`: the shared adapter over AMD's HIP runtime library.
#include "conformance/adapters/hip/hip.hpp"

#include <cstdio>
#include <cstring>

namespace streampool::vendor::hip {
namespace {

constexpr Symbol symbols[] = {
#define X(entry, name, groups) {offsetof(Calls, entry), #name, groups},
    STREAMPOOL_HIP_SYMBOLS(X) STREAMPOOL_HIP_OVERLOADED_SYMBOLS(X)
#undef X
};

constexpr const char* libraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};

// Streams share a few hardware queues, where an item that a gate holds would hold other streams' items too: a deadlock
// that no order explains. The library takes more queues on request.
constexpr EnvironmentDefault environment[] = {{"GPU_MAX_HW_QUEUES", "32"}};

struct GateCalls {
  Call<StreamWaitValue> wait_value;
  Call<ExtMallocWithFlags> malloc_with_flags;
};
GateCalls gate;

constexpr Symbol gate_symbols[] = {
    {offsetof(GateCalls, wait_value), "hipStreamWaitValue32", STREAMPOOL_CAP_GATE},
    {offsetof(GateCalls, malloc_with_flags), "hipExtMallocWithFlags", STREAMPOOL_CAP_GATE},
};

int gate_words_malloc(void** words, std::size_t bytes) {
  return gate.malloc_with_flags(words, bytes, malloc_signal_memory);
}

int gate_wait(void* stream, void* word, std::uint32_t at_least) {
  constexpr std::uint32_t whole_word = 0xffffffff;
  return gate.wait_value(stream, word, at_least, wait_value_at_least, whole_word);
}

void bind_calls(const Library& library, Calls& calls, Missing& missing) {
  bind(library, symbols, &calls, missing);
  bind(library, gate_symbols, &gate, missing);
  calls.gate_words_malloc = Slot{reinterpret_cast<void (*)()>(&gate_words_malloc), gate.malloc_with_flags.name};
  calls.gate_words_free = Slot{calls.free_now.address, calls.free_now.name};
  calls.gate_wait = Slot{reinterpret_cast<void (*)()>(&gate_wait), gate.wait_value.name};
}

PoolProperties pool_properties(int device, std::uint64_t max_size) {
  MemPoolProps properties{};
  properties.allocation_type = allocation_pinned;
  properties.location_type = location_device;
  properties.location_id = device;
  properties.max_size = max_size;
  PoolProperties raw;
  std::memcpy(raw.bytes, &properties, sizeof properties);
  return raw;
}

std::string version(const Calls& calls) {
  int runtime = 0;
  if (calls.runtime_version(&runtime) != 0) return "unknown";
  char text[64];
  std::snprintf(text, sizeof text, "runtime %d.%d.%d", runtime / 10000000, runtime / 100000 % 100, runtime % 100000);
  return text;
}

const Vendor vendor = {
    .name = "hip",
    .libraries = libraries,
    .environment = environment,
    .capabilities = STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_DEFAULT_STREAMS | STREAMPOOL_CAP_EVENT |
                    STREAMPOOL_CAP_DEVICE | STREAMPOOL_CAP_MEMORY_INFO | STREAMPOOL_CAP_POOL |
                    STREAMPOOL_CAP_DEFAULT_POOL | STREAMPOOL_CAP_ATTRIBUTE | STREAMPOOL_CAP_MEMORY |
                    STREAMPOOL_CAP_FREE_SYNC | STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_PROBE | STREAMPOOL_CAP_GATE,
    .statuses = statuses,
    .alignment = 256,
    .copy_device_to_host = device_to_host,
    .event_flags = event_disable_timing,
    .nonblocking_flag = stream_non_blocking,
    // The null stream is the legacy one: a handle of its own came only with later versions.
    .default_streams = {nullptr, reinterpret_cast<void*>(stream_per_thread)},
    .pools_supported_attribute = memory_pools_supported,
    .max_size_since = max_size_since,
    // Signal memory is made one word of eight bytes at a time.
    .gate_words_bytes = 8,
    .gate_word_stride = 8,
    .gate_words_ready = 64,
    .bind_calls = bind_calls,
    .pool_properties = pool_properties,
    .version = version,
};

}  // namespace
}  // namespace streampool::vendor::hip

const streampool_runtime* streampool_runtime_table(void) {
  return streampool::vendor::table_of(streampool::vendor::hip::vendor);
}
