// Faults of failures: what they leave behind, and what they say of themselves.
#include <atomic>

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
};

}  // namespace

std::span<const Replacement> capacity_faults() { return faults; }

}  // namespace streampool::mutants
