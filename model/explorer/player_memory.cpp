// Player: memory.
#include "model/explorer/player.hpp"
#include "spec/rules/pool.hpp"
#include "spec/rules/program.hpp"

namespace streampool::model::explorer {

// Memory that a call may give back when it has returned.
void Player::give_back_after(bool listed, const Choice& c, const std::string& call) {
  const std::size_t p = c.n[1] % twin_.pools.size();
  const Span span = span_of(c);
  const TwinPool& pool_now = twin_.pools[p];
  if (c.n[4] % 2 == 0 || pool_now.destroyed) return;
  State after = rules_;
  const bool by_rules = spec::release<V>(after, pool_id(p), {span.base, span.size}, listed, false, 0);
  const std::uint64_t floor = std::min(pool_now.threshold, pool_now.reserved);
  const bool in_pool = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == p; });
  const bool quiet = every_unit(twin_.newest, span, [&](std::size_t y) { return twin_.quiet(y); });
  const bool keeps = pool_now.reserved >= span.size && pool_now.reserved - span.size >= floor;
  if (by_rules && in_pool) {  // read before the call that gives back
    lines_.insert(lines_.end() - 1, reading(p, rules_));
  }
  const bool shown = reads_less(p, after) && (!listed || !keeps || live_or_held(span));
  if (!decide(by_rules, listed && in_pool && quiet && keeps, shown, !listed || !keeps ? "THRESHOLD" : "RELEASE-SAFE",
              fmt::format("{} gives back {} MiB", call, span.size), {reading(p, after)}))
    return;
  rules_ = after;
  twin_.give_back(p, span.base, span.size);
}

void Player::malloc(const Choice& c) {
  if (twin_.blocks.size() >= most_blocks) return;
  const std::size_t s = slot_stream_[c.n[0] % slots], p = c.n[1] % twin_.pools.size();
  const Span span = span_of(c);
  const auto x = block_id(twin_.blocks.size());
  const std::string call = fmt::format("malloc {} {}MiB {} {} -> ok {}", block(twin_.blocks.size()), span.size, pool(p),
                                       stream(s), address(span.base));
  // What the runtime makes the item wait for: nothing, or the frees of the range.
  Cut waits;
  Items waited = 0;
  if (c.n[4] % 2 == 1) {
    every_unit(twin_.newest, span, [&](std::size_t y) {
      if (y == nobody || !twin_.blocks[y].freed || twin_.blocks[y].synchronous) return true;
      const V::Stream t = rules_.allocations.free_stream.get(block_id(y));
      waits.put(t, std::max(waits.at(t), rules_.allocations.free_position.get(block_id(y))));
      waited |= Twin::one(twin_.blocks[y].free_item);
      return true;
    });
  }
  State grown = rules_;
  Twin next = twin_;
  const auto mapped = [&](const Twin& twin) {
    return every_unit(twin.backed, span, [&](std::size_t owner) { return owner == p; });
  };
  bool grows = false;
  if (!mapped(twin_) && c.n[5] % 4 != 0) {  // now and then without it: the rules must refuse
    const TwinPool& mine = twin_.pools[p];
    const bool by_rules = spec::reserve<V>(grown, pool_id(p), {span.base, span.size}, 2);
    const std::uint64_t cap = (mine.max_size + 1) / 2 * 2;
    const bool fits = cap == 0 || mine.reserved + span.size <= cap;
    const bool vacant =
        every_unit(twin_.newest, span, [&](std::size_t y) { return y == nobody || twin_.blocks[y].freed; });
    const bool unbacked = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == nobody; });
    const bool by_twin = !mine.destroyed && fits && vacant && unbacked;
    if (by_rules != by_twin || !by_rules) {
      const bool lawful = every_unit(twin_.newest, span, [&](std::size_t y) {
        return y == nobody || twin_.reuse(p, s, y, waited, false) == Twin::Reuse::lawful;
      });
      if (!lawful) return;  // the malloc would not follow
      decide(by_rules, by_twin, !fits || mine.destroyed || !vacant, !fits ? "ACCOUNTING" : "RELEASE-SAFE",
             fmt::format("{} grows by {} MiB", pool(p), span.size), {call, reading(p, grown)});
      over_ = over_ || by_rules != by_twin;
      return;
    }
    next.back(p, span.base, span.size);
    grows = true;
  }
  State after = grown;
  const bool by_rules =
      spec::malloc(after, stream_ids_[s], spec::Grant<V>{x, pool_id(p), {span.base, span.size}, waits});
  auto worst = Twin::Reuse::lawful, seen = Twin::Reuse::lawful;
  every_unit(next.newest, span, [&](std::size_t y) {
    if (y == nobody) return true;
    const auto machine = next.reuse(p, s, y, waited, false), observer = next.reuse(p, s, y, waited, true);
    if (worst == Twin::Reuse::lawful) worst = machine;
    if (seen == Twin::Reuse::lawful) seen = observer;
    return true;
  });
  const bool backed = mapped(next);
  const char* const theorem = worst == Twin::Reuse::live     ? "NO-OVERLAP"
                              : worst == Twin::Reuse::unsafe ? "REUSE-SAFE"
                              : !backed                      ? "RELEASE-SAFE"
                              : next.pools[p].destroyed      ? "EXACT-STEP"
                                                             : "EXACT-OFF";
  const bool by_twin = backed && !next.pools[p].destroyed && worst == Twin::Reuse::lawful;
  if (grows && !by_rules && !by_twin) return;
  // Without memory of its own under the range, the pool uses more than it has reserved.
  const bool overdrawn = !backed && next.pools[p].used + span.size > next.pools[p].reserved;
  std::vector<std::string> lines{call};
  if (overdrawn) lines.push_back(reading(p, after));
  if (!decide(by_rules, by_twin, overdrawn || next.pools[p].destroyed || seen != Twin::Reuse::lawful, theorem,
              fmt::format("{} gets {}", stream(s), address(span.base)), lines))
    return;
  rules_ = after;
  next.take(p, s, span.base, span.size, waited);
  twin_ = next;
}

void Player::plain_malloc(const Choice& c) {
  if (twin_.blocks.size() >= most_blocks) return;
  const Span span = span_of(c);
  State after = rules_;
  const bool by_rules = spec::plain_malloc<V>(after, block_id(twin_.blocks.size()), {span.base, span.size});
  const auto lawful = [&](bool observer) {
    return every_unit(twin_.newest, span, [&](std::size_t y) {
      return y == nobody || twin_.plain_reuse(y, observer) == Twin::Reuse::lawful;
    });
  };
  const bool unbacked = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == nobody; });
  if (!decide(
          by_rules, unbacked && lawful(false), !lawful(true), lawful(false) ? "RELEASE-SAFE" : "REUSE-SAFE",
          "plain memory at " + address(span.base),
          {fmt::format("plain_malloc {} {}MiB -> ok {}", block(twin_.blocks.size()), span.size, address(span.base))}))
    return;
  rules_ = after;
  twin_.take_plain(span.base, span.size);
}

void Player::free(std::size_t s, std::size_t y) {
  State after = rules_;
  Twin next = twin_;
  const bool by_rules = spec::free(after, stream_ids_[s], block_id(y));
  const std::string call = fmt::format("free {} {} -> ok", block(y), stream(s));
  if (by_rules == twin_.blocks[y].freed) {  // whatever the program owes: the runtime's answer is wrong
    decide(by_rules, !by_rules, true, "EXACT-STEP", "a free of " + block(y), {call});
    return;
  }
  State asked = after;
  asked.allocations.freed = rules_.allocations.freed;
  const bool owed = by_rules && spec::free_owed(asked, stream_ids_[s], block_id(y));
  next.submit(s);
  if (!decide(owed, next.may_free(s, y), true, "PROGRAM-SOUND", "a free of " + block(y), {call})) return;
  if (after.allocations.counted.get(block_id(y))) spec::stop_counting(after, block_id(y));
  rules_ = after;
  twin_.free(s, y);
}

void Player::free_sync(std::size_t y) {
  State after = rules_;
  const bool by_rules = spec::free_sync(after, block_id(y));
  const std::string call = fmt::format("free_sync {} -> ok", block(y)), what = "a synchronous free of " + block(y);
  if (by_rules == twin_.blocks[y].freed) {
    decide(by_rules, !by_rules, true, "EXACT-STEP", what, {call});
    return;
  }
  const bool owed = by_rules && spec::free_sync_owed(rules_, block_id(y));
  if (!decide(owed, twin_.may_free_now(y), true, "PROGRAM-SOUND", what, {call})) return;
  if (after.allocations.counted.get(block_id(y))) spec::stop_counting(after, block_id(y));
  rules_ = after;
  twin_.free_now(y);
}

void Player::trim(const Choice& c) {
  const std::size_t p = c.n[1] % twin_.pools.size();
  const TwinPool& mine = twin_.pools[p];
  if (mine.destroyed) return;
  const Span span = span_of(c);
  const std::uint64_t keep = c.n[4] % 3 * 2;
  State after = rules_;
  const bool by_rules = spec::trim<V>(after, pool_id(p), {span.base, span.size}, keep);
  const bool in_pool = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == p; });
  const bool quiet = every_unit(twin_.newest, span, [&](std::size_t y) { return twin_.quiet(y); });
  const bool keeps = mine.reserved >= span.size && mine.reserved - span.size >= std::min(keep, mine.reserved);
  const bool shown = reads_less(p, after) && (!keeps || live_or_held(span));
  if (!decide(by_rules, in_pool && quiet && keeps, shown, keeps ? "RELEASE-SAFE" : "THRESHOLD",
              fmt::format("a trim to {} MiB gives back {} MiB", keep, span.size),
              {reading(p, rules_), fmt::format("pool_trim {} {}MiB -> ok", pool(p), keep), reading(p, after)}))
    return;
  rules_ = after;
  twin_.give_back(p, span.base, span.size);
}

}  // namespace streampool::model::explorer
