// A runtime with one planted fault around a sound one (STREAMPOOL_INNER, a path). The environment variable
// STREAMPOOL_FAULT names the fault: the kit copies the table before it opens anything, so an option would come too
// late.
//
// Used by the kit's own tests only. Each fault is of another kind than the engine's mutants: these are what a broken
// process or a dishonest table does, not what a broken pool does.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace {

streampool_runtime inner{};  // the sound table
std::atomic<unsigned> calls{0};

streampool_status refuse_malloc(streampool_context, streampool_address* out, uint64_t, streampool_pool,
                                streampool_stream) {
  *out = 0;
  return STREAMPOOL_INTERNAL;
}

streampool_status crash_in_malloc(streampool_context context, streampool_address* out, uint64_t bytes,
                                  streampool_pool pool, streampool_stream stream) {
  if (++calls == 2) std::abort();
  return inner.malloc_from_pool(context, out, bytes, pool, stream);
}

streampool_status exit_in_record(streampool_context, streampool_event, streampool_stream) { std::exit(0); }

streampool_status hang_in_query(streampool_context, streampool_stream) {
  std::latch(1).wait();  // nobody counts it down
  return STREAMPOOL_INTERNAL;
}

streampool_status garbage_status(streampool_context context, streampool_address* out, uint64_t bytes,
                                 streampool_pool pool, streampool_stream stream) {
  inner.malloc_from_pool(context, out, bytes, pool, stream);
  *out = 0;
  return 123'456;
}

streampool_status ok_without_output(streampool_context, streampool_address*, uint64_t, streampool_pool,
                                    streampool_stream) {
  return STREAMPOOL_OK;
}

// Complete, whatever a gate holds.
streampool_status lie_in_query(streampool_context, streampool_stream) { return STREAMPOOL_OK; }
streampool_status lie_in_sync(streampool_context, streampool_stream) { return STREAMPOOL_OK; }

streampool_status flaky_get(streampool_context context, streampool_pool pool, int32_t attribute, void* value,
                            size_t width) {
  const streampool_status status = inner.attribute_get(context, pool, attribute, value, width);
  if (attribute == STREAMPOOL_RELEASE_THRESHOLD && status == STREAMPOOL_OK && ++calls % 3 == 0) {
    uint64_t read = 0;
    std::memcpy(&read, value, sizeof(read));
    ++read;
    std::memcpy(value, &read, sizeof(read));
  }
  return status;
}

streampool_status write_too_wide(streampool_context context, streampool_pool pool, int32_t attribute, void* value,
                                 size_t width) {
  uint64_t wide = 0;
  const streampool_status status = inner.attribute_get(context, pool, attribute, &wide, sizeof(wide));
  if (status == STREAMPOOL_OK && width >= sizeof(wide)) std::memcpy(value, &wide, sizeof(wide));
  return status;
}

streampool_status wait_in_free(streampool_context context, streampool_address address, streampool_stream stream) {
  inner.stream_synchronize(context, stream);
  return inner.free_async(context, address, stream);
}

// Slow, but right. By the clock: being slow is all that it does.
streampool_status slow_malloc(streampool_context context, streampool_address* out, uint64_t bytes, streampool_pool pool,
                              streampool_stream stream) {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  return inner.malloc_from_pool(context, out, bytes, pool, stream);
}

streampool_status chatter(streampool_context context, streampool_address* out, uint64_t bytes, streampool_pool pool,
                          streampool_stream stream) {
  std::printf("malloc of %llu bytes", static_cast<unsigned long long>(bytes));
  return inner.malloc_from_pool(context, out, bytes, pool, stream);
}

streampool_status eat_memory(streampool_context, streampool_address*, uint64_t, streampool_pool, streampool_stream) {
  static std::vector<std::vector<char>> eaten;
  while (true) eaten.emplace_back(std::size_t{16} << 20, 'x');  // the test's limit ends it
}

uint64_t without_gates(streampool_context context) {
  return inner.capabilities_of(context) & ~uint64_t{STREAMPOOL_CAP_GATE};
}

streampool_status refuse_close(streampool_context context) {
  inner.close(context);
  return STREAMPOOL_INTERNAL;
}

struct Fault {
  std::string_view name;
  void (*plant)(streampool_runtime&);
};

constexpr Fault faults[] = {
    {"none", [](streampool_runtime&) {}},
    {"failing", [](streampool_runtime& table) { table.malloc_from_pool = refuse_malloc; }},
    {"crash", [](streampool_runtime& table) { table.malloc_from_pool = crash_in_malloc; }},
    {"exit", [](streampool_runtime& table) { table.event_record = exit_in_record; }},
    {"hang", [](streampool_runtime& table) { table.stream_query = hang_in_query; }},
    {"deadlock", [](streampool_runtime& table) { table.stream_synchronize = table.event_synchronize = hang_in_query; }},
    {"garbage", [](streampool_runtime& table) { table.malloc_from_pool = garbage_status; }},
    {"silent", [](streampool_runtime& table) { table.malloc_from_pool = ok_without_output; }},
    {"lying_query", [](streampool_runtime& table) { table.stream_query = lie_in_query; }},
    {"lying_sync", [](streampool_runtime& table) { table.stream_synchronize = lie_in_sync; }},
    {"flaky", [](streampool_runtime& table) { table.attribute_get = flaky_get; }},
    {"wide", [](streampool_runtime& table) { table.attribute_get = write_too_wide; }},
    {"blocking", [](streampool_runtime& table) { table.free_async = wait_in_free; }},
    {"slow", [](streampool_runtime& table) { table.malloc_from_pool = slow_malloc; }},
    {"chatter", [](streampool_runtime& table) { table.malloc_from_pool = chatter; }},
    {"eater", [](streampool_runtime& table) { table.malloc_from_pool = eat_memory; }},
    {"unclean", [](streampool_runtime& table) { table.close = refuse_close; }},
    {"old_abi", [](streampool_runtime& table) { table.abi_version = STREAMPOOL_ABI_VERSION + 1; }},
    {"tiny", [](streampool_runtime& table) { table.size = 16; }},
    {"hollow", [](streampool_runtime& table) { table.gate_open = nullptr; }},
    {"gateless", [](streampool_runtime& table) { table.capabilities_of = without_gates; }},
};

streampool_runtime made() {
  void* library = dlopen(STREAMPOOL_INNER, RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == nullptr ? nullptr : dlsym(library, STREAMPOOL_RUNTIME_TABLE_SYMBOL);
  if (symbol == nullptr) return {};  // a table that the kit refuses
  inner = *reinterpret_cast<streampool_runtime_table_function>(symbol)();
  streampool_runtime table = inner;
  const char* name = std::getenv("STREAMPOOL_FAULT");
  for (const Fault& fault : faults) {
    if (name != nullptr && fault.name == name) fault.plant(table);
  }
  return table;
}

}  // namespace

extern "C" const streampool_runtime* streampool_runtime_table(void) {
  static const streampool_runtime table = made();
  return &table;
}
