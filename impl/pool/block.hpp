// Blocks: the pieces that an arena's memory is cut into. They live outside device memory and are named by index, so
// that one fits a cache line and the table may grow under its users' feet.
#pragma once

#include <vector>

#include "impl/pool/huge_pages.hpp"
#include "impl/pool/units.hpp"

namespace streampool::engine {

// hot: freed, but not merged and not indexed yet (see Arena).
enum class BlockState : std::uint8_t { unused, live, free, hot };

struct alignas(64) Block {
  Units start = 0;  // from the base of the address range
  Units size = 0;
  BlockId below = 0, above = 0;        // neighbours by address; 0 where the memory there is not this arena's
  BlockId bin_prev = 0, bin_next = 0;  // free: the list of its size class
  BlockId older = 0, newer = 0;        // free: neighbours by age in its heap
  std::uint64_t requested = 0;         // live: bytes asked for
  Position freed{};                    // free: where in its stream it was freed; of a merged block the latest
  StreamIndex stream{};                // free: the stream it was freed on
  BlockState state = BlockState::unused;
  std::uint16_t size_class = 0;  // free: the list of its size
};
static_assert(sizeof(Block) == 64);

// Grows only, in one piece: ids stay valid, references do not survive make(). Not thread safe.
class BlockTable {
 public:
  Block& operator[](BlockId id) { return blocks_[id]; }
  const Block& operator[](BlockId id) const { return blocks_[id]; }

  // True where `id` names a block that exists, in whatever state.
  [[nodiscard]] bool contains(BlockId id) const { return id != 0 && id < blocks_.size(); }

  // A fresh block with all fields at their defaults. May throw std::bad_alloc, then nothing changed.
  BlockId make() {
    if (spare_ != 0) {
      const BlockId id = spare_;
      spare_ = blocks_[id].bin_next;
      blocks_[id] = Block{};
      return id;
    }
    blocks_.emplace_back();
    return static_cast<BlockId>(blocks_.size() - 1);
  }

  // The block must be in no list.
  void release(BlockId id) {
    Block& block = blocks_[id];
    block.state = BlockState::unused;
    block.bin_next = spare_;
    spare_ = id;
  }

 private:
  std::vector<Block, HugePages<Block>> blocks_{1};  // 0 is no block: its links may be written, and mean nothing
  BlockId spare_ = 0;
};

}  // namespace streampool::engine
