// A fake of the CANN runtime library: the functions that the adapter calls. Work is done at the call, on host memory.
#include "conformance/adapters/tests/fake.hpp"

using streampool::fake::end_object;
using streampool::fake::make_memory;
using streampool::fake::make_object;
using streampool::fake::Pool;
using streampool::fake::script;

#define ENTER(name) \
  if (const int code = script().enter(#name); code != 0) return code;
#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
constexpr int ok = 0, invalid_parameter = 107000, invalid_handle = 107017, internal_error = 507000;
}

EXPORT streampool::fake::Script* fake_script() { return &script(); }

EXPORT int aclInit(const char*) {
  ENTER(aclInit)
  return ok;
}
EXPORT const char* aclGetRecentErrMsg() { return "fake recent error"; }
EXPORT int aclrtGetDeviceCount(std::uint32_t* count) {
  ENTER(aclrtGetDeviceCount)
  *count = static_cast<std::uint32_t>(script().devices);
  return ok;
}
EXPORT int aclrtSetDevice(std::int32_t device) {
  ENTER(aclrtSetDevice)
  script().current_device = device;
  return ok;
}
EXPORT int aclrtSynchronizeDevice() {
  ENTER(aclrtSynchronizeDevice)
  return ok;
}
EXPORT int aclrtGetVersion(std::int32_t* major, std::int32_t* minor, std::int32_t* patch) {
  *major = 1, *minor = 16, *patch = 0;
  return ok;
}
EXPORT int aclrtGetMemInfo(int kind, std::size_t* free_bytes, std::size_t* total_bytes) {
  ENTER(aclrtGetMemInfo)
  if (kind != 1) return invalid_parameter;
  *free_bytes = std::size_t{1} << 29;
  *total_bytes = std::size_t{1} << 30;
  return ok;
}
EXPORT int aclrtCreateStream(void** stream) {
  ENTER(aclrtCreateStream)
  *stream = make_object();
  return ok;
}
EXPORT int aclrtDestroyStream(void* stream) {
  ENTER(aclrtDestroyStream)
  return end_object(stream) ? ok : invalid_handle;
}
EXPORT int aclrtSynchronizeStream(void* stream) {
  ENTER(aclrtSynchronizeStream)
  return script().lives(stream) ? ok : invalid_handle;
}
// A scripted answer of 1 here means: ok, and the work is not complete.
EXPORT int aclrtStreamQuery(void* stream, int* status) {
  *status = script().enter("aclrtStreamQuery");
  return script().lives(stream) ? ok : invalid_handle;
}
EXPORT int aclrtQueryEventStatus(void* event, int* status) {
  *status = script().enter("aclrtQueryEventStatus") == 1 ? 0 : 1;
  return script().lives(event) ? ok : invalid_handle;
}
EXPORT int aclrtStreamWaitEvent(void* stream, void* event) {
  ENTER(aclrtStreamWaitEvent)
  return script().lives(stream) && script().lives(event) ? ok : invalid_handle;
}
EXPORT int aclrtCreateEventExWithFlag(void** event, std::uint32_t flag) {
  ENTER(aclrtCreateEventExWithFlag)
  if (flag != 3) return invalid_parameter;
  *event = make_object();
  return ok;
}
EXPORT int aclrtDestroyEvent(void* event) {
  ENTER(aclrtDestroyEvent)
  return end_object(event) ? ok : invalid_handle;
}
EXPORT int aclrtRecordEvent(void* event, void* stream) {
  ENTER(aclrtRecordEvent)
  return script().lives(stream) && script().lives(event) ? ok : invalid_handle;
}
EXPORT int aclrtSynchronizeEvent(void* event) {
  ENTER(aclrtSynchronizeEvent)
  return script().lives(event) ? ok : invalid_handle;
}
EXPORT int aclrtMemPoolCreate(void** pool, const void* properties) {
  ENTER(aclrtMemPoolCreate)
  struct {
    int allocation, handle;
    std::uint32_t device;
    int location;
    std::size_t max_size;
  } read;
  std::memcpy(&read, properties, sizeof read);
  if (read.allocation != 0 || read.location != 1) return invalid_parameter;
  *pool = script().born(new Pool{.device = static_cast<int>(read.device), .max_size = read.max_size});
  return ok;
}
EXPORT int aclrtMemPoolDestroy(void* pool) {
  ENTER(aclrtMemPoolDestroy)
  if (!script().dies(pool)) return internal_error;
  delete static_cast<Pool*>(pool);
  return ok;
}
EXPORT int aclrtMemPoolTrimTo(void* pool, std::size_t) {
  ENTER(aclrtMemPoolTrimTo)
  return script().lives(pool) ? ok : internal_error;
}
EXPORT int aclrtMemPoolGetAttr(void* pool, int attribute, void* value) {
  ENTER(aclrtMemPoolGetAttr)
  if (!script().lives(pool) || attribute < 1 || attribute > 8) return invalid_parameter;
  std::memcpy(value, &static_cast<Pool*>(pool)->attributes[attribute], attribute <= 3 ? 4 : 8);
  return ok;
}
EXPORT int aclrtMemPoolSetAttr(void* pool, int attribute, void* value) {
  ENTER(aclrtMemPoolSetAttr)
  if (!script().lives(pool) || attribute < 1 || attribute > 8) return invalid_parameter;
  std::memcpy(&static_cast<Pool*>(pool)->attributes[attribute], value, attribute <= 3 ? 4 : 8);
  return ok;
}
EXPORT int aclrtMemPoolMallocAsync(void** address, std::size_t bytes, void* pool, void* stream) {
  ENTER(aclrtMemPoolMallocAsync)
  if (!script().lives(pool) || !script().lives(stream)) return invalid_parameter;
  if (bytes == 0) return ok;  // leaves the output alone
  if (bytes > std::size_t{1} << 30) return internal_error;
  *address = make_memory(bytes);
  return ok;
}
EXPORT int aclrtMemPoolFreeAsync(void* address, void* stream) {
  ENTER(aclrtMemPoolFreeAsync)
  return script().lives(stream) && end_object(address) ? ok : invalid_parameter;
}
EXPORT int aclrtMalloc(void** address, std::size_t bytes, int) {
  ENTER(aclrtMalloc)
  *address = make_memory(bytes);
  return ok;
}
EXPORT int aclrtFree(void* address) {
  ENTER(aclrtFree)
  return end_object(address) ? ok : invalid_parameter;
}
EXPORT int aclrtMallocHost(void** host, std::size_t bytes) {
  ENTER(aclrtMallocHost)
  *host = make_memory(bytes);
  return ok;
}
EXPORT int aclrtFreeHost(void* host) {
  ENTER(aclrtFreeHost)
  return end_object(host) ? ok : invalid_parameter;
}
EXPORT int aclrtMemsetAsync(void* address, std::size_t room, std::int32_t value, std::size_t bytes, void*) {
  ENTER(aclrtMemsetAsync)
  if (room < bytes) return invalid_parameter;
  std::memset(address, value, bytes);
  return ok;
}
EXPORT int aclrtMemcpyAsync(void* to, std::size_t room, const void* from, std::size_t bytes, int kind, void*) {
  ENTER(aclrtMemcpyAsync)
  if (room < bytes || kind != 2) return invalid_parameter;
  std::memcpy(to, from, bytes);
  return ok;
}
