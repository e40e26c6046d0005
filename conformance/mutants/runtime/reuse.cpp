// Faults of reuse that lie outside the pool's decisions: under which stream a free is noted, and which switches rule.
#include <cstring>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

constexpr bool is_switch(std::int32_t attribute) { return attribute >= 1 && attribute <= 3; }

// Frees on `label` what the program frees on `stream`, both being alive.
Status free_under(U64 context, U64 address, U64 stream, U64 label) {
  const bool possible = label != stream && ledger().stream_lives(stream) && ledger().stream_lives(label);
  return noted().free_async(context, address, possible ? label : stream);
}

// Settings that are kept for reading only, by pool and attribute.
struct StoredTag;
std::map<std::pair<U64, std::int32_t>, std::int32_t>& stored() {
  return memory<std::map<std::pair<U64, std::int32_t>, std::int32_t>, StoredTag>();
}
Status get_stored(U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) {
  const Status status = engine().attribute_get(c, pool, attribute, value, width);
  if (const auto it = stored().find({pool, attribute}); status == STREAMPOOL_OK && it != stored().end()) {
    std::memcpy(value, &it->second, sizeof it->second);
  }
  return status;
}
// Stores a lawful value of a switch; false: let the engine answer.
bool store(U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) {
  std::int32_t number = 0, before = 0;
  if (!is_switch(attribute) || value == nullptr || width < sizeof number) return false;
  std::memcpy(&number, value, sizeof number);
  if (number != 0 && number != 1) return false;
  if (engine().attribute_get(c, pool, attribute, &before, sizeof before) != STREAMPOOL_OK) return false;
  stored()[{pool, attribute}] = number;
  return true;
}

constexpr std::int32_t swapped(std::int32_t attribute) { return attribute == 1 ? 2 : attribute == 2 ? 1 : attribute; }

// All pools reuse by the switches of the newest one.
void rule_all(U64 c) {
  const std::vector<U64> pools = ledger().pools();
  for (std::int32_t attribute = 1; attribute <= 3 && !pools.empty(); ++attribute) {
    const auto it = stored().find({pools.back(), attribute});
    const std::int32_t value = it == stored().end() ? 1 : it->second;
    for (const U64 pool : pools) engine().attribute_set(c, pool, attribute, &value, sizeof value);
  }
}
Status get_own(U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) {
  if (is_switch(attribute)) stored().try_emplace({pool, attribute}, 1);
  return get_stored(c, pool, attribute, value, width);
}

// Gives back all that pools have, what is pending included.
void give_back_pending(U64 c, const std::vector<U64>& pools) {
  taking_pending = true;
  for (const U64 pool : pools) engine().pool_trim(c, pool, 0);
  taking_pending = false;
}

struct OnePerThreadTag;
U64& one_per_thread() { return memory<U64, OnePerThreadTag>(); }

struct PendingTag;
std::map<U64, unsigned>& pending() { return memory<std::map<U64, unsigned>, PendingTag>(); }  // frees, by stream

constexpr Replacement faults[] = {
    {Fault::allocating_stream_label,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         return free_under(c, address, stream, block ? block->stream : stream);
       };
     }},
    {Fault::last_user_label,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         return free_under(c, address, stream, block ? block->used_by : stream);
       };
     }},
    {Fault::plain_over_pending,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         if (!block || block->pool != 0) return noted().free_async(c, address, stream);
         const Status submitted = engine().free_async(c, 0, stream);
         return submitted == STREAMPOOL_OK ? noted().free_sync(c, address) : submitted;
       };
     }},
    {Fault::switches_stored_only,
     [](streampool_runtime& t) {
       t.attribute_get = get_stored;
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         if (store(c, pool, attribute, value, width)) return STREAMPOOL_OK;
         return engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::switches_swapped,
     [](streampool_runtime& t) {
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         return engine().attribute_get(c, pool, swapped(attribute), value, width);
       };
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         return engine().attribute_set(c, pool, swapped(attribute), value, width);
       };
     }},
    {Fault::switches_of_newest_pool,
     [](streampool_runtime& t) {
       t.attribute_get = get_own;
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         if (!store(c, pool, attribute, value, width)) {
           return engine().attribute_set(c, pool, attribute, value, width);
         }
         rule_all(c);
         return STREAMPOOL_OK;
       };
       t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
         const Status status = noted().pool_create(c, device, max_size, out);
         rule_all(c);
         return status;
       };
     }},
    {Fault::plain_steals_pending,
     [](streampool_runtime& t) {
       t.plain_malloc = [](U64 c, std::uint32_t device, U64* out, U64 bytes) -> Status {
         const Status status = noted().plain_malloc(c, device, out, bytes);
         if (status != STREAMPOOL_OUT_OF_MEMORY) return status;
         give_back_pending(c, ledger().pools());
         return noted().plain_malloc(c, device, out, bytes);
       };
     }},
    {Fault::destroy_takes_pending,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         if (pool != default_pool(c)) give_back_pending(c, {pool});
         return noted().pool_destroy(c, pool);
       };
     }},
    {Fault::per_thread_is_one_stream,
     [](streampool_runtime& t) {
       t.stream_default = [](U64 c, std::uint32_t device, std::uint32_t kind, U64* out) -> Status {
         const Status status = engine().stream_default(c, device, kind, out);
         if (status != STREAMPOOL_OK || kind != STREAMPOOL_DEFAULT_PER_THREAD) return status;
         if (one_per_thread() == 0) one_per_thread() = *out;
         return *out = one_per_thread(), STREAMPOOL_OK;
       };
     }},
    {Fault::pending_table_of_64,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         if (!busy(c, stream)) pending().erase(stream);
         if (pending()[stream]++ < 64) return noted().free_async(c, address, stream);
         const Status submitted = engine().free_async(c, 0, stream);
         return submitted == STREAMPOOL_OK ? noted().free_sync(c, address) : submitted;
       };
     }},
};

}  // namespace

std::span<const Replacement> reuse_faults() { return faults; }

}  // namespace streampool::mutants
