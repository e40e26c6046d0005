// Faults that show only where calls overlap.
#include <atomic>
#include <cstring>
#include <thread>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

// Long enough for a call of another thread to get in between.
void give_way() {
  for (int i = 0; i < 2000; ++i) std::this_thread::yield();
}

// What all pools use, counted without a lock: read, then written.
std::atomic<U64> counted{0};
void add(U64 bytes) {
  const U64 before = counted.load();
  give_way();
  counted.store(before + bytes);
}
struct CountedTag;
bool& counting() { return memory<bool, CountedTag>(); }

std::atomic<int> freeing{0};

constexpr Replacement faults[] = {
    {Fault::statistics_unlocked,
     [](streampool_runtime& t) {
       counted = 0;
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         counting() = true;
         if (status == STREAMPOOL_OK) add(bytes);
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_async(c, address, stream);
         if (status == STREAMPOOL_OK && block) add(~block->bytes + 1);
         return status;
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         const bool alone = ledger().pools().size() == 1;
         if (status != STREAMPOOL_OK || attribute != STREAMPOOL_USED_MEM_CURRENT || !alone || !counting())
           return status;
         const U64 number = counted.load();
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
