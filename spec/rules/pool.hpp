// Memory: what allocates, frees, reserves and gives back (chapters ALLOC, REUSE, RELEASE, LIFE on the whole machine).
#pragma once

#include "spec/rules/device.hpp"
#include "spec/rules/release.hpp"
#include "spec/rules/statistics.hpp"

namespace streampool::spec {

template <MachineCarrier L>
struct Range {
  typename L::Address base;
  typename L::Nat size;  // bytes, above 0
};

// What the runtime answers to a malloc: the identity, the bytes, and what it makes the allocation's item wait for.
template <MachineCarrier L>
struct Grant {
  typename L::Allocation allocation;
  typename L::Pool pool;
  Range<L> range;
  typename L::Cut waits;
};

// Nothing of x is left to do on its bytes: never owned, or freed.
template <MachineCarrier L>
typename L::Bool vacant(const Allocations<L>& row, const typename L::Allocation& x) {
  return x == L::template none<typename L::Allocation>() || L::get(row.freed, x);
}

// … its free has ended and its bytes are idle: they may be given back.
template <MachineCarrier L>
typename L::Bool quiet(const State<L>& state, const typename L::Allocation& x) {
  return x == L::template none<typename L::Allocation>() ||
         (L::get(state.allocations.freed, x) && free_executed(state, x) && !L::get(state.allocations.counted, x));
}

template <MachineCarrier L>
void set_used(Pools<L>& pools, const typename L::Pool& p, const typename L::Nat& used) {
  L::put(pools.used, p, used);
  L::put(pools.used_high, p, raise_watermark<L>(L::get(pools.used_high, p), used));
}

template <MachineCarrier L>
void set_reserved(Pools<L>& pools, const typename L::Pool& p, const typename L::Nat& reserved) {
  L::put(pools.reserved, p, reserved);
  L::put(pools.reserved_high, p, raise_watermark<L>(L::get(pools.reserved_high, p), reserved));
}

// STAT-RESERVED-RISE: inside a malloc from p, physical memory is put under bytes that have none.
template <MachineCarrier L>
typename L::Bool reserve(State<L>& state, const typename L::Pool& p, const Range<L>& range,
                         const typename L::Nat& unit) {
  const auto none = L::template none<typename L::Pool>();
  const typename L::Nat reserved = L::get(state.pools.reserved, p) + range.size;
  const auto max_size = L::get(state.pools.max_size, p);
  const typename L::Bool guard =
      L::get(state.pools.made, p) && !L::get(state.pools.destroyed, p) &&
      L::all_in(state.backed, range.base, range.size, [&](const typename L::Pool& q) { return q == none; }) &&
      L::all_in(state.newest, range.base, range.size,
                [&](const typename L::Allocation& y) { return vacant(state.allocations, y); }) &&
      (max_size == L::nat(0) || reserved <= capacity_of<L>(max_size, unit));
  L::assign(state.backed, range.base, range.size, p);
  set_reserved(state.pools, p, reserved);
  return guard;
}

// The row of a new allocation, its bytes and its count.
template <MachineCarrier L>
void grant_bytes(State<L>& state, const typename L::Allocation& x, const typename L::Pool& p, const Range<L>& range,
                 const typename L::Stream& s, const typename L::Nat& n) {
  Allocations<L>& row = state.allocations;
  L::put(row.made, x, L::boolean(true));
  L::put(row.pool, x, p);
  L::put(row.stream, x, s);
  L::put(row.position, x, n);
  L::put(row.base, x, range.base);
  L::put(row.size, x, range.size);
  L::assign(state.newest, range.base, range.size, x);
}

// The rule of this specification, for one earlier owner of a byte. A parameter of `malloc`, so that rules which are
// known to be wrong can be put in its place and refuted.
template <MachineCarrier L>
struct ReuseRule {
  Explanations<L> operator()(const State<L>& state, const typename L::Stream& s, const typename L::Cut& reach,
                             const Switches<L>& switches, const typename L::Allocation& y) const {
    return explain_reuse<L>(s, reach, state.observed, free_mark(state, y), switches, free_executed(state, y));
  }
};

// malloc_async(…, s). REUSE-*: each byte's newest free has an explanation, and where only an inserted dependency is
// one, the item waits for that free. Bytes of pending frees that still count stop counting when they are handed out
// again (STAT-USED-DROP).
template <MachineCarrier L, class Rule = ReuseRule<L>>
typename L::Bool malloc(State<L>& state, const typename L::Stream& s, const Grant<L>& grant, const Rule& rule = {}) {
  const auto& [x, p, range, waits] = grant;
  const typename L::Cut earlier = L::diagonal(state.runtime.reach);
  const typename L::Nat n = submit(state, s);
  const typename L::Cut reach = L::get(state.runtime.reach, s);
  const Allocations<L>& row = state.allocations;
  const auto why = [&](const typename L::Allocation& y) { return rule(state, s, reach, switches(state.pools, p), y); };
  const auto waited_for = [&](const typename L::Allocation& y) {
    return contains<L>(waits, L::get(row.free_stream, y), L::get(row.free_position, y));
  };
  const typename L::Bool guard =
      !(x == L::template none<typename L::Allocation>()) && !L::get(row.made, x) && L::get(state.pools.made, p) &&
      !L::get(state.pools.destroyed, p) && L::covers(earlier, waits) &&
      L::all_in(state.backed, range.base, range.size, [&](const typename L::Pool& q) { return q == p; }) &&
      L::all_in(state.newest, range.base, range.size, [&](const typename L::Allocation& y) {
        const auto reasons = why(y);
        return y == L::template none<typename L::Allocation>() ||
               (L::get(row.freed, y) && reasons.any() &&
                (reasons.ordered() || reasons.released || reasons.opportunistic || waited_for(y)));
      });
  // Order alone does not explain these; their cut becomes part of the runtime's order.
  depend(state.runtime, s,
         L::join_in(
             state.newest, range.base, range.size,
             [&](const typename L::Allocation& y) {
               return !(y == L::template none<typename L::Allocation>()) && !why(y).ordered();
             },
             row.free_cut));
  L::join_into(state.device.awaits, s, n, waits);
  const typename L::Nat recounted =
      L::count_in(state.newest, range.base, range.size,
                  [&](const typename L::Allocation& y) { return L::get(row.counted, y) && L::get(row.pool, y) == p; });
  set_used(state.pools, p, L::minus(L::get(state.pools.used, p) + range.size, recounted));
  grant_bytes(state, x, p, range, s, n);
  L::put(state.allocations.counted, x, L::boolean(true));
  return guard;
}

// The bytes of x leave the count of its pool: at the call or when the free has ended, as the profile says
// (STAT-USED-DROP).
template <MachineCarrier L>
typename L::Bool stop_counting(State<L>& state, const typename L::Allocation& x) {
  Allocations<L>& row = state.allocations;
  const typename L::Bool guard = L::get(row.counted, x);
  const typename L::Pool p = L::get(row.pool, x);
  const typename L::Nat bytes = L::count_in(state.newest, L::get(row.base, x), L::get(row.size, x),
                                            [&](const typename L::Allocation& y) { return y == x; });
  set_used(state.pools, p, L::minus(L::get(state.pools.used, p), bytes));
  L::put(row.counted, x, L::boolean(false));
  return guard;
}

// free_async(x, s): from now on the freeing stream and the position of the free count, not the allocating stream.
template <MachineCarrier L>
typename L::Bool free(State<L>& state, const typename L::Stream& s, const typename L::Allocation& x) {
  Allocations<L>& row = state.allocations;
  const typename L::Bool guard = L::get(row.made, x) && !L::get(row.freed, x);
  const typename L::Nat n = submit(state, s);
  L::put(row.freed, x, L::boolean(true));
  L::put(row.free_stream, x, s);
  L::put(row.free_position, x, n);
  L::put(row.free_cut, x, L::get(state.runtime.reach, s));
  return guard;
}

// A free without a stream: free and proved for every stream from its return.
template <MachineCarrier L>
typename L::Bool free_sync(State<L>& state, const typename L::Allocation& x) {
  Allocations<L>& row = state.allocations;
  const typename L::Bool guard = L::get(row.made, x) && !L::get(row.freed, x);
  L::put(row.freed, x, L::boolean(true));
  L::put(row.free_synchronous, x, L::boolean(true));
  return guard;
}

// A free that still counts has ended.
template <MachineCarrier L>
typename L::Bool settle(State<L>& state, const typename L::Allocation& x) {
  const typename L::Bool ended = L::get(state.allocations.freed, x) && free_executed(state, x);
  return stop_counting(state, x) && ended;
}

// Memory from outside the pools. REUSE-PLAIN: completion is needed; its own life needs no stream.
template <MachineCarrier L>
typename L::Bool plain_malloc(State<L>& state, const typename L::Allocation& x, const Range<L>& range) {
  const auto no_pool = L::template none<typename L::Pool>();
  const typename L::Bool guard =
      !(x == L::template none<typename L::Allocation>()) && !L::get(state.allocations.made, x) &&
      L::all_in(state.backed, range.base, range.size, [&](const typename L::Pool& q) { return q == no_pool; }) &&
      L::all_in(state.newest, range.base, range.size, [&](const typename L::Allocation& y) {
        return y == L::template none<typename L::Allocation>() ||
               (L::get(state.allocations.freed, y) &&
                plain_reuse_permitted<L>(state.observed, free_mark(state, y), free_executed(state, y)));
      });
  grant_bytes(state, x, no_pool, range, L::template none<typename L::Stream>(), L::nat(0));
  return guard;
}

// Physical memory goes from under bytes that nobody owns and whose free has ended. A release point of p even where
// range is empty.
template <MachineCarrier L>
typename L::Bool unmap(State<L>& state, const typename L::Pool& p, const Range<L>& range) {
  const typename L::Bool guard =
      L::all_in(state.backed, range.base, range.size, [&](const typename L::Pool& q) { return q == p; }) &&
      L::all_in(state.newest, range.base, range.size, [&](const typename L::Allocation& y) { return quiet(state, y); });
  set_reserved(state.pools, p, L::minus(L::get(state.pools.reserved, p), range.size));
  L::assign(state.backed, range.base, range.size, L::template none<typename L::Pool>());
  L::put(state.pools.released, p, state.device.executed);
  return guard;
}

// RELEASE-THRESHOLD-FLOOR: at a call that the profile lists among release_calls, down to the floor.
template <MachineCarrier L>
typename L::Bool release(State<L>& state, const typename L::Pool& p, const Range<L>& range,
                         const typename L::Bool& listed, const typename L::Bool& compares_idle,
                         const typename L::Nat& slack) {
  const typename L::Nat floor =
      release_floor<L>(L::get(state.pools.release_threshold, p), L::get(state.pools.reserved, p),
                       L::get(state.pools.used, p), compares_idle, slack);
  const typename L::Bool guard = unmap(state, p, range);
  return listed && guard && floor <= L::get(state.pools.reserved, p);
}

// RELEASE-TRIM-FLOOR: trim_to(keep).
template <MachineCarrier L>
typename L::Bool trim(State<L>& state, const typename L::Pool& p, const Range<L>& range, const typename L::Nat& keep) {
  const typename L::Nat floor = trim_floor<L>(keep, L::get(state.pools.reserved, p));
  const typename L::Bool guard = unmap(state, p, range);
  return guard && floor <= L::get(state.pools.reserved, p);
}

// LIFE-POOL-DESTROY, deferred: nothing new comes from p, what lives there stays. Its memory goes by `unmap`, any time.
template <MachineCarrier L>
typename L::Bool destroy(Pools<L>& pools, const typename L::Pool& p) {
  const typename L::Bool guard = L::get(pools.made, p) && !L::get(pools.destroyed, p);
  L::put(pools.destroyed, p, L::boolean(true));
  return guard;
}

// A new pool: reserves nothing before its first malloc.
template <MachineCarrier L>
typename L::Bool create(Pools<L>& pools, const typename L::Pool& p, const Switches<L>& defaults,
                        const typename L::Nat& threshold, const typename L::Nat& max_size) {
  const typename L::Bool guard = !(p == L::template none<typename L::Pool>()) && !L::get(pools.made, p);
  L::put(pools.made, p, L::boolean(true));
  L::put(pools.follow_event_dependencies, p, defaults.follow_event_dependencies);
  L::put(pools.allow_opportunistic, p, defaults.allow_opportunistic);
  L::put(pools.allow_internal_dependencies, p, defaults.allow_internal_dependencies);
  L::put(pools.release_threshold, p, threshold);
  L::put(pools.max_size, p, max_size);
  return guard;
}

}  // namespace streampool::spec
