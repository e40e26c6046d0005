// The runtime `mutant`: the engine over the simulated device, built with FaultyPolicy, behind a table that a fault may
// have its fingers in. The fault is named by the option "variant"; without it there is none.
#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <vector>

#include "conformance/mutants/runtime/replacements.hpp"
#include "impl/pool/policy.hpp"

namespace streampool::mutants {
namespace {

std::mutex memories_mutex;
std::vector<Reset>& resets() {
  static std::vector<Reset> all;
  return all;
}

// What every call goes through. Written by `open` alone, when no other call runs.
streampool_runtime current = noted();

void install(Fault fault) {
  current = noted();
  for (const auto faults :
       {reuse_faults, order_faults, allocation_faults, content_faults, attribute_faults, statistics_faults,
        release_faults, lifecycle_faults, asynchrony_faults, capacity_faults, thread_faults}) {
    for (const Replacement& replacement : faults()) {
      if (replacement.fault == fault) replacement.install(current);
    }
  }
  active.store(fault);
}

Status open(const streampool_option* given, std::size_t count, streampool_context* context) {
  std::vector<streampool_option> rest;
  Fault fault = Fault::none;
  for (std::size_t i = 0; i < count; ++i) {
    if (given[i].key == nullptr || std::string_view(given[i].key) != "variant") {
      rest.push_back(given[i]);
      continue;
    }
    const Mutant* mutant = given[i].value == nullptr ? nullptr : find_mutant(given[i].value);
    if (mutant == nullptr) return STREAMPOOL_INVALID_VALUE;
    fault = mutant->fault;
  }
  ledger().reset();
  reset_memories();
  engine::BuildPolicy::forget();
  install(fault);
  return noted().open(rest.data(), rest.size(), context);
}

// An entry that passes its call on to whatever stands in `current` for it.
template <auto Entry>
struct Forward;
template <class... Parameters, Status (*streampool_runtime::*Entry)(streampool_context, Parameters...)>
struct Forward<Entry> {
  static Status call(streampool_context context, Parameters... parameters) {
    run_ready_items(context);
    return (current.*Entry)(context, parameters...);
  }
};

streampool_runtime make() {
  streampool_runtime t = engine();
  t.open = open;
  t.capabilities &= ~std::uint64_t{STREAMPOOL_CAP_STEP};
  t.capabilities_of = [](streampool_context context) {
    return engine().capabilities_of(context) & ~std::uint64_t{STREAMPOOL_CAP_STEP};
  };
  t.step = nullptr;
  t.step_pending = nullptr;
  t.last_error = [](streampool_context context, std::int64_t* code, char* text, std::size_t capacity) {
    return current.last_error(context, code, text, capacity);
  };
#define STREAMPOOL_FORWARD(entry) t.entry = Forward<&streampool_runtime::entry>::call;
  STREAMPOOL_FORWARD(stream_create)
  STREAMPOOL_FORWARD(stream_destroy)
  STREAMPOOL_FORWARD(stream_default)
  STREAMPOOL_FORWARD(stream_synchronize)
  STREAMPOOL_FORWARD(stream_query)
  STREAMPOOL_FORWARD(event_create)
  STREAMPOOL_FORWARD(event_destroy)
  STREAMPOOL_FORWARD(event_record)
  STREAMPOOL_FORWARD(stream_wait_event)
  STREAMPOOL_FORWARD(event_synchronize)
  STREAMPOOL_FORWARD(event_query)
  STREAMPOOL_FORWARD(device_synchronize)
  STREAMPOOL_FORWARD(memory_info)
  STREAMPOOL_FORWARD(pool_create)
  STREAMPOOL_FORWARD(pool_destroy)
  STREAMPOOL_FORWARD(pool_default)
  STREAMPOOL_FORWARD(pool_set_current)
  STREAMPOOL_FORWARD(pool_get_current)
  STREAMPOOL_FORWARD(pool_trim)
  STREAMPOOL_FORWARD(attribute_get)
  STREAMPOOL_FORWARD(attribute_set)
  STREAMPOOL_FORWARD(malloc_from_pool)
  STREAMPOOL_FORWARD(malloc_current)
  STREAMPOOL_FORWARD(free_async)
  STREAMPOOL_FORWARD(free_sync)
  STREAMPOOL_FORWARD(plain_malloc)
  STREAMPOOL_FORWARD(plain_free)
  STREAMPOOL_FORWARD(fill)
  STREAMPOOL_FORWARD(read)
  STREAMPOOL_FORWARD(launch)
  STREAMPOOL_FORWARD(gate_hold)
  STREAMPOOL_FORWARD(fail_next)
#undef STREAMPOOL_FORWARD
  return t;
}

}  // namespace

void run_ready_items(U64 context) {
  std::array<streampool_pending, 64> list{};
  bool moved = true;
  while (moved) {
    std::size_t count = 0;
    if (engine().step_pending(context, list.data(), list.size(), &count) != STREAMPOOL_OK) return;
    moved = false;
    for (std::size_t i = 0; i < std::min(count, list.size()); ++i) {
      if (list[i].ready != 0 && list[i].stream != 0) moved |= engine().step(context, list[i].stream) == STREAMPOOL_OK;
    }
  }
}

void reset_memories() {
  const std::lock_guard lock(memories_mutex);
  for (const Reset reset : resets()) reset();
}
void at_reset(Reset reset) {
  const std::lock_guard lock(memories_mutex);
  resets().push_back(reset);
}

}  // namespace streampool::mutants

extern "C" const streampool_runtime* streampool_runtime_table() {
  static const streampool_runtime table = streampool::mutants::make();
  return &table;
}
