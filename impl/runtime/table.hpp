// The ABI's table over one kind of context. Everything that is about C and nothing else: null checks, widths,
// exceptions, the one open context, the last error.
#pragma once

#include <charconv>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "impl/runtime/context.hpp"

namespace streampool::engine {

template <class Device, class Policy = BuildPolicy>
class Table {
 public:
  static const streampool_runtime* get() {
    static const streampool_runtime table = make();
    return &table;
  }

 private:
  using Ctx = Context<Device, Policy>;
  using Status = streampool_status;

  static constexpr std::uint64_t capabilities =
      STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_DEFAULT_STREAMS | STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_DEVICE |
      STREAMPOOL_CAP_MEMORY_INFO | STREAMPOOL_CAP_POOL | STREAMPOOL_CAP_DEFAULT_POOL | STREAMPOOL_CAP_ATTRIBUTE |
      STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_FREE_SYNC | STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_PROBE |
      STREAMPOOL_CAP_GATE | STREAMPOOL_CAP_FAULT | STREAMPOOL_CAP_LIMIT |
      (Device::explicit_items ? std::uint64_t{STREAMPOOL_CAP_STEP} : 0);

  struct LastError {
    std::int64_t code = 0;
    char text[96] = "no error";
  };
  static LastError& last() {
    static thread_local LastError error;
    return error;
  }
  static const char* text_of(Status status) {
    static constexpr const char* texts[] = {"ok",        "invalid value",  "out of memory", "not supported",
                                            "not ready", "invalid handle", "not permitted", "internal error",
                                            "unknown"};
    return texts[status];
  }
  // Notes a failure for last_error. A query that finds work pending has not failed.
  static Status note(const char* call, Status status) {
    if (status != STREAMPOOL_OK && status != STREAMPOOL_NOT_READY) {
      last().code = status;
      std::snprintf(last().text, sizeof last().text, "%s: %s", call, text_of(status));
    }
    return status;
  }

  // The open context. Only `open` and `close` write it, and no other call runs during `close`. A process that ends with
  // an open context leaves it as it is: whoever still runs may use it, and a forked child has none of its threads.
  struct Slot {
    std::mutex mutex;
    std::unique_ptr<Ctx> owned;
    std::atomic<Ctx*> current{nullptr};
    std::atomic<std::uint64_t> handle{0};
  };
  static Slot& slot() {
    static Slot& the_one = *new Slot;
    return the_one;
  }
  static Ctx* find(streampool_context handle) {
    return handle != 0 && slot().handle.load(std::memory_order_acquire) == handle
               ? slot().current.load(std::memory_order_acquire)
               : nullptr;
  }

  // Runs one call: no exception leaves it.
  template <class Body>
  static Status guarded(const char* call, Body body) {
    try {
      return note(call, body());
    } catch (const std::bad_alloc&) {
      return note(call, STREAMPOOL_OUT_OF_MEMORY);
    } catch (const std::exception&) {
      return note(call, STREAMPOOL_INTERNAL);
    }
  }
  template <class Body>
  static Status in(const char* call, streampool_context handle, Body body) {
    return guarded(call, [&] {
      Ctx* context = find(handle);
      return context == nullptr ? STREAMPOOL_INVALID_HANDLE : body(*context);
    });
  }
  // The same for calls with an output: written only on success.
  template <class Body>
  static Status out(const char* call, streampool_context handle, std::uint64_t* output, Body body) {
    return in(call, handle, [&](Ctx& context) -> Status {
      std::uint64_t value = 0;
      if (output == nullptr) return STREAMPOOL_INVALID_VALUE;
      const Status status = body(context, value);
      if (status == STREAMPOOL_OK) *output = value;
      return status;
    });
  }

  // The same for an allocating call: one that fails leaves null, so that nobody uses what was there before.
  template <class Body>
  static Status address(const char* call, streampool_context handle, std::uint64_t* output, Body body) {
    const Status status = out(call, handle, output, body);
    if (status != STREAMPOOL_OK && output != nullptr) *output = 0;
    return status;
  }

  // Context -------------------------------------------------------------------------------------------

  static bool number(std::string_view text, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }
  // Keys of other runtimes ("library") are accepted and mean nothing here; there is one device, and nothing is random.
  static bool read_option(const streampool_option& option, ContextOptions& options) {
    if (option.key == nullptr || option.value == nullptr) return false;
    const std::string_view key = option.key;
    if (key == "library") return true;
    std::uint64_t value = 0;
    if (!number(option.value, value)) return false;
    if (key == "memory") {
      options.memory = value;
      return value != 0;
    }
    if (key == "granularity") {
      options.granularity = value;
      return value >= Device::page && value <= (Bytes{1} << 34) && (value & (value - 1)) == 0;
    }
    if (key == "adversarial") {
      options.adversarial = value == 1;
      return value <= 1;
    }
    if (key == "device") return value == 0;
    return key == "seed";
  }
  static Status open(const streampool_option* given, size_t count, streampool_context* context) {
    return guarded("open", [&]() -> Status {
      if (context == nullptr || (given == nullptr && count != 0)) return STREAMPOOL_INVALID_VALUE;
      ContextOptions options;
      options.memory = Device::default_memory;
      options.arenas = Device::explicit_items ? 1 : std::min(std::max(1u, std::thread::hardware_concurrency()), 8u);
      for (size_t i = 0; i < count; ++i) {
        if (!read_option(given[i], options)) return STREAMPOOL_INVALID_VALUE;
      }
      const std::lock_guard lock(slot().mutex);
      if (slot().owned) return STREAMPOOL_NOT_PERMITTED;
      slot().owned = std::make_unique<Ctx>(options);
      static std::uint64_t opened = 0;
      const std::uint64_t handle = std::uint64_t{static_cast<std::uint8_t>(HandleKind::context)} << 56 | ++opened;
      slot().current.store(slot().owned.get(), std::memory_order_release);
      slot().handle.store(handle, std::memory_order_release);
      *context = handle;
      return STREAMPOOL_OK;
    });
  }
  static Status close(streampool_context handle) {
    return guarded("close", [&]() -> Status {
      const std::lock_guard lock(slot().mutex);
      if (find(handle) == nullptr) return STREAMPOOL_INVALID_HANDLE;
      slot().handle.store(0, std::memory_order_release);
      slot().current.store(nullptr, std::memory_order_release);
      slot().owned.reset();
      return STREAMPOOL_OK;
    });
  }
  static Status describe(streampool_context handle, streampool_description* description) {
    return in("describe", handle, [&](Ctx& context) -> Status {
      if (description == nullptr || description->size == 0) return STREAMPOOL_INVALID_VALUE;
      // The caller's structure may be an older, shorter one.
      streampool_description full{};
      context.describe(full);
      full.size = description->size;
      std::memcpy(description, &full, std::min<std::size_t>(description->size, sizeof full));
      return STREAMPOOL_OK;
    });
  }
  static std::uint64_t capabilities_of(streampool_context handle) { return find(handle) == nullptr ? 0 : capabilities; }
  static Status last_error(streampool_context, std::int64_t* code, char* text, size_t capacity) {
    if (code != nullptr) *code = last().code;
    if (text != nullptr && capacity != 0) text[std::string_view(last().text).copy(text, capacity - 1)] = '\0';
    return STREAMPOOL_OK;
  }

  // Attributes ----------------------------------------------------------------------------------------

  static std::size_t width_of(std::int32_t attribute) {
    switch (attribute) {
      case STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      case STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC:
      case STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        return sizeof(std::int32_t);
      case STREAMPOOL_RELEASE_THRESHOLD:
      case STREAMPOOL_RESERVED_MEM_CURRENT:
      case STREAMPOOL_RESERVED_MEM_HIGH:
      case STREAMPOOL_USED_MEM_CURRENT:
      case STREAMPOOL_USED_MEM_HIGH:
        return sizeof(std::uint64_t);
      default:
        return 0;  // no such attribute
    }
  }
  static std::atomic<bool>* switch_of(Attributes& attributes, std::int32_t attribute) {
    switch (attribute) {
      case STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        return &attributes.reuse_follow_event_dependencies;
      case STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC:
        return &attributes.reuse_allow_opportunistic;
      case STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        return &attributes.reuse_allow_internal_dependencies;
      default:
        return nullptr;
    }
  }
  static Status attribute_get(streampool_context handle, streampool_pool pool_handle, std::int32_t attribute,
                              void* value, size_t width) {
    const auto get = [&](const auto& pool) -> Status {
      if (!pool) return STREAMPOOL_INVALID_HANDLE;
      const std::size_t own = width_of(attribute);
      if (own == 0 || value == nullptr || width < own) return STREAMPOOL_INVALID_VALUE;
      if (const std::atomic<bool>* flag = switch_of(pool->attributes, attribute)) {
        const std::int32_t number = flag->load() ? 1 : 0;
        std::memcpy(value, &number, own);
        return STREAMPOOL_OK;
      }
      std::uint64_t number = 0;
      switch (attribute) {
        case STREAMPOOL_RELEASE_THRESHOLD:
          number = pool->attributes.release_threshold.load();
          break;
        case STREAMPOOL_RESERVED_MEM_CURRENT:
          number = pool->reserved();
          break;
        case STREAMPOOL_RESERVED_MEM_HIGH:
          number = pool->reserved_high();
          break;
        case STREAMPOOL_USED_MEM_CURRENT:
          number = pool->used();
          break;
        default:
          number = pool->used_high();
          break;
      }
      std::memcpy(value, &number, own);
      return STREAMPOOL_OK;
    };
    // A reading comes before the destruction of its pool in every way: it tells nothing of a free that came after.
    return in("attribute_get", handle, [&](Ctx& context) -> Status { return context.with_pool(pool_handle, get); });
  }
  static Status attribute_set(streampool_context handle, streampool_pool pool_handle, std::int32_t attribute,
                              const void* value, size_t width) {
    return in("attribute_set", handle, [&](Ctx& context) -> Status {
      const auto pool = context.pool(pool_handle);
      if (!pool) return STREAMPOOL_INVALID_HANDLE;
      const std::size_t own = width_of(attribute);
      if (own == 0 || value == nullptr || width < own) return STREAMPOOL_INVALID_VALUE;
      if (std::atomic<bool>* flag = switch_of(pool->attributes, attribute)) {
        std::int32_t number = 0;
        std::memcpy(&number, value, own);
        if (number != 0 && number != 1) return STREAMPOOL_INVALID_VALUE;
        flag->store(number == 1);
        return STREAMPOOL_OK;
      }
      std::uint64_t number = 0;
      std::memcpy(&number, value, own);
      switch (attribute) {
        case STREAMPOOL_RELEASE_THRESHOLD:
          pool->attributes.release_threshold.store(number);
          return STREAMPOOL_OK;
        case STREAMPOOL_RESERVED_MEM_HIGH:
        case STREAMPOOL_USED_MEM_HIGH:
          if (number != 0) return STREAMPOOL_INVALID_VALUE;
          attribute == STREAMPOOL_USED_MEM_HIGH ? pool->reset_used_high() : pool->reset_reserved_high();
          return STREAMPOOL_OK;
        default:
          return STREAMPOOL_INVALID_VALUE;  // read only
      }
    });
  }

  // The rest: one line a call -------------------------------------------------------------------------

  static streampool_runtime make() {
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    streampool_runtime t{};
    t.size = sizeof t;
    t.abi_version = STREAMPOOL_ABI_VERSION;
    t.capabilities = capabilities;
    t.open = open;
    t.close = close;
    t.describe = describe;
    t.capabilities_of = capabilities_of;
    t.last_error = last_error;
    t.stream_create = [](U64 h, U32 device, U32 kind, U64* result) {
      return out("stream_create", h, result, [&](Ctx& c, U64& v) { return c.stream_create(device, kind, v); });
    };
    t.stream_destroy = [](U64 h, U64 s) {
      return in("stream_destroy", h, [&](Ctx& c) { return c.stream_destroy(s); });
    };
    t.stream_default = [](U64 h, U32 device, U32 kind, U64* result) {
      return out("stream_default", h, result, [&](Ctx& c, U64& v) { return c.stream_default(device, kind, v); });
    };
    t.stream_synchronize = [](U64 h, U64 s) {
      return in("stream_synchronize", h, [&](Ctx& c) { return c.stream_synchronize(s); });
    };
    t.stream_query = [](U64 h, U64 s) { return in("stream_query", h, [&](Ctx& c) { return c.stream_query(s); }); };
    t.event_create = [](U64 h, U32 device, U64* result) {
      return out("event_create", h, result, [&](Ctx& c, U64& v) { return c.event_create(device, v); });
    };
    t.event_destroy = [](U64 h, U64 e) { return in("event_destroy", h, [&](Ctx& c) { return c.event_destroy(e); }); };
    t.event_record = [](U64 h, U64 e, U64 s) {
      return in("event_record", h, [&](Ctx& c) { return c.event_record(e, s); });
    };
    t.stream_wait_event = [](U64 h, U64 s, U64 e) {
      return in("stream_wait_event", h, [&](Ctx& c) { return c.stream_wait_event(s, e); });
    };
    t.event_synchronize = [](U64 h, U64 e) {
      return in("event_synchronize", h, [&](Ctx& c) { return c.event_synchronize(e); });
    };
    t.event_query = [](U64 h, U64 e) { return in("event_query", h, [&](Ctx& c) { return c.event_query(e); }); };
    t.device_synchronize = [](U64 h, U32 device) {
      return in("device_synchronize", h, [&](Ctx& c) { return c.device_synchronize(device); });
    };
    t.memory_info = [](U64 h, U32 device, U64* free_bytes, U64* total) {
      return in("memory_info", h, [&](Ctx& c) { return c.memory_info(device, free_bytes, total); });
    };
    t.pool_create = [](U64 h, U32 device, U64 max_size, U64* result) {
      return out("pool_create", h, result, [&](Ctx& c, U64& v) { return c.pool_create(device, max_size, v); });
    };
    t.pool_destroy = [](U64 h, U64 p) { return in("pool_destroy", h, [&](Ctx& c) { return c.pool_destroy(p); }); };
    t.pool_default = [](U64 h, U32 device, U64* result) {
      return out("pool_default", h, result, [&](Ctx& c, U64& v) { return c.pool_default(device, v); });
    };
    t.pool_set_current = [](U64 h, U32 device, U64 p) {
      return in("pool_set_current", h, [&](Ctx& c) { return c.pool_set_current(device, p); });
    };
    t.pool_get_current = [](U64 h, U32 device, U64* result) {
      return out("pool_get_current", h, result, [&](Ctx& c, U64& v) { return c.pool_get_current(device, v); });
    };
    t.pool_trim = [](U64 h, U64 p, U64 keep) {
      return in("pool_trim", h, [&](Ctx& c) { return c.pool_trim(p, keep); });
    };
    t.attribute_get = attribute_get;
    t.attribute_set = attribute_set;
    t.malloc_from_pool = [](U64 h, U64* result, U64 bytes, U64 p, U64 s) {
      return address("malloc_from_pool", h, result, [&](Ctx& c, U64& v) { return c.malloc_from_pool(v, bytes, p, s); });
    };
    t.malloc_current = [](U64 h, U64* result, U64 bytes, U64 s) {
      return address("malloc_current", h, result, [&](Ctx& c, U64& v) { return c.malloc_current(v, bytes, s); });
    };
    t.free_async = [](U64 h, U64 a, U64 s) { return in("free_async", h, [&](Ctx& c) { return c.free_async(a, s); }); };
    t.free_sync = [](U64 h, U64 a) { return in("free_sync", h, [&](Ctx& c) { return c.free_sync(a); }); };
    t.plain_malloc = [](U64 h, U32 device, U64* result, U64 bytes) {
      return address("plain_malloc", h, result, [&](Ctx& c, U64& v) { return c.plain_malloc(device, v, bytes); });
    };
    t.plain_free = [](U64 h, U64 a) { return in("plain_free", h, [&](Ctx& c) { return c.free_sync(a); }); };
    t.fill = [](U64 h, U64 s, U64 a, std::uint8_t value, U64 bytes) {
      return in("fill", h, [&](Ctx& c) { return c.fill(s, a, value, bytes); });
    };
    t.read = [](U64 h, U64 s, U64 a, U64 bytes, void* host) {
      return in("read", h, [&](Ctx& c) { return c.read(s, a, bytes, host); });
    };
    t.launch = [](U64 h, U64 s, const U64* addresses, size_t count) {
      return in("launch", h, [&](Ctx& c) { return c.launch(s, addresses, count); });
    };
    t.gate_create = [](U64 h, U32 device, U64* result) {
      return out("gate_create", h, result, [&](Ctx& c, U64& v) { return c.gate_create(device, v); });
    };
    t.gate_hold = [](U64 h, U64 s, U64 g) { return in("gate_hold", h, [&](Ctx& c) { return c.gate_hold(s, g); }); };
    t.gate_open = [](U64 h, U64 g) { return in("gate_open", h, [&](Ctx& c) { return c.gate_open(g); }); };
    t.gate_destroy = [](U64 h, U64 g) { return in("gate_destroy", h, [&](Ctx& c) { return c.gate_destroy(g); }); };
    t.step_pending = [](U64 h, streampool_pending* list, size_t capacity, size_t* count) {
      return in("step_pending", h, [&](Ctx& c) -> Status {
        if (count == nullptr) return STREAMPOOL_INVALID_VALUE;
        return c.step_pending(list, capacity, *count);
      });
    };
    t.step = [](U64 h, U64 s) { return in("step", h, [&](Ctx& c) { return c.step(s); }); };
    t.fail_next = [](U64 h, U32 kind, U64 nth) {
      return in("fail_next", h, [&](Ctx& c) { return c.fail_next(kind, nth); });
    };
    t.limit_memory = [](U64 h, U32 device, U64 bytes) {
      return in("limit_memory", h, [&](Ctx& c) { return c.limit_memory(device, bytes); });
    };
    if (!Device::explicit_items) {
      t.step_pending = nullptr;
      t.step = nullptr;
    }
    return t;
  }
};

}  // namespace streampool::engine
