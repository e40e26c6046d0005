// The runtime `model`: the machine of the specification behind the ABI, so that the kit can judge it like any other.
//
// Options: policy=greedy|lazy|random, seed, memory and granularity (bytes). It has no real time: items end by `step` or
// inside a call that waits. A call that a closed gate holds sleeps until another host thread opens it.
#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "conformance/abi/streampool_runtime.h"
#include "model/history/signature.hpp"
#include "model/machine/machine.hpp"
#include "model/profile/load.hpp"

namespace {

using streampool::history::Status;
using streampool::model::machine::Handle;
using streampool::model::machine::Machine;
using streampool::model::machine::Policy;
using streampool::model::machine::Settings;

// The calling thread's newest failure.
struct Failure {
  std::int64_t code = 0;
  std::string text;
};
thread_local Failure newest_failure;

streampool_status to_abi(Status status) {
  switch (status) {
    case Status::ok:
      return STREAMPOOL_OK;
    case Status::invalid_value:
      return STREAMPOOL_INVALID_VALUE;
    case Status::out_of_memory:
      return STREAMPOOL_OUT_OF_MEMORY;
    case Status::not_supported:
      return STREAMPOOL_NOT_SUPPORTED;
    case Status::not_ready:
      return STREAMPOOL_NOT_READY;
    case Status::invalid_handle:
      return STREAMPOOL_INVALID_HANDLE;
    case Status::not_permitted:
      return STREAMPOOL_NOT_PERMITTED;
    default:
      return STREAMPOOL_INTERNAL;
  }
}

// The machine's own code of a failure is the status; the text says what was asked.
streampool_status answer(Status status, const char* call) {
  const streampool_status code = to_abi(status);
  if (code != STREAMPOOL_OK && code != STREAMPOOL_NOT_READY) {
    newest_failure = {code, std::string(call) + ": " + std::string(streampool::history::to_text(status))};
  }
  return code;
}

class Model {
 public:
  Model(const streampool::model::Profile& profile, const Settings& settings) : machine_(profile, settings) {}

  // One call at one point in time.
  template <class Call>
  streampool_status at_once(const char* name, Call&& call) {
    const std::scoped_lock lock(mutex_);
    return answer(call(machine_), name);
  }
  // … after which a call that waits may go on.
  template <class Call>
  streampool_status opening(const char* name, Call&& call) {
    const streampool_status status = at_once(name, call);
    opened_.notify_all();
    return status;
  }
  // A call that begins at one point, waits, and ends at another.
  template <class Begin>
  streampool_status waiting(const char* name, Begin&& begin) {
    std::unique_lock lock(mutex_);
    Machine::Ticket ticket;
    const Status begun = begin(machine_, ticket);
    if (begun != Status::ok) return answer(begun, name);
    ++waiting_;
    while (!machine_.run(ticket)) opened_.wait(lock);
    machine_.conclude(ticket);
    if (--waiting_ == 0) nobody_waits_.notify_all();
    return STREAMPOOL_OK;
  }
  Handle per_thread() {
    const std::scoped_lock lock(mutex_);
    const auto [it, fresh] = per_thread_.try_emplace(std::this_thread::get_id());
    if (fresh) it->second = machine_.add_per_thread_stream();
    return it->second;
  }
  // Lets every waiting call return.
  void end() {
    std::unique_lock lock(mutex_);
    machine_.open_all_gates();
    opened_.notify_all();
    nobody_waits_.wait(lock, [&] { return waiting_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_, nobody_waits_;
  std::size_t waiting_ = 0;
  Machine machine_;
  std::map<std::thread::id, Handle> per_thread_;
};

constexpr streampool_context only_context = 1;
std::optional<Settings> chosen;  // of the open context
std::optional<Model> model;      // open … close come from one thread at a time

Handle handle(std::uint64_t value) { return value > UINT32_MAX ? Handle{} : static_cast<Handle>(value); }
std::uint64_t value(Handle h) { return static_cast<std::uint64_t>(h); }

// Context ------------------------------------------------------------------------------------------------------------

bool number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

// Whether the option is known and its value is good.
bool take(Settings& settings, std::string_view key, std::string_view text) {
  if (key == "library") return true;  // there is none
  if (key == "policy") {
    for (const auto& [name, policy] :
         {std::pair{"greedy", Policy::greedy}, {"lazy", Policy::lazy}, {"random", Policy::random}}) {
      if (text != name) continue;
      settings.policy = policy;
      return true;
    }
    return false;
  }
  std::uint64_t n = 0;
  if (!number(text, n)) return false;
  if (key == "seed") {
    settings.seed = n;
  } else if (key == "memory") {
    settings.memory = n;
  } else if (key == "granularity" && n > 0 && n % 4096 == 0) {
    settings.granule = n;
  } else {
    return key == "device" && n == 0;
  }
  return true;
}

streampool_status open(const streampool_option* options, std::size_t count, streampool_context* context) {
  if (context == nullptr || (options == nullptr && count > 0)) return answer(Status::invalid_value, "open");
  if (model) return answer(Status::not_permitted, "open");
  Settings settings;
  for (std::size_t i = 0; i < count; ++i) {
    if (options[i].key == nullptr || options[i].value == nullptr || !take(settings, options[i].key, options[i].value)) {
      newest_failure = {STREAMPOOL_INVALID_VALUE,
                        std::string("open: option ") + (options[i].key != nullptr ? options[i].key : "(null)")};
      return STREAMPOOL_INVALID_VALUE;
    }
  }
  static const auto strict = streampool::model::load_profile("strict");
  if (!strict) return answer(Status::internal, "open");
  chosen = settings;
  model.emplace(*strict, settings);
  *context = only_context;
  return STREAMPOOL_OK;
}

bool good(streampool_context context) { return context == only_context && model.has_value(); }

streampool_status close(streampool_context context) {
  if (!good(context)) return answer(Status::invalid_handle, "close");
  model->end();
  model.reset();
  return STREAMPOOL_OK;
}

constexpr std::uint64_t capabilities =
    STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_DEFAULT_STREAMS | STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_DEVICE |
    STREAMPOOL_CAP_MEMORY_INFO | STREAMPOOL_CAP_POOL | STREAMPOOL_CAP_DEFAULT_POOL | STREAMPOOL_CAP_ATTRIBUTE |
    STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_FREE_SYNC | STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_PROBE |
    STREAMPOOL_CAP_GATE | STREAMPOOL_CAP_STEP | STREAMPOOL_CAP_FAULT | STREAMPOOL_CAP_LIMIT;

std::uint64_t capabilities_of(streampool_context) { return capabilities; }

streampool_status describe(streampool_context context, streampool_description* description) {
  if (!good(context)) return answer(Status::invalid_handle, "describe");
  if (description == nullptr || description->size < sizeof(streampool_description)) {
    return answer(Status::invalid_value, "describe");
  }
  *description = {};
  description->size = sizeof(streampool_description);
  description->device_count = 1;
  static constexpr const char* names[] = {"greedy", "lazy", "random"};
  std::snprintf(description->name, sizeof description->name, "model (%s)",
                names[static_cast<std::size_t>(chosen->policy)]);
  std::snprintf(description->version, sizeof description->version, "1");
  description->memory = chosen->memory;
  return model->at_once("describe", [&](Machine& machine) {
    description->alignment = machine.alignment();
    description->reserve_granule = machine.granule();
    return Status::ok;
  });
}

streampool_status last_error(streampool_context, std::int64_t* code, char* text, std::size_t capacity) {
  if (code != nullptr) *code = newest_failure.code;
  if (text != nullptr && capacity > 0) {
    const std::size_t length = std::min(capacity - 1, newest_failure.text.size());
    std::memcpy(text, newest_failure.text.data(), length);
    text[length] = '\0';
  }
  return STREAMPOOL_OK;
}

// The other entries --------------------------------------------------------------------------------------------------

// The parts that every entry begins with: a good context, an output to write to, the one device.
template <class Call>
streampool_status at_once(streampool_context context, const char* name, Call&& call) {
  return good(context) ? model->at_once(name, call) : answer(Status::invalid_handle, name);
}
template <class Call>
streampool_status on_device(streampool_context context, std::uint32_t device, const void* output, const char* name,
                            Call&& call) {
  if (device != 0 || output == nullptr) return answer(Status::invalid_value, name);
  return at_once(context, name, call);
}
// An entry that creates something under a handle.
template <class Create>
streampool_status creating(streampool_context context, std::uint32_t device, std::uint64_t* out, const char* name,
                           Create&& create) {
  return on_device(context, device, out, name, [&](Machine& machine) {
    Handle made{};
    const Status status = create(machine, made);
    if (status == Status::ok) *out = value(made);
    return status;
  });
}
template <class Begin>
streampool_status waiting(streampool_context context, const char* name, Begin&& begin) {
  return good(context) ? model->waiting(name, begin) : answer(Status::invalid_handle, name);
}

streampool_status stream_create(streampool_context c, std::uint32_t device, std::uint32_t kind,
                                streampool_stream* stream) {
  if (kind > STREAMPOOL_STREAM_NONBLOCKING) return answer(Status::invalid_value, "stream_create");
  return creating(c, device, stream, "stream_create", [&](Machine& machine, Handle& made) {
    return machine.stream_create(kind == STREAMPOOL_STREAM_BLOCKING, made);
  });
}
streampool_status stream_destroy(streampool_context c, streampool_stream stream) {
  return at_once(c, "stream_destroy", [&](Machine& machine) { return machine.stream_destroy(handle(stream)); });
}
streampool_status stream_default(streampool_context c, std::uint32_t device, std::uint32_t kind,
                                 streampool_stream* stream) {
  if (!good(c)) return answer(Status::invalid_handle, "stream_default");
  if (device != 0 || kind > STREAMPOOL_DEFAULT_PER_THREAD || stream == nullptr) {
    return answer(Status::invalid_value, "stream_default");
  }
  if (kind == STREAMPOOL_DEFAULT_PER_THREAD) {
    *stream = value(model->per_thread());
    return STREAMPOOL_OK;
  }
  return at_once(c, "stream_default", [&](Machine& machine) {
    *stream = value(machine.legacy());
    return Status::ok;
  });
}
streampool_status stream_synchronize(streampool_context c, streampool_stream stream) {
  return waiting(c, "stream_synchronize", [&](Machine& machine, Machine::Ticket& ticket) {
    return machine.begin_stream_sync(handle(stream), ticket);
  });
}
streampool_status stream_query(streampool_context c, streampool_stream stream) {
  return at_once(c, "stream_query", [&](Machine& machine) { return machine.stream_query(handle(stream)); });
}

streampool_status event_create(streampool_context c, std::uint32_t device, streampool_event* event) {
  return creating(c, device, event, "event_create",
                  [&](Machine& machine, Handle& made) { return machine.event_create(made); });
}
streampool_status event_destroy(streampool_context c, streampool_event event) {
  return at_once(c, "event_destroy", [&](Machine& machine) { return machine.event_destroy(handle(event)); });
}
streampool_status event_record(streampool_context c, streampool_event event, streampool_stream stream) {
  return at_once(c, "event_record",
                 [&](Machine& machine) { return machine.event_record(handle(event), handle(stream)); });
}
streampool_status stream_wait_event(streampool_context c, streampool_stream stream, streampool_event event) {
  return at_once(c, "stream_wait_event",
                 [&](Machine& machine) { return machine.stream_wait_event(handle(stream), handle(event)); });
}
streampool_status event_synchronize(streampool_context c, streampool_event event) {
  return waiting(c, "event_synchronize", [&](Machine& machine, Machine::Ticket& ticket) {
    return machine.begin_event_sync(handle(event), ticket);
  });
}
streampool_status event_query(streampool_context c, streampool_event event) {
  return at_once(c, "event_query", [&](Machine& machine) { return machine.event_query(handle(event)); });
}

streampool_status device_synchronize(streampool_context c, std::uint32_t device) {
  if (device != 0) return answer(Status::invalid_value, "device_synchronize");
  return waiting(c, "device_synchronize", [&](Machine& machine, Machine::Ticket& ticket) {
    ticket = machine.begin_device_sync();
    return Status::ok;
  });
}
streampool_status memory_info(streampool_context c, std::uint32_t device, std::uint64_t* free_bytes,
                              std::uint64_t* total_bytes) {
  if (total_bytes == nullptr) return answer(Status::invalid_value, "memory_info");
  return on_device(c, device, free_bytes, "memory_info", [&](Machine& machine) {
    machine.memory_info(*free_bytes, *total_bytes);
    return Status::ok;
  });
}

streampool_status pool_create(streampool_context c, std::uint32_t device, std::uint64_t max_size,
                              streampool_pool* pool) {
  return creating(c, device, pool, "pool_create",
                  [&](Machine& machine, Handle& made) { return machine.pool_create(max_size, made); });
}
streampool_status pool_destroy(streampool_context c, streampool_pool pool) {
  return at_once(c, "pool_destroy", [&](Machine& machine) { return machine.pool_destroy(handle(pool)); });
}
streampool_status pool_default(streampool_context c, std::uint32_t device, streampool_pool* pool) {
  return creating(c, device, pool, "pool_default", [&](Machine& machine, Handle& made) {
    made = machine.pool_default();
    return Status::ok;
  });
}
streampool_status pool_set_current(streampool_context c, std::uint32_t device, streampool_pool pool) {
  return on_device(c, device, &pool, "pool_set_current",
                   [&](Machine& machine) { return machine.pool_set_current(handle(pool)); });
}
streampool_status pool_get_current(streampool_context c, std::uint32_t device, streampool_pool* pool) {
  return creating(c, device, pool, "pool_get_current", [&](Machine& machine, Handle& made) {
    made = machine.pool_get_current();
    return Status::ok;
  });
}
streampool_status pool_trim(streampool_context c, streampool_pool pool, std::uint64_t keep) {
  return at_once(c, "pool_trim", [&](Machine& machine) { return machine.pool_trim(handle(pool), keep); });
}

streampool_status attribute_get(streampool_context c, streampool_pool pool, std::int32_t attribute, void* out,
                                std::size_t width) {
  return at_once(c, "attribute_get",
                 [&](Machine& machine) { return machine.attribute_get(handle(pool), attribute, out, width); });
}
streampool_status attribute_set(streampool_context c, streampool_pool pool, std::int32_t attribute, const void* in,
                                std::size_t width) {
  return at_once(c, "attribute_set",
                 [&](Machine& machine) { return machine.attribute_set(handle(pool), attribute, in, width); });
}

streampool_status malloc_from_pool(streampool_context c, streampool_address* address, std::uint64_t bytes,
                                   streampool_pool pool, streampool_stream stream) {
  return on_device(c, 0, address, "malloc_from_pool",
                   [&](Machine& machine) { return machine.malloc(handle(pool), handle(stream), bytes, *address); });
}
streampool_status malloc_current(streampool_context c, streampool_address* address, std::uint64_t bytes,
                                 streampool_stream stream) {
  return on_device(c, 0, address, "malloc_current", [&](Machine& machine) {
    return machine.malloc(machine.pool_get_current(), handle(stream), bytes, *address);
  });
}
streampool_status free_async(streampool_context c, streampool_address address, streampool_stream stream) {
  return at_once(c, "free_async", [&](Machine& machine) { return machine.free_async(address, handle(stream)); });
}
streampool_status free_sync(streampool_context c, streampool_address address) {
  return at_once(c, "free_sync", [&](Machine& machine) { return machine.free_sync(address); });
}
streampool_status plain_malloc(streampool_context c, std::uint32_t device, streampool_address* address,
                               std::uint64_t bytes) {
  return on_device(c, device, address, "plain_malloc",
                   [&](Machine& machine) { return machine.plain_malloc(bytes, *address); });
}
streampool_status plain_free(streampool_context c, streampool_address address) {
  return at_once(c, "plain_free", [&](Machine& machine) { return machine.free_sync(address); });
}

streampool_status fill(streampool_context c, streampool_stream stream, streampool_address address, std::uint8_t byte,
                       std::uint64_t bytes) {
  return at_once(c, "fill", [&](Machine& machine) { return machine.fill(handle(stream), address, byte, bytes); });
}
streampool_status read(streampool_context c, streampool_stream stream, streampool_address address, std::uint64_t bytes,
                       void* host) {
  if (host == nullptr) return answer(Status::invalid_value, "read");
  return waiting(c, "read", [&](Machine& machine, Machine::Ticket& ticket) {
    return machine.begin_read(handle(stream), address, bytes, host, ticket);
  });
}
streampool_status launch(streampool_context c, streampool_stream stream, const streampool_address* addresses,
                         std::size_t count) {
  if (addresses == nullptr && count > 0) return answer(Status::invalid_value, "launch");
  return at_once(c, "launch", [&](Machine& machine) { return machine.launch(handle(stream), {addresses, count}); });
}

streampool_status gate_create(streampool_context c, std::uint32_t device, streampool_gate* gate) {
  return creating(c, device, gate, "gate_create",
                  [&](Machine& machine, Handle& made) { return machine.gate_create(made); });
}
streampool_status gate_hold(streampool_context c, streampool_stream stream, streampool_gate gate) {
  return at_once(c, "gate_hold", [&](Machine& machine) { return machine.gate_hold(handle(stream), handle(gate)); });
}
streampool_status gate_open(streampool_context c, streampool_gate gate) {
  if (!good(c)) return answer(Status::invalid_handle, "gate_open");
  return model->opening("gate_open", [&](Machine& machine) { return machine.gate_open(handle(gate)); });
}
streampool_status gate_destroy(streampool_context c, streampool_gate gate) {
  if (!good(c)) return answer(Status::invalid_handle, "gate_destroy");
  return model->opening("gate_destroy", [&](Machine& machine) { return machine.gate_destroy(handle(gate)); });
}

streampool_status step_pending(streampool_context c, streampool_pending* items, std::size_t capacity,
                               std::size_t* count) {
  if (items == nullptr && capacity > 0) return answer(Status::invalid_value, "step_pending");
  return on_device(c, 0, count, "step_pending", [&](Machine& machine) {
    const auto pending = machine.pending();
    *count = pending.size();
    for (std::size_t i = 0; i < std::min(capacity, pending.size()); ++i) {
      items[i] = {value(pending[i].stream), pending[i].position, pending[i].ready ? 1U : 0U, 0};
    }
    return Status::ok;
  });
}
streampool_status step(streampool_context c, streampool_stream stream) {
  return at_once(c, "step", [&](Machine& machine) { return machine.step(handle(stream)); });
}
streampool_status fail_next(streampool_context c, std::uint32_t kind, std::uint64_t nth) {
  if (kind > STREAMPOOL_FAIL_SUBMIT || nth == 0) return answer(Status::invalid_value, "fail_next");
  return at_once(c, "fail_next", [&](Machine& machine) {
    machine.fail_next(static_cast<streampool::history::FailKind>(kind), nth);
    return Status::ok;
  });
}
streampool_status limit_memory(streampool_context c, std::uint32_t device, std::uint64_t bytes) {
  return on_device(c, device, &bytes, "limit_memory", [&](Machine& machine) {
    machine.limit_memory(bytes);
    return Status::ok;
  });
}

constexpr streampool_runtime table = {
    .size = sizeof(streampool_runtime),
    .abi_version = STREAMPOOL_ABI_VERSION,
    .capabilities = capabilities,
    .open = open,
    .close = close,
    .describe = describe,
    .capabilities_of = capabilities_of,
    .last_error = last_error,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_default = stream_default,
    .stream_synchronize = stream_synchronize,
    .stream_query = stream_query,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .stream_wait_event = stream_wait_event,
    .event_synchronize = event_synchronize,
    .event_query = event_query,
    .device_synchronize = device_synchronize,
    .memory_info = memory_info,
    .pool_create = pool_create,
    .pool_destroy = pool_destroy,
    .pool_default = pool_default,
    .pool_set_current = pool_set_current,
    .pool_get_current = pool_get_current,
    .pool_trim = pool_trim,
    .attribute_get = attribute_get,
    .attribute_set = attribute_set,
    .malloc_from_pool = malloc_from_pool,
    .malloc_current = malloc_current,
    .free_async = free_async,
    .free_sync = free_sync,
    .plain_malloc = plain_malloc,
    .plain_free = plain_free,
    .fill = fill,
    .read = read,
    .launch = launch,
    .gate_create = gate_create,
    .gate_hold = gate_hold,
    .gate_open = gate_open,
    .gate_destroy = gate_destroy,
    .step_pending = step_pending,
    .step = step,
    .fail_next = fail_next,
    .limit_memory = limit_memory,
};

}  // namespace

const streampool_runtime* streampool_runtime_table(void) { return &table; }
