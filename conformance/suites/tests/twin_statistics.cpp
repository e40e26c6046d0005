// What a twin counts, gives back and keeps the content of.
#include <algorithm>

#include "conformance/suites/tests/twin_memory.hpp"

namespace streampool::suites::twins {

using enum Fault;

// Statistics ------------------------------------------------------------------------------------------

std::uint64_t Memory::used(PoolIndex p) {
  PoolState& pool = pools_[p];
  if (!twin_.is(used_drops_at_completion)) return pool.used;
  std::uint64_t pending = 0, live_bytes = 0;
  for (const auto& [start, segment] : segments_) {
    if (!segment.live && segment.mark.pool == p && !mark_done(segment.mark)) pending += segment.end - start;
  }
  for (const Block& block : blocks_) live_bytes += block.live && block.pool == p ? block.size : 0;
  return live_bytes + pending;
}

std::uint64_t Memory::reserved(PoolIndex p) {
  const PoolState& pool = pools_[p];
  std::uint64_t bytes = pool.reserved();
  if (twin_.is(reserved_reports_one_more)) bytes += granule;
  if (twin_.is(used_above_reserved)) bytes -= std::min(bytes, granule);
  if (twin_.is(reserved_counts_bytes)) bytes = pool.used;
  if (twin_.is(reserved_hides_pending)) {
    for (const auto& [start, segment] : segments_) {
      if (!segment.live && segment.mark.pool == p && !mark_done(segment.mark))
        bytes -= std::min(bytes, segment.end - start);
    }
  }
  if (twin_.is(reserves_into_all_pools)) {
    for (PoolIndex q = default_pool; q < pools_.size(); ++q) bytes += q == p ? 0 : pools_[q].reserved();
  }
  return bytes;
}

void Memory::note_used(PoolIndex p) {
  PoolState& pool = pools_[p];
  const std::uint64_t now = used(p) + pool.pending_used;
  if (twin_.is(used_high_follows)) pool.used_high = now;
  if (twin_.is(used_high_sampled) || (twin_.is(used_high_frozen) && pool.high_frozen)) return;
  pool.used_high = std::max(pool.used_high, now);
}

void Memory::note_reserved(PoolIndex p) {
  PoolState& pool = pools_[p];
  if ((twin_.is(reserved_high_frozen) && pool.high_frozen) || twin_.is(reserved_high_sampled)) return;
  if (twin_.is(reserved_high_counts_used)) {
    pool.reserved_high = std::max(pool.reserved_high, used(p));
    return;
  }
  if (twin_.is(reserved_high_follows)) pool.reserved_high = pool.reserved();
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved());
}

std::uint64_t Memory::free_device_memory(std::uint32_t device) const {
  std::uint64_t taken = leaked;
  for (const PoolState& pool : pools_) {
    const bool given_back = !pool.alive && twin_.is(destroy_gives_back_pending);
    if (pool.device == device && !given_back) taken += pool.reserved();
  }
  return limit[device] > taken ? limit[device] - taken : 0;
}

// Giving back -----------------------------------------------------------------------------------------

bool Memory::granule_is_idle(std::uint64_t number, bool pending_too, bool live_too) {
  const std::uint64_t begin = number * granule, end = begin + granule;
  for (const auto& [start, segment] : segments_) {
    if (start >= end || segment.end <= begin) continue;
    if (segment.live ? !live_too : !(pending_too || known_done(segment.mark))) return false;
  }
  return true;
}

void Memory::give_back(PoolIndex p, std::uint64_t floor, bool pending_too, bool live_too) {
  PoolState& pool = pools_[p];
  const std::vector<std::uint64_t> numbers(pool.backed.rbegin(), pool.backed.rend());
  if (twin_.is(releases_whole_or_nothing) && live(p)) return;
  for (const std::uint64_t g : numbers) {
    if (pool.reserved() < floor + granule) return;
    if (!granule_is_idle(g, pending_too, live_too)) continue;
    pool.backed.erase(g);
    if (twin_.is(release_counts_only)) leaked += granule;
    lose(g * granule, (g + 1) * granule);
    if (!live_too) cut_out(g * granule, (g + 1) * granule);
  }
}

void Memory::release_point(std::uint32_t device) {
  if (twin_.is(never_releases)) return;
  for (PoolIndex p = plain_pool; p < pools_.size(); ++p) {
    PoolState& pool = pools_[p];
    if (pool.device != device) continue;
    if (p == plain_pool && twin_.is(plain_memory_leaks)) continue;
    if (p == default_pool && twin_.is(default_pool_keeps)) continue;
    if (!pool.alive && twin_.is(orphan_memory_leaks)) continue;
    std::uint64_t floor = twin_.is(threshold_old_value) ? pool.threshold_at_malloc : pool.settings[4];
    if (!pool.alive || twin_.is(threshold_ignored)) floor = 0;
    if (twin_.is(threshold_rounded_down)) floor -= floor % granule;
    if (twin_.is(threshold_compares_idle) && floor < memory_size) floor += used(p);
    if (twin_.is(threshold_undershoots) && pool.reserved() > floor) floor -= std::min(floor, granule);
    if (pool.reserved() > floor) give_back(p, floor, twin_.is(release_forgets_pending), twin_.is(sync_releases_live));
    if (twin_.is(reserved_rises_at_sync)) pool.extra_reserved += granule;
    if (twin_.is(moves_with_calls)) {
      const auto id = static_cast<std::size_t>(twin_.attribute);
      if (id <= 4) pool.settings[id] = pool.frozen[id];
    }
    note_reserved(p);
  }
}

void Memory::trim(PoolIndex p, std::uint64_t keep) {
  PoolState& pool = pools_[p];
  if (twin_.is(trim_grows) && keep > pool.reserved() && keep < memory_size)
    pool.extra_reserved = keep - pool.reserved();
  if (twin_.is(moves_with_calls) && static_cast<std::size_t>(twin_.attribute) <= 4) {
    pool.settings[static_cast<std::size_t>(twin_.attribute)] = pool.frozen[static_cast<std::size_t>(twin_.attribute)];
  }
  if (twin_.is(trim_does_nothing) || (p == default_pool && twin_.is(default_pool_keeps))) return;
  std::uint64_t floor = twin_.is(trim_ignores_target) ? 0 : keep;
  if (twin_.is(trim_rounded_down)) floor -= floor % granule;
  if (twin_.is(trim_keeps_threshold)) floor = std::max(floor, pool.settings[4]);
  if (twin_.is(trim_loses_content)) lose_pool(p);
  if (twin_.is(frees_count_for_ever_in_trim)) {
    pool.trimmed_pending = pool.trimmed_pending || pending(p);
    if (pool.trimmed_pending) return;
  }
  if (twin_.is(trim_undershoots) && pool.reserved() > floor) floor -= std::min(floor, granule);
  if (twin_.is(trim_takes_from_all)) {
    for (PoolIndex q = default_pool; q < pools_.size(); ++q) give_back(q, floor, false, false);
  }
  if (pool.reserved() > floor) {
    const bool pending_too = twin_.is(trim_forgets_pending) || twin_.is(trim_takes_pending);
    give_back(p, floor, pending_too, twin_.is(trim_releases_live));
  }
  note_reserved(p);
}

void Memory::destroy(PoolIndex p) {
  PoolState& pool = pools_[p];
  if (!twin_.is(dead_pool_accepted)) pool.alive = false;
  if (twin_.is(destroy_clears_live)) lose_pool(p);
  if (twin_.is(destroy_immediate)) {
    for (Block& block : blocks_) {
      if (block.live && block.pool == p) release_block(block, {.sync = true});
    }
  }
  if (pool.alive) return;
  if (twin_.is(destroyed_pool_leaks)) leaked += pool.reserved();
  if (!twin_.is(orphan_memory_leaks)) give_back(p, 0, false, false);
}

bool Memory::pending(PoolIndex p) const {
  return std::ranges::any_of(segments_, [&](const auto& entry) {
    return !entry.second.live && entry.second.mark.pool == p && !mark_done(entry.second.mark);
  });
}

bool Memory::live(PoolIndex p) const {
  return std::ranges::any_of(blocks_, [&](const Block& block) { return block.live && block.pool == p; });
}

void Memory::fill(std::uint64_t begin, std::uint64_t end, std::uint8_t value) {
  content_.assign(begin, end, value);
  for (const Alias& alias : aliases_) {
    const std::uint64_t from = std::max(begin, alias.from), to = std::min(end, alias.from + alias.size);
    if (from < to) content_.assign(alias.to + (from - alias.from), alias.to + (to - alias.from), value);
  }
}

bool Memory::holds(std::uint64_t begin, std::uint64_t end, std::uint8_t value) {
  std::uint64_t same = 0;
  content_.for_each(begin, end,
                    [&](const auto& range, std::uint8_t byte) { same += byte == value ? range.end - range.begin : 0; });
  return same == end - begin;
}

}  // namespace streampool::suites::twins
