// Faults of trim and of the calls that release. Those of the floors are in faulty_policy.hpp.
#include <algorithm>
#include <cstring>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

void set_threshold(U64 c, U64 pool, U64 value) {
  engine().attribute_set(c, pool, STREAMPOOL_RELEASE_THRESHOLD, &value, sizeof value);
}

// Runs a call at which these pools are to release nothing.
template <class Call>
Status keeping(U64 c, const std::vector<U64>& pools, Call call) {
  std::map<U64, U64> thresholds;
  for (const U64 pool : pools) {
    thresholds[pool] = reading(c, pool, STREAMPOOL_RELEASE_THRESHOLD);
    set_threshold(c, pool, ~U64{0});
  }
  const Status status = call();
  for (const auto& [pool, threshold] : thresholds) set_threshold(c, pool, threshold);
  return status;
}

template <class Call>
Status keeping(U64 c, Call call) {
  return keeping(c, ledger().pools(), call);
}

U64 reserved_of_all(U64 c) {
  U64 sum = 0;
  for (const U64 pool : ledger().pools()) sum += reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT);
  return sum;
}
// Runs a call, and takes from the device what the pools gave back to it.
template <class Call>
Status losing(U64 c, Call call) {
  const U64 before = reserved_of_all(c);
  const Status status = call();
  lose_memory(c, before - std::min(before, reserved_of_all(c)));
  return status;
}

// Every call that synchronises, with `Around::run(context, call)` about it.
template <class Around>
void about_synchronisations(streampool_runtime& t) {
  t.stream_synchronize = [](U64 c, U64 stream) -> Status {
    return Around::run(c, [&] { return engine().stream_synchronize(c, stream); });
  };
  t.event_synchronize = [](U64 c, U64 event) -> Status {
    return Around::run(c, [&] { return engine().event_synchronize(c, event); });
  };
  t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
    return Around::run(c, [&] { return engine().device_synchronize(c, device); });
  };
}
struct Losing {
  template <class Call>
  static Status run(U64 c, Call call) {
    return losing(c, call);
  }
};
struct KeepingDefault {
  template <class Call>
  static Status run(U64 c, Call call) {
    return keeping(c, {default_pool(c)}, call);
  }
};

struct KeepingUnaligned {
  template <class Call>
  static Status run(U64 c, Call call) {
    std::vector<U64> pools = ledger().pools();
    std::erase_if(pools, [&](U64 pool) { return reading(c, pool, STREAMPOOL_RELEASE_THRESHOLD) % granule(c) == 0; });
    return keeping(c, pools, call);
  }
};

struct AheadTag;
std::map<U64, U64>& ahead() { return memory<std::map<U64, U64>, AheadTag>(); }

constexpr Replacement faults[] = {
    {Fault::stream_sync_keeps,
     [](streampool_runtime& t) {
       t.stream_synchronize = [](U64 c, U64 stream) -> Status {
         return keeping(c, [&] { return engine().stream_synchronize(c, stream); });
       };
     }},
    {Fault::event_sync_keeps,
     [](streampool_runtime& t) {
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         return keeping(c, [&] { return engine().event_synchronize(c, event); });
       };
     }},
    {Fault::device_sync_keeps,
     [](streampool_runtime& t) {
       t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
         return keeping(c, [&] { return engine().device_synchronize(c, device); });
       };
     }},
    {Fault::release_counts_only,
     [](streampool_runtime& t) {
       about_synchronisations<Losing>(t);
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         return losing(c, [&] { return engine().pool_trim(c, pool, keep); });
       };
     }},
    {Fault::default_pool_keeps,
     [](streampool_runtime& t) {
       about_synchronisations<KeepingDefault>(t);
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         return engine().pool_trim(c, pool, pool == default_pool(c) ? ~U64{0} : keep);
       };
     }},
    {Fault::trim_takes_pending,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         trimming = true;
         const Status status = engine().pool_trim(c, pool, keep);
         trimming = false;
         return status;
       };
     }},
    {Fault::trim_refused_below_used,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         if (keep < reading(c, pool, STREAMPOOL_USED_MEM_CURRENT)) return STREAMPOOL_INVALID_VALUE;
         return engine().pool_trim(c, pool, keep);
       };
     }},
    {Fault::trim_does_nothing,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64) -> Status { return engine().pool_trim(c, pool, ~U64{0}); };
     }},
    {Fault::trim_reserves,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         if (keep >= reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT)) ahead()[pool] = granule(c);
         return engine().pool_trim(c, pool, keep);
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         if (status != STREAMPOOL_OK || attribute != STREAMPOOL_RESERVED_MEM_CURRENT) return status;
         U64 number = 0;
         std::memcpy(&number, value, sizeof number);
         number += ahead()[pool];
         std::memcpy(value, &number, sizeof number);
         return status;
       };
     }},
    {Fault::unaligned_threshold_keeps_all, [](streampool_runtime& t) { about_synchronisations<KeepingUnaligned>(t); }},
    {Fault::trim_keeps_threshold,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         return engine().pool_trim(c, pool, std::max(keep, reading(c, pool, STREAMPOOL_RELEASE_THRESHOLD)));
       };
     }},
    {Fault::trim_of_newest_pool,
     [](streampool_runtime& t) {
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         const std::vector<U64> pools = ledger().pools();
         const bool mine = std::ranges::count(pools, pool) != 0;
         return engine().pool_trim(c, mine ? pools.back() : pool, keep);
       };
     }},
};

}  // namespace

std::span<const Replacement> release_faults() { return faults; }

}  // namespace streampool::mutants
