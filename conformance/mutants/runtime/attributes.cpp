// Faults of attributes: widths, ids, values, and what a set moves beside its own.
#include <cstring>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

constexpr bool is_switch(std::int32_t attribute) { return attribute >= 1 && attribute <= 3; }
constexpr bool is_current(std::int32_t attribute) { return attribute == 5 || attribute == 7; }
constexpr bool is_high(std::int32_t attribute) { return attribute == 6 || attribute == 8; }

Status set_switch(U64 c, U64 pool, std::int32_t attribute, std::int32_t value) {
  return engine().attribute_set(c, pool, attribute, &value, sizeof value);
}
Status set_wide(U64 c, U64 pool, std::int32_t attribute, U64 value) {
  return engine().attribute_set(c, pool, attribute, &value, sizeof value);
}
// The switch's value that is asked for, where it is neither 0 nor 1.
std::optional<std::int32_t> other_value(std::int32_t attribute, const void* value, std::size_t width) {
  std::int32_t number = 0;
  if (!is_switch(attribute) || value == nullptr || width < sizeof number) return std::nullopt;
  std::memcpy(&number, value, sizeof number);
  return number == 0 || number == 1 ? std::nullopt : std::optional(number);
}

struct ZeroedTag;
std::map<std::pair<U64, std::int32_t>, U64>& zeroed() {
  return memory<std::map<std::pair<U64, std::int32_t>, U64>, ZeroedTag>();
}

constexpr Replacement faults[] = {
    {Fault::switches_start_off,
     [](streampool_runtime& t) {
       t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
         const Status status = noted().pool_create(c, device, max_size, out);
         for (std::int32_t id = 1; status == STREAMPOOL_OK && id <= 3; ++id) set_switch(c, *out, id, 0);
         return status;
       };
     }},
    {Fault::threshold_starts_high,
     [](streampool_runtime& t) {
       t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
         const Status status = noted().pool_create(c, device, max_size, out);
         if (status == STREAMPOOL_OK) set_wide(c, *out, STREAMPOOL_RELEASE_THRESHOLD, ~U64{0});
         return status;
       };
     }},
    {Fault::threshold_keeps_32_bits,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         if (attribute != STREAMPOOL_RELEASE_THRESHOLD || value == nullptr || width < sizeof(U64)) {
           return engine().attribute_set(c, pool, attribute, value, width);
         }
         U64 number = 0;
         std::memcpy(&number, value, sizeof number);
         return set_wide(c, pool, attribute, number & 0xffffffff);
       };
     }},
    {Fault::switch_writes_eight_bytes,
     [](streampool_runtime& t) {
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         if (status != STREAMPOOL_OK || !is_switch(attribute) || width < sizeof(U64)) return status;
         std::int32_t number = 0;
         std::memcpy(&number, value, sizeof number);
         const U64 wide = static_cast<U64>(number);
         std::memcpy(value, &wide, sizeof wide);
         return status;
       };
     }},
    {Fault::counter_writes_four_bytes,
     [](streampool_runtime& t) {
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         if (attribute < 5 || attribute > 8 || value == nullptr) {
           return engine().attribute_get(c, pool, attribute, value, width);
         }
         U64 number = 0;
         const Status status = engine().attribute_get(c, pool, attribute, &number, sizeof number);
         if (status == STREAMPOOL_OK) std::memcpy(value, &number, 4);
         return status;
       };
     }},
    {Fault::read_only_accepted,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         return status == STREAMPOOL_INVALID_VALUE && is_current(attribute) && value != nullptr ? STREAMPOOL_OK
                                                                                                : status;
       };
     }},
    {Fault::unknown_attribute_accepted,
     [](streampool_runtime& t) {
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         const bool unknown = attribute < 1 || attribute > 14;
         if (status != STREAMPOOL_INVALID_VALUE || !unknown || value == nullptr || width < 4) return status;
         std::memset(value, 0, 4);
         return STREAMPOOL_OK;
       };
     }},
    {Fault::null_value_accepted,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         return status == STREAMPOOL_INVALID_VALUE && value == nullptr ? STREAMPOOL_OK : status;
       };
     }},
    {Fault::watermark_takes_any_value,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         return status == STREAMPOOL_INVALID_VALUE && is_high(attribute) && value != nullptr ? STREAMPOOL_OK : status;
       };
     }},
    {Fault::even_values_are_off,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         if (const auto other = other_value(attribute, value, width)) return set_switch(c, pool, attribute, *other & 1);
         return engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::failed_set_stores,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         if (other_value(attribute, value, width)) set_switch(c, pool, attribute, 0);
         return engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::settings_shared,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         if (status != STREAMPOOL_OK || attribute > 4) return status;
         for (const U64 other : ledger().pools()) engine().attribute_set(c, other, attribute, value, width);
         return status;
       };
     }},
    {Fault::threshold_set_turns_switch_on,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         if (status == STREAMPOOL_OK && attribute == STREAMPOOL_RELEASE_THRESHOLD) {
           set_switch(c, pool, STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 1);
         }
         return status;
       };
     }},
    {Fault::watermark_reset_stores_zero,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         if (status == STREAMPOOL_OK && is_high(attribute)) {
           zeroed()[{pool, attribute}] = reading(c, pool, attribute);
         }
         return status;
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         const auto it = zeroed().find({pool, attribute});
         if (status != STREAMPOOL_OK || it == zeroed().end()) return status;
         U64 number = 0;
         std::memcpy(&number, value, sizeof number);
         if (number != it->second) return status;  // it has risen since
         number = 0;
         std::memcpy(value, &number, sizeof number);
         return status;
       };
     }},
    {Fault::watermark_reset_ignored,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         U64 number = 1;
         if (is_high(attribute) && value != nullptr && width >= sizeof number)
           std::memcpy(&number, value, sizeof number);
         U64 known = 0;
         if (number == 0 && engine().attribute_get(c, pool, attribute, &known, sizeof known) == STREAMPOOL_OK) {
           return STREAMPOOL_OK;
         }
         return engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::settings_fixed_by_use,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         U64 bytes = 0;
         const Status known = engine().attribute_get(c, pool, STREAMPOOL_USED_MEM_CURRENT, &bytes, sizeof bytes);
         const bool in_use = known == STREAMPOOL_OK && bytes != 0;
         return in_use ? STREAMPOOL_NOT_PERMITTED : engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::max_threshold_refused,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         U64 number = 0, free = 0, total = 0;
         if (attribute == STREAMPOOL_RELEASE_THRESHOLD && value != nullptr && width >= sizeof number) {
           std::memcpy(&number, value, sizeof number);
         }
         const bool above = engine().memory_info(c, 0, &free, &total) == STREAMPOOL_OK && number > total;
         return above ? STREAMPOOL_INVALID_VALUE : engine().attribute_set(c, pool, attribute, value, width);
       };
     }},
    {Fault::reset_moves_both,
     [](streampool_runtime& t) {
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         if (status == STREAMPOOL_OK && is_high(attribute)) {
           set_wide(c, pool,
                    attribute == STREAMPOOL_USED_MEM_HIGH ? STREAMPOOL_RESERVED_MEM_HIGH : STREAMPOOL_USED_MEM_HIGH, 0);
         }
         return status;
       };
     }},
};

}  // namespace

std::span<const Replacement> attribute_faults() { return faults; }

}  // namespace streampool::mutants
