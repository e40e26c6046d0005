// A fake of the CUDA runtime library and, with FAKE_HIP, of the HIP one: the same functions under other names. Work is
// done at the call, on host memory. FAKE_WITHOUT_POOLS leaves out what came with 11.2.
#include "conformance/adapters/tests/fake.hpp"

using streampool::fake::end_object;
using streampool::fake::make_memory;
using streampool::fake::make_object;
using streampool::fake::script;

#ifdef FAKE_HIP
#define NAME(suffix) hip##suffix
#else
#define NAME(suffix) cuda##suffix
#endif
#define TEXT_OF(text) #text
#define TEXT(text) TEXT_OF(text)
// The scripted answer goes first.
#define ENTER(suffix)                                                   \
  if (const int code = script().enter(TEXT(NAME(suffix))); code != 0) { \
    return code;                                                        \
  }
#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
constexpr int ok = 0, invalid_value = 1, invalid_handle = 400;
constexpr std::size_t device_memory = std::size_t{1} << 30;

bool is_stream(void* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2 || script().lives(stream); }
}  // namespace

EXPORT streampool::fake::Script* fake_script() { return &script(); }

EXPORT int NAME(GetDeviceCount)(int* count) {
  ENTER(GetDeviceCount)
  *count = script().devices;
  return ok;
}
EXPORT int NAME(SetDevice)(int device) {
  ENTER(SetDevice)
  script().current_device = device;
  return ok;
}
EXPORT int NAME(GetDevice)(int* device) {
  ENTER(GetDevice)
  *device = script().current_device;
  return ok;
}
EXPORT int NAME(DeviceGetAttribute)(int* value, int, int) {
  ENTER(DeviceGetAttribute)
  *value = script().pools_supported ? 1 : 0;
  return ok;
}
EXPORT int NAME(RuntimeGetVersion)(int* version) {
  ENTER(RuntimeGetVersion)
  *version = script().version;
  return ok;
}
EXPORT int NAME(DriverGetVersion)(int* version) {
  ENTER(DriverGetVersion)
  *version = script().version;
  return ok;
}
EXPORT const char* NAME(GetErrorString)(int code) {
  static thread_local std::string text;
  text = "fake text of " + std::to_string(code);
  return text.c_str();
}
EXPORT int NAME(DeviceSynchronize)() {
  ENTER(DeviceSynchronize)
  return ok;
}
EXPORT int NAME(MemGetInfo)(std::size_t* free_bytes, std::size_t* total_bytes) {
  ENTER(MemGetInfo)
  *free_bytes = device_memory / 2;
  *total_bytes = device_memory;
  return ok;
}

EXPORT int NAME(StreamCreateWithFlags)(void** stream, unsigned) {
  ENTER(StreamCreateWithFlags)
  *stream = make_object();
  return ok;
}
EXPORT int NAME(StreamGetFlags)(void* stream, unsigned* flags) {
  ENTER(StreamGetFlags)
  *flags = 1;  // every stream is non-blocking
  return is_stream(stream) ? ok : invalid_handle;
}
EXPORT int NAME(StreamDestroy)(void* stream) {
  ENTER(StreamDestroy)
  return end_object(stream) ? ok : invalid_handle;
}
EXPORT int NAME(StreamSynchronize)(void* stream) {
  ENTER(StreamSynchronize)
  return is_stream(stream) ? ok : invalid_handle;
}
EXPORT int NAME(StreamQuery)(void* stream) {
  ENTER(StreamQuery)
  return is_stream(stream) ? ok : invalid_handle;
}
EXPORT int NAME(StreamWaitEvent)(void* stream, void* event, unsigned) {
  ENTER(StreamWaitEvent)
  return is_stream(stream) && script().lives(event) ? ok : invalid_handle;
}
EXPORT int NAME(EventCreateWithFlags)(void** event, unsigned) {
  ENTER(EventCreateWithFlags)
  *event = make_object();
  return ok;
}
EXPORT int NAME(EventDestroy)(void* event) {
  ENTER(EventDestroy)
  return end_object(event) ? ok : invalid_handle;
}
EXPORT int NAME(EventRecord)(void* event, void* stream) {
  ENTER(EventRecord)
  return is_stream(stream) && script().lives(event) ? ok : invalid_handle;
}
EXPORT int NAME(EventSynchronize)(void* event) {
  ENTER(EventSynchronize)
  return script().lives(event) ? ok : invalid_handle;
}
EXPORT int NAME(EventQuery)(void* event) {
  ENTER(EventQuery)
  return script().lives(event) ? ok : invalid_handle;
}

#ifndef FAKE_WITHOUT_POOLS
namespace {
using streampool::fake::Pool;
constexpr int out_of_memory = 2;
Pool* pool_of(void* handle) { return script().lives(handle) ? static_cast<Pool*>(handle) : nullptr; }
}  // namespace
EXPORT int NAME(MemPoolCreate)(void** pool, const void* properties) {
  ENTER(MemPoolCreate)
  struct {
    int allocation, handle, location, device;
    void* security;
    std::size_t max_size;
  } read;
  std::memcpy(&read, properties, sizeof read);
  if (read.allocation != 1 || read.handle != 0 || read.location != 1) return invalid_value;
  Pool* made = new Pool{.device = read.device, .max_size = read.max_size};
  *pool = script().born(made);
  return ok;
}
EXPORT int NAME(MemPoolDestroy)(void* pool) {
  ENTER(MemPoolDestroy)
  Pool* found = pool_of(pool);
  if (found == nullptr || !script().dies(pool)) return invalid_value;
  delete found;
  return ok;
}
EXPORT int NAME(MemPoolTrimTo)(void* pool, std::size_t) {
  ENTER(MemPoolTrimTo)
  return pool_of(pool) != nullptr ? ok : invalid_value;
}
EXPORT int NAME(DeviceGetDefaultMemPool)(void** pool, int) {
  ENTER(DeviceGetDefaultMemPool)
  static Pool default_pool;
  *pool = &default_pool;
  return ok;
}
EXPORT int NAME(DeviceSetMemPool)(int, void*) {
  ENTER(DeviceSetMemPool)
  return ok;
}
EXPORT int NAME(DeviceGetMemPool)(void** pool, int device) { return NAME(DeviceGetDefaultMemPool)(pool, device); }
EXPORT int NAME(MemPoolGetAttribute)(void* pool, int attribute, void* value) {
  ENTER(MemPoolGetAttribute)
  const Pool* found = pool_of(pool);
  if (found == nullptr || value == nullptr || attribute < 1 || attribute > 8) return invalid_value;
  std::memcpy(value, &found->attributes[attribute], attribute <= 3 ? 4 : 8);
  return ok;
}
EXPORT int NAME(MemPoolSetAttribute)(void* pool, int attribute, void* value) {
  ENTER(MemPoolSetAttribute)
  Pool* found = pool_of(pool);
  if (found == nullptr || value == nullptr || attribute < 1 || attribute > 8) return invalid_value;
  std::memcpy(&found->attributes[attribute], value, attribute <= 3 ? 4 : 8);
  return ok;
}
EXPORT int NAME(MallocFromPoolAsync)(void** address, std::size_t bytes, void* pool, void* stream) {
  ENTER(MallocFromPoolAsync)
  if (address == nullptr || pool_of(pool) == nullptr || !is_stream(stream)) return invalid_value;
  script().last_stream = stream;
  if (bytes == 0) return ok;  // leaves the output alone
  if (bytes > device_memory) return out_of_memory;
  *address = make_memory(bytes);
  return ok;
}
EXPORT int NAME(MallocAsync)(void** address, std::size_t bytes, void* stream) {
  ENTER(MallocAsync)
  if (address == nullptr || !is_stream(stream)) return invalid_value;
  script().last_stream = stream;
  *address = make_memory(bytes);
  return ok;
}
EXPORT int NAME(FreeAsync)(void* address, void* stream) {
  ENTER(FreeAsync)
  script().last_stream = stream;
  return is_stream(stream) && end_object(address) ? ok : invalid_value;
}
#endif

EXPORT int NAME(Malloc)(void** address, std::size_t bytes) {
  ENTER(Malloc)
  *address = make_memory(bytes);
  return ok;
}
EXPORT int NAME(Free)(void* address) {
  ENTER(Free)
  return end_object(address) ? ok : invalid_value;
}
EXPORT int NAME(Memcpy)(void* to, const void* from, std::size_t bytes, int) {
  ENTER(Memcpy)
  std::memcpy(to, from, bytes);
  return ok;
}
EXPORT int NAME(StreamBeginCapture)(void* stream, int) {
  ENTER(StreamBeginCapture)
  return is_stream(stream) ? ok : invalid_handle;
}
EXPORT int NAME(MemsetAsync)(void* address, int value, std::size_t bytes, void* stream) {
  ENTER(MemsetAsync)
  script().last_stream = stream;
  std::memset(address, value, bytes);
  return ok;
}
EXPORT int NAME(MemcpyAsync)(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  ENTER(MemcpyAsync)
  if (kind != 2) return invalid_value;
  script().last_stream = stream;
  std::memcpy(to, from, bytes);
  return ok;
}

#ifdef FAKE_HIP
EXPORT int hipHostMalloc(void** host, std::size_t bytes, unsigned) {
  ENTER(HostMalloc)
  *host = make_memory(bytes);
  return ok;
}
EXPORT int hipHostFree(void* host) {
  ENTER(HostFree)
  return end_object(host) ? ok : invalid_value;
}
EXPORT int hipExtMallocWithFlags(void** address, std::size_t bytes, unsigned flags) {
  ENTER(ExtMallocWithFlags)
  if (flags != 2 || bytes != 8) return invalid_value;  // signal memory is one word of eight bytes
  *address = make_memory(bytes);
  return ok;
}
EXPORT int hipStreamWaitValue32(void* stream, void* word, std::uint32_t value, unsigned flags, std::uint32_t mask) {
  ENTER(StreamWaitValue32)
  if (!is_stream(stream) || flags != 0 || mask != 0xffffffff) return invalid_value;
  script().waits.push_back({stream, static_cast<const std::uint32_t*>(word), value});
  return ok;
}
#else
EXPORT int cudaHostAlloc(void** host, std::size_t bytes, unsigned) {
  ENTER(HostAlloc)
  *host = make_memory(bytes);
  return ok;
}
EXPORT int cudaFreeHost(void* host) {
  ENTER(FreeHost)
  return end_object(host) ? ok : invalid_value;
}
EXPORT int cudaHostGetDevicePointer(void** view, void* host, unsigned) {
  ENTER(HostGetDevicePointer)
  *view = host;
  return ok;
}
#ifndef FAKE_WITHOUT_GATE
namespace {
int wait_value(void* stream, std::uint64_t address, std::uint32_t value, unsigned flags) {
  if (const int code = script().enter("cuStreamWaitValue32"); code != 0) return code;
  if (flags != 0) return invalid_value;
  script().waits.push_back({stream, reinterpret_cast<const std::uint32_t*>(address), value});
  return ok;
}
}  // namespace
EXPORT int cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version, unsigned long long,
                                            int* answer) {
  ENTER(GetDriverEntryPointByVersion)
  if (version < 12000 || std::strcmp(symbol, "cuStreamWaitValue32") != 0) return invalid_value;
  int (*found)(void*, std::uint64_t, std::uint32_t, unsigned) = &wait_value;
  std::memcpy(function, &found, sizeof found);
  *answer = 0;
  return ok;
}
#endif
#endif
