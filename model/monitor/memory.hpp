// The memory an observer knows: blocks by address, who used them, what they hold (chapters ALLOC, REUSE, PROGRAM).
//
// Every range that was ever handed out points at its newest block. A block is live until its free call; then it carries
// the mark of that free until other blocks have taken all of its bytes. Not thread safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/history/history.hpp"
#include "model/monitor/timeline.hpp"
#include "model/values/range_map.hpp"
#include "spec/rules/reuse.hpp"

namespace streampool::model {

enum class PoolId : std::uint32_t { none = 0xffffffff };  // none: plain memory

// A block that may be gone: the generation tells whether the slot still holds the one that was meant.
struct BlockRef {
  std::uint32_t index = 0xffffffff;
  std::uint32_t generation = 0;
  bool operator==(const BlockRef&) const = default;
};

// What is known of the content of part of a block.
struct Content {
  std::uint64_t begin, end;           // addresses
  std::optional<std::uint8_t> value;  // nothing: written, but not known
  std::vector<Item> writers;          // one, or several that are not ordered among themselves
};

struct Block {
  std::uint32_t generation = 0;
  bool live = false;
  bool placed = true;  // false: the address was not observed
  history::Name name = history::Name::none;
  std::uint64_t address = 0, size = 0, end = 0;  // bytes; end of the range with its padding
  PoolId pool = PoolId::none;
  Item allocation;                  // position 0: plain memory has no item
  std::uint64_t left = 0;           // bytes that no newer block has taken
  std::uint64_t placed_at = 0;      // counts placements and frees, in call order
  bool refused_free = false;        // a free on a dead stream was refused
  std::uint64_t written_epoch = 0;  // release points of the pool before the newest write
  std::vector<Item> uses;           // the newest of each stream
  std::vector<Content> content;     // by address, disjoint
  // After the free.
  Item free;                   // position 0: synchronous
  std::uint64_t freed_at = 0;  // counts like placed_at
  bool synchronous = false;
  SharedCuts free_cuts;          // of the free
  std::uint64_t free_epoch = 0;  // counts the release points of the owning pool
};

// What a byte of a request was before.
struct Predecessor {
  BlockRef block;
  std::uint64_t begin, end;
};

class Memory {
 public:
  // Ranges of [begin, end) that some block has had, by address.
  [[nodiscard]] const std::vector<Predecessor>& predecessors(std::uint64_t begin, std::uint64_t end);

  // Some block has had a byte of [begin, end).
  [[nodiscard]] bool touched(std::uint64_t begin, std::uint64_t end) { return ranges_.meets(begin, end); }

  // The newest block of a byte, or nothing.
  [[nodiscard]] std::optional<BlockRef> at(std::uint64_t address);

  // A new live block; takes its bytes from older ones. `gone(ref)` is called for each block that loses a byte.
  template <class Gone>
  BlockRef place(Block block, Gone&& gone) {
    if (!block.placed) return store(std::move(block));
    for (const Predecessor& old : predecessors(block.address, block.end)) {
      Block& loser = get(old.block);
      gone(old.block, loser);
      loser.left -= old.end - old.begin;
      if (loser.left == 0) recycle(old.block);
    }
    const std::uint64_t begin = block.address, end = block.end;
    block.left = end - begin;
    const BlockRef ref = store(std::move(block));
    ranges_.assign(begin, end, ref);
    return ref;
  }

  [[nodiscard]] bool exists(const BlockRef& ref) const {
    return ref.index < blocks_.size() && blocks_[ref.index].generation == ref.generation;
  }
  [[nodiscard]] Block& get(const BlockRef& ref) { return blocks_[ref.index]; }
  [[nodiscard]] const Block& get(const BlockRef& ref) const { return blocks_[ref.index]; }

  // Every block that still has bytes of its own, live or freed.
  template <class F>
  void for_each(F&& f) const {
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].live || blocks_[i].left > 0) f(BlockRef{i, blocks_[i].generation}, blocks_[i]);
    }
  }

  template <class F>
  void for_each_live(F&& f) const {
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].live) f(BlockRef{i, blocks_[i].generation}, blocks_[i]);
    }
  }

 private:
  BlockRef store(Block block);
  void recycle(const BlockRef& ref);

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> vacant_;
  std::vector<Predecessor> found_;
  RangeMap<BlockRef> ranges_;
};

// Content (ALLOC-CONTENT)
// ----------------------------------------------------------------------------------------------------

// An item wrote [begin, end) of the block; nothing for `value`: it wrote what nobody knows. `reach`: the program-order
// cut of the item.
void write_content(Block& block, std::uint64_t begin, std::uint64_t end, std::optional<std::uint8_t> value,
                   const Item& item, const Cut& reach);

enum class ContentMatch : std::uint8_t { must_match, must_differ, unknown };
// What an item with the program-order cut `reach` must find when it compares [begin, end) with `value`.
ContentMatch compare_content(const Block& block, std::uint64_t begin, std::uint64_t end, std::uint8_t value,
                             const Cut& reach);

// Notes a use of the block; keeps the newest of each stream.
void note_use(Block& block, const Item& item);
// A use (or the allocation) that the cut does not contain.
std::optional<Item> unordered_use(const Block& block, const Cut& cut);

}  // namespace streampool::model
