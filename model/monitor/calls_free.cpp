// Frees, and what the program does with its memory (chapters ALLOC and PROGRAM).
#include <algorithm>

#include "fmt/format.h"
#include "model/monitor/monitor.hpp"

namespace streampool::model {

using namespace spec::literals;
using history::Op;

namespace {

// How many of the newest frees are kept for counting forbidden reuses within reach.
constexpr std::size_t temptations = 4;

// Plain memory has item 0, which is in every cut.
bool in_cut(const Item& item, const Cut& cut) { return spec::contains<Concrete>(cut, item.stream, item.position); }

}  // namespace

// Free
// ---------------------------------------------------------------------------------------------------------------------

std::optional<std::uint64_t> Monitor::address_of(const history::Pointer& pointer) const {
  switch (pointer.kind) {
    case history::Pointer::Kind::null:
      return 0;
    case history::Pointer::Kind::absolute:
      return pointer.value;
    case history::Pointer::Kind::named: {
      const Entity* known = entity(pointer.name);
      if (known == nullptr || known->address == 0) return std::nullopt;
      return known->address + pointer.value;
    }
  }
  return std::nullopt;
}

void Monitor::refused_free(const BlockRef& ref) {
  if (!memory_.exists(ref) || memory_.get(ref).pool == PoolId::none) return;
  ++pools_[static_cast<std::size_t>(memory_.get(ref).pool)].activity.refusals;
}

std::optional<BlockRef> Monitor::freed_block(const Context& c) {
  const history::Pointer& pointer = c.call.pointer;
  const bool named = pointer.kind == history::Pointer::Kind::named;
  const Entity* known = named ? entity(pointer.name) : nullptr;
  const auto address = address_of(pointer);
  const bool null =
      pointer.kind == history::Pointer::Kind::null || (named && known != nullptr && known->block == BlockRef{});
  if (null) {  // null, or what a malloc of size zero gave
    if (profile_.free_null.binds() && (pointer.kind == history::Pointer::Kind::null || address.value_or(0) == 0)) {
      verdicts_.check("ALLOC-FREE-NULL"_clause, profile_.free_null.value.allows(c.status), [&] {
        return fmt::format("A free of null answered {}; profile {} says otherwise.", to_text(c.status), profile_.name);
      });
    }
    return std::nullopt;
  }
  if (known != nullptr && !address && memory_.exists(known->block) && memory_.get(known->block).live)
    return known->block;
  std::optional<BlockRef> at;
  if (address) at = memory_.at(*address);
  if (!c.ok()) refused_free(known != nullptr ? known->block : at.value_or(BlockRef{}));
  if (at && memory_.get(*at).live) {
    const Block& block = memory_.get(*at);
    if (*address != block.address) {
      const bool stale = known != nullptr && known->block != *at;
      if (!stale || pointer.value != 0) {
        // No pool knows plain memory: where foreign pointers are taken without a look, so is one into it.
        const bool unknown = block.pool == PoolId::none && !profile_.foreign_pointer.binds();
        const auto& rule = unknown ? profile_.foreign_pointer : profile_.interior_pointer;
        // Where such a free is accepted it frees the block.
        if (c.ok() && rule.binds() && rule.value.allows(Status::ok)) {
          verdicts_.count("ALLOC-INTERIOR"_clause);
          return *at;
        }
        misuse(rule, "ALLOC-INTERIOR"_clause, c,
               fmt::format("{:#x} lies inside {}, {} bytes from its start", *address, text(block.name),
                           *address - block.address));
        return std::nullopt;
      }
    }
    if (known == nullptr || known->block == *at) return *at;
    if (*address == block.address) {
      verdicts_.fault("PROGRAM-OTHER-BLOCK"_clause,
                      fmt::format("{} was freed before; its address now belongs to {}, which this call frees.",
                                  text(pointer.name), text(block.name)));
      return std::nullopt;
    }
  }
  if (named && pointer.value != 0) {
    misuse(profile_.foreign_pointer, "ALLOC-FOREIGN-POINTER"_clause, c, "The address belongs to no live allocation");
    return std::nullopt;
  }
  const bool was_freed = named || (at && memory_.get(*at).address == *address);
  if (!was_freed) {
    misuse(profile_.foreign_pointer, "ALLOC-FOREIGN-POINTER"_clause, c,
           fmt::format("No allocation starts at {:#x}", *address));
    return std::nullopt;
  }
  const BlockRef freed = known != nullptr ? known->block : *at;
  const bool proved = !memory_.exists(freed) || memory_.get(freed).synchronous ||
                      spec::contains<Concrete>(timeline_.program_proved(), memory_.get(freed).free.stream,
                                               memory_.get(freed).free.position);
  // A freed name acts on nothing only because no newer allocation lies there.
  if (named) verdicts_.count("PROGRAM-OTHER-BLOCK"_clause);
  misuse(proved ? profile_.double_free_proved : profile_.double_free, "ALLOC-DOUBLE-FREE"_clause, c,
         "The allocation was freed before");
  return std::nullopt;
}

void Monitor::retire(const BlockRef& ref, std::optional<Item> item) {
  Block& block = memory_.get(ref);
  block.live = false;
  block.freed_at = ++memory_moves_;
  block.synchronous = !item.has_value();
  block.content.clear();
  if (item) {
    block.free = *item;
    block.free_cuts = timeline_.snapshot(item->stream);
  }
  if (block.name != Name::none && entity(block.name) != nullptr)
    entities_[static_cast<std::size_t>(block.name)].alive = true;
  const auto queue = [&](std::uint64_t bytes) {
    const auto stream = static_cast<std::size_t>(item->stream);
    if (stream >= pending_.size()) pending_.resize(stream + 1);
    pending_[stream].frees.push_back({item->position, ref, block.pool, bytes});
  };
  if (block.pool == PoolId::none) {
    const std::uint64_t backed = Concrete::round_up(block.size, granule());
    plain_low_ -= block.size;
    if (memory_reading_) memory_reading_->plain_freed = true;
    item ? queue(backed) : static_cast<void>(plain_backed_ -= backed);
    return;
  }
  Pool& pool = pools_[static_cast<std::size_t>(block.pool)];
  const std::uint64_t granted = profile_.granted.binds() ? profile_.granted.value.maximum(block.size) : no_bound;
  pool.live_low -= block.placed ? block.size : 0;
  pool.live_high.remove(granted);
  if (block.placed) {
    pool.live_ranges -= block.end - block.address;
    pool.touched.remove(block.address, block.end, granule());
  }
  block.free_epoch = pool.epoch;
  if (item) {
    queue(granted);
    ++pool.unproved_frees;
    pool.pending.add(granted);
    if (block.placed) {
      // A runtime may merge neighbours, and lets both wait for the later free.
      if (pool.idle_stream != item->stream) pool.idle.clear();
      pool.idle_stream = item->stream;
      ++pool.idle[block.size];
      if (recent_frees_.size() == temptations) recent_frees_.erase(recent_frees_.begin());
      recent_frees_.push_back(ref);
    }
  }
  used_changed(pool, false);
}

void Monitor::frees_proved() {
  for (std::size_t s = 0; s < pending_.size(); ++s) {
    PendingQueue& queue = pending_[s];
    const Position proved = timeline_.program_proved().at(static_cast<Stream>(s));
    while (queue.first < queue.frees.size() && queue.frees[queue.first].position <= proved) {
      const PendingFree& free = queue.frees[queue.first++];
      if (free.pool == PoolId::none) {
        plain_backed_ -= free.granted;
        plain_late_ += free.granted;
        continue;
      }
      Pool& pool = pools_[static_cast<std::size_t>(free.pool)];
      --pool.unproved_frees;
      pool.pending.remove(free.granted);
    }
    if (queue.first > 64 && queue.first * 2 > queue.frees.size()) {
      queue.frees.erase(queue.frees.begin(), queue.frees.begin() + static_cast<std::ptrdiff_t>(queue.first));
      queue.first = 0;
    }
  }
}

void Monitor::may_take_a_place(Stream s) { timeline_.occupy(s); }

void Monitor::free_async(const Context& c) {
  const auto found = freed_block(c);
  if (!found) {
    const bool null = c.ok() && !verdicts_.found_on_line() && c.call.pointer.kind != history::Pointer::Kind::absolute;
    if (null && address_of(c.call.pointer).value_or(0) == 0) {
      may_take_a_place(stream_of(c.call.stream, c.thread));
    }
    return;
  }
  Block& block = memory_.get(*found);
  const Stream s = stream_of(c.call.stream, c.thread);
  if (block.pool == PoolId::none &&
      !(profile_.async_free_of_plain.binds() && profile_.async_free_of_plain.value.allows(Status::ok))) {
    if (!profile_.async_free_of_plain.binds() && c.ok()) {
      // accepted: the profile is silent
    } else {
      return misuse(profile_.async_free_of_plain, "ALLOC-PAIRING"_clause, c,
                    fmt::format("{} is plain memory", text(block.name)));
    }
  }
  const bool foreign = s != block.allocation.stream;
  const bool orphan = block.pool != PoolId::none && !pools_[static_cast<std::size_t>(block.pool)].alive;
  require_ok(block.refused_free                          ? "LIFE-FREE-LIVE-STREAM"_clause
             : orphan                                    ? "LIFE-POOL-DEFERRED"_clause
             : block.pool == PoolId::none                ? "ALLOC-PAIRING"_clause
             : !timeline_.alive(block.allocation.stream) ? "ALLOC-OUTLIVES-STREAM"_clause
             : foreign                                   ? "ALLOC-FREE-FOREIGN-STREAM"_clause
                                                         : "ALLOC-FREE-STATUS"_clause,
             c);
  if (block.pool != PoolId::none && !timeline_.alive(block.allocation.stream))
    verdicts_.count("ALLOC-OUTLIVES-STREAM"_clause);
  if (!c.ok()) {
    if (block.pool != PoolId::none) ++pools_[static_cast<std::size_t>(block.pool)].activity.refusals;
    return;
  }
  const Item item = timeline_.submit(s);
  const Cut& reach = timeline_.program_reach(s);
  if (!in_cut(block.allocation, reach)) {
    verdicts_.fault("PROGRAM-FREE-UNORDERED"_clause,
                    fmt::format("{} is freed on {}, which is not ordered after its allocation, {}.", text(block.name),
                                text(timeline_.name(s)), text(block.allocation)));
  } else if (const auto use = unordered_use(block, reach)) {
    verdicts_.fault("PROGRAM-FREE-UNORDERED"_clause,
                    fmt::format("{} is freed on {}, which is not ordered after its use, {}.", text(block.name),
                                text(timeline_.name(s)), text(*use)));
  }
  if (foreign) verdicts_.count("PROGRAM-FREE-UNORDERED"_clause);
  timeline_.settle(s);
  retire(*found, item);
  memory_moved();
  release_point(timeline_.device(s), ReleaseCall::free);
}

void Monitor::free_sync(const Context& c) {
  const auto found = freed_block(c);
  if (!found) return;
  Block& block = memory_.get(*found);
  const bool plain = block.pool == PoolId::none, plain_call = c.call.op == Op::plain_free;
  if (plain != plain_call) {
    const auto& rule = plain ? profile_.sync_free_of_plain : profile_.plain_free_of_pool;
    if (rule.binds() && !rule.value.allows(Status::ok)) {
      return misuse(rule, "ALLOC-PAIRING"_clause, c,
                    fmt::format("{} is {} memory", text(block.name), plain ? "plain" : "pool"));
    }
  }
  require_ok(plain != plain_call ? "ALLOC-PAIRING"_clause : "ALLOC-FREE-STATUS"_clause, c);
  if (!c.ok()) return;
  if (profile_.sync_free_waits.binds() && profile_.sync_free_waits.value) {
    prove(timeline_.of_device(device_of(c.call)), true, "ALLOC-SYNC-FREE-WAITS"_clause, c);
  } else if (profile_.sync_free_waits.binds() || !timeline_.any_hold()) {
    verdicts_.count("PROGRAM-SYNC-FREE"_clause);
    const Cut& proved = timeline_.program_proved();
    const bool allocated = in_cut(block.allocation, proved);
    const auto use = unordered_use(block, proved);
    if (!allocated || use) {
      verdicts_.fault("PROGRAM-SYNC-FREE"_clause,
                      fmt::format("{} is freed without a stream, but {} has not been proved complete before this call.",
                                  text(block.name), text(allocated ? *use : block.allocation)));
    }
  }
  retire(*found, std::nullopt);
  memory_moved();
  release_point(device_of(c.call), ReleaseCall::free);
}

// Use
// ----------------------------------------------------------------------------------------------------------------------

std::optional<Monitor::Target> Monitor::target_of(const Context& c, const history::Pointer& pointer,
                                                  std::optional<std::uint64_t> size) {
  const Entity* known = pointer.kind == history::Pointer::Kind::named ? entity(pointer.name) : nullptr;
  if (known != nullptr && known->block != BlockRef{} &&
      (!memory_.exists(known->block) || !memory_.get(known->block).live)) {
    verdicts_.fault("PROGRAM-USE-AFTER-FREE"_clause,
                    fmt::format("{} touches {} after its free call returned.", to_text(c.call.op), text(pointer.name)));
    return std::nullopt;
  }
  BlockRef ref = known != nullptr ? known->block : BlockRef{};
  const auto address = address_of(pointer);
  if (known == nullptr && address) {
    const auto at = memory_.at(*address);
    if (at && !memory_.get(*at).live) {
      verdicts_.fault("PROGRAM-USE-AFTER-FREE"_clause,
                      fmt::format("{} touches {:#x}, which was freed as {}.", to_text(c.call.op), *address,
                                  text(memory_.get(*at).name)));
      return std::nullopt;
    }
    if (at) ref = *at;
  }
  if (!memory_.exists(ref)) {
    verdicts_.fault("PROGRAM-MISUSE"_clause,
                    fmt::format("{} touches memory that no allocation has.", to_text(c.call.op)));
    return std::nullopt;
  }
  const Block& block = memory_.get(ref);
  const std::uint64_t offset = block.placed ? *address - block.address : pointer.value;
  const std::uint64_t room = Concrete::minus(block.size, offset);
  const std::uint64_t bytes = size.value_or(room);
  if (bytes > room) {
    verdicts_.fault("PROGRAM-MISUSE"_clause,
                    fmt::format("{} touches {} bytes at offset {} of {}, which has {}.", to_text(c.call.op), bytes,
                                offset, text(block.name), block.size));
    return std::nullopt;
  }
  return Target{ref, block.address + offset, block.address + offset + bytes};
}

std::optional<std::vector<Monitor::Target>> Monitor::targets_of(const Context& c) {
  std::vector<Target> targets;
  const bool many = c.call.op == Op::launch;
  for (std::size_t i = 0; i < (many ? c.call.pointers.size() : 1); ++i) {
    const auto target =
        many ? target_of(c, c.call.pointers[i], std::nullopt) : target_of(c, c.call.pointer, c.call.size);
    if (!target) return std::nullopt;
    targets.push_back(*target);
  }
  return targets;
}

void Monitor::touch(const Context& c) {
  const bool check = c.call.op == Op::check;
  if (check && c.result == nullptr) {
    // not observed: an item, but nothing is proved and no content judged
  } else if (!c.ok() && !(check && c.status == Status::mismatch)) {
    // A refused use of memory that is not there is the program's fault, not the runtime's.
    if (targets_of(c)) require_ok("ORDER-SUBMIT-STATUS"_clause, c);
    return;
  }
  const Stream s = stream_of(c.call.stream, c.thread);
  // A check that answered has proved its own item, whatever else was wrong with it.
  const auto conclude = [&] {
    if (!check || c.result == nullptr) return;
    prove({timeline_.program_reach(s), timeline_.runtime_reach(s), {}}, true, "ORDER-EARLY"_clause, c);
    release_point(timeline_.device(s), ReleaseCall::event_sync, false);
  };
  const Item item = timeline_.submit(s);
  timeline_.settle(s);
  const auto targets = targets_of(c);
  if (!targets) return conclude();
  const Cut& reach = timeline_.program_reach(s);
  for (const Target& target : *targets) {
    Block& block = memory_.get(target.block);
    verdicts_.count("PROGRAM-USE-BEFORE-ALLOC"_clause);
    if (!in_cut(block.allocation, reach)) {
      verdicts_.fault("PROGRAM-USE-BEFORE-ALLOC"_clause,
                      fmt::format("{} of {} is not ordered after its allocation, {}.", text(item), text(block.name),
                                  text(block.allocation)));
      return conclude();
    }
    note_use(block, item);
    if (check) {
      if (c.result == nullptr) continue;
      const auto expected = compare_content(block, target.begin, target.end, c.call.byte, reach);
      if (expected == ContentMatch::unknown) continue;
      const Pool* owner = block.pool != PoolId::none ? &pools_[static_cast<std::size_t>(block.pool)] : nullptr;
      const spec::ClauseId clause = owner == nullptr                     ? "ALLOC-CONTENT"_clause
                                    : !owner->alive                      ? "LIFE-POOL-DEFERRED"_clause
                                    : owner->epoch > block.written_epoch ? "RELEASE-LIVE-KEPT"_clause
                                                                         : "ALLOC-CONTENT"_clause;
      if (clause != "ALLOC-CONTENT"_clause) verdicts_.count(clause);
      verdicts_.check("ALLOC-CONTENT"_clause, c.ok() == (expected == ContentMatch::must_match), [&] {
        return fmt::format(
            "{} bytes of {} were compared with {:#04x} and answered {}; the program's own writes say {}.",
            target.end - target.begin, text(block.name), c.call.byte, to_text(c.status), c.ok() ? "mismatch" : "ok");
      });
    } else if (block.placed) {
      const auto value = c.call.op == Op::fill ? std::optional(c.call.byte) : std::nullopt;
      write_content(block, target.begin, target.end, value, item, reach);
      if (block.pool != PoolId::none) block.written_epoch = pools_[static_cast<std::size_t>(block.pool)].epoch;
    }
  }
  conclude();
}

std::vector<history::Name> Monitor::leaked() const {
  std::vector<Name> names;
  memory_.for_each_live([&](const BlockRef&, const Block& block) { names.push_back(block.name); });
  std::ranges::sort(names);
  return names;
}

}  // namespace streampool::model
