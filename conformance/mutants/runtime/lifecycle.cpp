// Faults of destruction, dead handles, the default and the current pool.
#include <algorithm>
#include <cstdlib>
#include <latch>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "conformance/mutants/runtime/guard.hpp"
#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

struct DestroyedTag;
std::set<U64>& destroyed() { return memory<std::set<U64>, DestroyedTag>(); }

struct DanglingTag;
U64& dangling() { return memory<U64, DanglingTag>(); }

struct DeadPoolsTag;
std::vector<U64>& dead_pools() { return memory<std::vector<U64>, DeadPoolsTag>(); }
bool is_dead_pool(U64 pool) { return std::ranges::count(dead_pools(), pool) != 0; }

struct NewestEventTag;
U64& newest_event() { return memory<U64, NewestEventTag>(); }

bool pool_lives(U64 c, U64 pool) {
  U64 value = 0;
  return engine().attribute_get(c, pool, STREAMPOOL_RELEASE_THRESHOLD, &value, sizeof value) == STREAMPOOL_OK;
}
U64 current_pool(U64 c) {
  U64 pool = 0;
  engine().pool_get_current(c, 0, &pool);
  return pool;
}

// Pools that were destroyed with live blocks: what they had reserved then.
struct OrphansTag;
std::map<U64, U64>& orphans() { return memory<std::map<U64, U64>, OrphansTag>(); }

// Destroyed pools that are handed out again; `renew` makes of the old one what else is new.
Status keep_dead_pool(U64 c, U64 pool) {
  if (is_dead_pool(pool)) return STREAMPOOL_INVALID_HANDLE;
  const bool idle = pool_lives(c, pool) && pool != current_pool(c) && ledger().live_of(pool).empty();
  if (!idle) return noted().pool_destroy(c, pool);
  engine().pool_trim(c, pool, 0);
  dead_pools().push_back(pool);
  return STREAMPOOL_OK;
}
using Renew = void (*)(U64 context, U64 pool);
template <Renew renew>
void recycle_pools(streampool_runtime& t) {
  t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
    if (dead_pools().empty() || max_size != 0 || out == nullptr) return noted().pool_create(c, device, max_size, out);
    *out = dead_pools().back();
    dead_pools().pop_back();
    renew(c, *out);
    return STREAMPOOL_OK;
  };
  t.pool_destroy = keep_dead_pool;
  t.pool_set_current = Guarded<&streampool_runtime::pool_set_current, 2, is_dead_pool>::call;
  t.pool_trim = Guarded<&streampool_runtime::pool_trim, 1, is_dead_pool>::call;
  t.attribute_get = Guarded<&streampool_runtime::attribute_get, 1, is_dead_pool>::call;
  t.attribute_set = Guarded<&streampool_runtime::attribute_set, 1, is_dead_pool>::call;
  t.malloc_from_pool = Guarded<&streampool_runtime::malloc_from_pool, 3, is_dead_pool>::call;
}
void nothing_new(U64, U64) {}
void new_settings(U64 c, U64 pool) {
  const std::int32_t on = 1;
  const U64 none = 0;
  for (std::int32_t id = 1; id <= 3; ++id) engine().attribute_set(c, pool, id, &on, sizeof on);
  engine().attribute_set(c, pool, STREAMPOOL_RELEASE_THRESHOLD, &none, sizeof none);
}
struct WasCurrentTag;
U64& was_current() { return memory<U64, WasCurrentTag>(); }  // a dead pool
void new_settings_and_place(U64 c, U64 pool) {
  new_settings(c, pool);
  const U64 none = 0;
  for (const std::int32_t high : {STREAMPOOL_RESERVED_MEM_HIGH, STREAMPOOL_USED_MEM_HIGH}) {
    engine().attribute_set(c, pool, high, &none, sizeof none);
  }
  if (was_current() == pool) engine().pool_set_current(c, 0, pool);
}

// The current pool as each thread has set it.
struct OwnCurrent {
  std::mutex mutex;
  std::map<std::thread::id, U64> pools;
};
OwnCurrent& own_current() {
  static OwnCurrent all;
  return all;
}
U64 current_of_thread(U64 c) {
  const std::lock_guard lock(own_current().mutex);
  const auto it = own_current().pools.find(std::this_thread::get_id());
  return it != own_current().pools.end() && pool_lives(c, it->second) ? it->second : default_pool(c);
}

// What a use of a destroyed pool does that nobody checks.
void crash_if_destroyed(U64, U64 pool) {
  if (destroyed().contains(pool)) std::abort();
}

struct EventTableTag;
std::vector<U64>& event_table() { return memory<std::vector<U64>, EventTableTag>(); }  // those that live

constexpr Replacement faults[] = {
    {Fault::destroyed_pool_leaks,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const U64 kept = ledger().live_of(pool).empty() ? reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT) : 0;
         const Status status = noted().pool_destroy(c, pool);
         if (status == STREAMPOOL_OK) lose_memory(c, kept);
         return status;
       };
     }},
    {Fault::orphan_memory_leaks,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const bool live = !ledger().live_of(pool).empty();
         const U64 reserved = reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT);
         const Status status = noted().pool_destroy(c, pool);
         if (status == STREAMPOOL_OK && live) orphans()[pool] = reserved;
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_async(c, address, stream);
         if (status != STREAMPOOL_OK || !block || !ledger().live_of(block->pool).empty()) return status;
         if (const auto it = orphans().find(block->pool); it != orphans().end()) {
           lose_memory(c, it->second);
           orphans().erase(it);
         }
         return status;
       };
     }},
    {Fault::destroy_frees_live,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         if (pool != default_pool(c)) {
           for (const Block& block : ledger().live_of(pool)) noted().free_sync(c, block.address);
         }
         return noted().pool_destroy(c, pool);
       };
     }},
    {Fault::destroy_refused_with_live,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const bool refused = pool_lives(c, pool) && !ledger().live_of(pool).empty();
         return refused ? STREAMPOOL_NOT_PERMITTED : noted().pool_destroy(c, pool);
       };
     }},
    {Fault::second_destroy_accepted,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         if (destroyed().contains(pool)) return STREAMPOOL_OK;
         const Status status = noted().pool_destroy(c, pool);
         if (status == STREAMPOOL_OK) destroyed().insert(pool);
         return status;
       };
     }},
    {Fault::dead_pool_serves,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         if (pool == default_pool(c) || !pool_lives(c, pool)) return noted().pool_destroy(c, pool);
         return destroyed().insert(pool).second ? STREAMPOOL_OK : STREAMPOOL_INVALID_HANDLE;
       };
     }},
    {Fault::default_pool_destroyed,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         return pool == default_pool(c) ? STREAMPOOL_OK : noted().pool_destroy(c, pool);
       };
     }},
    {Fault::current_dangles,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const bool current = pool == current_pool(c);
         const Status status = noted().pool_destroy(c, pool);
         if (current && status == STREAMPOOL_OK) dangling() = pool;
         return status;
       };
       t.pool_set_current = [](U64 c, std::uint32_t device, U64 pool) -> Status {
         dangling() = 0;
         return engine().pool_set_current(c, device, pool);
       };
       t.pool_get_current = [](U64 c, std::uint32_t device, U64* out) -> Status {
         const Status status = engine().pool_get_current(c, device, out);
         if (status == STREAMPOOL_OK && dangling() != 0) *out = dangling();
         return status;
       };
     }},
    {Fault::current_is_default,
     [](streampool_runtime& t) {
       t.malloc_current = [](U64 c, U64* out, U64 bytes, U64 stream) -> Status {
         return noted().malloc_from_pool(c, out, bytes, default_pool(c), stream);
       };
     }},
    {Fault::set_current_ignored,
     [](streampool_runtime& t) {
       t.pool_set_current = [](U64 c, std::uint32_t device, U64 pool) -> Status {
         return pool_lives(c, pool) ? STREAMPOOL_OK : engine().pool_set_current(c, device, pool);
       };
     }},
    {Fault::dead_stream_free_lost,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Status status = noted().free_async(c, address, stream);
         return status == STREAMPOOL_INVALID_HANDLE ? STREAMPOOL_OK : status;
       };
     }},
    {Fault::dead_stream_free_frees,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Status status = noted().free_async(c, address, stream);
         if (status == STREAMPOOL_INVALID_HANDLE) noted().free_sync(c, address);
         return status;
       };
     }},
    {Fault::dead_stream_goes_on,
     [](streampool_runtime& t) {
       t.stream_destroy = [](U64, U64 stream) -> Status {
         return ledger().stream_lives(stream) ? STREAMPOOL_OK : STREAMPOOL_INVALID_HANDLE;
       };
     }},
    {Fault::dead_event_goes_on,
     [](streampool_runtime& t) { t.event_destroy = [](U64, U64) -> Status { return STREAMPOOL_OK; }; }},
    {Fault::recycled_pool_keeps_settings, recycle_pools<nothing_new>},
    {Fault::recycled_pool_keeps_watermark, recycle_pools<new_settings>},
    {Fault::recycled_pool_is_current,
     [](streampool_runtime& t) {
       recycle_pools<new_settings_and_place>(t);
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const bool current = pool_lives(c, pool) && pool == current_pool(c);
         if (current) engine().pool_set_current(c, 0, default_pool(c));
         const Status status = keep_dead_pool(c, pool);
         if (current && is_dead_pool(pool)) was_current() = pool;
         return status;
       };
     }},
    {Fault::third_stream_refused,
     [](streampool_runtime& t) {
       t.stream_create = [](U64 c, std::uint32_t device, std::uint32_t kind, U64* out) -> Status {
         const bool enough = ledger().streams().size() >= 2;
         return enough ? STREAMPOOL_NOT_PERMITTED : noted().stream_create(c, device, kind, out);
       };
     }},
    {Fault::event_handles_repeat,
     [](streampool_runtime& t) {
       t.event_create = [](U64 c, std::uint32_t device, U64* out) -> Status {
         if (out != nullptr && newest_event() != 0) return *out = newest_event(), STREAMPOOL_OK;
         const Status status = engine().event_create(c, device, out);
         if (status == STREAMPOOL_OK) newest_event() = *out;
         return status;
       };
       t.event_destroy = [](U64 c, U64 event) -> Status {
         if (event == newest_event()) newest_event() = 0;
         return engine().event_destroy(c, event);
       };
     }},
    {Fault::busy_stream_not_destroyed,
     [](streampool_runtime& t) {
       t.stream_destroy = [](U64 c, U64 stream) -> Status {
         const bool busy = engine().stream_query(c, stream) == STREAMPOOL_NOT_READY;
         return busy ? STREAMPOOL_NOT_PERMITTED : noted().stream_destroy(c, stream);
       };
     }},
    {Fault::busy_event_not_destroyed,
     [](streampool_runtime& t) {
       t.event_destroy = [](U64 c, U64 event) -> Status {
         const bool busy = engine().event_query(c, event) == STREAMPOOL_NOT_READY;
         return busy ? STREAMPOOL_NOT_PERMITTED : engine().event_destroy(c, event);
       };
     }},
    {Fault::pool_with_reserve_not_destroyed,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const bool reserves = pool != default_pool(c) && ledger().live_of(pool).empty() &&
                               reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT) != 0;
         return reserves ? STREAMPOOL_NOT_PERMITTED : noted().pool_destroy(c, pool);
       };
     }},
    {Fault::default_follows_current,
     [](streampool_runtime& t) {
       t.pool_default = [](U64 c, std::uint32_t device, U64* out) -> Status {
         return engine().pool_get_current(c, device, out);
       };
     }},
    {Fault::current_starts_apart,
     [](streampool_runtime& t) {
       t.pool_get_current = [](U64 c, std::uint32_t device, U64* out) -> Status {
         const Status status = engine().pool_get_current(c, device, out);
         if (status != STREAMPOOL_OK || *out != default_pool(c)) return status;
         return noted().pool_create(c, device, 0, out);
       };
     }},
    {Fault::dead_pool_crashes,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         crash_if_destroyed(c, pool);
         const Status status = noted().pool_destroy(c, pool);
         if (status == STREAMPOOL_OK) destroyed().insert(pool);
         return status;
       };
       t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
         const Status status = noted().pool_create(c, device, max_size, out);
         if (status == STREAMPOOL_OK) destroyed().erase(*out);
         return status;
       };
       t.pool_trim = Preceded<&streampool_runtime::pool_trim, 1, crash_if_destroyed>::call;
       t.attribute_get = Preceded<&streampool_runtime::attribute_get, 1, crash_if_destroyed>::call;
       t.malloc_from_pool = Preceded<&streampool_runtime::malloc_from_pool, 3, crash_if_destroyed>::call;
     }},
    {Fault::foreign_free_hangs,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Status status = noted().free_async(c, address, stream);
         const bool foreign = !ledger().was_freed(address) && !ledger().containing(address);
         if (status == STREAMPOOL_INVALID_VALUE && foreign) std::latch(1).wait();  // nobody counts it down
         return status;
       };
     }},
    {Fault::current_of_each_thread,
     [](streampool_runtime& t) {
       own_current().pools.clear();
       t.pool_set_current = [](U64 c, std::uint32_t device, U64 pool) -> Status {
         const Status status = engine().pool_set_current(c, device, pool);
         const std::lock_guard lock(own_current().mutex);
         if (status == STREAMPOOL_OK) own_current().pools[std::this_thread::get_id()] = pool;
         return status;
       };
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const Status status = noted().pool_destroy(c, pool);
         const std::lock_guard lock(own_current().mutex);
         if (status == STREAMPOOL_OK)
           std::erase_if(own_current().pools, [&](const auto& own) { return own.second == pool; });
         return status;
       };
       t.pool_get_current = [](U64 c, std::uint32_t, U64* out) -> Status {
         return *out = current_of_thread(c), STREAMPOOL_OK;
       };
       t.malloc_current = [](U64 c, U64* out, U64 bytes, U64 stream) -> Status {
         return noted().malloc_from_pool(c, out, bytes, current_of_thread(c), stream);
       };
     }},
    {Fault::event_table_of_64,
     [](streampool_runtime& t) {
       t.event_create = [](U64 c, std::uint32_t device, U64* out) -> Status {
         if (event_table().size() == 64 && out != nullptr) return *out = event_table().front(), STREAMPOOL_OK;
         const Status status = engine().event_create(c, device, out);
         if (status == STREAMPOOL_OK) event_table().push_back(*out);
         return status;
       };
       t.event_destroy = [](U64 c, U64 event) -> Status {
         std::erase(event_table(), event);
         return engine().event_destroy(c, event);
       };
     }},
};

}  // namespace

std::span<const Replacement> lifecycle_faults() { return faults; }

}  // namespace streampool::mutants
