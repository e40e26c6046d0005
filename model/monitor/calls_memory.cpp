// Allocation and reuse (chapters ALLOC, REUSE, CAP).
#include <algorithm>
#include <bit>

#include "fmt/format.h"
#include "model/monitor/monitor.hpp"
#include "spec/rules/statistics.hpp"

namespace streampool::model {

using namespace spec::literals;
using history::Op;

namespace {

// Bytes; a runtime may round a request up to as much, whatever it declares. No device has sizes within it of the
// largest number.
constexpr std::uint64_t usual_unit = std::uint64_t{2} << 20;

}  // namespace

Pool* Monitor::pool_of(const Call& call, history::Thread thread) {
  if (call.op == Op::plain_malloc) return nullptr;
  if (call.pool != Name::none) return &pools_[entities_[static_cast<std::size_t>(call.pool)].index];
  const std::uint32_t device = timeline_.device(stream_of(call.stream, thread));
  for (const auto& [known, index] : current_pools_) {
    if (known == device) return &pools_[index];
  }
  return &default_pool_of(device);
}

spec::FreeMark<Concrete> Monitor::mark_of(const Block& block) {
  bool released = false;
  if (!block.synchronous) {
    // No pool keeps plain memory: it is the device's again once its free has completed, as is that of a destroyed pool.
    const Pool* owner = block.pool != PoolId::none ? &pools_[static_cast<std::size_t>(block.pool)] : nullptr;
    const bool kept = owner != nullptr && owner->alive;
    released = kept ? owner->released(block.free_epoch, block.free) : timeline_.may_have_completed(block.free);
  }
  return {.stream = block.free.stream,
          .position = block.free.position,
          .synchronous = block.synchronous,
          .released = released};
}

void Monitor::allocate(const Context& c) {
  Pool* pool = pool_of(c.call, c.thread);
  const std::uint64_t size = *c.call.size;
  if (!c.ok() && c.result != nullptr && c.result->out && profile_.failed_output.binds()) {
    const auto out = *c.result->out;
    const bool good = (profile_.failed_output.value != Output::unchanged && out == Result::Out::null) ||
                      (profile_.failed_output.value != Output::null && out == Result::Out::unchanged);
    verdicts_.check("CAP-OUT-POINTER"_clause, good, [&] {
      return std::string("A failed malloc left something else in its output pointer than the profile says.");
    });
  }
  if (size == 0) {
    if (profile_.size_zero.binds()) {
      verdicts_.check("ALLOC-SIZE-ZERO"_clause, profile_.size_zero.value.allows(c.status), [&] {
        return fmt::format("malloc of size 0 answered {}; profile {} says otherwise.", to_text(c.status),
                           profile_.name);
      });
    }
    const auto output = profile_.size_zero_output;
    if (c.ok() && c.result != nullptr && output.binds() && output.value != Output::either) {
      const bool null = c.result->value == std::uint64_t{0},
                 unwritten = c.result->unwritten || c.result->out == Result::Out::unchanged;
      if (c.result->value || unwritten) {
        verdicts_.check("ALLOC-SIZE-ZERO"_clause, output.value == Output::null ? null : unwritten, [&] {
          return fmt::format("malloc of size 0 must leave {} in its output pointer.",
                             output.value == Output::null ? "null" : "what was there");
        });
      }
    }
    if (c.ok()) {
      Entity& entity = define(c.call.allocation, Entity::Kind::allocation, 0, c);
      entity.address = c.result != nullptr ? c.result->value.value_or(0) : 0;
      if (pool != nullptr) may_take_a_place(stream_of(c.call.stream, c.thread));
    }
    return;
  }
  const std::uint64_t alignment = profile_.alignment.value.count;
  const bool overflows = Concrete::round_up(size, alignment) < size || size > no_bound - alignment;
  // A runtime may round by a larger unit of its own.
  const bool may_overflow = size > no_bound - std::max({environment_.alignment, granule(), usual_unit});
  if (overflows || (may_overflow && !c.ok())) {
    const bool refused = c.status == Status::out_of_memory || c.status == Status::invalid_value ||
                         (!c.ok() && !profile_.out_of_memory.binds());
    verdicts_.check("ALLOC-OVERFLOW"_clause, refused, [&] {
      return fmt::format("Rounding {} up overflows; permitted: out_of_memory, invalid_value. It answered {}.", size,
                         to_text(c.status));
    });
    if (pool != nullptr) ++pool->activity.refusals;
    return;
  }
  if (!c.ok()) {
    if (c.status == Status::out_of_memory ||
        (profile_.out_of_memory.binds() ? profile_.out_of_memory.value.allows(c.status)
                                        : c.status != Status::not_ready)) {
      if (pool != nullptr) out_of_memory(c, *pool, size);
      if (pool == nullptr) pressure(nullptr, size, device_of(c.call), true);
      if (memory_reading_) memory_reading_->refused = true;
    } else if (armed_faults_ > 0) {
      fault_reported(c);
      if (pool != nullptr) ++pool->activity.refusals, pool->failed_by_fault = true;
    } else {
      const bool short_of_memory = cannot_be_served(pool, size, device_of(c.call));
      require_ok("ALLOC-STATUS"_clause, c, true,
                 short_of_memory ? Verdicts::Also("CAP-OOM-STATUS"_clause) : std::nullopt);
    }
    return;
  }
  verdicts_.count("ALLOC-STATUS"_clause);
  const bool unwritten = c.result != nullptr && (c.result->unwritten || c.result->value == std::uint64_t{0});
  const bool short_of_memory = unwritten && cannot_be_served(pool, size, device_of(c.call));
  verdicts_.check(
      "ALLOC-NONNULL"_clause, !unwritten,
      [&] { return fmt::format("malloc of {} bytes answered ok without an address.", size); },
      short_of_memory ? Verdicts::Also("CAP-OOM-STATUS"_clause) : std::nullopt);
  if (unwritten) return;
  const std::uint64_t address = c.result != nullptr ? c.result->value.value_or(0) : 0;
  const bool in_one_piece = address <= no_bound - size;  // else ALLOC-WRAP says it
  if (in_one_piece && pool != nullptr && pool->device == 0 && environment_.memory != 0 && size > environment_.memory) {
    verdicts_.violate("CAP-OOM-STATUS"_clause,
                      fmt::format("{} bytes were granted; the device has {} in all.", size, environment_.memory));
    return;
  }
  if (pool != nullptr && pool->capacity) {
    verdicts_.check("CAP-MAX-SIZE"_clause, !exceeds_maximum(*pool, size), [&] {
      return fmt::format("{} live bytes and {} more exceed the pool's maximum size, {} with rounding.",
                         pool->live_ranges, size, *pool->capacity);
    });
  }
  if (pool != nullptr && obliged_to_serve(*pool, size) && may_not_fit(pool, size, pool->device)) {
    verdicts_.count("CAP-MUST-SERVE"_clause);  // served from what idles, or from scattered granules
  }
  if (pool != nullptr) pressure(pool, size, pool->device, false);
  if (pool == nullptr) pressure(nullptr, size, device_of(c.call), true);
  Stream s{};
  Item item;
  if (pool != nullptr) {
    s = stream_of(c.call.stream, c.thread);
    item = timeline_.submit(s);
    pool->failed_by_fault = false;
  }
  place(c, pool, s, item, address, size);
  if (pool != nullptr) timeline_.settle(s);
  memory_moved();
}

bool Monitor::exceeds_maximum(const Pool& pool, std::uint64_t size) const {
  return pool.capacity && !spec::must_serve<Concrete>(live_backed(pool), size, 1, *pool.capacity);
}

bool Monitor::cannot_be_served(const Pool* pool, std::uint64_t size, std::uint32_t device) const {
  if (pool != nullptr) device = pool->device;
  return (pool != nullptr && exceeds_maximum(*pool, size)) || (device == 0 && limit_ && size > *limit_);
}

bool Monitor::obliged_to_serve(const Pool& pool, std::uint64_t size) const {
  const bool promised =
      profile_.fragmentation.binds() && profile_.fragmentation.value == Fragmentation::pinned_granules;
  const auto limit = capacity(pool);
  return limit && promised && program_alone(pool) && pool.unproved_frees == 0 &&
         spec::must_serve<Concrete>(pool.touched.count() * granule(), size, granule(), *limit);
}

void Monitor::out_of_memory(const Context& c, Pool& pool, std::uint64_t size) {
  verdicts_.count("CAP-OOM-STATUS"_clause);
  ++pool.activity.refusals;
  const bool obliged = obliged_to_serve(pool, size);
  const bool fault = obliged && armed_faults_ > 0;  // nothing else explains it
  if (fault) fault_reported(c);
  if ((!limit_ || pool.device != 0) && !pool.max_size) short_of_memory_ = true;  // of how much nobody knows
  pressure(&pool, size, pool.device, false);
  pool.failed_by_fault |= fault;
  if (fault || !capacity(pool) || pool.unproved_frees > 0) return;
  verdicts_.check(
      "CAP-MUST-SERVE"_clause, !obliged,
      [&] {
        return fmt::format(
            "{} answered {} for {} bytes, but every free of the pool is proved, live allocations touch {} bytes and "
            "the capacity is {}.",
            to_text(c.call.op), to_text(c.status), size, pool.touched.count() * granule(), *capacity(pool));
      },
      pool.failed_by_fault ? Verdicts::Also("CAP-FAULT"_clause) : std::nullopt);
}

void Monitor::place(const Context& c, Pool* pool, Stream s, const Item& item, std::uint64_t address,
                    std::uint64_t size) {
  const std::uint64_t alignment = profile_.alignment.binds() ? profile_.alignment.value.count : 1;
  const std::uint64_t range = Concrete::round_up(size, alignment);
  Block block;
  block.live = true;
  block.placed = address != 0;
  block.name = c.call.allocation;
  block.address = address;
  block.size = size;
  block.pool = pool != nullptr ? static_cast<PoolId>(pool - pools_.data()) : PoolId::none;
  block.allocation = item;
  block.placed_at = ++memory_moves_;
  bool grown = !block.placed;
  std::uint64_t granules = 0;  // bytes of them, where nobody has been before
  if (block.placed) {
    if (!verdicts_.check("ALLOC-WRAP"_clause, address <= no_bound - range, [&] {
          return fmt::format("{} bytes at {:#x} wrap around the address space.", range, address);
        })) {
      return;
    }
    verdicts_.check("ALLOC-ALIGNMENT"_clause, address % alignment == 0,
                    [&] { return fmt::format("{:#x} is no multiple of {}.", address, alignment); });
    block.end = address + range;
    if (pool != nullptr) {
      count_temptations(*pool, s, size);
      grown = fresh(*pool, address, block.end);
      granules = new_granules(address, block.end);
      judge_idle(c, *pool, s, granules > 0);
    }
    if (!judge_reuse(c, pool, s, item, address, block.end)) return;
  }
  if (pool != nullptr) {
    const bool placed = block.placed;
    pool->live_low += placed ? size : 0;
    const std::uint64_t granted = profile_.granted.binds() ? profile_.granted.value.maximum(size) : no_bound;
    pool->live_high.add(granted);
    pool->live_ranges += placed ? range : 0;
    if (placed) pool->touched.add(address, block.end, granule());
    pool->met = add(pool->met, granules);
    pool->granted_since_reading = add(pool->granted_since_reading, grown_at_most(*pool, size, grown));
    pool->reading_holds = false;
    pool->reserved.high = pool->capacity.value_or(no_bound);
    pool->reserved.above = pool->capacity ? "STAT-RESERVED-MAX"_clause : "STAT-RESERVED-RISE"_clause;
    pool->reserved_high.high = pool->capacity.value_or(no_bound);
    pool->reserved_high.above = "STAT-RESERVED-HIGH"_clause;
    pool->should_high.reset();
    pool->served_current |= c.call.pool == Name::none;
    used_changed(*pool, true);
    // What lives now is reserved now, whether or not anybody reads it.
    if (!pool->reserved_high_zeroed) pool->reserved_high.at_least(live_backed(*pool), "STAT-RESERVED-HIGH"_clause);
  } else {
    plain_backed_ += Concrete::round_up(size, granule());
    plain_low_ += size;
    plain_elsewhere_ |= device_of(c.call) != 0;
  }
  Entity& entity = define(c.call.allocation, Entity::Kind::allocation, 0, c);
  entity.address = address;
  entity.block = memory_.place(std::move(block), [&](const BlockRef&, Block& loser) {
    if (loser.pool == PoolId::none || loser.left != loser.end - loser.address) return;
    // It was wholly idle, and is so no longer.
    Pool& owner = pools_[static_cast<std::size_t>(loser.pool)];
    if (owner.idle_stream != loser.free.stream) return;
    if (const auto it = owner.idle.find(loser.size); it != owner.idle.end() && --it->second == 0) owner.idle.erase(it);
  });
}

// A runtime may keep more for an allocation than its range: whole units of its own, or a size class. Bytes right behind
// a range that its stream could have been given along with it are then freed with it, and no call shows that. So: a
// freed block before `which` in the request, nothing between them, freed on s after it was placed behind the free.
bool Monitor::kept_with_neighbour(const std::vector<Predecessor>& before, std::size_t which, Stream s) const {
  for (std::size_t at = which; at > 0 && before[at - 1].end == before[at].begin; --at) {
    const Block& keeper = memory_.get(before[at - 1].block);
    if (keeper.synchronous || keeper.free.stream != s || before[which].end - keeper.address > kept_at_most(keeper.size))
      continue;
    bool all = true;
    for (std::size_t k = at; k <= which && all; ++k) {
      const Block& kept = memory_.get(before[k].block);
      all = kept.freed_at < keeper.placed_at &&
            (kept.synchronous || keeper.free_cuts->runtime.at(kept.free.stream) >= kept.free.position);
    }
    if (all) return true;
  }
  return false;
}

// Bytes that a runtime may set aside for a request: whole granules, units of the alignment that it declares, powers of
// two, and what the profile lets it count.
std::uint64_t Monitor::kept_at_most(std::uint64_t size) const {
  const std::uint64_t unit = std::max(environment_.alignment, granule());
  const std::uint64_t granted = profile_.granted.binds() ? profile_.granted.value.maximum(size) : no_bound;
  const std::uint64_t power = size > no_bound / 2 ? no_bound : std::bit_ceil(size);
  return std::max({granted, Concrete::round_up(size, unit), power});
}

bool Monitor::fresh(const Pool& pool, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t known = 0;  // bytes that a block of the pool left, and that cannot have been given back since
  for (const Predecessor& old : memory_.predecessors(begin, end)) {
    const Block& block = memory_.get(old.block);
    const bool kept = block.pool == static_cast<PoolId>(&pool - pools_.data()) && !pool.points_since(block.free_epoch);
    known += kept ? old.end - old.begin : 0;
  }
  return known < end - begin;
}

// The bytes of the granules of [begin, end), where no block has ever been in any of them; else 0.
std::uint64_t Monitor::new_granules(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = begin - begin % granule(), last = Concrete::round_up(end, granule());
  return memory_.touched(first, last) ? 0 : last - first;
}

// Growing is what the clause is about: the request got new granules, and all that the pool had reserved before had been
// met. Beside other calls it stays open what was idle when the runtime looked.
void Monitor::judge_idle(const Context& c, const Pool& pool, Stream s, bool new_granules) {
  const bool all_met = pool.reading_holds && pool.reserved.high == pool.reading && *pool.reading <= pool.met;
  if (overlapping_ || pool.idle_stream != s || (new_granules && !all_met)) return;
  const auto it = pool.idle.find(*c.call.size);
  if (it == pool.idle.end()) return;
  verdicts_.should("REUSE-IDLE-OWN-STREAM"_clause, strict_, !new_granules, [&] {
    return fmt::format("{} got fresh memory; {} idle blocks of {} bytes were freed on the same stream.",
                       text(c.call.allocation), it->second, *c.call.size);
  });
}

bool Monitor::judge_reuse(const Context& c, Pool* pool, Stream s, const Item& item, std::uint64_t begin,
                          std::uint64_t end) {
  const auto& before = memory_.predecessors(begin, end);
  const auto name = [&] { return text(c.call.allocation); };
  for (const Predecessor& old : before) {
    if (const Block& block = memory_.get(old.block); block.live) {
      return verdicts_.check("ALLOC-OVERLAP"_clause, false, [&] {
        return fmt::format("{} got [{:#x}, {:#x}); {} has [{:#x}, {:#x}) and is not freed.", name(), begin, end,
                           text(block.name), block.address, block.end);
      });
    }
  }
  verdicts_.count("ALLOC-OVERLAP"_clause);
  const auto permitted = [&](history::Attribute id) { return pool == nullptr || pool->attribute(id).value_or(1) != 0; };
  const spec::Switches<Concrete> switches{permitted(history::Attribute::reuse_follow_event_dependencies),
                                          permitted(history::Attribute::reuse_allow_opportunistic),
                                          permitted(history::Attribute::reuse_allow_internal_dependencies)};
  if (before.size() > 1) verdicts_.count("REUSE-MERGE"_clause);
  for (const Predecessor& old : before) {
    const Block& block = memory_.get(old.block);
    if (old.end - old.begin < block.end - block.address) verdicts_.count("REUSE-SPLIT"_clause);
    const spec::FreeMark<Concrete> mark = mark_of(block);
    const bool completed = mark.synchronous || timeline_.may_have_completed(block.free);
    const auto what = [&] {
      return fmt::format("{} got [{:#x}, {:#x}), last freed as {}", name(), old.begin, old.end, text(block.name)) +
             (mark.synchronous ? std::string() : " by " + text(block.free));
    };
    if (pool == nullptr) {
      verdicts_.count("REUSE-PLAIN"_clause);
      if (!verdicts_.check(
              "REUSE-UNSAFE"_clause, spec::plain_reuse_permitted<Concrete>(timeline_.observed(), mark, completed),
              [&] { return what() + ", which a closed gate holds; plain memory needs the free to be complete."; },
              "REUSE-PLAIN"_clause)) {
        return false;
      }
      if (!mark.synchronous) timeline_.show_complete(block.free, *block.free_cuts);
      continue;
    }
    const Cut& reach = timeline_.runtime_reach(s);
    auto why = spec::explain_reuse<Concrete>(s, reach, timeline_.observed(), mark, switches, completed);
    if (!why.ordered() && kept_with_neighbour(before, static_cast<std::size_t>(&old - before.data()), s)) {
      verdicts_.count("REUSE-SAME"_clause);
      continue;
    }
    if (const Cut* lenient = timeline_.lenient_reach(s); !why.any() && lenient != nullptr) {
      why = spec::explain_reuse<Concrete>(s, *lenient, timeline_.observed(), mark, switches, completed);
    }
    if (!why.any()) {
      const auto broken = spec::classify_broken_reuse<Concrete>(reach, mark, completed);
      // As if the new stream were the destroyed one whose handle value it has.
      const Entity* older = destroyed_before(timeline_.name(s));
      const bool inherited = older != nullptr && static_cast<Stream>(older->index) == block.free.stream;
      const Verdicts::Also also = inherited ? Verdicts::Also("LIFE-RECYCLED-STREAM"_clause) : std::nullopt;
      if (broken.policy_event) {
        verdicts_.violate("REUSE-POLICY-EVENT"_clause,
                          what() +
                              ". Only the order of the streams explains it, and "
                              "reuse_follow_event_dependencies is off.",
                          also);
      } else if (broken.policy_opportunistic) {
        verdicts_.violate("REUSE-POLICY-OPPORTUNISTIC"_clause,
                          what() +
                              ". At best that free has completed by chance, and "
                              "reuse_allow_opportunistic is off.",
                          also);
      } else {
        verdicts_.violate(
            "REUSE-UNSAFE"_clause,
            what() +
                ". Its stream is another one, nobody observed it, no order leads from it to the allocation, a closed "
                "gate holds it, and no dependency may be inserted.",
            also);
      }
      return false;
    }
    verdicts_.count(why.same_stream     ? "REUSE-SAME"_clause
                    : why.observed      ? "REUSE-OBSERVED"_clause
                    : why.event_order   ? "REUSE-EVENT"_clause
                    : why.released      ? "REUSE-RELEASED"_clause
                    : why.opportunistic ? "REUSE-OPPORTUNISTIC"_clause
                                        : "REUSE-INTERNAL"_clause);
    if (why.ordered()) continue;
    timeline_.add_edge(s, block.free, *block.free_cuts);
    if (why.shows_complete()) {
      timeline_.show_complete(block.free, *block.free_cuts);
    } else {
      timeline_.add_claim(item, block.free, block.free_cuts);
    }
  }
  return true;
}

void Monitor::count_temptations(const Pool& pool, Stream s, std::uint64_t size) {
  const auto on = [&](history::Attribute id) { return pool.attribute(id).value_or(1) != 0; };
  bool event = false, opportunistic = false, unsafe = false;
  for (const BlockRef& ref : recent_frees_) {
    if (!memory_.exists(ref)) continue;
    const Block& block = memory_.get(ref);
    if (block.live || block.synchronous || block.size < size || block.left < size || block.free.stream == s) continue;
    if (spec::contains<Concrete>(timeline_.observed(), block.free.stream, block.free.position)) continue;
    const bool in_order = spec::contains<Concrete>(timeline_.runtime_reach(s), block.free.stream, block.free.position);
    const bool completed = timeline_.may_have_completed(block.free);
    event |= in_order && !on(history::Attribute::reuse_follow_event_dependencies);
    opportunistic |= !in_order && completed && !on(history::Attribute::reuse_allow_opportunistic);
    unsafe |= !in_order && !completed;
  }
  if (event) verdicts_.count("REUSE-POLICY-EVENT"_clause);
  if (opportunistic) verdicts_.count("REUSE-POLICY-OPPORTUNISTIC"_clause);
  if (unsafe) verdicts_.count("REUSE-UNSAFE"_clause);
}

}  // namespace streampool::model
