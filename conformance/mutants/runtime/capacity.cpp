// Faults of failures: what they leave behind, and what they say of themselves.
#include <algorithm>
#include <atomic>
#include <map>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

struct FaultState {
  bool armed = false, stuck = false;
};
struct FaultTag;
FaultState& injected() { return memory<FaultState, FaultTag>(); }

// A free of plain memory whose pages are lost: `free` is made, and as much is taken again.
template <class Free>
Status losing_free(U64 c, U64 address, Free free) {
  const auto block = ledger().at(address);
  const Status status = free();
  if (status == STREAMPOOL_OK && block && block->pool == 0) lose_memory(c, block->bytes);
  return status;
}

// The newest failure of any thread, noted where its code is read: the kit reads it behind every failing call.
std::atomic<std::int64_t> newest_code{0};
thread_local std::int64_t own_code = 0;

// Pools with a maximum size, and what waits in each for a device synchronisation, in bytes.
struct LimitsTag;
std::map<U64, U64>& limits() { return memory<std::map<U64, U64>, LimitsTag>(); }
struct UnsettledTag;
std::map<U64, U64>& unsettled() { return memory<std::map<U64, U64>, UnsettledTag>(); }
Status note_limit(U64 c, std::uint32_t device, U64 max_size, U64* out) {
  const Status status = noted().pool_create(c, device, max_size, out);
  if (status == STREAMPOOL_OK && max_size != 0) limits()[*out] = max_size;
  return status;
}
U64 used_of(U64 c, U64 pool) { return reading(c, pool, STREAMPOOL_USED_MEM_CURRENT); }
// Is there not room for so many bytes, with `beside` taken?
bool too_much(U64 pool, U64 bytes, U64 beside) {
  const auto limit = limits().find(pool);
  return limit != limits().end() && beside + bytes > limit->second;
}

constexpr U64 cut(U64 bytes) {
  constexpr U64 low = 0xffffffff;
  return bytes <= low || bytes > ~U64{0} - low ? bytes : std::max<U64>(bytes & low, 256);
}

constexpr Replacement faults[] = {
    {Fault::output_garbage_on_failure,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OUT_OF_MEMORY) *out = 0xdead0000;
         return status;
       };
     }},
    {Fault::failed_malloc_leaks,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         U64 leaked = 0;
         if (status == STREAMPOOL_OUT_OF_MEMORY) engine().plain_malloc(c, 0, &leaked, granule(c));
         return status;
       };
     }},
    {Fault::failed_free_frees,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Status status = noted().free_async(c, address, stream);
         if (status == STREAMPOOL_OUT_OF_MEMORY) noted().free_sync(c, address);
         return status;
       };
     }},
    {Fault::plain_memory_leaks,
     [](streampool_runtime& t) {
       t.plain_free = [](U64 c, U64 address) -> Status {
         return losing_free(c, address, [&] { return noted().plain_free(c, address); });
       };
       t.free_sync = [](U64 c, U64 address) -> Status {
         return losing_free(c, address, [&] { return noted().free_sync(c, address); });
       };
     }},
    {Fault::last_error_of_all_threads,
     [](streampool_runtime& t) {
       t.last_error = [](U64 c, std::int64_t* code, char* text, std::size_t capacity) -> Status {
         const Status status = engine().last_error(c, code, text, capacity);
         if (code == nullptr) return status;
         if (own_code != *code) newest_code = own_code = *code;
         *code = newest_code;
         return status;
       };
     }},
    {Fault::fault_sticks,
     [](streampool_runtime& t) {
       t.fail_next = [](U64 c, std::uint32_t kind, U64 nth) -> Status {
         injected().armed = nth != 0 && kind != STREAMPOOL_FAIL_SUBMIT;
         return engine().fail_next(c, kind, nth);
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         if (injected().stuck) return *out = 0, STREAMPOOL_OUT_OF_MEMORY;
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         injected().stuck = injected().armed && status == STREAMPOOL_OUT_OF_MEMORY;
         return status;
       };
     }},
    {Fault::error_code_lost,
     [](streampool_runtime& t) {
       t.last_error = [](U64 c, std::int64_t* code, char* text, std::size_t capacity) -> Status {
         const Status status = engine().last_error(c, code, text, capacity);
         if (code != nullptr) *code = 0;
         return status;
       };
     }},
    {Fault::limits_shared,
     [](streampool_runtime& t) {
       t.pool_create = note_limit;
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         U64 all = 0;
         for (const auto& [other, limit] : limits()) all += used_of(c, other);
         if (too_much(pool, bytes, all)) return *out = 0, STREAMPOOL_OUT_OF_MEMORY;
         return noted().malloc_from_pool(c, out, bytes, pool, stream);
       };
     }},
    {Fault::only_device_sync_settles,
     [](streampool_runtime& t) {
       t.pool_create = note_limit;
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_async(c, address, stream);
         if (status == STREAMPOOL_OK && block) unsettled()[block->pool] += block->bytes;
         return status;
       };
       t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
         unsettled().clear();
         return engine().device_synchronize(c, device);
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         if (too_much(pool, bytes, used_of(c, pool) + unsettled()[pool])) return *out = 0, STREAMPOOL_OUT_OF_MEMORY;
         return noted().malloc_from_pool(c, out, bytes, pool, stream);
       };
     }},
    {Fault::size_cut_to_32_bits,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         return noted().malloc_from_pool(c, out, cut(bytes), pool, stream);
       };
     }},
    {Fault::one_code_for_everything,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         return status == STREAMPOOL_OUT_OF_MEMORY ? STREAMPOOL_INTERNAL : status;
       };
     }},
    {Fault::failed_record_records,
     [](streampool_runtime& t) {
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         const Status status = engine().event_record(c, event, stream);
         if (status == STREAMPOOL_OUT_OF_MEMORY) engine().event_record(c, event, stream);
         return status;
       };
     }},
};

}  // namespace

std::span<const Replacement> capacity_faults() { return faults; }

}  // namespace streampool::mutants
