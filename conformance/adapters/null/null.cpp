// The runtime `null`: accepts every call, does nothing.
//
// Every call answers ok. Only a new object's handle is written (a counter), because without one no later call could
// name the object; addresses, attribute values and memory figures stay as the caller left them. So a kit that believes
// a status alone finds it conformant, and a kit that looks at outputs names the clauses: an address that was not
// written, an attribute that does not read back, contents that are not there.
#include <atomic>
#include <cstdio>
#include <cstring>

#include "conformance/abi/streampool_runtime.h"

namespace {

using Context = streampool_context;
using Status = streampool_status;

// Any signature, one answer.
template <typename... Arguments>
Status accept(Context, Arguments...) {
  return STREAMPOOL_OK;
}

std::uint64_t next_handle() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// The created object's handle is the last argument.
Status hand_out(std::uint64_t* handle) {
  if (handle == nullptr) return STREAMPOOL_INVALID_VALUE;
  *handle = next_handle();
  return STREAMPOOL_OK;
}

Status open(const streampool_option*, std::size_t, Context* context) { return hand_out(context); }
Status stream_create(Context, std::uint32_t, std::uint32_t, streampool_stream* stream) { return hand_out(stream); }
Status event_create(Context, std::uint32_t, streampool_event* event) { return hand_out(event); }
Status pool_create(Context, std::uint32_t, std::uint64_t, streampool_pool* pool) { return hand_out(pool); }
Status pool_of_device(Context, std::uint32_t, streampool_pool* pool) { return hand_out(pool); }
Status gate_create(Context, std::uint32_t, streampool_gate* gate) { return hand_out(gate); }

// Everything but `step`: a stepped runtime would be driven by the kit, and this one has nothing to be driven.
constexpr std::uint64_t capabilities = STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_DEFAULT_STREAMS | STREAMPOOL_CAP_EVENT |
                                       STREAMPOOL_CAP_DEVICE | STREAMPOOL_CAP_MEMORY_INFO | STREAMPOOL_CAP_POOL |
                                       STREAMPOOL_CAP_DEFAULT_POOL | STREAMPOOL_CAP_ATTRIBUTE | STREAMPOOL_CAP_MEMORY |
                                       STREAMPOOL_CAP_FREE_SYNC | STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_PROBE |
                                       STREAMPOOL_CAP_GATE | STREAMPOOL_CAP_FAULT | STREAMPOOL_CAP_LIMIT;

std::uint64_t capabilities_of(Context) { return capabilities; }

Status describe(Context, streampool_description* description) {
  if (description == nullptr || description->size < sizeof(streampool_description)) return STREAMPOOL_INVALID_VALUE;
  *description = {};
  description->size = sizeof(streampool_description);
  description->device_count = 1;
  std::snprintf(description->name, sizeof description->name, "null");
  std::snprintf(description->version, sizeof description->version, "1");
  return STREAMPOOL_OK;
}

Status last_error(Context, std::int64_t* code, char* text, std::size_t capacity) {
  if (code != nullptr) *code = 0;
  if (text != nullptr && capacity > 0) *text = '\0';
  return STREAMPOOL_OK;
}

constexpr streampool_runtime table = {
    .size = sizeof(streampool_runtime),
    .abi_version = STREAMPOOL_ABI_VERSION,
    .capabilities = capabilities,
    .open = open,
    .close = accept,
    .describe = describe,
    .capabilities_of = capabilities_of,
    .last_error = last_error,
    .stream_create = stream_create,
    .stream_destroy = accept,
    .stream_default = stream_create,
    .stream_synchronize = accept,
    .stream_query = accept,
    .event_create = event_create,
    .event_destroy = accept,
    .event_record = accept,
    .stream_wait_event = accept,
    .event_synchronize = accept,
    .event_query = accept,
    .device_synchronize = accept,
    .memory_info = accept,
    .pool_create = pool_create,
    .pool_destroy = accept,
    .pool_default = pool_of_device,
    .pool_set_current = accept,
    .pool_get_current = pool_of_device,
    .pool_trim = accept,
    .attribute_get = accept,
    .attribute_set = accept,
    .malloc_from_pool = accept,
    .malloc_current = accept,
    .free_async = accept,
    .free_sync = accept,
    .plain_malloc = accept,
    .plain_free = accept,
    .fill = accept,
    .read = accept,
    .launch = accept,
    .gate_create = gate_create,
    .gate_hold = accept,
    .gate_open = accept,
    .gate_destroy = accept,
    .step_pending = nullptr,
    .step = nullptr,
    .fail_next = accept,
    .limit_memory = accept,
};

}  // namespace

const streampool_runtime* streampool_runtime_table(void) { return &table; }
