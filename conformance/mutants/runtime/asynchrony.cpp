// Faults of calls that must not wait, and do.
#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

constexpr Replacement faults[] = {
    {Fault::free_waits_for_earlier_free,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         if (ledger().was_freed(address)) engine().stream_synchronize(c, stream);
         return noted().free_async(c, address, stream);
       };
     }},
    {Fault::malloc_waits,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         engine().stream_synchronize(c, stream);
         return noted().malloc_from_pool(c, out, bytes, pool, stream);
       };
     }},
    {Fault::record_waits,
     [](streampool_runtime& t) {
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         engine().stream_synchronize(c, stream);
         return engine().event_record(c, event, stream);
       };
     }},
    {Fault::set_waits,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         engine().device_synchronize(c, 0);
         return engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::trim_waits,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         engine().device_synchronize(c, 0);
         return engine().pool_trim(c, pool, keep);
       };
     }},
    {Fault::destroy_waits,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         engine().device_synchronize(c, 0);
         return noted().pool_destroy(c, pool);
       };
     }},
    {Fault::free_of_plain_waits,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         if (block && block->pool == 0) engine().device_synchronize(c, 0);
         return noted().free_async(c, address, stream);
       };
     }},
    {Fault::growth_waits,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const U64 before = reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT);
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT) > before) engine().device_synchronize(c, 0);
         return status;
       };
     }},
    {Fault::short_malloc_waits,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status != STREAMPOOL_OUT_OF_MEMORY) return status;
         engine().device_synchronize(c, 0);
         return noted().malloc_from_pool(c, out, bytes, pool, stream);
       };
     }},
    {Fault::wait_event_waits,
     [](streampool_runtime& t) {
       t.stream_wait_event = [](U64 c, U64 stream, U64 event) -> Status {
         engine().event_synchronize(c, event);
         return engine().stream_wait_event(c, stream, event);
       };
     }},
    {Fault::get_waits,
     [](streampool_runtime& t) {
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         if (attribute >= STREAMPOOL_RESERVED_MEM_CURRENT) engine().device_synchronize(c, 0);
         return engine().attribute_get(c, pool, attribute, value, width);
       };
     }},
};

}  // namespace

std::span<const Replacement> asynchrony_faults() { return faults; }

}  // namespace streampool::mutants
