// The ABI's entries over a vendor's calls. They add nothing to what the vendor does: arguments go through as they are,
// outputs are written exactly where the vendor writes them, and every code it answers is kept.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>

#include "conformance/adapters/vendor/session.hpp"
#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::vendor {
namespace {

using Status = streampool_status;

const Vendor* the_vendor = nullptr;    // set once, before the table is handed out
std::unique_ptr<Session> the_session;  // touched by open and close, which never run beside another call
std::atomic<Session*> open_session{nullptr};

streampool_context context_of(const Session& session) { return session.id(); }

Session* find_session(streampool_context context) {
  Session* session = open_session.load(std::memory_order_acquire);
  return session != nullptr && context == context_of(*session) ? session : nullptr;
}

// One entry: checks the context, keeps exceptions of the standard library on this side of the border.
template <auto Body, class = decltype(Body)>
struct Entry;
template <auto Body, class... Arguments>
struct Entry<Body, Status (*)(Session&, Arguments...)> {
  static Status call(streampool_context context, Arguments... arguments) noexcept {
    Session* session = find_session(context);
    if (session == nullptr) return fail(STREAMPOOL_INVALID_HANDLE, not_open, the_vendor->name, "no such context");
    try {
      return Body(*session, arguments...);
    } catch (const std::bad_alloc&) {
      return fail(STREAMPOOL_OUT_OF_MEMORY, out_of_host_memory, the_vendor->name, "the host is out of memory");
    }
  }
};

void* native(std::uint64_t handle) { return reinterpret_cast<void*>(handle); }
std::uint64_t handle_of(const void* native) { return reinterpret_cast<std::uint64_t>(native); }

// Hands the caller's output to the vendor with the caller's value in it, so that what the vendor leaves alone stays as
// it was. A null output is the vendor's to refuse.
template <class Make>
Status through(std::uint64_t* output, Make make) {
  if (output == nullptr) return make(nullptr);
  void* value = native(*output);
  const Status status = make(&value);
  *output = handle_of(value);
  return status;
}

// --- context ----------------------------------------------------------------------------------------------------

bool parse_number(const char* text, int& number) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < 0 || value > 255) return false;
  number = static_cast<int>(value);
  return true;
}

Status read_options(const streampool_option* options, std::size_t count, Settings& settings) {
  for (std::size_t at = 0; at < count; ++at) {
    const std::string_view key = options[at].key;
    if (key == "library") {
      settings.library = options[at].value;
    } else if (key == "device") {
      if (!parse_number(options[at].value, settings.first_device)) {
        return fail(STREAMPOOL_INVALID_VALUE, option_refused, "device", "a number from 0 to 255 is needed");
      }
    } else if (key == "memory" || key == "granularity") {
      return fail(STREAMPOOL_NOT_SUPPORTED, option_refused, key, "a real device keeps its own");
    } else if (key != "seed") {  // nothing here is random: any seed holds
      return fail(STREAMPOOL_INVALID_VALUE, option_refused, key, "unknown option");
    }
  }
  return STREAMPOOL_OK;
}

Status open_context(const streampool_option* options, std::size_t count, streampool_context* context) noexcept {
  if (the_session != nullptr) return fail(STREAMPOOL_NOT_PERMITTED, not_open, "open", "one context at a time");
  try {
    Settings settings;
    if (const Status status = read_options(options, count, settings); status != STREAMPOOL_OK) return status;
    if (const Status status = Session::open(*the_vendor, settings, the_session); status != STREAMPOOL_OK) return status;
  } catch (const std::bad_alloc&) {
    return fail(STREAMPOOL_OUT_OF_MEMORY, out_of_host_memory, "open", "the host is out of memory");
  }
  open_session.store(the_session.get(), std::memory_order_release);
  *context = context_of(*the_session);
  return STREAMPOOL_OK;
}

Status close_context(Session& session) {
  const Status status = session.close();
  open_session.store(nullptr, std::memory_order_release);
  the_session.reset();
  return status;
}

Status describe(Session& session, streampool_description* description) {
  if (description == nullptr || description->size < sizeof(streampool_description)) {
    return fail(STREAMPOOL_INVALID_VALUE, option_refused, "describe", "the description is too small");
  }
  *description = {};
  description->size = sizeof(streampool_description);
  description->device_count = session.device_count();
  std::snprintf(description->name, sizeof description->name, "%s", session.vendor().name);
  std::snprintf(description->version, sizeof description->version, "%s", session.version().c_str());
  description->memory = session.memory();
  description->alignment = session.vendor().alignment;
  description->reserve_granule = 0;  // no vendor documents one
  return STREAMPOOL_OK;
}

std::uint64_t capabilities_of(streampool_context context) {
  const Session* session = find_session(context);
  return session == nullptr ? 0 : session->capabilities();
}

Status last_error(streampool_context, std::int64_t* code, char* text, std::size_t capacity) {
  read_last_error(code, text, capacity);
  return STREAMPOOL_OK;
}

// --- stream -----------------------------------------------------------------------------------------------------

// Makes an object on a device and remembers it.
template <class Make, class Remember>
Status create_on(Session& session, std::uint32_t device, std::uint64_t* output, Make make, Remember remember) {
  int own = 0;
  if (const Status status = session.find_device(device, own); status != STREAMPOOL_OK) return status;
  if (const Status status = session.enter(own); status != STREAMPOOL_OK) return status;
  const Status status = through(output, [&](void** value) { return make(value, own); });
  if (status == STREAMPOOL_OK && output != nullptr) remember(native(*output), own);
  return status;
}

Status stream_create(Session& session, std::uint32_t device, std::uint32_t kind, streampool_stream* stream) {
  const unsigned flags = kind == STREAMPOOL_STREAM_NONBLOCKING ? session.vendor().nonblocking_flag : 0;
  return create_on(
      session, device, stream,
      [&](void** value, int) { return session.run(session.calls().stream_create, value, flags); },
      [&](void* value, int own) { session.remember_stream(value, own); });
}

Status stream_default(Session& session, std::uint32_t device, std::uint32_t kind, streampool_stream* stream) {
  int own = 0;
  if (const Status status = session.find_device(device, own); status != STREAMPOOL_OK) return status;
  if (kind > STREAMPOOL_DEFAULT_PER_THREAD) {
    return fail(STREAMPOOL_INVALID_VALUE, option_refused, "stream_default", "no such kind");
  }
  *stream = session.default_stream(own, kind);
  return STREAMPOOL_OK;
}

// A vendor call on a stream, on the stream's device.
template <class Body>
Status on_stream(Session& session, streampool_stream stream, Body body) {
  StreamUse use;
  const Status status = session.use_stream(stream, use);
  return status == STREAMPOOL_OK ? body(use) : status;
}

Status stream_destroy(Session& session, streampool_stream stream) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    const bool known = session.forget_stream(use.native);
    const Status status = session.run(session.calls().stream_destroy, use.native);
    if (status != STREAMPOOL_OK && known) session.remember_stream(use.native, use.device);
    return status;
  });
}

Status stream_synchronize(Session& session, streampool_stream stream) {
  return on_stream(session, stream,
                   [&](const StreamUse& use) { return session.run(session.calls().stream_synchronize, use.native); });
}

Status stream_query(Session& session, streampool_stream stream) {
  return on_stream(session, stream,
                   [&](const StreamUse& use) { return session.run(session.calls().stream_query, use.native); });
}

// --- event, device ----------------------------------------------------------------------------------------------

Status event_create(Session& session, std::uint32_t device, streampool_event* event) {
  return create_on(
      session, device, event,
      [&](void** value, int) { return session.run(session.calls().event_create, value, session.vendor().event_flags); },
      [&](void* value, int) { session.remember_event(value); });
}

Status event_destroy(Session& session, streampool_event event) {
  const bool known = session.forget_event(native(event));
  const Status status = session.run(session.calls().event_destroy, native(event));
  if (status != STREAMPOOL_OK && known) session.remember_event(native(event));
  return status;
}

Status event_record(Session& session, streampool_event event, streampool_stream stream) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return session.run(session.calls().event_record, native(event), use.native);
  });
}

Status stream_wait_event(Session& session, streampool_stream stream, streampool_event event) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return session.run(session.calls().stream_wait_event, use.native, native(event), 0u);
  });
}

Status event_synchronize(Session& session, streampool_event event) {
  return session.run(session.calls().event_synchronize, native(event));
}

Status event_query(Session& session, streampool_event event) {
  return session.run(session.calls().event_query, native(event));
}

// A vendor call about one of the ABI's devices.
template <class Body>
Status on_device(Session& session, std::uint32_t device, Body body) {
  int own = 0;
  Status status = session.find_device(device, own);
  if (status == STREAMPOOL_OK) status = session.enter(own);
  return status == STREAMPOOL_OK ? body(own) : status;
}

Status device_synchronize(Session& session, std::uint32_t device) {
  return on_device(session, device, [&](int) { return session.run(session.calls().device_synchronize); });
}

Status memory_info(Session& session, std::uint32_t device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
  return on_device(session, device, [&](int) {
    std::size_t free_now = 0, total = 0;
    const Status status = session.run(session.calls().memory_info, &free_now, &total);
    if (status != STREAMPOOL_OK) return status;
    *free_bytes = free_now;
    *total_bytes = total;
    return status;
  });
}

// --- pool, attribute --------------------------------------------------------------------------------------------

Status pool_create(Session& session, std::uint32_t device, std::uint64_t max_size, streampool_pool* pool) {
  if (max_size != 0 && !session.limits_pool_size()) {
    return fail(STREAMPOOL_NOT_SUPPORTED, too_old, "pool_create", "this version has no maximum size of a pool");
  }
  return create_on(
      session, device, pool,
      [&](void** value, int own) {
        const PoolProperties properties = session.vendor().pool_properties(own, max_size);
        return session.run(session.calls().pool_create, value, static_cast<const void*>(properties.bytes));
      },
      [&](void* value, int) { session.remember_pool(value); });
}

Status pool_destroy(Session& session, streampool_pool pool) {
  const bool known = session.forget_pool(native(pool));
  const Status status = session.run(session.calls().pool_destroy, native(pool));
  if (status != STREAMPOOL_OK && known) session.remember_pool(native(pool));
  return status;
}

Status pool_default(Session& session, std::uint32_t device, streampool_pool* pool) {
  return on_device(session, device, [&](int own) {
    return through(pool, [&](void** value) { return session.run(session.calls().pool_default, value, own); });
  });
}

Status pool_set_current(Session& session, std::uint32_t device, streampool_pool pool) {
  return on_device(session, device,
                   [&](int own) { return session.run(session.calls().pool_set_current, own, native(pool)); });
}

Status pool_get_current(Session& session, std::uint32_t device, streampool_pool* pool) {
  return on_device(session, device, [&](int own) {
    return through(pool, [&](void** value) { return session.run(session.calls().pool_get_current, value, own); });
  });
}

Status pool_trim(Session& session, streampool_pool pool, std::uint64_t keep_bytes) {
  return session.run(session.calls().pool_trim, native(pool), keep_bytes);
}

Status attribute_get(Session& session, streampool_pool pool, std::int32_t attribute, void* value, std::size_t) {
  return session.run(session.calls().attribute_get, native(pool), attribute, value);
}

Status attribute_set(Session& session, streampool_pool pool, std::int32_t attribute, const void* value, std::size_t) {
  // The vendors' setters take a pointer to what they only read.
  return session.run(session.calls().attribute_set, native(pool), attribute, const_cast<void*>(value));
}

// --- memory -----------------------------------------------------------------------------------------------------

template <class Make>
Status allocate(Session& session, streampool_address* address, Session::Memory kind, Make make) {
  const Status status = through(address, make);
  if (status == STREAMPOOL_OK && address != nullptr && *address != 0) session.remember_memory(native(*address), kind);
  return status;
}

// Forgotten before the call: as soon as the vendor has freed it, another thread may be given the same address.
template <class Free>
Status release(Session& session, streampool_address address, Free free) {
  const auto kind = session.forget_memory(native(address));
  const Status status = free(native(address));
  if (status != STREAMPOOL_OK && kind) session.remember_memory(native(address), *kind);
  return status;
}

Status malloc_from_pool(Session& session, streampool_address* address, std::uint64_t bytes, streampool_pool pool,
                        streampool_stream stream) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return allocate(session, address, Session::Memory::of_pool, [&](void** value) {
      return session.run(session.calls().malloc_from_pool, value, bytes, native(pool), use.native);
    });
  });
}

Status malloc_current(Session& session, streampool_address* address, std::uint64_t bytes, streampool_stream stream) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return allocate(session, address, Session::Memory::of_pool, [&](void** value) {
      return session.run(session.calls().malloc_current, value, bytes, use.native);
    });
  });
}

Status free_async(Session& session, streampool_address address, streampool_stream stream) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return release(session, address,
                   [&](void* memory) { return session.run(session.calls().free_async, memory, use.native); });
  });
}

Status free_now(Session& session, streampool_address address) {
  return release(session, address, [&](void* memory) { return session.run(session.calls().free_now, memory); });
}

Status plain_malloc(Session& session, std::uint32_t device, streampool_address* address, std::uint64_t bytes) {
  return on_device(session, device, [&](int) {
    return allocate(session, address, Session::Memory::plain,
                    [&](void** value) { return session.run(session.calls().plain_malloc, value, bytes); });
  });
}

// --- probe ------------------------------------------------------------------------------------------------------

Status fill(Session& session, streampool_stream stream, streampool_address address, std::uint8_t value,
            std::uint64_t bytes) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return session.run(session.calls().memset_async, native(address), int{value}, bytes, use.native);
  });
}

Status read(Session& session, streampool_stream stream, streampool_address address, std::uint64_t bytes, void* host) {
  return on_stream(session, stream, [&](const StreamUse& use) {
    return session.staging().read(session, use, native(address), bytes, host);
  });
}

// No kernel is needed to touch memory: one byte is written at each address, which the contract of `launch` allows.
Status launch(Session& session, streampool_stream stream, const streampool_address* addresses, std::size_t count) {
  constexpr int touched = 0xee;
  return on_stream(session, stream, [&](const StreamUse& use) {
    for (std::size_t at = 0; at < count; ++at) {
      const Status status =
          session.run(session.calls().memset_async, native(addresses[at]), touched, std::size_t{1}, use.native);
      if (status != STREAMPOOL_OK) return status;
    }
    return Status{STREAMPOOL_OK};
  });
}

// --- gate -------------------------------------------------------------------------------------------------------

Status gate_create(Session& session, std::uint32_t device, streampool_gate* gate) {
  return on_device(session, device, [&](int) { return session.gates().create(session, *gate); });
}

Status gate_hold(Session& session, streampool_stream stream, streampool_gate gate) {
  return on_stream(session, stream,
                   [&](const StreamUse& use) { return session.gates().hold(session, use.native, gate); });
}

Status gate_open(Session& session, streampool_gate gate) { return session.gates().open(gate); }
Status gate_destroy(Session& session, streampool_gate gate) { return session.gates().destroy(gate); }

}  // namespace

const streampool_runtime* table_of(const Vendor& vendor) {
  the_vendor = &vendor;
  static const streampool_runtime table = {
      .size = sizeof(streampool_runtime),
      .abi_version = STREAMPOOL_ABI_VERSION,
      .capabilities = vendor.capabilities,
      .open = open_context,
      .close = Entry<close_context>::call,
      .describe = Entry<describe>::call,
      .capabilities_of = capabilities_of,
      .last_error = last_error,
      .stream_create = Entry<stream_create>::call,
      .stream_destroy = Entry<stream_destroy>::call,
      .stream_default = Entry<stream_default>::call,
      .stream_synchronize = Entry<stream_synchronize>::call,
      .stream_query = Entry<stream_query>::call,
      .event_create = Entry<event_create>::call,
      .event_destroy = Entry<event_destroy>::call,
      .event_record = Entry<event_record>::call,
      .stream_wait_event = Entry<stream_wait_event>::call,
      .event_synchronize = Entry<event_synchronize>::call,
      .event_query = Entry<event_query>::call,
      .device_synchronize = Entry<device_synchronize>::call,
      .memory_info = Entry<memory_info>::call,
      .pool_create = Entry<pool_create>::call,
      .pool_destroy = Entry<pool_destroy>::call,
      .pool_default = Entry<pool_default>::call,
      .pool_set_current = Entry<pool_set_current>::call,
      .pool_get_current = Entry<pool_get_current>::call,
      .pool_trim = Entry<pool_trim>::call,
      .attribute_get = Entry<attribute_get>::call,
      .attribute_set = Entry<attribute_set>::call,
      .malloc_from_pool = Entry<malloc_from_pool>::call,
      .malloc_current = Entry<malloc_current>::call,
      .free_async = Entry<free_async>::call,
      .free_sync = Entry<free_now>::call,
      .plain_malloc = Entry<plain_malloc>::call,
      .plain_free = Entry<free_now>::call,
      .fill = Entry<fill>::call,
      .read = Entry<read>::call,
      .launch = Entry<launch>::call,
      .gate_create = Entry<gate_create>::call,
      .gate_hold = Entry<gate_hold>::call,
      .gate_open = Entry<gate_open>::call,
      .gate_destroy = Entry<gate_destroy>::call,
      // No vendor steps, fails on command or takes a memory limit.
      .step_pending = nullptr,
      .step = nullptr,
      .fail_next = nullptr,
      .limit_memory = nullptr,
  };
  return &table;
}

}  // namespace streampool::vendor
