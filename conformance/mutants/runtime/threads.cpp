// Faults that show only where calls overlap.
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

// Long enough for a call of another thread to get in between.
void give_way() {
  for (int i = 0; i < 2000; ++i) std::this_thread::yield();
}

// What each pool uses, counted without a lock: read, then written.
struct Counters {
  std::mutex mutex;  // of the map alone
  std::map<U64, std::atomic<U64>> used;
};
Counters& counters() {
  static Counters all;
  return all;
}
std::atomic<U64>& used_of(U64 pool) {
  const std::lock_guard lock(counters().mutex);
  return counters().used[pool];
}
void add(U64 pool, U64 bytes) {
  std::atomic<U64>& used = used_of(pool);
  const U64 before = used.load();
  give_way();
  used.store(before + bytes);
}
// Runs a free and counts it.
template <class Free>
Status counted_free(U64 address, Free free) {
  const auto block = ledger().at(address);
  const Status status = free();
  if (status == STREAMPOOL_OK && block) add(block->pool, ~block->bytes + 1);
  return status;
}

std::atomic<int> freeing{0};

constexpr Replacement faults[] = {
    {Fault::statistics_unlocked,
     [](streampool_runtime& t) {
       counters().used.clear();
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK) add(pool, bytes);
         return status;
       };
       t.malloc_current = [](U64 c, U64* out, U64 bytes, U64 stream) -> Status {
         const Status status = noted().malloc_current(c, out, bytes, stream);
         if (const auto block = ledger().at(*out); status == STREAMPOOL_OK && block) add(block->pool, bytes);
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         return counted_free(address, [&] { return noted().free_async(c, address, stream); });
       };
       t.free_sync = [](U64 c, U64 address) -> Status {
         return counted_free(address, [&] { return noted().free_sync(c, address); });
       };
       t.plain_free = [](U64 c, U64 address) -> Status {
         return counted_free(address, [&] { return noted().plain_free(c, address); });
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         if (status != STREAMPOOL_OK || attribute != STREAMPOOL_USED_MEM_CURRENT) return status;
         const U64 number = used_of(pool).load();
         std::memcpy(value, &number, sizeof number);
         return status;
       };
     }},
    {Fault::overlapping_free_lost,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const bool alone = freeing.fetch_add(1) == 0;
         give_way();
         const Status status = alone ? noted().free_async(c, address, stream) : STREAMPOOL_OK;
         freeing.fetch_sub(1);
         return status;
       };
     }},
};

}  // namespace

std::span<const Replacement> thread_faults() { return faults; }

}  // namespace streampool::mutants
