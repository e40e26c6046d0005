#include "conformance/suites/tests/twin_memory.hpp"

#include <algorithm>

namespace streampool::suites::twins {

using enum Fault;

namespace {
std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }
}  // namespace

Memory::Memory(const Twin& twin, Device& device) : twin_(twin), device_(device) {
  add_pool(0, 0, nullptr);  // plain memory
  add_pool(0, 1, nullptr);  // the default pool
}

PoolIndex Memory::add_pool(std::uint64_t max_size, std::uint64_t handle, const PoolState* inherit) {
  PoolState made;
  made.handle = handle;
  made.max_size = max_size;
  const bool same_window = (twin_.is(pools_share_addresses) && pools_.size() > 1) ||
                           (twin_.is(plain_shares_addresses) && pools_.size() == 2);
  made.base = same_window ? pools_[twin_.is(pools_share_addresses) ? 2 % pools_.size() : plain_pool].base
                          : (pools_.size() + 1) * window;
  if (inherit != nullptr && twin_.is(recycled_pool_inherits_settings)) made.settings = inherit->settings;
  if (inherit != nullptr && twin_.is(recycled_pool_inherits_statistics)) {
    made.used_high = inherit->used_high;
    made.reserved_high = inherit->reserved_high;
  }
  if (twin_.is(new_pools_copy_the_last) && pools_.size() > default_pool + 1) made.settings = pools_.back().settings;
  if (twin_.is(default_wrong)) {
    const auto id = static_cast<std::size_t>(twin_.attribute);
    if (id <= 3) made.settings[id] = 0;
    if (id == 4) made.settings[id] = granule;
    if (twin_.attribute == Attribute::reserved_mem_current) made.extra_reserved = granule;
    if (twin_.attribute == Attribute::reserved_mem_high) made.reserved_high = granule;
    if (twin_.attribute == Attribute::used_mem_high) made.used_high = alignment;
    if (twin_.attribute == Attribute::used_mem_current) made.used = alignment;
  }
  made.frozen = made.settings;
  pools_.push_back(made);
  return pools_.size() - 1;
}

// Choosing --------------------------------------------------------------------------------------------

bool Memory::mark_done(const Mark& mark) const { return mark.sync || device_.done(mark.stream, mark.position); }

bool Memory::known_done(const Mark& mark) const {
  const bool by_proof =
      twin_.is(proofs_stay_in_their_thread) || twin_.is(event_sync_finds_nothing) || twin_.is(free_sync_proves_nothing);
  return by_proof ? mark.sync || device_.proved().contains(mark.stream, mark.position) : mark_done(mark);
}

bool Memory::may_reuse(const Mark& mark, PoolIndex p, Stream s, bool internal) {
  if (p == plain_pool) return mark_done(mark) || twin_.is(plain_takes_pending);
  if (twin_.is(never_reuses)) return false;
  if (twin_.is(reuses_any_free)) return true;
  if (mark.sync) return true;
  const PoolState& pool = pools_[p];
  const auto& own = twin_.is(switches_frozen)          ? pool.frozen
                    : twin_.is(switches_at_free)       ? mark.switches
                    : twin_.is(switches_of_first_pool) ? pools_[default_pool + 1].settings
                    : twin_.is(switches_of_last_pool)  ? pools_.back().settings
                                                       : pool.settings;
  const bool follow = own[1] != 0 || twin_.is(event_switch_ignored);
  const bool opportunistic = own[2] != 0 || twin_.is(opportunistic_switch_ignored);
  const bool dependencies = own[3] != 0 || twin_.is(internal_switch_ignored);
  const Stream label = twin_.is(allocating_stream_label) ? mark.allocated_on : mark.stream;
  StreamState& mine = device_.stream(s);
  if (label == s) return !twin_.is(no_room_after_free);
  if (twin_.is(stream_by_handle) && mine.handle == device_.stream(label).handle && mine.handle != 0) return true;
  if (twin_.is(destroy_forgets_pending) && mark.pool != p && !pools_[mark.pool].alive) return true;
  if (!twin_.is(frees_count_for_ever) && device_.proved().contains(mark.stream, mark.position)) return true;
  if (follow && !twin_.is(frees_count_for_ever) && device_.ordered(s, mark.stream, mark.position)) return true;
  if (opportunistic && !twin_.is(frees_count_for_ever) &&
      (mark_done(mark) || twin_.is(opportunistic_without_completion))) {
    return true;
  }
  return internal && dependencies;
}

bool Memory::run_is_idle(PoolIndex p, std::uint64_t begin, std::uint64_t end, Stream s, bool internal) {
  const PoolState& pool = pools_[p];
  const std::uint64_t checked = twin_.is(checks_all_but_last_unit) ? end - alignment : end;
  std::uint64_t at = begin;
  while (at < end) {
    auto next = segments_.upper_bound(at);
    const auto found = next == segments_.begin() ? segments_.end() : std::prev(next);
    if (found == segments_.end() || found->second.end <= at) {
      // Never used, or given back: idle where it is backed.
      const std::uint64_t until = std::min(end, next == segments_.end() ? end : next->first);
      if (missing(pool, at, until) > 0) return false;
      at = until;
      continue;
    }
    const Segment& segment = found->second;
    if (segment.live) return false;
    const bool skip = (twin_.is(checks_first_byte_only) && at != begin) || at >= checked;
    const Mark& mark = twin_.is(first_label_stays) && segment.first ? *segment.first : segment.mark;
    if (!skip && !may_reuse(mark, p, s, internal)) return false;
    at = segment.end;
  }
  return true;
}

std::optional<std::uint64_t> Memory::find_idle(PoolIndex p, PoolIndex from, std::uint64_t range, Stream s,
                                               bool internal) {
  const std::uint64_t base = pools_[from].base;
  for (auto it = segments_.lower_bound(base); it != segments_.end() && it->first < base + window; ++it) {
    if (it->second.live) {
      if (twin_.is(hands_out_live_memory)) return it->first;
      continue;
    }
    const Mark& mark = twin_.is(first_label_stays) && it->second.first ? *it->second.first : it->second.mark;
    if (!may_reuse(mark, p, s, internal)) continue;
    if (run_is_idle(from, it->first, it->first + range, s, internal)) return it->first;
  }
  return std::nullopt;
}

std::uint64_t Memory::missing(const PoolState& pool, std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t count = 0;
  for (std::uint64_t g = begin / granule; g <= (end - 1) / granule; ++g) count += pool.backed.contains(g) ? 0 : 1;
  return count;
}

std::uint64_t Memory::capacity(PoolIndex p) const {
  const PoolState& pool = pools_[p];
  std::uint64_t others = leaked;
  for (PoolIndex q = 0; q < pools_.size(); ++q) {
    others += q == p || pools_[q].device != pool.device ? 0 : pools_[q].reserved();
  }
  if (twin_.is(cap_exclusive_of_device)) others += granule;
  const std::uint64_t room = twin_.is(one_limit_for_all_devices) ? std::min(limit[0], limit[1]) : limit[pool.device];
  std::uint64_t cap = room > others ? room - others : 0;
  if (pool.max_size == 0 || twin_.is(cap_ignored)) return cap;
  std::uint64_t own = twin_.is(cap_rounded_down) ? pool.max_size / granule * granule : round_up(pool.max_size, granule);
  if (twin_.is(cap_exclusive) || (twin_.is(cap_counts_touched_twice) && live(p))) own -= granule;
  return std::min(cap, own);
}

std::optional<std::uint64_t> Memory::grow(PoolIndex p, std::uint64_t range) {
  PoolState& pool = pools_[p];
  if (range > std::uint64_t{1} << 43) return std::nullopt;
  std::uint64_t begin = pool.base;
  for (auto it = segments_.lower_bound(pool.base); it != segments_.end() && it->first < pool.base + window; ++it) {
    if (begin + range <= it->first) break;
    begin = std::max(begin, it->second.end);
  }
  if (twin_.is(misaligned)) begin += 16;
  if (twin_.is(plain_shares_addresses) && p == plain_pool) begin = pools_[2 % pools_.size()].base;
  if (twin_.is(pools_share_addresses) && p > default_pool) {
    begin = pool.base;
    while (holding(begin) != nullptr && holding(begin)->pool == p) begin = holding(begin)->end;
  }
  const std::uint64_t cap = capacity(p);
  const auto needed = [&] { return pool.reserved() + missing(pool, begin, begin + range) * granule; };
  if (stuck) return std::nullopt;
  if (needed() > cap && !twin_.is(no_pressure)) {
    if (!twin_.is(needs_contiguous)) give_back(p, 0, false, false);
    if (twin_.is(pressure_takes_from_all)) {
      for (PoolIndex q = default_pool; q < pools_.size(); ++q) give_back(q, 0, false, false);
    }
    if (twin_.is(frees_count_for_ever)) return std::nullopt;
  }
  if (needed() > cap) {
    if (twin_.is(failed_malloc_leaks)) leaked += granule;
    return std::nullopt;
  }
  const std::uint64_t fresh = missing(pool, begin, begin + range);
  if (fresh > 0) {
    const bool reserve_fails = fail_reserve > 0 && --fail_reserve == 0;
    const bool map_fails = !reserve_fails && fail_map > 0 && --fail_map == 0;
    if (reserve_fails || map_fails) {
      if (twin_.is(fault_leaks)) pool.extra_reserved += granule;
      if (twin_.is(fault_sticks)) stuck = true;
      return std::nullopt;
    }
    if (twin_.is(content_lost_by_growth)) lose_pool(p);
  }
  for (std::uint64_t g = begin / granule; g <= (begin + range - 1) / granule; ++g) pool.backed.insert(g);
  if (twin_.is(shares_physical_memory)) {
    for (const auto& [start, segment] : segments_) {
      const bool mine = pool.base <= start && start < pool.base + window;
      if (mine && !segment.live && !mark_done(segment.mark))
        aliases_.push_back({start, begin, std::min(range, segment.end - start)});
    }
  }
  return begin;
}

// Allocating ------------------------------------------------------------------------------------------

void Memory::cut_out(std::uint64_t begin, std::uint64_t end) {
  auto it = segments_.upper_bound(begin);
  if (it != segments_.begin()) --it;
  while (it != segments_.end() && it->first < end) {
    const std::uint64_t start = it->first;
    Segment old = it->second;
    if (old.end <= begin) {
      ++it;
      continue;
    }
    it = segments_.erase(it);
    if (start < begin) {
      Segment left = old;
      left.end = begin;
      segments_[start] = left;
    }
    if (old.end > end) it = segments_.emplace(end, old).first;
  }
}

void Memory::take(PoolIndex p, std::uint64_t begin, std::uint64_t size, Stream s, Grant& grant, bool internal) {
  const std::uint64_t end = begin + round_up(size, alignment);
  Block block{begin, size, end, true, false, p, s, {}, {}};
  std::optional<Mark> first;
  auto it = segments_.upper_bound(begin);
  if (it != segments_.begin()) --it;
  for (; it != segments_.end() && it->first < end; ++it) {
    if (it->second.end <= begin || it->second.live) continue;
    const Mark& mark = it->second.mark;
    block.reused = true;
    block.over.push_back(mark);
    first = it->second.first ? it->second.first : mark;
    if (twin_.is(used_drops_at_completion) || mark.sync || p == plain_pool) continue;
    // Opportunistic and internal reuse: the new block follows the free.
    if (internal && !twin_.is(dependency_not_inserted) &&
        !(twin_.is(dependency_on_first_only) && block.over.size() > 1)) {
      grant.waits.put(mark.stream, mark.position);
    }
    if (twin_.is(remainder_relabelled) && it->second.end > end) {
      it->second.mark.stream = s;
      it->second.mark.position = 0;
    }
  }
  cut_out(begin, end);
  if (twin_.is(content_lost_by_neighbour) && block.reused) lose(end, end + alignment);
  if (twin_.is(misaligned_remainder) && block.reused && end - begin > size) {
    const auto rest = segments_.find(end);
    if (rest != segments_.end() && !rest->second.live) {
      const Segment moved = rest->second;
      segments_.erase(rest);
      segments_[begin + round_up(size, 16)] = moved;
      block.end = begin + round_up(size, 16);
    }
  }
  const std::uint64_t covers = twin_.is(padding_shared) ? begin + round_up(size, 16) : block.end;
  segments_[begin] = {covers, true, blocks_.size(), {}, first};
  blocks_.push_back(block);
  freed_starts_.erase(begin);
  PoolState& pool = pools_[p];
  pool.threshold_at_malloc = pool.settings[4];
  if (twin_.is(used_forgets_reuse) && block.reused) return;
  const std::uint64_t counted = twin_.is(used_counts_rounded)    ? round_up(size, alignment)
                                : twin_.is(used_counts_granules) ? round_up(size, granule)
                                                                 : size;
  pool.used += counted;
  if (twin_.is(counts_into_all_pools)) {
    for (PoolIndex q = default_pool; q < pools_.size(); ++q) pools_[q].used += q == p ? 0 : counted;
  }
}

Grant Memory::allocate(PoolIndex p, std::uint64_t size, Stream s) {
  if (size > ~std::uint64_t{0} - alignment) {
    if (twin_.is(failed_malloc_counts)) pools_[p].used += granule;
    if (!twin_.is(wraps)) return {Outcome::overflows, 0, {}};
    size = alignment;
  }
  const std::uint64_t range = round_up(size, alignment);
  Grant grant;
  if (range > memory_size) {
    if (!twin_.is(wraps)) return {Outcome::does_not_fit, 0, {}};
    grant.address = 0 - alignment;
    return grant;
  }
  std::optional<std::uint64_t> at;
  bool internal = false;
  if (twin_.is(reserved_falls_at_malloc)) give_back(p, 0, false, false);
  at = find_idle(p, p, range, s, false);
  if (!at && p == plain_pool && twin_.is(plain_takes_pending)) {
    for (PoolIndex q = default_pool; q < pools_.size() && !at; ++q) at = find_idle(plain_pool, q, range, s, false);
  }
  if (!at && p != plain_pool && (twin_.is(pools_trade_pending) || twin_.is(destroy_forgets_pending))) {
    for (auto& [start, segment] : segments_) {
      const bool dead_owner = !pools_[segment.mark.pool].alive;
      if (segment.live || segment.end - start < range || segment.mark.pool == p || segment.mark.pool == plain_pool)
        continue;
      if (twin_.is(destroy_forgets_pending) && !dead_owner) continue;
      at = start;
      break;
    }
  }
  if (!at && p != plain_pool) {
    at = find_idle(p, p, range, s, true);
    internal = at.has_value();
  }
  if (!at) at = grow(p, range);
  note_reserved(p);
  if (!at) {
    if (twin_.is(failed_malloc_reserves)) pools_[p].extra_reserved += granule;
    if (twin_.is(reserved_high_beyond_cap)) pools_[p].reserved_high += granule;
    if (twin_.is(failed_malloc_counts)) pools_[p].used += size;
    if (twin_.is(failed_malloc_raises_high)) pools_[p].used_high = std::max(pools_[p].used_high, pools_[p].used + size);
    if (twin_.is(content_lost_by_failed_call)) lose_pool(p);
    return {Outcome::does_not_fit, 0, {}};
  }
  take(p, *at, size, s, grant, internal);
  grant.address = *at;
  note_used(p);
  note_reserved(p);
  return grant;
}

// Freeing ---------------------------------------------------------------------------------------------

Block* Memory::holding(std::uint64_t address) {
  for (Block& block : blocks_) {
    if (block.live && block.begin <= address && address < block.end) return &block;
  }
  return nullptr;
}

Block* Memory::starting_at(std::uint64_t address) {
  Block* found = holding(address);
  return found != nullptr && found->begin == address ? found : nullptr;
}

bool Memory::free_pending(std::uint64_t address) {
  const auto found = segments_.find(address);
  return found != segments_.end() && !found->second.live && !mark_done(found->second.mark);
}

void Memory::release_block(Block& block, const Mark& mark) {
  block.live = false;
  PoolState& pool = pools_[block.pool];
  const auto old = segments_.find(block.begin);
  const auto first = old != segments_.end() ? old->second.first : std::nullopt;
  cut_out(block.begin, block.end);
  Segment segment{block.end, false, 0, mark, first};
  segment.mark.switches = pool.settings;
  segment.mark.pool = block.pool;
  segment.mark.allocated_on = block.stream;
  if (twin_.is(merge_keeps_first_label)) {
    for (auto& [start, other] : segments_) {
      if (!other.live && other.end == block.begin) segment.mark = other.mark;
    }
  }
  segments_[block.begin] = segment;
  freed_starts_.insert(block.begin);
  const std::uint64_t counted = twin_.is(used_counts_rounded)    ? round_up(block.size, alignment)
                                : twin_.is(used_counts_granules) ? round_up(block.size, granule)
                                                                 : block.size;
  const bool uncounted = twin_.is(used_forgets_reuse) && block.reused;
  const bool lost = (mark.sync && twin_.is(sync_free_not_counted)) || mark.lost;
  if (!uncounted && !lost && !twin_.is(used_never_drops) && !twin_.is(used_drops_at_completion)) {
    const std::uint64_t times = twin_.is(used_drops_twice) && block.reused ? 2 : 1;
    pool.used -= std::min(pool.used, times * counted);
  }
  if (twin_.is(counts_into_all_pools)) {
    for (PoolIndex q = default_pool; q < pools_.size(); ++q) {
      if (q != block.pool) pools_[q].used -= std::min(pools_[q].used, counted);
    }
  }
  if (twin_.is(used_high_counts_pending)) pool.pending_used += counted;
  if (twin_.is(reserved_rises_at_free)) pool.extra_reserved += granule;
  if (twin_.is(reserved_falls_at_free)) give_back(block.pool, 0, true, false);
  if (block.pool == plain_pool && mark.sync && !twin_.is(plain_memory_leaks)) give_back(plain_pool, 0, false, false);
  note_used(block.pool);
  note_reserved(block.pool);
}

void Memory::free_blocks_of(Stream s) {
  for (Block& block : blocks_) {
    if (!block.live || block.stream != s) continue;
    lose(block.begin, block.end);
    release_block(block, {.sync = true});
  }
}

void Memory::miscount_free(std::uint64_t address) {
  const auto found = segments_.find(address);
  if (found == segments_.end()) return;
  PoolState& pool = pools_[found->second.mark.pool];
  pool.used -= std::min(pool.used, found->second.end - address);
}

bool Memory::reused_from(Stream s) const {
  return std::ranges::any_of(blocks_, [&](const Block& block) {
    return block.live && std::ranges::any_of(block.over, [&](const Mark& mark) { return mark.stream == s; });
  });
}

}  // namespace streampool::suites::twins
