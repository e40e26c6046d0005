// The runtime `cuda`: the shared adapter over the CUDA runtime library.
#include "conformance/adapters/cuda/cuda.hpp"

#include <cstdio>
#include <cstring>

namespace streampool::vendor::cuda {
namespace {

constexpr Symbol symbols[] = {
#define X(entry, name, groups) {offsetof(Calls, entry), #name, groups},
    STREAMPOOL_CUDA_SYMBOLS(X)
#undef X
};

constexpr const char* libraries[] = {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};

// Streams share a few hardware queues, where an item that a gate holds would hold other streams' items too: a deadlock
// that no order explains. The library takes more queues on request.
constexpr EnvironmentDefault environment[] = {{"CUDA_DEVICE_MAX_CONNECTIONS", "32"}};

// The gate's functions stand behind one shape for all vendors, without room for what CUDA needs besides.
struct GateCalls {
  Call<StreamWaitValue> wait_value;
  Calls runtime;
};
GateCalls gate;

int gate_words_malloc(void** words, std::size_t bytes) {
  return gate.runtime.host_malloc(words, bytes, host_portable | host_mapped);
}

int gate_wait(void* stream, void* word, std::uint32_t at_least) {
  // A call of the runtime first: on a thread's first call it makes the device's context current for the driver's.
  void* device_view = nullptr;
  if (const int code = gate.runtime.host_device_pointer(&device_view, word, 0); code != 0) return code;
  return gate.wait_value(stream, reinterpret_cast<std::uint64_t>(device_view), at_least, wait_value_at_least);
}

// By the runtime's own door where it has one, else from the driver's library, which the runtime has loaded by then.
void* find_wait_value(const Library& library) {
  constexpr unsigned version = 12000;  // the form without the old module parameter
  if (void* door = library.find("cudaGetDriverEntryPointByVersion"); door != nullptr) {
    void* function = nullptr;
    int answer = 0;
    const auto get = reinterpret_cast<GetDriverEntryPointByVersion*>(door);
    if (get("cuStreamWaitValue32", &function, version, 0, &answer) == 0 && function != nullptr) return function;
  }
  constexpr const char* driver_names[] = {"libcuda.so.1"};
  Library driver;
  std::string error;  // no driver: open will say so by the runtime's own code
  if (!driver.open(driver_names, error)) return nullptr;
  void* function = driver.find("cuStreamWaitValue32_v2");
  return function != nullptr ? function : driver.find("cuStreamWaitValue32");
}

void bind_calls(const Library& library, Calls& calls, Missing& missing) {
  bind(library, symbols, &calls, missing);
  Slot slot{nullptr, "cuStreamWaitValue32"};
  void* function = find_wait_value(library);
  std::memcpy(&slot.address, &function, sizeof function);
  gate.wait_value = slot;
  if (function == nullptr) missing.groups |= STREAMPOOL_CAP_GATE;
  gate.runtime = calls;
  calls.gate_words_malloc = Slot{reinterpret_cast<void (*)()>(&gate_words_malloc), calls.host_malloc.name};
  calls.gate_words_free = Slot{calls.host_free.address, calls.host_free.name};
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
  int runtime = 0, driver = 0;
  if (calls.runtime_version(&runtime) != 0 || calls.driver_version(&driver) != 0) return "unknown";
  char text[64];
  std::snprintf(text, sizeof text, "runtime %d.%d, driver %d.%d", runtime / 1000, runtime % 1000 / 10, driver / 1000,
                driver % 1000 / 10);
  return text;
}

const Vendor vendor = {
    .name = "cuda",
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
    .default_streams = {reinterpret_cast<void*>(stream_legacy), reinterpret_cast<void*>(stream_per_thread)},
    .pools_supported_attribute = memory_pools_supported,
    .max_size_since = max_size_since,
    .gate_words_bytes = std::size_t{64} << 10,
    .gate_word_stride = 16,
    .gate_words_ready = 1,
    .bind_calls = bind_calls,
    .pool_properties = pool_properties,
    .version = version,
};

}  // namespace
}  // namespace streampool::vendor::cuda

const streampool_runtime* streampool_runtime_table(void) {
  return streampool::vendor::table_of(streampool::vendor::cuda::vendor);
}
