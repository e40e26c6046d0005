// Faults of what malloc hands out and free takes back.
#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

constexpr U64 unit = 256;

// `answer(context, address, status)` replaces the answer to a free that was refused as an invalid value.
using Answer = Status (*)(U64 context, U64 address);
template <Answer answer>
void install_on_refused_frees(streampool_runtime& t) {
  t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
    const Status status = noted().free_async(c, address, stream);
    return status == STREAMPOOL_INVALID_VALUE ? answer(c, address) : status;
  };
  t.free_sync = [](U64 c, U64 address) -> Status {
    const Status status = noted().free_sync(c, address);
    return status == STREAMPOOL_INVALID_VALUE ? answer(c, address) : status;
  };
  t.plain_free = [](U64 c, U64 address) -> Status {
    const Status status = noted().plain_free(c, address);
    return status == STREAMPOOL_INVALID_VALUE ? answer(c, address) : status;
  };
}

Status accept_double(U64, U64 address) {
  return ledger().was_freed(address) ? STREAMPOOL_OK : STREAMPOOL_INVALID_VALUE;
}
Status free_whole(U64 c, U64 address) {
  const auto block = ledger().containing(address);
  return block ? noted().free_sync(c, block->address) : STREAMPOOL_INVALID_VALUE;
}
Status accept_foreign(U64, U64 address) {
  const bool foreign = !ledger().was_freed(address) && !ledger().containing(address);
  return foreign ? STREAMPOOL_OK : STREAMPOOL_INVALID_VALUE;
}

struct ShiftedTag;
std::set<U64>& shifted() { return memory<std::set<U64>, ShiftedTag>(); }
constexpr U64 shift = 16;
U64 original(U64 address) { return shifted().contains(address) ? address - shift : address; }

struct HalfUnitTag;
std::set<U64>& at_half_a_unit() { return memory<std::set<U64>, HalfUnitTag>(); }
U64 whole_unit(U64 address) { return at_half_a_unit().contains(address) ? address - unit / 2 : address; }

constexpr Replacement faults[] = {
    {Fault::ranges_overlap,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         return noted().malloc_from_pool(c, out, bytes > unit ? bytes / 2 : bytes, pool, stream);
       };
     }},
    {Fault::misaligned,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK && bytes != 0 && bytes <= unit - shift) shifted().insert(*out += shift);
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         return noted().free_async(c, original(address), stream);
       };
       t.free_sync = [](U64 c, U64 address) -> Status { return noted().free_sync(c, original(address)); };
     }},
    {Fault::size_wraps,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const bool wraps = bytes > ~U64{0} - unit;
         return noted().malloc_from_pool(c, out, wraps ? unit : bytes, pool, stream);
       };
     }},
    {Fault::null_is_success,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         return status == STREAMPOOL_OUT_OF_MEMORY ? (*out = 0, STREAMPOOL_OK) : status;
       };
     }},
    {Fault::double_free_accepted, install_on_refused_frees<accept_double>},
    {Fault::interior_frees, install_on_refused_frees<free_whole>},
    {Fault::foreign_pointer_accepted, install_on_refused_frees<accept_foreign>},
    {Fault::free_null_refused,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         return address == 0 ? STREAMPOOL_INVALID_VALUE : noted().free_async(c, address, stream);
       };
     }},
    {Fault::size_zero_refused,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         if (bytes != 0 || out == nullptr) return noted().malloc_from_pool(c, out, bytes, pool, stream);
         return *out = 0, STREAMPOOL_INVALID_VALUE;
       };
     }},
    {Fault::pool_memory_not_tracked,
     [](streampool_runtime& t) {
       t.plain_free = [](U64 c, U64 address) -> Status {
         const auto block = ledger().at(address);
         return block && block->pool != 0 ? STREAMPOOL_INVALID_VALUE : noted().plain_free(c, address);
       };
     }},
    {Fault::foreign_stream_free_refused,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const bool foreign = block && block->pool != 0 && block->stream != stream && ledger().stream_lives(stream);
         return foreign ? STREAMPOOL_INVALID_VALUE : noted().free_async(c, address, stream);
       };
     }},
    {Fault::blocks_die_with_stream,
     [](streampool_runtime& t) {
       t.stream_destroy = [](U64 c, U64 stream) -> Status {
         const Status status = noted().stream_destroy(c, stream);
         if (status != STREAMPOOL_OK) return status;
         for (const Block& block : ledger().live()) {
           if (block.stream == stream) noted().free_sync(c, block.address);
         }
         return status;
       };
     }},
    {Fault::shortage_is_invalid_value,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         return status == STREAMPOOL_OUT_OF_MEMORY ? STREAMPOOL_INVALID_VALUE : status;
       };
     }},
    {Fault::failed_map_is_an_address,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status != STREAMPOOL_OUT_OF_MEMORY || out == nullptr) return status;
         constexpr U64 page = 4096;  // -1, as a mapping that failed returns it, cut to a page
         return *out = ~(page - 1), STREAMPOOL_OK;
       };
     }},
    {Fault::free_sync_refuses_pools,
     [](streampool_runtime& t) {
       t.free_sync = [](U64 c, U64 address) -> Status {
         const auto block = ledger().at(address);
         return block && block->pool != 0 ? STREAMPOOL_NOT_PERMITTED : noted().free_sync(c, address);
       };
     }},
    {Fault::odd_end_not_rounded_up,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         return noted().malloc_from_pool(c, out, bytes > unit ? bytes / unit * unit : bytes, pool, stream);
       };
     }},
    {Fault::aligned_to_half_a_unit,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const bool odd = bytes > unit && bytes % unit != 0 && bytes % unit <= unit / 2;
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK && odd) at_half_a_unit().insert(*out += unit / 2);
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         return noted().free_async(c, whole_unit(address), stream);
       };
       t.free_sync = [](U64 c, U64 address) -> Status { return noted().free_sync(c, whole_unit(address)); };
     }},
    {Fault::pointer_written_late,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const bool pending = busy(c, stream);
         U64 address = 0;
         const Status status = noted().malloc_from_pool(c, &address, bytes, pool, stream);
         if (!pending || status != STREAMPOOL_OK) *out = address;
         return status;
       };
     }},
};

}  // namespace

std::span<const Replacement> allocation_faults() { return faults; }

}  // namespace streampool::mutants
