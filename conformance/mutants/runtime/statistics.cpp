// Faults of statistics: readings that are not what they should be, and memory that moves at the wrong call.
#include <algorithm>
#include <cstring>
#include <utility>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

constexpr std::int32_t reserved = STREAMPOOL_RESERVED_MEM_CURRENT, reserved_high = STREAMPOOL_RESERVED_MEM_HIGH;
constexpr std::int32_t used = STREAMPOOL_USED_MEM_CURRENT, used_high = STREAMPOOL_USED_MEM_HIGH;

// Replaces the reading of one statistic; `change(context, pool, value)` gives what is answered.
using Change = U64 (*)(U64 context, U64 pool, U64 value);
template <std::int32_t statistic, Change change>
void install_reading(streampool_runtime& t) {
  t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
    const Status status = engine().attribute_get(c, pool, attribute, value, width);
    if (status != STREAMPOOL_OK || attribute != statistic) return status;
    U64 number = 0;
    std::memcpy(&number, value, sizeof number);
    number = change(c, pool, number);
    std::memcpy(value, &number, sizeof number);
    return status;
  };
}

// Bytes that a pool's reading is too high by (or too low, as a negative number).
struct ErrorTag;
std::map<U64, U64>& error() { return memory<std::map<U64, U64>, ErrorTag>(); }
U64 with_error(U64, U64 pool, U64 value) { return value + error()[pool]; }

struct LimitedTag;
std::set<U64>& limited() { return memory<std::set<U64>, LimitedTag>(); }  // pools with a maximum size

void forget_errors() { error().clear(); }
template <class Call>
Status clearing(Call call) {
  const Status status = call();
  forget_errors();
  return status;
}

U64 first_granule(U64 c, U64, U64 value) { return std::min(value, granule(c)); }
U64 and_more(U64 c, U64, U64 value) { return value + 64 * granule(c); }
template <std::int32_t statistic>
U64 sum(U64 c, U64 pool, U64 value) {
  for (const U64 other : ledger().pools()) {
    if (other != pool) value += reading(c, other, statistic);
  }
  return value;
}
template <std::int32_t statistic>
U64 current(U64 c, U64 pool, U64) {
  return reading(c, pool, statistic);
}
U64 sampled(U64 c, U64 pool, U64) { return error()[pool] = std::max(error()[pool], reading(c, pool, used)); }
U64 zero(U64, U64, U64) { return 0; }
U64 in_units(U64 c, U64 pool, U64) { return (reading(c, pool, used) + 255) / 256 * 256; }

void trim_all(U64 c) {
  run_ready_items(c);
  for (const U64 pool : ledger().pools()) engine().pool_trim(c, pool, 0);
}

// Clears the errors of readings at every synchronisation.
void clear_at_synchronisations(streampool_runtime& t) {
  t.stream_synchronize = [](U64 c, U64 s) { return clearing([&] { return engine().stream_synchronize(c, s); }); };
  t.event_synchronize = [](U64 c, U64 e) { return clearing([&] { return engine().event_synchronize(c, e); }); };
  t.device_synchronize = [](U64 c, std::uint32_t d) {
    return clearing([&] { return engine().device_synchronize(c, d); });
  };
}

struct SizesTag;
std::map<U64, U64>& old_sizes() { return memory<std::map<U64, U64>, SizesTag>(); }  // of freed blocks, by address
struct SurplusTag;
std::map<U64, U64>& surplus() { return memory<std::map<U64, U64>, SurplusTag>(); }  // what a block counts too much
struct DebtTag;
std::map<U64, U64>& debt() { return memory<std::map<U64, U64>, DebtTag>(); }  // by pool
struct ArmedTag;
bool& submit_armed() { return memory<bool, ArmedTag>(); }

constexpr Replacement faults[] = {
    {Fault::used_drops_late,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_async(c, address, stream);
         if (status == STREAMPOOL_OK && block) error()[block->pool] += block->bytes;
         return status;
       };
       clear_at_synchronisations(t);
     }},
    {Fault::sync_free_not_counted,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.free_sync = [](U64 c, U64 address) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_sync(c, address);
         if (status == STREAMPOOL_OK && block) error()[block->pool] += block->bytes;
         return status;
       };
     }},
    {Fault::used_high_sampled, install_reading<used_high, sampled>},
    {Fault::used_high_falls, install_reading<used_high, current<used>>},
    {Fault::reserved_high_falls, install_reading<reserved_high, current<reserved>>},
    {Fault::reserved_high_frozen, install_reading<reserved_high, zero>},
    {Fault::reserved_counts_bytes, install_reading<reserved, in_units>},
    {Fault::used_of_all_pools, install_reading<used, sum<used>>},
    {Fault::reserved_of_all_pools, install_reading<reserved, sum<reserved>>},
    {Fault::free_releases,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Status status = noted().free_async(c, address, stream);
         trim_all(c);
         return status;
       };
     }},
    {Fault::query_releases,
     [](streampool_runtime& t) {
       t.stream_query = [](U64 c, U64 stream) -> Status {
         const Status status = engine().stream_query(c, stream);
         if (status == STREAMPOOL_OK) trim_all(c);
         return status;
       };
     }},
    {Fault::malloc_releases,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK) engine().pool_trim(c, pool, 0);
         return status;
       };
     }},
    {Fault::sync_reserves_ahead,
     [](streampool_runtime& t) {
       install_reading<reserved, with_error>(t);
       t.stream_synchronize = [](U64 c, U64 stream) -> Status {
         const Status status = engine().stream_synchronize(c, stream);
         for (const U64 pool : ledger().pools()) error()[pool] = granule(c);
         return status;
       };
     }},
    {Fault::failed_malloc_counts,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OUT_OF_MEMORY) error()[pool] += 256;
         return status;
       };
     }},
    {Fault::refused_free_counts,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Status status = noted().free_async(c, address, stream);
         if (status != STREAMPOOL_OK) {
           for (const U64 pool : ledger().pools()) error()[pool] -= std::min<U64>(reading(c, pool, used), 256);
         }
         return status;
       };
     }},
    {Fault::reserved_forgets_growth, [](streampool_runtime& t) { install_reading<reserved, first_granule>(t); }},
    {Fault::reserved_beyond_the_limit,
     [](streampool_runtime& t) {
       install_reading<reserved, with_error>(t);
       t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
         const Status status = noted().pool_create(c, device, max_size, out);
         if (status == STREAMPOOL_OK && max_size != 0) limited().insert(*out);
         return status;
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OUT_OF_MEMORY && limited().contains(pool)) error()[pool] = granule(c);
         return status;
       };
     }},
    {Fault::reserved_high_counts_ahead, [](streampool_runtime& t) { install_reading<reserved_high, and_more>(t); }},
    {Fault::used_rises_late,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const bool pending = busy(c, stream);
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK && pending) error()[pool] -= bytes;
         return status;
       };
       clear_at_synchronisations(t);
     }},
    {Fault::used_counts_whole_block,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status != STREAMPOOL_OK || bytes == 0) return status;
         const auto old = old_sizes().find(*out);
         const U64 more = old == old_sizes().end() || old->second <= bytes ? 0 : old->second - bytes;
         surplus()[*out] = more;
         error()[pool] += more;
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_async(c, address, stream);
         if (status != STREAMPOOL_OK || !block) return status;
         old_sizes()[address] = block->bytes;
         error()[block->pool] -= std::exchange(surplus()[address], 0);
         return status;
       };
     }},
    {Fault::sync_free_drifts_reserved,
     [](streampool_runtime& t) {
       install_reading<reserved, with_error>(t);
       t.free_sync = [](U64 c, U64 address) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_sync(c, address);
         if (status == STREAMPOOL_OK && block) debt()[block->pool] += (block->bytes + granule(c) - 1) / granule(c);
         return status;
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK) error()[pool] += std::exchange(debt()[pool], 0) * granule(c);
         return status;
       };
     }},
    {Fault::free_counts_for_newest_pool,
     [](streampool_runtime& t) {
       install_reading<used, with_error>(t);
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const Status status = noted().free_async(c, address, stream);
         const std::vector<U64> pools = ledger().pools();
         if (status != STREAMPOOL_OK || !block || pools.empty() || block->pool == pools.back()) return status;
         error()[block->pool] += block->bytes;
         error()[pools.back()] -= std::min(block->bytes, reading(c, pools.back(), used));
         return status;
       };
     }},
    {Fault::failed_submit_keeps_reserve,
     [](streampool_runtime& t) {
       install_reading<reserved, with_error>(t);
       t.fail_next = [](U64 c, std::uint32_t kind, U64 nth) -> Status {
         submit_armed() = kind == STREAMPOOL_FAIL_SUBMIT && nth != 0;
         return engine().fail_next(c, kind, nth);
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OUT_OF_MEMORY && std::exchange(submit_armed(), false)) error()[pool] += granule(c);
         return status;
       };
     }},
    {Fault::reading_resets_watermark,
     [](streampool_runtime& t) {
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         const U64 none = 0;
         if (status == STREAMPOOL_OK && attribute == used_high) engine().attribute_set(c, pool, used_high, &none, 8);
         return status;
       };
     }},
};

}  // namespace

std::span<const Replacement> statistics_faults() { return faults; }

}  // namespace streampool::mutants
