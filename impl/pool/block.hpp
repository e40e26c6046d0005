// Blocks: the pieces that an arena's memory is cut into. They live outside device memory and are named by index, so
// that one fits a cache line and the table may grow under its users' feet.
#pragma once

#include <memory>
#include <vector>

#include "impl/pool/units.hpp"

namespace streampool::engine {

enum class BlockState : std::uint8_t { unused, live, free };

struct alignas(64) Block {
  Units start = 0;  // from the base of the address range
  Units size = 0;
  BlockId below = 0, above = 0;        // neighbours by address; 0 where the memory there is not this arena's
  BlockId bin_prev = 0, bin_next = 0;  // free: the list of its size class
  BlockId age_prev = 0, age_next = 0;  // free: the frees of its stream, oldest first
  std::uint64_t requested = 0;         // live: bytes asked for
  Position freed{};                    // free: where in its stream it was freed; of a merged block the latest
  StreamIndex stream{};                // free: the stream it was freed on
  BlockState state = BlockState::unused;
};
static_assert(sizeof(Block) == 64);

// Grows only; references stay valid. Not thread safe.
class BlockTable {
 public:
  Block& operator[](BlockId id) { return chunks_[id >> chunk_bits][id & chunk_mask]; }
  const Block& operator[](BlockId id) const { return chunks_[id >> chunk_bits][id & chunk_mask]; }

  // True where `id` names a block that exists (in whatever state). For ids that come from a stale table.
  [[nodiscard]] bool contains(BlockId id) const { return id != 0 && id < next_; }

  // A fresh block with all fields at their defaults. May throw std::bad_alloc, then nothing changed.
  BlockId make() {
    if (spare_ != 0) {
      const BlockId id = spare_;
      Block& block = (*this)[id];
      spare_ = block.bin_next;
      block = Block{};
      return id;
    }
    if ((next_ >> chunk_bits) == chunks_.size()) chunks_.push_back(std::make_unique<Block[]>(chunk_mask + 1));
    return next_++;
  }

  // The block must be in no list.
  void release(BlockId id) {
    Block& block = (*this)[id];
    block.state = BlockState::unused;
    block.bin_next = spare_;
    spare_ = id;
  }

 private:
  static constexpr unsigned chunk_bits = 10;
  static constexpr BlockId chunk_mask = (1u << chunk_bits) - 1;
  std::vector<std::unique_ptr<Block[]>> chunks_;
  BlockId next_ = 1;
  BlockId spare_ = 0;
};

}  // namespace streampool::engine
