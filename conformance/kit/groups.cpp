#include "conformance/kit/groups.hpp"

#include <array>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::kit {
namespace {

#define STREAMPOOL_ENTRY(name) \
  Entry { #name, offsetof(streampool_runtime, name) }

constexpr Entry context_entries[] = {STREAMPOOL_ENTRY(open), STREAMPOOL_ENTRY(close), STREAMPOOL_ENTRY(describe),
                                     STREAMPOOL_ENTRY(capabilities_of), STREAMPOOL_ENTRY(last_error)};
constexpr Entry stream_entries[] = {STREAMPOOL_ENTRY(stream_create), STREAMPOOL_ENTRY(stream_destroy),
                                    STREAMPOOL_ENTRY(stream_synchronize), STREAMPOOL_ENTRY(stream_query)};
constexpr Entry default_stream_entries[] = {STREAMPOOL_ENTRY(stream_default)};
constexpr Entry event_entries[] = {STREAMPOOL_ENTRY(event_create),      STREAMPOOL_ENTRY(event_destroy),
                                   STREAMPOOL_ENTRY(event_record),      STREAMPOOL_ENTRY(stream_wait_event),
                                   STREAMPOOL_ENTRY(event_synchronize), STREAMPOOL_ENTRY(event_query)};
constexpr Entry device_entries[] = {STREAMPOOL_ENTRY(device_synchronize)};
constexpr Entry memory_info_entries[] = {STREAMPOOL_ENTRY(memory_info)};
constexpr Entry pool_entries[] = {STREAMPOOL_ENTRY(pool_create), STREAMPOOL_ENTRY(pool_destroy),
                                  STREAMPOOL_ENTRY(pool_trim)};
constexpr Entry default_pool_entries[] = {STREAMPOOL_ENTRY(pool_default), STREAMPOOL_ENTRY(pool_set_current),
                                          STREAMPOOL_ENTRY(pool_get_current), STREAMPOOL_ENTRY(malloc_current)};
constexpr Entry attribute_entries[] = {STREAMPOOL_ENTRY(attribute_get), STREAMPOOL_ENTRY(attribute_set)};
constexpr Entry memory_entries[] = {STREAMPOOL_ENTRY(malloc_from_pool), STREAMPOOL_ENTRY(free_async)};
constexpr Entry free_sync_entries[] = {STREAMPOOL_ENTRY(free_sync)};
constexpr Entry plain_entries[] = {STREAMPOOL_ENTRY(plain_malloc), STREAMPOOL_ENTRY(plain_free)};
constexpr Entry probe_entries[] = {STREAMPOOL_ENTRY(fill), STREAMPOOL_ENTRY(read), STREAMPOOL_ENTRY(launch)};
constexpr Entry gate_entries[] = {STREAMPOOL_ENTRY(gate_create), STREAMPOOL_ENTRY(gate_hold),
                                  STREAMPOOL_ENTRY(gate_open), STREAMPOOL_ENTRY(gate_destroy)};
constexpr Entry step_entries[] = {STREAMPOOL_ENTRY(step_pending), STREAMPOOL_ENTRY(step)};
constexpr Entry fault_entries[] = {STREAMPOOL_ENTRY(fail_next)};
constexpr Entry limit_entries[] = {STREAMPOOL_ENTRY(limit_memory)};
#undef STREAMPOOL_ENTRY

constexpr Group context{0, "context", context_entries};
constexpr Group all_groups[] = {
    {STREAMPOOL_CAP_STREAM, "stream", stream_entries},
    {STREAMPOOL_CAP_DEFAULT_STREAMS, "default streams", default_stream_entries},
    {STREAMPOOL_CAP_EVENT, "event", event_entries},
    {STREAMPOOL_CAP_DEVICE, "device", device_entries},
    {STREAMPOOL_CAP_MEMORY_INFO, "memory info", memory_info_entries},
    {STREAMPOOL_CAP_POOL, "pool", pool_entries},
    {STREAMPOOL_CAP_DEFAULT_POOL, "default pool", default_pool_entries},
    {STREAMPOOL_CAP_ATTRIBUTE, "attribute", attribute_entries},
    {STREAMPOOL_CAP_MEMORY, "memory", memory_entries},
    {STREAMPOOL_CAP_FREE_SYNC, "synchronous free", free_sync_entries},
    {STREAMPOOL_CAP_PLAIN, "plain memory", plain_entries},
    {STREAMPOOL_CAP_PROBE, "probe", probe_entries},
    {STREAMPOOL_CAP_GATE, "gate", gate_entries},
    {STREAMPOOL_CAP_STEP, "step", step_entries},
    {STREAMPOOL_CAP_FAULT, "fault", fault_entries},
    {STREAMPOOL_CAP_LIMIT, "limit", limit_entries},
};

using enum history::Op;

// By Op. Default streams and `malloc current` add their groups below.
constexpr auto op_groups = [] {
  std::array<std::uint64_t, history::op_count> table{};
  const auto set = [&table](std::uint64_t bits, std::initializer_list<history::Op> ops) {
    for (const history::Op op : ops) table[static_cast<std::size_t>(op)] = bits;
  };
  set(STREAMPOOL_CAP_STREAM, {stream_create, stream_destroy, stream_sync, stream_query});
  set(STREAMPOOL_CAP_DEVICE, {device_sync});
  set(STREAMPOOL_CAP_EVENT, {event_create, event_destroy, event_record, stream_wait_event, event_sync, event_query});
  set(STREAMPOOL_CAP_GATE, {gate_create, gate_hold, gate_open, gate_destroy});
  set(STREAMPOOL_CAP_STEP, {step});
  set(STREAMPOOL_CAP_POOL, {pool_create, pool_destroy, pool_trim});
  set(STREAMPOOL_CAP_DEFAULT_POOL, {pool_default, pool_set_current, pool_get_current});
  set(STREAMPOOL_CAP_ATTRIBUTE, {pool_set, pool_get});
  set(STREAMPOOL_CAP_MEMORY, {history::Op::malloc, history::Op::free});
  set(STREAMPOOL_CAP_FREE_SYNC, {free_sync});
  set(STREAMPOOL_CAP_PLAIN, {plain_malloc, plain_free});
  set(STREAMPOOL_CAP_PROBE, {fill, check, launch});
  set(STREAMPOOL_CAP_MEMORY_INFO, {memory_info});
  set(STREAMPOOL_CAP_LIMIT, {limit});
  set(STREAMPOOL_CAP_FAULT, {fail});
  return table;
}();

}  // namespace

std::span<const Group> groups() { return all_groups; }
const Group& context_group() { return context; }

std::uint64_t groups_needed(const history::Call& call) {
  std::uint64_t bits = op_groups[static_cast<std::size_t>(call.op)];
  if (call.stream == history::Name::legacy || call.stream == history::Name::per_thread) {
    bits |= STREAMPOOL_CAP_DEFAULT_STREAMS;
  }
  if (call.op == history::Op::malloc && call.pool == history::Name::none) bits |= STREAMPOOL_CAP_DEFAULT_POOL;
  return bits;
}

std::string group_names(std::uint64_t bits) {
  std::string text;
  for (const Group& group : all_groups) {
    if ((bits & group.bit) == 0) continue;
    if (!text.empty()) text += ", ";
    text += group.name;
  }
  return text;
}

}  // namespace streampool::kit
