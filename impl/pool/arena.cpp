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
  if (raw(s) >= heaps_.size()) heaps_.resize(raw(s) + 1);
  auto& place = heaps_[raw(s)];
  streams_.reserve(streams_.size() + 1);
  place = std::make_unique<Heap>();
  streams_.push_back(s);
  order_.hold(s);
  return *place;
}

inline Arena::Heap& Arena::heap(StreamIndex s) {
  Heap* mine = find(s);
  return mine != nullptr ? *mine : make_heap(s);
}

void Arena::forget(StreamIndex s) {
  Heap* mine = find(s);
  if (mine == nullptr || !mine->empty()) return;
  withdraw_if_empty(*mine, s);
  heaps_[raw(s)].reset();
  std::erase(streams_, s);
  order_.let_go(s);
}

// Lists --------------------------------------------------------------------------------------------------------------

inline void Arena::unlink(Heap& heap, BlockId id) {
  heap.index.erase(blocks_, id);
  Block& block = blocks_[id];
  blocks_[block.age_prev].age_next = block.age_next;
  blocks_[block.age_next].age_prev = block.age_prev;
  heap.oldest = block.age_prev == 0 ? block.age_next : heap.oldest;
  heap.newest = block.age_next == 0 ? block.age_prev : heap.newest;
  block.age_prev = block.age_next = 0;
}

inline void Arena::link_before(Heap& heap, BlockId id, BlockId next) {
  heap.index.insert(blocks_, id);
  Block& block = blocks_[id];
  const BlockId prev = next != 0 ? blocks_[next].age_prev : heap.newest;
  block.age_next = next;
  block.age_prev = prev;
  blocks_[next].age_prev = id;
  blocks_[prev].age_next = id;
  heap.newest = next == 0 ? id : heap.newest;
  heap.oldest = prev == 0 ? id : heap.oldest;
}

// Takes --------------------------------------------------------------------------------------------------------------

BlockId Arena::take(StreamIndex stream, Units size) {
  Heap* mine = find(stream);
  if (mine == nullptr) return 0;
  if (const BlockId hot = mine->hot; hot != 0) {
    if (blocks_[hot].size == size) {
      mine->hot = 0;
      blocks_[hot].state = BlockState::live;
      return hot;
    }
    cool(*mine);
  }
  const BlockId id = mine->index.find(blocks_, size);
  return id == 0 ? 0 : cut(*mine, id, size);
}

BlockId Arena::take_upto(StreamIndex stream, Units size, Position upto) {
  Heap* mine = find_cool(stream);
  if (mine == nullptr || mine->oldest == 0 || blocks_[mine->oldest].freed > upto) return 0;
  BlockId id = mine->index.find(blocks_, size, [upto](const Block& b) { return b.freed <= upto; });
  // Where newer frees hide the older ones of the right size, the oldest are looked at in order of age.
  constexpr int patience = 64;
  BlockId old = id == 0 && mine->index.find(blocks_, size) != 0 ? mine->oldest : 0;
  for (int i = 0; id == 0 && i < patience && old != 0 && blocks_[old].freed <= upto; ++i) {
    if (blocks_[old].size >= size) id = old;
    old = blocks_[old].age_next;
  }
  if (id == 0) return 0;
  id = cut(*mine, id, size);
  withdraw_if_empty(*mine, stream);
  return id;
}

void Arena::withdraw_if_empty(Heap& heap, StreamIndex s) {
  if (!heap.announced || !heap.empty()) return;
  heap.announced = false;
  order_.withdraw(s);
}

inline BlockId Arena::cut(Heap& heap, BlockId id, Units size) {
  if (blocks_[id].size == size) {
    live_.insert(blocks_[id].start, id);
    unlink(heap, id);
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
    unlink(heap, id);
    insert(id, StreamIndex::settled, Position::none);
  }
  return taken;
}

BlockId Arena::take_across(BlockId lower, BlockId upper, Units size) {
  const BlockId rest = cut(heap(blocks_[upper].stream), upper, size - blocks_[lower].size);
  Block& low = blocks_[lower];
  Block& high = blocks_[rest];
  live_.erase(high.start);
  live_.insert(low.start, lower);
  unlink(heap(low.stream), lower);
  if (last_ == rest) last_ = lower;
  low.size = size;
  low.above = high.above;
  if (low.above != 0) blocks_[low.above].below = lower;
  low.state = BlockState::live;
  blocks_.release(rest);
  return lower;
}

// Frees --------------------------------------------------------------------------------------------------------------

BlockId Arena::live_at(Units unit) const {
  const BlockId id = live_.find(unit);
  return id != 0 && blocks_[id].state == BlockState::live ? id : 0;
}

UnitRange Arena::granules_inside(const Block& block) const {
  const std::uint64_t mask = granule() - 1;
  const std::uint64_t from = (block.start + mask) & ~mask;
  const std::uint64_t to = (std::uint64_t{block.start} + block.size) & ~mask;
  return from < to ? UnitRange{static_cast<Units>(from), static_cast<Units>(to - from)} : UnitRange{};
}

// May a block freed on `stream` swallow this neighbour? Swallowing makes the neighbour wait for the later free, so
// whole granules that could be released or used by others now are left alone, and so is settled memory that is larger
// than what is being freed.
inline bool Arena::merges(const Block& neighbour, StreamIndex stream, Units size) const {
  if (neighbour.state != BlockState::free) return false;
  if (stream == StreamIndex::settled) return BuildPolicy::merges(neighbour.stream == StreamIndex::settled);
  if (neighbour.stream == stream) {
    return neighbour.size < granule() || order_.proved(stream) < neighbour.freed;
  }
  return BuildPolicy::merges(neighbour.stream == StreamIndex::settled && neighbour.size <= size &&
                             neighbour.size < granule());
}

inline Position Arena::absorb_neighbours(BlockId id, StreamIndex stream) {
  Block& block = blocks_[id];
  const Units size = block.size;
  Position earliest = Position::all;
  if (const BlockId below = block.below; below != 0 && merges(blocks_[below], stream, size)) {
    Block& other = blocks_[below];
    unlink(heap(other.stream), below);
    earliest = std::min(earliest, other.freed);
    block.start = other.start;
    block.size += other.size;
    block.below = other.below;
    blocks_[block.below].above = id;
    blocks_.release(below);
  }
  if (const BlockId above = block.above; above != 0 && merges(blocks_[above], stream, size)) {
    Block& other = blocks_[above];
    unlink(heap(other.stream), above);
    earliest = std::min(earliest, other.freed);
    block.size += other.size;
    block.above = other.above;
    blocks_[block.above].below = id;
    if (last_ == above) last_ = id;
    blocks_.release(above);
  }
  return earliest;
}

inline void Arena::insert(BlockId id, StreamIndex stream, Position at) {
  Heap& mine = heap(stream);
  blocks_[id].state = BlockState::live;  // not in any list, so no neighbour may swallow it
  const Position swallowed = absorb_neighbours(id, stream);
  Block& block = blocks_[id];
  block.state = BlockState::free;
  block.stream = stream;
  block.freed = BuildPolicy::merged(at, swallowed);
  link_before(mine, id, 0);
}

void Arena::put(BlockId id, StreamIndex stream, Position at) {
  if (stream < first_stream) {
    live_.erase(blocks_[id].start);
    return insert(id, stream, at);
  }
  Heap& mine = heap(stream);
  cool(mine);
  if (!mine.announced) {
    mine.announced = true;
    order_.announce(stream);
  }
  Block& block = blocks_[id];
  block.state = BlockState::hot;
  block.stream = stream;
  block.freed = at;
  mine.hot = id;
}

// The hot block becomes one like the others.
inline void Arena::cool(Heap& heap) {
  if (heap.hot == 0) return;
  const BlockId id = std::exchange(heap.hot, 0);
  const Block& block = blocks_[id];
  live_.erase(block.start);
  insert(id, block.stream, block.freed);
}

Arena::Heap* Arena::find_cool(StreamIndex stream) {
  Heap* mine = find(stream);
  if (mine != nullptr) cool(*mine);
  return mine;
}

void Arena::move_prefix(StreamIndex from, Position upto, StreamIndex to) {
  Heap* mine = find_cool(from);
  while (mine != nullptr && mine->oldest != 0 && blocks_[mine->oldest].freed <= upto) {
    const BlockId id = mine->oldest;
    unlink(*mine, id);
    insert(id, to, to == StreamIndex::settled ? Position::none : order_.free_point(to));
  }
  if (mine != nullptr) withdraw_if_empty(*mine, from);
}

void Arena::free_all() {
  for (std::size_t i = 0; i < streams_.size(); ++i) settle(streams_[i], Position::all);
  for (BlockId id = 1; blocks_.contains(id); ++id) {
    if (blocks_[id].state == BlockState::live) put(id, StreamIndex::settled, Position::none);
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
  heap(StreamIndex::settled);
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
  insert(id, StreamIndex::settled, Position::none);
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
  const Heap* mine = find_cool(stream);
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
    cut_out(id, hole);
    released += hole.size / granule();
    sink(hole);
  }
  return released;
}

// Removes `hole` from a free block. What is left on either side keeps the block's place in the order of frees.
void Arena::cut_out(BlockId id, UnitRange hole) {
  const Block whole = blocks_[id];
  const std::uint64_t end = std::uint64_t{whole.start} + whole.size;
  const BlockId right = hole.start + std::uint64_t{hole.size} < end ? blocks_.make() : 0;
  Heap& mine = heap(whole.stream);
  unlink(mine, id);
  if (right != 0) {
    Block& rest = blocks_[right];
    rest.start = hole.start + hole.size;
    rest.size = static_cast<Units>(end - rest.start);
    rest.above = whole.above;
    rest.freed = whole.freed;
    rest.stream = whole.stream;
    rest.state = BlockState::free;
    link_before(mine, right, whole.age_next);
  }
  if (last_ == id) last_ = right;
  if (whole.above != 0) blocks_[whole.above].below = right;
  if (whole.start < hole.start) {
    Block& rest = blocks_[id];
    rest.size = hole.start - whole.start;
    rest.above = 0;
    link_before(mine, id, right != 0 ? right : whole.age_next);
  } else {
    if (whole.below != 0) blocks_[whole.below].above = 0;
    blocks_.release(id);
  }
}

}  // namespace streampool::engine
