#include "conformance/generate/threads_history.hpp"

#include <algorithm>
#include <utility>

#include "conformance/abi/streampool_runtime.h"
#include "conformance/kit/groups.hpp"
#include "fmt/format.h"

namespace streampool::generate {

using history::Attribute;
using history::Call;
using history::Name;
using history::Op;
using kit::LiveRun;

namespace {

constexpr std::size_t most_blocks = 10, most_pools = 3, most_events = 4;
constexpr unsigned most_calls = 3;  // of a thread in a round

Call call_of(Op op) {
  Call call;
  call.op = op;
  return call;
}

Call on(Op op, Name stream) {
  Call call = call_of(op);
  call.stream = stream;
  return call;
}

Call at(Op op, Name block) {
  Call call = call_of(op);
  call.pointer = {history::Pointer::Kind::named, block, 0};
  return call;
}

// What a thread may do in a round; `weight` of the sum of all.
enum class Act : std::uint8_t { malloc, free, fill, record, wait, get, set, trim, query, sync, step, create };
struct ActInfo {
  Act act;
  unsigned weight;
};
constexpr ActInfo acts[] = {{Act::malloc, 30}, {Act::free, 26}, {Act::fill, 5}, {Act::record, 7},
                            {Act::wait, 6},    {Act::get, 8},   {Act::set, 5},  {Act::trim, 3},
                            {Act::query, 4},   {Act::sync, 6},  {Act::step, 4}, {Act::create, 4}};
constexpr unsigned all_acts = [] {
  unsigned sum = 0;
  for (const ActInfo& info : acts) sum += info.weight;
  return sum;
}();

Act act_at(std::uint64_t number) {
  for (const auto& [act, weight] : acts) {
    if (number < weight) return act;
    number -= weight;
  }
  return Act::malloc;
}

}  // namespace

ThreadsHistory::ThreadsHistory(LiveRun& run, const Setting& setting, history::NameTable& names, std::uint64_t seed)
    : run_(run), setting_(setting), names_(names), random_(seed) {}

void ThreadsHistory::play() {
  if (!begin()) return;
  const std::uint64_t rounds = 1 + random(4);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    if (!round() || !look()) return;
  }
  end();
}

Name ThreadsHistory::fresh(std::string_view prefix) { return names_.intern(fmt::format("{}{}", prefix, ++counter_)); }

bool ThreadsHistory::offers(const Call& call) const { return (kit::groups_needed(call) & ~setting_.capabilities) == 0; }

bool ThreadsHistory::apply(Call call) {
  if (!offers(call)) return true;
  history::Line line;
  line.call = std::move(call);
  return run_.apply(std::move(line)) != LiveRun::Step::decided;
}

Call ThreadsHistory::malloc(Name pool) {
  // Few sizes, so that blocks fit each other's places.
  const std::uint64_t sizes[] = {256, 256, 512, 4096, setting_.granule / 2, setting_.granule};
  Call call = on(Op::malloc, any(streams_));
  call.allocation = fresh("x");
  call.size = sizes[random(std::size(sizes))];
  call.pool = pool;
  return call;
}

Call ThreadsHistory::get(Name pool, int attribute) const {
  Call call = call_of(Op::pool_get);
  call.pool = pool;
  call.attribute = static_cast<Attribute>(attribute);
  return call;
}

bool ThreadsHistory::begin() {
  const std::uint64_t threads = 2 + random(3);
  for (std::uint64_t i = 0; i < threads; ++i) threads_.push_back(names_.intern_thread(fmt::format("t{}", i + 1)));
  for (std::uint64_t i = 0; i < threads + random(2); ++i) {
    Call create = call_of(Op::stream_create);
    create.stream_kind = history::StreamKind::nonblocking;
    streams_.push_back(create.stream = fresh("s"));
    if (!apply(std::move(create))) return false;
  }
  for (int i = 0; i < 2; ++i) {
    Call create = call_of(Op::event_create);
    events_.push_back(create.event = fresh("e"));
    if (!apply(std::move(create))) return false;
  }
  // What is there before a pool, to compare with when all are gone.
  if (!apply(call_of(Op::memory_info))) return false;
  for (std::uint64_t i = 0; i < 1 + random(2); ++i) {
    if (!make_pool()) return false;
  }
  const std::size_t first = run_.lines().size();
  for (std::uint64_t i = 0; i < threads + random(3); ++i) {
    if (!apply(malloc(any(pools_)))) return false;
  }
  learn(first);
  return true;
}

bool ThreadsHistory::make_pool() {
  Call create = call_of(Op::pool_create);
  const Name pool = create.pool = fresh("p");
  pools_.push_back(pool);
  if (!apply(std::move(create))) return false;
  if (random(3) == 0) return true;
  Call keep = call_of(Op::pool_set);  // most pools keep what they have
  keep.pool = pool;
  keep.attribute = Attribute::release_threshold;
  keep.value.integer = setting_.everything;
  return apply(std::move(keep));
}

// The calls beside a destruction may come before it or after it, so all of them must have an answer: allocations live
// on, and a dead handle is refused.
Name ThreadsHistory::draw_dying() {
  const auto& with_live = setting_.profile.destroy_with_live;
  const bool lives_on = with_live.binds() && with_live.value == model::DestroyWithLive::deferred;
  const bool judged = lives_on && named(setting_.profile.dead_handle) && pools_.size() > 1;
  return judged && random(3) == 0 ? any(pools_) : Name::none;
}

Call ThreadsHistory::draw_call(std::vector<Block>& mine, const Round& round) {
  Act act = act_at(random(all_acts));
  // Half of the calls beside a destruction are about the pool that goes.
  const Name pool = round.dying != Name::none && random(2) == 0 ? round.dying : any(pools_);
  const bool needs_block = act == Act::free || act == Act::fill;
  if ((needs_block && mine.empty()) || (act == Act::sync && !round.syncs)) act = Act::malloc;
  if (act == Act::step && (setting_.capabilities & STREAMPOOL_CAP_STEP) == 0) act = Act::query;
  switch (act) {
    case Act::free: {
      const std::uint64_t index = random(mine.size());
      const Block block = mine[index];
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(index));
      Call call = at(Op::free, block.name);
      call.stream = block.settled ? any(streams_) : block.stream;
      return call;
    }
    case Act::fill: {
      Block& block = mine[random(mine.size())];
      Call call = at(Op::fill, block.name);
      call.stream = block.stream;
      call.size = std::min<std::uint64_t>(block.size, 512);
      call.byte = block.byte = static_cast<std::uint8_t>(1 + random(200));
      block.settled = false;
      return call;
    }
    case Act::record:
    case Act::wait: {
      Call call = on(act == Act::record ? Op::event_record : Op::stream_wait_event, any(streams_));
      call.event = any(events_);
      return call;
    }
    case Act::get:
      return get(pool, static_cast<int>(1 + random(8)));
    case Act::set: {
      Call call = call_of(Op::pool_set);
      call.pool = pool;
      const std::uint64_t values[] = {0, setting_.granule, 2 * setting_.granule};
      const std::uint64_t attribute = 1 + random(6);
      call.attribute = attribute <= 4 ? static_cast<Attribute>(attribute)
                                      : (attribute == 5 ? Attribute::reserved_mem_high : Attribute::used_mem_high);
      if (attribute <= 3) call.value.integer = random(2);
      if (attribute == 4) call.value.integer = values[random(std::size(values))];
      return call;
    }
    case Act::trim: {
      Call call = call_of(Op::pool_trim);
      call.pool = pool;
      call.size = setting_.granule * random(3);
      return call;
    }
    case Act::query:
    case Act::sync: {
      const bool query = act == Act::query;
      const std::uint64_t which = random(query ? 2 : 3);
      if (which == 2) return call_of(Op::device_sync);
      if (which == 1) return on(query ? Op::stream_query : Op::stream_sync, any(streams_));
      Call call = call_of(query ? Op::event_query : Op::event_sync);
      call.event = any(events_);
      return call;
    }
    case Act::step:
      return on(Op::step, any(streams_));
    case Act::create: {
      // Beside a destruction a new pool might get the handle that others still pass.
      const bool new_pool = random(2) == 0 && pools_.size() < most_pools && round.dying == Name::none;
      Call call = call_of(new_pool ? Op::pool_create : Op::event_create);
      (new_pool ? call.pool : call.event) = fresh(new_pool ? "p" : "e");
      return call;
    }
    default: {
      Call call = malloc(pool);
      mine.push_back({call.allocation, call.stream, *call.size});
      return call;
    }
  }
}

bool ThreadsHistory::round() {
  // Behind a closed gate frees stay pending, so that none of their memory may be handed out; and nobody synchronizes.
  const bool gated = random(3) == 0 && (setting_.capabilities & STREAMPOOL_CAP_GATE) != 0;
  const Name gate = gated ? fresh("g") : Name::none;
  if (gated) {
    Call create = call_of(Op::gate_create), hold = on(Op::gate_hold, any(streams_));
    create.gate = hold.gate = gate;
    if (!apply(std::move(create)) || !apply(std::move(hold))) return false;
  }
  const Round round{.syncs = !gated, .dying = draw_dying()};
  // Who destroys it; a second one now and then.
  std::vector<unsigned> destroyers(threads_.size());
  if (round.dying != Name::none) {
    for (std::uint64_t i = 0; i < 1 + random(3) / 2; ++i) ++destroyers[random(destroyers.size())];
  }
  std::vector<std::vector<Block>> hands(threads_.size());
  for (const Block& block : blocks_) hands[random(hands.size())].push_back(block);
  std::vector<LiveRun::Strand> strands;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    LiveRun::Strand strand{threads_[i], {}};
    // A destruction leaves many orders open.
    for (std::uint64_t n = 1 + random(round.dying != Name::none ? most_calls - 1 : most_calls);
         strand.calls.size() < n;) {
      Call call = draw_call(hands[i], round);
      if (!offers(call)) break;
      strand.calls.push_back(std::move(call));
    }
    for (; destroyers[i] > 0; --destroyers[i]) {
      Call destroy = call_of(Op::pool_destroy);
      destroy.pool = round.dying;
      const auto place = static_cast<std::ptrdiff_t>(random(strand.calls.size() + 1));
      strand.calls.insert(strand.calls.begin() + place, std::move(destroy));
    }
    strands.push_back(std::move(strand));
  }
  // Those that a thread kept, with what it wrote; the new ones come with what the round has made.
  std::vector<Block> kept;
  for (const auto& hand : hands) {
    for (const Block& block : hand) {
      if (std::ranges::find(blocks_, block.name, &Block::name) != blocks_.end()) kept.push_back(block);
    }
  }
  std::vector<Block> made;
  for (const auto& hand : hands) {
    for (const Block& block : hand) {
      if (std::ranges::find(blocks_, block.name, &Block::name) == blocks_.end()) made.push_back(block);
    }
  }
  blocks_ = std::move(kept);
  const std::size_t first = run_.lines().size();
  if (run_.together(strands) == LiveRun::Step::decided) return false;
  learn(first);
  // A new block that its thread has freed already is not there any more; one that it has filled is known so.
  std::erase_if(blocks_, [&](Block& block) {
    const auto old = std::ranges::find(made, block.name, &Block::name);
    if (old != made.end()) block.byte = old->byte;
    return std::ranges::any_of(strands, [&](const LiveRun::Strand& strand) {
      return std::ranges::any_of(
          strand.calls, [&](const Call& call) { return call.op == Op::free && call.pointer.name == block.name; });
    });
  });
  if (pools_.empty() || (round.dying != Name::none && random(2) == 0)) {
    if (!make_pool()) return false;  // which may get the old handle
  }
  if (!gated) return true;
  for (const Name pool : pools_) {
    if (!apply(get(pool, 7))) return false;
  }
  Call open = call_of(Op::gate_open);
  open.gate = gate;
  return apply(std::move(open));
}

void ThreadsHistory::learn(std::size_t first_line) {
  for (std::size_t i = first_line; i < run_.lines().size(); ++i) {
    const history::Line& line = run_.lines()[i];
    if (line.kind == history::LineKind::call_begin || !line.result || line.result->status != history::Status::ok)
      continue;
    const Call& call = line.call;
    if (call.op == Op::malloc && line.result->value.value_or(0) != 0) {
      blocks_.push_back({call.allocation, call.stream, *call.size});
    } else if (call.op == Op::event_create && events_.size() < most_events) {
      events_.push_back(call.event);
    } else if (call.op == Op::pool_create) {
      pools_.push_back(call.pool);
    } else if (call.op == Op::pool_destroy) {
      std::erase(pools_, call.pool);
    }
  }
}

bool ThreadsHistory::look() {
  for (const Name pool : pools_) {
    if (!apply(get(pool, 7)) || !apply(get(pool, static_cast<int>(1 + random(8))))) return false;
  }
  for (Block& block : blocks_) {
    if (block.byte == 0) continue;
    Call check = at(Op::check, block.name);
    check.stream = block.stream;
    check.size = std::min<std::uint64_t>(block.size, 512);
    check.byte = block.byte;
    if (!apply(std::move(check))) return false;
  }
  if (random(2) == 0 && offers(call_of(Op::device_sync))) {
    if (!apply(call_of(Op::device_sync))) return false;
    for (Block& block : blocks_) block.settled = true;
  }
  while (blocks_.size() > most_blocks) {
    Call free = at(Op::free, blocks_.back().name);
    free.stream = blocks_.back().stream;
    blocks_.pop_back();
    if (!apply(std::move(free))) return false;
  }
  return true;
}

void ThreadsHistory::end() {
  if (!apply(call_of(Op::device_sync))) return;
  for (const Block& block : blocks_) {
    Call free = at(Op::free, block.name);
    free.stream = block.stream;
    if (!apply(std::move(free))) return;
  }
  if (!apply(call_of(Op::device_sync))) return;
  for (const Name pool : pools_) {
    for (const int attribute : {7, 8, 5, 6}) {
      if (!apply(get(pool, attribute))) return;
    }
  }
  for (const Name pool : pools_) {
    Call destroy = call_of(Op::pool_destroy);
    destroy.pool = pool;
    if (!apply(std::move(destroy))) return;
  }
  (void)apply(call_of(Op::memory_info));
}

}  // namespace streampool::generate
