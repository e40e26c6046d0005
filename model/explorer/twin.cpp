#include "model/explorer/twin.hpp"

#include <algorithm>

namespace streampool::model::explorer {

// Order
// --------------------------------------------------------------------------------------------------------------------

std::size_t Twin::submit(std::size_t s) {
  const std::size_t i = waits.size();
  Items program = streams[s].program | program_proved, runtime = streams[s].runtime | runtime_proved, waited = 0;
  for (const TwinStream& t : streams) {
    const bool followed = streams[s].legacy ? t.blocking : streams[s].blocking && t.legacy;
    if (!followed) continue;
    program |= t.program;
    runtime |= t.runtime;
    if (!t.items.empty()) waited |= one(t.items.back());
  }
  waits.push_back(waited);
  streams[s].program = program | one(i);
  streams[s].runtime = runtime | one(i);
  streams[s].items.push_back(i);
  return i;
}

void Twin::record(std::size_t e, std::size_t s) {
  const std::size_t i = submit(s);
  events[e] = {.program = streams[s].program, .runtime = streams[s].runtime, .item = i};
}

void Twin::wait(std::size_t s, std::size_t e) {
  const std::size_t i = submit(s);
  streams[s].program |= events[e].program;
  streams[s].runtime |= events[e].runtime;
  if (events[e].item) waits[i] |= one(*events[e].item);
}

void Twin::hold(std::size_t s) { gated |= one(submit(s)); }

void Twin::prove(Items program, Items runtime) {
  program_proved |= program;
  runtime_proved |= runtime;
  observed |= runtime_proved;
}

void Twin::accept_blocking() {
  for (const TwinStream& stream : streams) accepted |= stream.blocking ? stream.runtime : 0;
}

bool Twin::all_idle() const {
  for (std::size_t s = 0; s < streams.size(); ++s) {
    if (!idle(s)) return false;
  }
  return true;
}

bool Twin::recorded_ended(std::size_t e) const { return !events[e].item || (ended & one(*events[e].item)) != 0; }

// The device
// --------------------------------------------------------------------------------------------------------------------

bool Twin::may_begin(std::size_t s) const {
  const TwinStream& stream = streams[s];
  return stream.begun == stream.ended && stream.begun < stream.items.size() &&
         within(waits[stream.items[stream.begun]], ended);
}

bool Twin::may_end(std::size_t s) const {
  const TwinStream& stream = streams[s];
  return stream.ended < stream.begun && !(gate_closed && (gated & one(stream.items[stream.ended])) != 0);
}

void Twin::end(std::size_t s) {
  TwinStream& stream = streams[s];
  ended |= one(stream.items[stream.ended++]);
}

// Memory
// --------------------------------------------------------------------------------------------------------------------

Items Twin::reach_of_next(std::size_t s) const {
  Twin next = *this;
  next.submit(s);
  return next.streams[s].runtime;
}

Twin::Reuse Twin::reuse(std::size_t p, std::size_t s, std::size_t y, Items waited, bool observer) const {
  const TwinBlock& old = blocks[y];
  if (!old.freed) return Reuse::live;
  if (old.synchronous || old.free_stream == s) return Reuse::lawful;
  const Items free = one(old.free_item);
  // An observer sees no device: for it a free may have ended where no closed gate comes before it.
  const bool completed = observer ? !held(old.free_cut) : free_ended(y);
  if (((observed | (observer ? accepted : 0)) & free) != 0) return Reuse::lawful;
  if (old.pool != nobody && (pools[old.pool].released & free) != 0) return Reuse::lawful;
  const auto& [follow, opportunistic, internal] = pools[p].switches;
  const bool in_order = (reach_of_next(s) & free) != 0;
  if (follow && in_order) return Reuse::lawful;
  if (opportunistic && completed) return Reuse::lawful;
  if (internal && (observer || (waited & free) != 0)) return Reuse::lawful;
  return in_order || completed ? Reuse::against_policy : Reuse::unsafe;
}

Twin::Reuse Twin::plain_reuse(std::size_t y, bool observer) const {
  const TwinBlock& old = blocks[y];
  if (!old.freed) return Reuse::live;
  const bool completed = observer ? old.synchronous || !held(old.free_cut) : free_ended(y);
  const bool shown = old.synchronous || (observed & one(old.free_item)) != 0 ||
                     (old.pool != nobody && (pools[old.pool].released & one(old.free_item)) != 0);
  return completed || shown ? Reuse::lawful : Reuse::unsafe;
}

void Twin::set_used(TwinPool& pool, std::uint64_t used) {
  pool.used = used;
  pool.used_high = std::max(pool.used_high, used);
}

void Twin::set_reserved(TwinPool& pool, std::uint64_t reserved) {
  pool.reserved = reserved;
  pool.reserved_high = std::max(pool.reserved_high, reserved);
}

void Twin::take(std::size_t p, std::size_t s, std::size_t base, std::size_t size, Items waited) {
  const Items plain = reach_of_next(s);
  Items edges = 0;
  for (std::size_t unit = base; unit < base + size; ++unit) {
    const std::size_t y = newest[unit];
    if (y == nobody) continue;
    const TwinBlock& old = blocks[y];
    const Items free = one(old.free_item);
    const bool by_order = old.synchronous || old.free_stream == s || (observed & free) != 0 ||
                          (pools[p].switches[0] && (plain & free) != 0);
    if (!by_order) edges |= old.free_cut;
  }
  const std::size_t i = submit(s);
  streams[s].runtime |= edges;
  waits[i] |= waited;
  std::fill_n(newest.begin() + static_cast<std::ptrdiff_t>(base), size, blocks.size());
  blocks.push_back({.pool = p, .stream = s, .item = i, .base = base, .size = size});
  set_used(pools[p], pools[p].used + size);
}

void Twin::take_plain(std::size_t base, std::size_t size) {
  std::fill_n(newest.begin() + static_cast<std::ptrdiff_t>(base), size, blocks.size());
  blocks.push_back({.base = base, .size = size});
}

// Bytes leave the count at the call.
void Twin::drop(std::size_t y) {
  if (blocks[y].pool == nobody) return;
  TwinPool& pool = pools[blocks[y].pool];
  set_used(pool, pool.used - std::min<std::uint64_t>(pool.used, blocks[y].size));
}

void Twin::free(std::size_t s, std::size_t y) {
  const std::size_t i = submit(s);
  TwinBlock& block = blocks[y];
  const bool again = block.freed;
  block.freed = true;
  block.free_stream = s;
  block.free_item = i;
  block.free_cut = streams[s].runtime;
  if (!again) drop(y);
}

void Twin::free_now(std::size_t y) {
  const bool again = blocks[y].freed;
  blocks[y].freed = blocks[y].synchronous = true;
  if (!again) drop(y);
}

void Twin::back(std::size_t p, std::size_t base, std::size_t size) {
  std::fill_n(backed.begin() + static_cast<std::ptrdiff_t>(base), size, p);
  set_reserved(pools[p], pools[p].reserved + size);
}

void Twin::give_back(std::size_t p, std::size_t base, std::size_t size) {
  std::fill_n(backed.begin() + static_cast<std::ptrdiff_t>(base), size, nobody);
  set_reserved(pools[p], pools[p].reserved - std::min<std::uint64_t>(pools[p].reserved, size));
  pools[p].released = ended;
}

// The program
// --------------------------------------------------------------------------------------------------------------------

bool Twin::may_use(std::size_t s, std::size_t y) const {
  const TwinBlock& block = blocks[y];
  return !block.freed && (!block.item || (streams[s].program & one(*block.item)) != 0);
}

bool Twin::may_free(std::size_t s, std::size_t y) const {
  return may_use(s, y) && within(blocks[y].uses, streams[s].program);
}

bool Twin::may_free_now(std::size_t y) const {
  const TwinBlock& block = blocks[y];
  return !block.freed && (!block.item || (program_proved & one(*block.item)) != 0) &&
         within(block.uses, program_proved);
}

}  // namespace streampool::model::explorer
