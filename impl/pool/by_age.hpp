// The free blocks of one stream by age: a ring through the blocks themselves. So what one proof frees is a prefix, and
// taking a block out of the middle costs two writes. Not thread safe.
#pragma once

#include "impl/pool/block.hpp"

namespace streampool::engine {

class ByAge {
 public:
  // May throw std::bad_alloc.
  explicit ByAge(BlockTable& blocks) : ends_(blocks.make()) { blocks[ends_].older = blocks[ends_].newer = ends_; }
  // The ring must be empty, and is of no use from now on.
  void close(BlockTable& blocks) { blocks.release(ends_); }

  // No block of the ring was freed later.
  void append(BlockTable& blocks, BlockId id) { insert_behind(blocks, id, blocks[ends_].older); }
  // `id` was freed together with `twin`, which is in the ring.
  void insert_behind(BlockTable& blocks, BlockId id, BlockId twin) {
    const BlockId newer = blocks[twin].newer;
    blocks[id].older = twin;
    blocks[id].newer = newer;
    blocks[twin].newer = id;
    blocks[newer].older = id;
  }
  static void erase(BlockTable& blocks, BlockId id) {
    const BlockId older = blocks[id].older;
    const BlockId newer = blocks[id].newer;
    blocks[older].newer = newer;
    blocks[newer].older = older;
  }

  // The oldest block; 0 if there is none.
  [[nodiscard]] BlockId oldest(const BlockTable& blocks) const { return behind(blocks, ends_); }
  // The next newer block; 0 behind the newest.
  [[nodiscard]] BlockId behind(const BlockTable& blocks, BlockId id) const {
    const BlockId newer = blocks[id].newer;
    return newer == ends_ ? 0 : newer;
  }

 private:
  const BlockId ends_;  // a block without memory, between the newest and the oldest
};

}  // namespace streampool::engine
