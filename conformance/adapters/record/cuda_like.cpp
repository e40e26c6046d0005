// The functions of the CUDA runtime library and, with RECORD_HIP, of the HIP one, as a program finds them when this
// library is loaded first: each notes its call and goes on to the real one. Compiled once for each vendor.
//
// A copy that waits, a kernel and a host function are work on a stream; the memory that a kernel touches cannot be
// seen. A query that answers "not ready" is left out: work that is not recorded (by the driver's own interface) may be
// pending.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "conformance/adapters/record/extra.hpp"
#include "conformance/adapters/record/recorder.hpp"

#ifdef RECORD_HIP
#include "conformance/adapters/hip/hip.hpp"
#define NAME(suffix) hip##suffix
namespace vendor_table = streampool::vendor::hip;
#else
#include "conformance/adapters/cuda/cuda.hpp"
#define NAME(suffix) cuda##suffix
namespace vendor_table = streampool::vendor::cuda;
#endif
#define TEXT_OF(text) #text
#define TEXT(text) TEXT_OF(text)
#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace streampool::record;
using Key = Recorder::Key;
using Id = Recorder::Id;
using Size = std::size_t;

#ifdef RECORD_HIP
constexpr const char* library = "libamdhip64.so";
#else
constexpr const char* library = "libcudart.so";
#endif
constexpr int not_supported = 801, not_ready = 600;

template <class Function>
Function* real_of(const char* name) {
  return reinterpret_cast<Function*>(find_real(name, library));
}

#ifdef RECORD_HIP
const char* profile() {
  const auto ask = real_of<int(int*)>("hipRuntimeGetVersion");
  int version = 0;
  return ask != nullptr && ask(&version) == 0 && version < 70000000 ? "hip-6" : "hip-7-documented";
}
#else
const char* profile() {
  const auto ask = real_of<int(int*)>("cudaRuntimeGetVersion");
  int version = 0;
  return ask != nullptr && ask(&version) == 0 && version < 13000 ? "cuda-12" : "cuda-13";
}
#endif
int device_count() {
  const auto ask = real_of<int(int*)>(TEXT(NAME(GetDeviceCount)));
  int count = 0;
  return ask != nullptr && ask(&count) == 0 && count > 0 ? count : 1;
}
int current_device() {
  const auto ask = real_of<int(int*)>(TEXT(NAME(GetDevice)));
  int device = 0;
  return ask != nullptr && ask(&device) == 0 ? device : 0;
}
std::optional<bool> nonblocking(void* stream) {
  const auto ask = real_of<int(void*, unsigned*)>(TEXT(NAME(StreamGetFlags)));
  unsigned flags = 0;
  if (ask == nullptr || ask(stream, &flags) != 0) return std::nullopt;
  return (flags & unsigned{vendor_table::stream_non_blocking}) != 0;
}
std::optional<void*> default_pool(int device) {
  const auto ask = real_of<int(void**, int)>(TEXT(NAME(DeviceGetDefaultMemPool)));
  void* pool = nullptr;
  if (ask == nullptr || ask(&pool, device) != 0) return std::nullopt;
  return pool;
}

const Source source{library, vendor_table::statuses, profile, device_count, current_device, nonblocking, default_pool};

// One recorded call: `begin` writes the first half, `value` tells what it gave, where it was answered with success.
template <class Begin, class Real, class Value>
int recorded(Begin begin, Real real, Value value) {
  Recorder* to = Recorder::enter(source);
  if (to == nullptr) return real();
  const Id id = begin(*to);
  const int code = real();
  to->end(id, code, code == 0 ? value(*to) : 0);
  Recorder::leave();
  return code;
}
template <class Begin, class Real>
int recorded(Begin begin, Real real) {
  return recorded(begin, real, [](Recorder&) { return std::uint64_t{0}; });
}
// A call that is told once it is over, because only then it is known what happened.
template <class Real, class After>
int afterwards(Real real, After after) {
  Recorder* to = Recorder::enter(source);
  const int code = real();
  if (to == nullptr) return code;
  if (code == 0) after(*to);
  Recorder::leave();
  return code;
}

streampool_history_argument named(char kind, const Key& key) { return {kind, *key, nullptr}; }
streampool_history_argument number(std::uint64_t value, const char* before = nullptr) { return {'n', value, before}; }

// A call about one stream, and one about one object: `call` is its name in a history.
template <class Real>
int about_stream(const char* call, void* stream, std::uint64_t zero, Real real) {
  return recorded(
      [&](Recorder& to) -> Id {
        const Key s = to.stream(stream, zero);
        return s ? to.begin(call, STREAMPOOL_HISTORY_NO_OUTPUT, {named('s', s)}) : 0;
      },
      real);
}
template <class Real>
int about_event(const char* call, void* event, Real real) {
  return recorded(
      [&](Recorder& to) -> Id {
        const Key e = to.event(event);
        return e ? to.begin(call, STREAMPOOL_HISTORY_NO_OUTPUT, {named('e', e)}) : 0;
      },
      real);
}
template <class Real>
int about_pool(const char* call, void* pool, Real real) {
  return recorded(
      [&](Recorder& to) -> Id {
        const Key p = to.pool(pool);
        return p ? to.begin(call, STREAMPOOL_HISTORY_NO_OUTPUT, {named('p', p)}) : 0;
      },
      real);
}

template <class Real>
int make_stream(void** stream, bool nonblocking, Real real) {
  return recorded(
      [&](Recorder& to) {
        return to.begin_on_device("stream_create", STREAMPOOL_HISTORY_HANDLE, current_device(),
                                  {{'N', 0, "s"}, {'w', 0, nonblocking ? "nonblocking" : "blocking"}});
      },
      real,
      [&](Recorder& to) {
        to.made_stream(*stream);
        return reinterpret_cast<std::uint64_t>(*stream);
      });
}

template <class Real>
int make_event(void** event, Real real) {
  return recorded(
      [&](Recorder& to) {
        return to.begin("event_create", STREAMPOOL_HISTORY_HANDLE, {{'N', 0, "e"}});
      },
      real,
      [&](Recorder& to) {
        to.made_event(*event);
        return reinterpret_cast<std::uint64_t>(*event);
      });
}

template <class Real>
int record_event(void* event, void* stream, std::uint64_t zero, Real real) {
  return recorded(
      [&](Recorder& to) -> Id {
        const Key s = to.stream(stream, zero), e = to.event(event, true);
        return s && e ? to.begin("event_record", STREAMPOOL_HISTORY_NO_OUTPUT, {named('e', e), named('s', s)}) : 0;
      },
      real);
}

// A query proves something only where it answers that all is done.
template <class Find, class Real>
int query(const char* call, char kind, Find find, Real real) {
  Recorder* to = Recorder::enter(source);
  const int code = real();
  if (to == nullptr) return code;
  if (const Key key = code == not_ready ? std::nullopt : find(*to)) {
    to->end(to->begin(call, STREAMPOOL_HISTORY_NO_OUTPUT, {named(kind, key)}), code);
  }
  Recorder::leave();
  return code;
}

// `pool` writes the argument of the pool; nullopt: it is not in the record.
template <class Pool, class Real>
int malloc_of(void** address, Size bytes, Pool pool, void* stream, std::uint64_t zero, Real real) {
  bool known = false;
  return recorded(
      [&](Recorder& to) -> Id {
        const Key s = to.stream(stream, zero);
        const std::optional<streampool_history_argument> p = pool(to);
        known = s && p && address != nullptr;
        if (!known) return to.left_out("allocations");
        return to.begin("malloc", STREAMPOOL_HISTORY_ADDRESS, {{'N', 0, "a"}, number(bytes), *p, named('s', s)});
      },
      real,
      [&](Recorder& to) {
        if (!known) return std::uint64_t{0};
        if (*address != nullptr) to.made_block(*address, bytes, true);
        return reinterpret_cast<std::uint64_t>(*address);
      });
}

// Work on a stream that touches the blocks at these addresses, where they are known.
template <class Real>
int work(void* stream, std::uint64_t zero, const void* one, const void* other, Real real) {
  return recorded(
      [&](Recorder& to) -> Id {
        const Key s = to.stream(stream, zero), a = to.block(one), b = to.block(other);
        if (!s) return 0;
        if (a && b)
          return to.begin("launch", STREAMPOOL_HISTORY_NO_OUTPUT, {named('s', s), named('a', a), named('a', b)});
        if (a || b) return to.begin("launch", STREAMPOOL_HISTORY_NO_OUTPUT, {named('s', s), named('a', a ? a : b)});
        return to.begin("launch", STREAMPOOL_HISTORY_NO_OUTPUT, {named('s', s)});
      },
      real);
}

constexpr int host_to_device = 1, device_to_host = 2, by_address = 4;

template <class Real>
int copy_and_wait(void* to_address, const void* from_address, int kind, std::uint64_t zero, Real real) {
  return afterwards(real, [&](Recorder& to) {
    const Key target = to.block(to_address), from = to.block(from_address);
    // To the host: over at the return. From the host: what the stream held before is. Between blocks: nothing is.
    const bool read = kind == device_to_host || (kind == by_address && from && !target);
    if (kind == host_to_device) to.done(zero, {}, true);
    to.done(zero, {target, from}, read);
  });
}

template <class Real>
int ends_record(const char* why, Real real) {
  return afterwards(real, [&](Recorder& to) { to.stop(why); });
}

}  // namespace

// CALL(name, parameters, body): one function. In the body, `real` is the library's own.
#define CALL(suffix, parameters, ...)                                              \
  EXPORT int NAME(suffix) parameters {                                             \
    static const auto real_function = real_of<int parameters>(TEXT(NAME(suffix))); \
    if (real_function == nullptr) return not_supported;                            \
    [[maybe_unused]] constexpr std::uint64_t zero = STREAMPOOL_HISTORY_LEGACY;     \
    __VA_ARGS__                                                                    \
  }
// STREAM_CALL: the same, and the one that programs find whose stream 0 is the thread's own.
#ifdef RECORD_HIP
#define OWN(suffix) hip##suffix##_spt
#define OWN_PLAIN(suffix) hip##suffix##_spt
#else
#define OWN(suffix) cuda##suffix##_ptsz
#define OWN_PLAIN(suffix) cuda##suffix##_ptds
#endif
#define BOTH(own, suffix, parameters, ...)                                         \
  CALL(suffix, parameters, __VA_ARGS__)                                            \
  EXPORT int own parameters {                                                      \
    static const auto real_function = real_of<int parameters>(TEXT(own));          \
    if (real_function == nullptr) return not_supported;                            \
    [[maybe_unused]] constexpr std::uint64_t zero = STREAMPOOL_HISTORY_PER_THREAD; \
    __VA_ARGS__                                                                    \
  }
#define STREAM_CALL(suffix, parameters, ...) BOTH(OWN(suffix), suffix, parameters, __VA_ARGS__)
#define REAL(...) [&] { return real_function(__VA_ARGS__); }

// --- streams, events, the device --------------------------------------------------------------------------------
CALL(StreamCreate, (void** stream), return make_stream(stream, false, REAL(stream));)
CALL(StreamCreateWithFlags, (void** stream, unsigned flags),
     return make_stream(stream, (flags & vendor_table::stream_non_blocking) != 0, REAL(stream, flags));)
CALL(StreamCreateWithPriority, (void** stream, unsigned flags, int priority),
     return make_stream(stream, (flags & vendor_table::stream_non_blocking) != 0, REAL(stream, flags, priority));)
CALL(StreamDestroy, (void* stream), return about_stream("stream_destroy", stream, zero, REAL(stream));)
STREAM_CALL(StreamSynchronize, (void* stream), return about_stream("stream_sync", stream, zero, REAL(stream));)
STREAM_CALL(StreamQuery, (void* stream),
            return query(
                "stream_query", 's', [&](Recorder& to) { return to.stream(stream, zero); }, REAL(stream));)
STREAM_CALL(StreamWaitEvent, (void* stream, void* event, unsigned flags),
            return recorded(
                [&](Recorder& to) -> Id {
                  const Key s = to.stream(stream, zero), e = to.event(event);
                  if (!s || !e) return 0;
                  return to.begin("stream_wait_event", STREAMPOOL_HISTORY_NO_OUTPUT, {named('s', s), named('e', e)});
                },
                REAL(stream, event, flags));)
CALL(EventCreate, (void** event), return make_event(event, REAL(event));)
CALL(EventCreateWithFlags, (void** event, unsigned flags), return make_event(event, REAL(event, flags));)
CALL(EventDestroy, (void* event), return about_event("event_destroy", event, REAL(event));)
STREAM_CALL(EventRecord, (void* event, void* stream), return record_event(event, stream, zero, REAL(event, stream));)
CALL(EventSynchronize, (void* event), return about_event("event_sync", event, REAL(event));)
CALL(EventQuery, (void* event),
     return query(
         "event_query", 'e', [&](Recorder& to) { return to.event(event); }, REAL(event));)
CALL(DeviceSynchronize, (),
     return recorded(
         [](Recorder& to) {
           return to.begin_on_device("device_sync", STREAMPOOL_HISTORY_NO_OUTPUT, current_device(), {});
         },
         REAL());)

// --- pools ------------------------------------------------------------------------------------------------------
CALL(MemPoolCreate, (void** pool, const void* properties), {
  vendor_table::MemPoolProps asked{};
  if (properties != nullptr) std::memcpy(&asked, properties, sizeof asked);
  const bool device_memory = asked.allocation_type == vendor_table::allocation_pinned && asked.handle_types == 0 &&
                             asked.location_type == vendor_table::location_device;
  return recorded(
      [&](Recorder& to) -> Id {
        if (!device_memory) return to.left_out("pools of other than device memory");
        std::string device = "device=d" + std::to_string(asked.location_id);
        if (asked.location_id == 0) {
          return to.begin("pool_create", STREAMPOOL_HISTORY_HANDLE,
                          {{'N', 0, "p"}, number(asked.max_size, "max_size=")});
        }
        return to.begin("pool_create", STREAMPOOL_HISTORY_HANDLE,
                        {{'N', 0, "p"}, number(asked.max_size, "max_size="), {'w', 0, device.c_str()}});
      },
      REAL(pool, properties),
      [&](Recorder& to) {
        if (device_memory) to.made_pool(*pool);
        return reinterpret_cast<std::uint64_t>(*pool);
      });
})
CALL(MemPoolDestroy, (void* pool), return about_pool("pool_destroy", pool, REAL(pool));)
CALL(MemPoolTrimTo, (void* pool, Size keep),
     return recorded(
         [&](Recorder& to) -> Id {
           const Key p = to.pool(pool);
           return p ? to.begin("pool_trim", STREAMPOOL_HISTORY_NO_OUTPUT, {named('p', p), number(keep)}) : 0;
         },
         REAL(pool, keep));)
CALL(DeviceSetMemPool, (int device, void* pool), {
  Key known;
  return recorded(
      [&](Recorder& to) -> Id {
        known = to.pool(pool);
        if (!known) return 0;
        return to.begin_on_device("pool_set_current", STREAMPOOL_HISTORY_NO_OUTPUT, device, {named('p', known)});
      },
      REAL(device, pool),
      [&](Recorder& to) {
        to.made_current(device, known.has_value());
        return std::uint64_t{0};
      });
})

namespace {
// Switches have 32 bits, the others 64; what lies beyond the eight is no part of a history.
constexpr int switches = 3, attributes = 8;
std::uint64_t value_of(int attribute, const void* value) {
  if (attribute > switches) return *static_cast<const std::uint64_t*>(value);
  return *static_cast<const std::uint32_t*>(value);
}
Id begin_attribute(Recorder& to, void* pool, int attribute, const void* set) {
  if (attribute < 1 || attribute > attributes) return to.left_out("attributes beyond the eight");
  const Key p = to.pool(pool);
  if (!p) return 0;
  const auto id = number(static_cast<std::uint64_t>(attribute), "attr:");
  if (set == nullptr) return to.begin("pool_get", STREAMPOOL_HISTORY_NUMBER, {named('p', p), id});
  return to.begin("pool_set", STREAMPOOL_HISTORY_NO_OUTPUT, {named('p', p), id, number(value_of(attribute, set))});
}
}  // namespace
CALL(MemPoolGetAttribute, (void* pool, int attribute, void* value),
     return recorded([&](Recorder& to) { return value == nullptr ? 0 : begin_attribute(to, pool, attribute, nullptr); },
                     REAL(pool, attribute, value),
                     [&](Recorder&) { return value == nullptr ? 0 : value_of(attribute, value); });)
CALL(MemPoolSetAttribute, (void* pool, int attribute, void* value),
     return recorded([&](Recorder& to) { return value == nullptr ? 0 : begin_attribute(to, pool, attribute, value); },
                     REAL(pool, attribute, value));)

// --- memory -----------------------------------------------------------------------------------------------------
STREAM_CALL(MallocFromPoolAsync, (void** address, Size bytes, void* pool, void* stream),
            return malloc_of(
                address, bytes,
                [&](Recorder& to) -> std::optional<streampool_history_argument> {
                  const Key p = to.pool(pool);
                  if (!p) return std::nullopt;
                  return named('p', p);
                },
                stream, zero, REAL(address, bytes, pool, stream));)
STREAM_CALL(MallocAsync, (void** address, Size bytes, void* stream),
            return malloc_of(
                address, bytes,
                [](Recorder& to) -> std::optional<streampool_history_argument> {
                  if (!to.current_pool_known(current_device())) return std::nullopt;
                  return streampool_history_argument{'w', 0, "current"};
                },
                stream, zero, REAL(address, bytes, stream));)
STREAM_CALL(FreeAsync, (void* address, void* stream),
            return recorded(
                [&](Recorder& to) -> Id {
                  const Key s = to.stream(stream, zero), a = to.block(address);
                  if (!s || !a || reinterpret_cast<void*>(*a) != address)
                    return to.left_out("frees of memory that is not in the record");
                  return to.begin("free", STREAMPOOL_HISTORY_NO_OUTPUT, {named('a', a), named('s', s)});
                },
                REAL(address, stream));)
CALL(Malloc, (void** address, Size bytes),
     return recorded(
         [&](Recorder& to) {
           return to.begin_on_device("plain_malloc", STREAMPOOL_HISTORY_ADDRESS, current_device(),
                                     {{'N', 0, "a"}, number(bytes)});
         },
         REAL(address, bytes),
         [&](Recorder& to) {
           if (*address != nullptr) to.made_block(*address, bytes, false);
           return reinterpret_cast<std::uint64_t>(*address);
         });)
CALL(Free, (void* address),
     return recorded(
         [&](Recorder& to) -> Id {
           if (address == nullptr) return 0;  // programs wake the library up by it
           const Key a = to.block(address);
           if (!a || reinterpret_cast<void*>(*a) != address)
             return to.left_out("frees of memory that is not in the record");
           return to.begin(to.is_of_pool(address) ? "free_sync" : "plain_free", STREAMPOOL_HISTORY_NO_OUTPUT,
                           {named('a', a)});
         },
         REAL(address));)

// --- work -------------------------------------------------------------------------------------------------------
STREAM_CALL(MemsetAsync, (void* address, int value, Size bytes, void* stream),
            return work(stream, zero, address, nullptr, REAL(address, value, bytes, stream));)
STREAM_CALL(MemcpyAsync, (void* to, const void* from, Size bytes, int kind, void* stream),
            return work(stream, zero, to, from, REAL(to, from, bytes, kind, stream));)
STREAM_CALL(Memcpy2DAsync,
            (void* to, Size to_pitch, const void* from, Size from_pitch, Size width, Size height, int kind,
             void* stream),
            return work(stream, zero, to, from, REAL(to, to_pitch, from, from_pitch, width, height, kind, stream));)
BOTH(OWN_PLAIN(Memset), Memset, (void* address, int value, Size bytes),
     return work(nullptr, zero, address, nullptr, REAL(address, value, bytes));)
BOTH(OWN_PLAIN(Memcpy), Memcpy, (void* to, const void* from, Size bytes, int kind),
     return copy_and_wait(to, from, kind, zero, REAL(to, from, bytes, kind));)
STREAM_CALL(LaunchKernel, (const void* function, Dim3 grid, Dim3 block, void** arguments, Size shared, void* stream),
            return work(stream, zero, nullptr, nullptr, REAL(function, grid, block, arguments, shared, stream));)
STREAM_CALL(LaunchHostFunc, (void* stream, void (*function)(void*), void* data),
            return work(stream, zero, nullptr, nullptr, REAL(stream, function, data));)

// --- what is not modelled -----------------------------------------------------------------------------------------
STREAM_CALL(StreamBeginCapture, (void* stream, int mode),
            return ends_record("a stream is captured, which is not modelled", REAL(stream, mode));)
STREAM_CALL(GraphLaunch, (void* graph, void* stream),
            return ends_record("a graph is launched, which is not modelled", REAL(graph, stream));)
CALL(DeviceReset, (), return ends_record("the device is reset, which is not modelled", REAL());)

#ifndef RECORD_HIP
STREAM_CALL(LaunchCooperativeKernel,
            (const void* function, Dim3 grid, Dim3 block, void** arguments, Size shared, void* stream),
            return work(stream, zero, nullptr, nullptr, REAL(function, grid, block, arguments, shared, stream));)
STREAM_CALL(EventRecordWithFlags, (void* event, void* stream, unsigned flags),
            return record_event(event, stream, zero, REAL(event, stream, flags));)
STREAM_CALL(LaunchKernelExC, (const LaunchConfig* config, const void* function, void** arguments),
            return work(config == nullptr ? nullptr : config->stream, zero, nullptr, nullptr,
                        REAL(config, function, arguments));)
// What compilers of 13.0 and later make of <<<>>>; the function is a kernel's handle.
EXPORT int __cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, Size shared,
                              void* stream) {
  static const auto real_function = real_of<Launch>("__cudaLaunchKernel");
  if (real_function == nullptr) return not_supported;
  return work(stream, STREAMPOOL_HISTORY_LEGACY, nullptr, nullptr,
              REAL(function, grid, block, arguments, shared, stream));
}
EXPORT int __cudaLaunchKernel_ptsz(const void* function, Dim3 grid, Dim3 block, void** arguments, Size shared,
                                   void* stream) {
  static const auto real_function = real_of<Launch>("__cudaLaunchKernel_ptsz");
  if (real_function == nullptr) return not_supported;
  return work(stream, STREAMPOOL_HISTORY_PER_THREAD, nullptr, nullptr,
              REAL(function, grid, block, arguments, shared, stream));
}
#endif

// The shapes are those of tables that are compared with the vendor's headers where these are found.
#define SAME(suffix, entry) \
  static_assert(std::is_same_v<decltype(NAME(suffix)), decltype(streampool::vendor::Calls::entry)::Function>);
SAME(DeviceSynchronize, device_synchronize)
SAME(StreamCreateWithFlags, stream_create)
SAME(StreamDestroy, stream_destroy)
SAME(StreamSynchronize, stream_synchronize)
SAME(StreamQuery, stream_query)
SAME(StreamWaitEvent, stream_wait_event)
SAME(EventCreateWithFlags, event_create)
SAME(EventDestroy, event_destroy)
SAME(EventRecord, event_record)
SAME(EventSynchronize, event_synchronize)
SAME(EventQuery, event_query)
SAME(MemPoolCreate, pool_create)
SAME(MemPoolDestroy, pool_destroy)
SAME(MemPoolTrimTo, pool_trim)
SAME(DeviceSetMemPool, pool_set_current)
SAME(MemPoolGetAttribute, attribute_get)
SAME(MemPoolSetAttribute, attribute_set)
SAME(MallocFromPoolAsync, malloc_from_pool)
SAME(MallocAsync, malloc_current)
SAME(FreeAsync, free_async)
SAME(Malloc, plain_malloc)
SAME(Free, free_now)
SAME(MemsetAsync, memset_async)
SAME(MemcpyAsync, memcpy_async)
#define SAME_TYPE(suffix, ...) static_assert(std::is_same_v<decltype(NAME(suffix)), __VA_ARGS__>);
STREAMPOOL_RECORDED_BOTH(SAME_TYPE)
#ifndef RECORD_HIP
STREAMPOOL_RECORDED_CUDA(SAME_TYPE)
#endif
