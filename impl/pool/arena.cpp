#include "impl/pool/arena.hpp"

#include <algorithm>
#include <utility>

#include "impl/pool/policy.hpp"

namespace streampool::engine {

Arena::Arena(AddressMap& map, Order& order, void* owner) : map_(map), order_(order), owner_(owner) {}

Arena::~Arena() {
  for (const StreamIndex s : streams_) {
    if (find(s)->announced) order_.withdraw(s);
    order_.let_go(s);
  }
}

Arena::Heap& Arena::make_heap(StreamIndex s) {
  if (raw(s) >= heap_bound_) {
    heaps_.resize(raw(s) + 1);
    heap_bound_ = raw(s) + 1;
  }
  auto& place = heaps_[raw(s)];
  streams_.reserve(streams_.size() + 1);
  place = std::make_unique<Heap>(blocks_, s);
  place->place = static_cast<std::uint32_t>(streams_.size());
  streams_.push_back(s);
  order_.hold(s);
  return *place;
}

void Arena::forget(StreamIndex s) {
  Heap* mine = find(s);
  if (mine == nullptr || !mine->empty()) return;
  withdraw_if_empty(*mine);
  streams_[mine->place] = streams_.back();
  find(streams_.back())->place = mine->place;
  streams_.pop_back();
  mine->ages.close(blocks_);
  heaps_[raw(s)].reset();
  order_.let_go(s);
}

void Arena::tighten() {
  largest_ = 0;
  for (const StreamIndex s : streams_) {
    const Heap& each = *find(s);
    largest_ = std::max({largest_, each.index.most(), blocks_[each.hot].size});
  }
}

// Takes --------------------------------------------------------------------------------------------------------------

// Flattened: the calls between these few lines would cost a tenth of a pair.
[[gnu::flatten]] BlockId Arena::take_indexed(Heap& heap, Units size) {
  if (heap.hot != 0) cool(heap);
  const BlockId id = heap.index.find(blocks_, size);
  return id == 0 ? 0 : cut(heap, id, size);
}

BlockId Arena::take_upto(StreamIndex stream, Units size, Position upto) {
  if (stream == StreamIndex::settled) return take(stream, size);
  Heap* mine = find(stream);
  if (mine == nullptr) return 0;
  BlockId id = mine->hot;
  if (id != 0 && blocks_[id].size == size && blocks_[id].freed <= upto) {
    mine->hot = 0;
    blocks_[id].state = BlockState::live;
  } else {
    if (id != 0) cool(*mine);
    id = find_upto(*mine, size, upto);
    if (id != 0) id = cut(*mine, id, size);
  }
  if (id != 0) withdraw_if_empty(*mine);
  return id;
}

BlockId Arena::find_upto(Heap& heap, Units size, Position upto) {
  const BlockId oldest = heap.ages.oldest(blocks_);
  if (oldest == 0 || blocks_[oldest].freed > upto) return 0;
  const auto passed = [upto](const Block& block) { return block.freed <= upto; };
  const BlockId id = heap.index.find(blocks_, size, passed);
  if (id != 0 || heap.index.find(blocks_, size) == 0) return id;
  // Newer frees hide the older ones of the right size: the oldest are looked at in order of age.
  int patience = 64;
  for (BlockId old = oldest; old != 0 && passed(blocks_[old]) && --patience > 0; old = heap.ages.behind(blocks_, old)) {
    if (blocks_[old].size >= size) return old;
  }
  return 0;
}

void Arena::withdraw_if_empty(Heap& heap) {
  if (!heap.announced || !heap.empty()) return;
  heap.announced = false;
  order_.withdraw(heap.stream);
}

inline BlockId Arena::cut(Heap& heap, BlockId id, Units size) {
  if (blocks_[id].size == size) {
    live_.insert(blocks_[id].start, id);
    heap.erase(blocks_, id);
    blocks_[id].state = BlockState::live;
    return id;
  }
  // The rest keeps its place in the order of frees; the lower part becomes a new block.
  const BlockId taken = blocks_.make();
  Block& part = blocks_[taken];
  Block& whole = blocks_[id];
  live_.insert(whole.start, taken);
  heap.index.erase(blocks_, id);
  part.start = whole.start;
  part.size = size;
  part.below = whole.below;
  part.above = id;
  part.state = BlockState::live;
  part.stream = whole.stream;
  part.freed = whole.freed;
  blocks_[part.below].above = taken;
  whole.start += size;
  whole.size -= size;
  whole.below = taken;
  heap.index.insert(blocks_, id);
  if (!BuildPolicy::rest_keeps_history()) {
    heap.erase(blocks_, id);
    insert(this->heap(StreamIndex::settled), id, Position::none);
  }
  return taken;
}

BlockId Arena::take_across(BlockId lower, BlockId upper, Units size) {
  const BlockId rest = cut(heap_of(blocks_[upper]), upper, size - blocks_[lower].size);
  Block& low = blocks_[lower];
  Block& high = blocks_[rest];
  live_.erase(high.start);
  live_.insert(low.start, lower);
  heap_of(low).erase(blocks_, lower);
  if (last_ == rest) last_ = lower;
  low.size = size;
  low.above = high.above;
  if (low.above != 0) blocks_[low.above].below = lower;
  low.state = BlockState::live;
  blocks_.release(rest);
  return lower;
}

// Frees --------------------------------------------------------------------------------------------------------------

UnitRange Arena::granules_inside(const Block& block) const {
  const std::uint64_t mask = granule() - 1;
  const std::uint64_t from = (block.start + mask) & ~mask;
  const std::uint64_t to = (std::uint64_t{block.start} + block.size) & ~mask;
  return from < to ? UnitRange{static_cast<Units>(from), static_cast<Units>(to - from)} : UnitRange{};
}

// May a block freed on `stream` swallow this neighbour? Swallowing makes the neighbour wait for the later free, so
// whole granules that could be released or used by others now are left alone, and so is settled memory that is larger
// than what is being freed.
// Every condition is evaluated: none can be guessed, and a wrong guess costs more than all of them.
inline bool Arena::merges(const Block& neighbour, StreamIndex stream, Units size) const {
  const bool free = neighbour.state == BlockState::free;
  const bool small = neighbour.size < granule();
  const bool settled = neighbour.stream == StreamIndex::settled;
  if (stream == StreamIndex::settled) return free & BuildPolicy::merges(settled);
  const bool pending = order_.proved(stream) < neighbour.freed;
  const bool own = (neighbour.stream == stream) & (small | pending);
  return free & (own | BuildPolicy::merges(settled & small & (neighbour.size <= size)));
}

// Takes a neighbour out of its heap; its memory is to become part of `id`.
inline void Arena::swallow(BlockId id, BlockId neighbour) {
  const Block& other = blocks_[neighbour];
  heap_of(other).erase(blocks_, neighbour);
  blocks_[id].size += other.size;
  blocks_.release(neighbour);
}

inline Position Arena::absorb_neighbours(BlockId id, StreamIndex stream) {
  Block& block = blocks_[id];
  const Units size = block.size;
  Position earliest = Position::all;
  if (const BlockId below = block.below; merges(blocks_[below], stream, size)) {
    const Block& other = blocks_[below];
    earliest = std::min(earliest, other.freed);
    block.start = other.start;
    block.below = other.below;
    blocks_[block.below].above = id;
    swallow(id, below);
  }
  if (const BlockId above = block.above; merges(blocks_[above], stream, size)) {
    const Block& other = blocks_[above];
    earliest = std::min(earliest, other.freed);
    block.above = other.above;
    blocks_[block.above].below = id;
    if (last_ == above) last_ = id;
    swallow(id, above);
  }
  return earliest;
}

// The block is in no heap, and its stream has no later free.
void Arena::insert(Heap& heap, BlockId id, Position at) {
  const Position swallowed = absorb_neighbours(id, heap.stream);
  Block& block = blocks_[id];
  block.state = BlockState::free;
  block.stream = heap.stream;
  block.freed = BuildPolicy::merged(at, swallowed);
  heap.ages.append(blocks_, id);
  heap.index.insert(blocks_, id);
  largest_ = std::max(largest_, block.size);
}

void Arena::put_indexed(Heap& heap, BlockId id, Position at) {
  live_.erase(blocks_[id].start);
  insert(heap, id, at);
}

void Arena::announce(Heap& heap) {
  heap.announced = true;
  order_.announce(heap.stream);
}

// The hot block becomes one like the others.
void Arena::cool(Heap& heap) {
  const BlockId id = std::exchange(heap.hot, 0);
  put_indexed(heap, id, blocks_[id].freed);
}

Arena::Heap* Arena::find_cool(StreamIndex stream) {
  Heap* mine = find(stream);
  if (mine != nullptr && mine->hot != 0) cool(*mine);
  return mine;
}

void Arena::move_prefix(StreamIndex from, Position upto, StreamIndex to) {
  Heap* mine = find_cool(from);
  if (mine == nullptr) return;
  Heap& target = heap(to);
  for (BlockId id = 0; (id = mine->ages.oldest(blocks_)) != 0 && blocks_[id].freed <= upto;) {
    mine->erase(blocks_, id);
    insert(target, id, to == StreamIndex::settled ? Position::none : order_.free_point(to));
  }
  withdraw_if_empty(*mine);
}

void Arena::free_all() {
  for (std::size_t i = 0; i < streams_.size(); ++i) settle(streams_[i], Position::all);
  for (BlockId id = 1; blocks_.contains(id); ++id) {
    if (blocks_[id].state == BlockState::live) put(id, heap(StreamIndex::settled), Position::none);
  }
}

void Arena::settle(StreamIndex stream, Position upto) {
  if (stream != StreamIndex::settled) move_prefix(stream, upto, StreamIndex::settled);
}

void Arena::complete(StreamIndex stream, Position upto) {
  if (stream >= first_stream) move_prefix(stream, upto, StreamIndex::completed);
}

// Memory -------------------------------------------------------------------------------------------------------------

void Arena::grow(UnitRange range) {
  Heap& settled = heap(StreamIndex::settled);
  const BlockId id = blocks_.make();
  Block& block = blocks_[id];
  block.start = range.start;
  block.size = range.size;
  if (last_ != 0 && range.start == end_) {
    block.below = last_;
    blocks_[last_].above = id;
  }
  last_ = id;
  end_ = range.start + range.size;
  insert(settled, id, Position::none);
}

BlockId Arena::top() const { return last_ != 0 && blocks_[last_].state == BlockState::free ? last_ : 0; }

Units Arena::idle_granules(StreamIndex stream, Position upto) {
  const Heap* mine = find_cool(stream);
  if (mine == nullptr) return 0;
  Units total = 0;
  mine->index.for_each_from(blocks_, granule(), [&](BlockId id) {
    if (blocks_[id].freed <= upto) total += granules_inside(blocks_[id]).size / granule();
  });
  return total;
}

Units Arena::release(StreamIndex stream, Position upto, Units granules, const std::function<void(UnitRange)>& sink) {
  Heap* mine = find_cool(stream);
  if (mine == nullptr || granules == 0) return 0;
  std::vector<BlockId> candidates;
  mine->index.for_each_from(blocks_, granule(), [&](BlockId id) {
    if (blocks_[id].freed <= upto && granules_inside(blocks_[id]).size != 0) candidates.push_back(id);
  });
  Units released = 0;
  for (const BlockId id : candidates) {
    if (released == granules) break;
    UnitRange hole = granules_inside(blocks_[id]);
    const Units wanted = (granules - released) * granule();
    if (hole.size > wanted) hole = {hole.start + hole.size - wanted, wanted};
    cut_out(*mine, id, hole);
    released += hole.size / granule();
    sink(hole);
  }
  return released;
}

// Removes `hole` from a free block. What is left on either side keeps the block's free.
void Arena::cut_out(Heap& heap, BlockId id, UnitRange hole) {
  const Block whole = blocks_[id];
  const std::uint64_t end = std::uint64_t{whole.start} + whole.size;
  const bool left = whole.start < hole.start;
  const BlockId right = hole.start + std::uint64_t{hole.size} < end ? blocks_.make() : 0;
  if (right != 0) {
    Block& rest = blocks_[right];
    rest.start = hole.start + hole.size;
    rest.size = static_cast<Units>(end - rest.start);
    rest.above = whole.above;
    rest.freed = whole.freed;
    rest.stream = whole.stream;
    rest.state = BlockState::free;
    heap.index.insert(blocks_, right);
    heap.ages.insert_behind(blocks_, right, id);
  }
  if (last_ == id) last_ = right;
  blocks_[whole.above].below = right;
  heap.index.erase(blocks_, id);
  if (left) {
    Block& rest = blocks_[id];
    rest.size = hole.start - whole.start;
    rest.above = 0;
    heap.index.insert(blocks_, id);
  } else {
    blocks_[whole.below].above = 0;
    heap.ages.erase(blocks_, id);
    blocks_.release(id);
  }
}

}  // namespace streampool::engine
