// Arena::check: the invariants of arena.hpp, written down.
#include <map>
#include <set>

#include "impl/pool/arena.hpp"

namespace streampool::engine {

std::string Arena::check() const {
  std::map<Units, BlockId> by_address;
  std::set<BlockId> free;
  std::size_t live = 0, hot = 0;
  for (BlockId id = 1; blocks_.contains(id); ++id) {
    const Block& block = blocks_[id];
    if (block.state == BlockState::unused) continue;
    if (block.size == 0) return "a block without memory";
    if (!by_address.emplace(block.start, id).second) return "two blocks start at one address";
    if (block.state == BlockState::free) free.insert(id);
    if (block.state == BlockState::live) ++live;
    if (block.state == BlockState::hot) ++hot;
    if (block.state != BlockState::live && block.size > largest_) return "a free block larger than the largest";
  }
  if (live + hot != live_.size()) return "the index of live blocks has others";
  BlockId before = 0;
  for (const auto& [start, id] : by_address) {
    const Block& block = blocks_[id];
    if (map_.owner(start) != this || map_.owner(start + block.size - 1) != this) return "a block over foreign memory";
    if (block.state != BlockState::free && live_.find(start) != id) return "a live block the index does not know";
    const bool touches = block.below != 0;
    if (touches && (block.below != before || blocks_[before].start + blocks_[before].size != start)) {
      return "a lower neighbour that does not touch";
    }
    if (!touches && start % granule() != 0) return "a block without its lower neighbour";
    if (before != 0 && blocks_[before].start + blocks_[before].size > start) return "two blocks overlap";
    if (before != 0 && blocks_[before].above != (touches ? id : 0)) return "a wrong upper neighbour";
    if (touches && block.state == BlockState::free && blocks_[before].state == BlockState::free &&
        block.stream == StreamIndex::settled && blocks_[before].stream == StreamIndex::settled) {
      return "two settled neighbours";
    }
    before = id;
  }
  if (before != 0 && blocks_[before].above != 0) return "a neighbour above the last block";
  if (last_ != 0 && blocks_[last_].start + blocks_[last_].size != end_) return "the last block does not end the memory";
  for (const StreamIndex stream : streams_) {
    const Heap& mine = *heaps_[raw(stream)];
    if (mine.hot != 0) {
      --hot;
      const Block& block = blocks_[mine.hot];
      if (block.state != BlockState::hot || block.stream != stream) return "a hot block that is not";
    }
    std::set<BlockId> indexed;
    mine.index.for_each_from(blocks_, 1, [&](BlockId id) { indexed.insert(id); });
    for (const BlockId id : indexed) {
      if (blocks_[id].stream != stream || free.erase(id) != 1) return "a block in the wrong heap";
    }
    Position latest{};
    bool sorted = true;
    std::set<BlockId> aged;
    for (BlockId id = mine.ages.oldest(blocks_); id != 0; id = mine.ages.behind(blocks_, id)) {
      sorted = sorted && blocks_[id].freed >= latest && aged.insert(id).second;
      latest = blocks_[id].freed;
    }
    if (!sorted) return "frees out of order";
    if (mine.hot != 0 && latest > blocks_[mine.hot].freed) return "a hot block that is not the newest";
    if (aged != indexed) return "free blocks that are not both by size and by age";
  }
  return free.empty() && hot == 0 ? "" : "a free block in no heap";
}

bool Arena::has_live_blocks() const {
  std::size_t hot = 0;
  for (const StreamIndex stream : streams_) hot += find(stream)->hot != 0 ? 1 : 0;
  return live_.size() != hot;
}

}  // namespace streampool::engine
