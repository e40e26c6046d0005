// The runtime `ascend`: the shared adapter over Huawei's CANN runtime library (aclrtMemPool* of CANN 9).
//
// What its interface lacks is not offered: default and per-thread streams, a default and a current pool, allocation
// without a pool, a documented synchronous free of pool memory. It has no stream wait on a host word either, so there
// are no gates and gate clauses cannot be judged.
// Source of the facts: the public reference of CANN 9.0 and 9.1 and the public headers of its open runtime.
#include <cstdio>
#include <cstring>

#include "conformance/adapters/vendor/calls.hpp"
#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::vendor::ascend {
namespace {

constexpr std::uint64_t needs_event = STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_PROBE;

// Functions whose shape is already that of Calls.
constexpr Symbol symbols[] = {
    {offsetof(Calls, device_set), "aclrtSetDevice", everything},
    {offsetof(Calls, device_synchronize), "aclrtSynchronizeDevice", everything},
    {offsetof(Calls, stream_destroy), "aclrtDestroyStream", everything},
    {offsetof(Calls, stream_synchronize), "aclrtSynchronizeStream", everything},
    {offsetof(Calls, event_create), "aclrtCreateEventExWithFlag", needs_event},
    {offsetof(Calls, event_destroy), "aclrtDestroyEvent", needs_event},
    {offsetof(Calls, event_record), "aclrtRecordEvent", needs_event},
    {offsetof(Calls, event_synchronize), "aclrtSynchronizeEvent", needs_event},
    {offsetof(Calls, pool_create), "aclrtMemPoolCreate", STREAMPOOL_CAP_POOL},
    {offsetof(Calls, pool_destroy), "aclrtMemPoolDestroy", STREAMPOOL_CAP_POOL},
    {offsetof(Calls, pool_trim), "aclrtMemPoolTrimTo", STREAMPOOL_CAP_POOL},
    {offsetof(Calls, attribute_get), "aclrtMemPoolGetAttr", STREAMPOOL_CAP_ATTRIBUTE},
    {offsetof(Calls, attribute_set), "aclrtMemPoolSetAttr", STREAMPOOL_CAP_ATTRIBUTE},
    {offsetof(Calls, malloc_from_pool), "aclrtMemPoolMallocAsync", STREAMPOOL_CAP_MEMORY},
    {offsetof(Calls, free_async), "aclrtMemPoolFreeAsync", STREAMPOOL_CAP_MEMORY},
    {offsetof(Calls, free_now), "aclrtFree", STREAMPOOL_CAP_PLAIN},
    {offsetof(Calls, host_free), "aclrtFreeHost", STREAMPOOL_CAP_PROBE},
};

// The others, in their own shape.
struct OwnCalls {
  Call<int(const char* configuration)> initialize;
  Call<const char*()> recent_error;
  Call<int(std::uint32_t* count)> device_count;
  Call<int(std::int32_t* major, std::int32_t* minor, std::int32_t* patch)> version;
  Call<int(int kind, std::size_t* free_bytes, std::size_t* total_bytes)> memory_info;
  Call<int(void** stream)> stream_create;
  Call<int(void* stream, int* status)> stream_query;
  Call<int(void* event, int* status)> event_query;
  Call<int(void* stream, void* event)> stream_wait_event;
  Call<int(void** address, std::size_t bytes, int policy)> malloc;
  Call<int(void** host, std::size_t bytes)> host_malloc;
  Call<int(void* address, std::size_t room, std::int32_t value, std::size_t bytes, void* stream)> memset_async;
  Call<int(void* to, std::size_t room, const void* from, std::size_t bytes, int kind, void* stream)> memcpy_async;
};
OwnCalls own;

constexpr Symbol own_symbols[] = {
    {offsetof(OwnCalls, initialize), "aclInit", everything},
    {offsetof(OwnCalls, recent_error), "aclGetRecentErrMsg", nothing},
    {offsetof(OwnCalls, device_count), "aclrtGetDeviceCount", everything},
    {offsetof(OwnCalls, version), "aclrtGetVersion", nothing},
    {offsetof(OwnCalls, memory_info), "aclrtGetMemInfo", STREAMPOOL_CAP_MEMORY_INFO},
    {offsetof(OwnCalls, stream_create), "aclrtCreateStream", everything},
    {offsetof(OwnCalls, stream_query), "aclrtStreamQuery", STREAMPOOL_CAP_STREAM},
    {offsetof(OwnCalls, event_query), "aclrtQueryEventStatus", STREAMPOOL_CAP_EVENT},
    {offsetof(OwnCalls, stream_wait_event), "aclrtStreamWaitEvent", STREAMPOOL_CAP_EVENT},
    {offsetof(OwnCalls, malloc), "aclrtMalloc", STREAMPOOL_CAP_PLAIN},
    {offsetof(OwnCalls, host_malloc), "aclrtMallocHost", STREAMPOOL_CAP_PROBE},
    {offsetof(OwnCalls, memset_async), "aclrtMemsetAsync", STREAMPOOL_CAP_PROBE},
    {offsetof(OwnCalls, memcpy_async), "aclrtMemcpyAsync", STREAMPOOL_CAP_PROBE},
};

constexpr int already_initialized = 100002;
constexpr int high_bandwidth_memory = 1;
constexpr int stream_complete = 0, event_complete = 1;
constexpr int huge_pages_first = 0;
constexpr unsigned event_sync = 1, event_progress = 2;  // wait between streams; query and synchronise on the host
constexpr int device_to_host = 2;
constexpr int allocation_pinned = 0, location_device = 1;

int initialize(const char* configuration) {
  const int code = own.initialize(configuration);
  return code == already_initialized ? 0 : code;  // the process may use CANN besides
}
const char* error_text(int) { return own.recent_error ? own.recent_error() : nullptr; }
int device_count(int* count) {
  std::uint32_t found = 0;
  const int code = own.device_count(&found);
  *count = static_cast<int>(found);
  return code;
}
int memory_info(std::size_t* free_bytes, std::size_t* total_bytes) {
  return own.memory_info(high_bandwidth_memory, free_bytes, total_bytes);
}
int stream_create(void** stream, unsigned) { return own.stream_create(stream); }
int stream_query(void* stream) {
  int status = stream_complete;
  const int code = own.stream_query(stream, &status);
  return code == 0 && status != stream_complete ? int{still_pending} : code;
}
int event_query(void* event) {
  int status = event_complete;
  const int code = own.event_query(event, &status);
  return code == 0 && status != event_complete ? int{still_pending} : code;
}
int stream_wait_event(void* stream, void* event, unsigned) { return own.stream_wait_event(stream, event); }
int plain_malloc(void** address, std::size_t bytes) { return own.malloc(address, bytes, huge_pages_first); }
int host_malloc(void** host, std::size_t bytes, unsigned) { return own.host_malloc(host, bytes); }
int memset_async(void* address, int value, std::size_t bytes, void* stream) {
  return own.memset_async(address, bytes, value, bytes, stream);
}
int memcpy_async(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  return own.memcpy_async(to, bytes, from, bytes, kind, stream);
}

// A call of the common shape over one of the library's own; absent where that one is.
template <class Function>
Slot over(const Slot& library_call, Function* shaped) {
  return {library_call.address == nullptr ? nullptr : reinterpret_cast<void (*)()>(shaped), library_call.name};
}

void bind_calls(const Library& library, Calls& calls, Missing& missing) {
  bind(library, symbols, &calls, missing);
  bind(library, own_symbols, &own, missing);
  calls.initialize = over(own.initialize, initialize);
  calls.error_text = over(own.recent_error, error_text);
  calls.device_count = over(own.device_count, device_count);
  calls.memory_info = over(own.memory_info, memory_info);
  calls.stream_create = over(own.stream_create, stream_create);
  calls.stream_query = over(own.stream_query, stream_query);
  calls.event_query = over(own.event_query, event_query);
  calls.stream_wait_event = over(own.stream_wait_event, stream_wait_event);
  calls.plain_malloc = over(own.malloc, plain_malloc);
  calls.host_malloc = over(own.host_malloc, host_malloc);
  calls.memset_async = over(own.memset_async, memset_async);
  calls.memcpy_async = over(own.memcpy_async, memcpy_async);
}

struct MemPoolProps {
  int allocation_type;
  int handle_type;
  std::uint32_t location_id;
  int location_type;
  std::size_t max_size;
  unsigned char reserved[32];
};
static_assert(sizeof(MemPoolProps) == 56);

PoolProperties pool_properties(int device, std::uint64_t max_size) {
  MemPoolProps properties{};
  properties.allocation_type = allocation_pinned;
  properties.location_id = static_cast<std::uint32_t>(device);
  properties.location_type = location_device;
  properties.max_size = max_size;
  PoolProperties raw;
  std::memcpy(raw.bytes, &properties, sizeof properties);
  return raw;
}

std::string version(const Calls&) {
  std::int32_t major = 0, minor = 0, patch = 0;
  if (!own.version || own.version(&major, &minor, &patch) != 0) return "unknown";
  char text[64];
  std::snprintf(text, sizeof text, "interface %d.%d.%d", major, minor, patch);
  return text;
}

// 507000 is missing on purpose: CANN answers it for a full pool, a bad value and a double free alike, so it says
// nothing that a normalised status could.
constexpr StatusCode statuses[] = {
    {100000, STREAMPOOL_INVALID_VALUE},   // ACL_ERROR_INVALID_PARAM
    {107000, STREAMPOOL_INVALID_VALUE},   // ACL_ERROR_RT_PARAM_INVALID
    {107001, STREAMPOOL_INVALID_VALUE},   // ACL_ERROR_RT_INVALID_DEVICEID
    {107003, STREAMPOOL_INVALID_HANDLE},  // ACL_ERROR_RT_STREAM_CONTEXT
    {107017, STREAMPOOL_INVALID_HANDLE},  // ACL_ERROR_RT_INVALID_HANDLE
    {207000, STREAMPOOL_NOT_SUPPORTED},   // ACL_ERROR_RT_FEATURE_NOT_SUPPORT
    {207001, STREAMPOOL_OUT_OF_MEMORY},   // ACL_ERROR_RT_MEMORY_ALLOCATION
    {207004, STREAMPOOL_NOT_SUPPORTED},   // ACL_ERROR_RT_NO_DEVICE
    {207006, STREAMPOOL_NOT_PERMITTED},   // ACL_ERROR_RT_NO_PERMISSION
    {207018, STREAMPOOL_OUT_OF_MEMORY},   // ACL_ERROR_RT_DEVICE_OOM
};

constexpr const char* libraries[] = {"libascendcl.so", "libacl_rt.so"};

const Vendor vendor = {
    .name = "ascend",
    .libraries = libraries,
    .environment = {},
    .capabilities = STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_DEVICE | STREAMPOOL_CAP_MEMORY_INFO |
                    STREAMPOOL_CAP_POOL | STREAMPOOL_CAP_ATTRIBUTE | STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_PLAIN |
                    STREAMPOOL_CAP_PROBE,
    .statuses = statuses,
    .alignment = 0,
    .copy_device_to_host = device_to_host,
    .event_flags = event_sync | event_progress,
    .nonblocking_flag = 0,
    .default_streams = {},
    .pools_supported_attribute = 0,
    .max_size_since = 0,
    .gate_words_bytes = 0,
    .gate_word_stride = 0,
    .gate_words_ready = 0,
    .bind_calls = bind_calls,
    .pool_properties = pool_properties,
    .version = version,
};

}  // namespace
}  // namespace streampool::vendor::ascend

const streampool_runtime* streampool_runtime_table(void) {
  return streampool::vendor::table_of(streampool::vendor::ascend::vendor);
}
