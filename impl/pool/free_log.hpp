// The frees of one stream, oldest first: appended to at the end, read from the front. A block that is taken or merged
// away leaves its entry behind, which nobody looks for: entries that are no longer true are skipped at the front and
// swept when they are many. So a free writes one word, and a take writes nothing. Not thread safe.
#pragma once

#include <algorithm>
#include <vector>

#include "impl/pool/block.hpp"

namespace streampool::engine {

class FreeLog {
 public:
  explicit FreeLog(StreamIndex stream) : stream_(stream) {}

  // The block is free in this stream, and no other entry is later.
  void append(BlockTable& blocks, BlockId id) {
    if (entries_.size() >= room_) sweep(blocks);
    entries_.push_back(id);
    blocks[id].logged = base_ + entries_.size();
  }
  // No entry is true any more.
  void clear() {
    base_ += entries_.size();
    entries_.clear();
    first_ = 0;
  }

  // The oldest free block; 0 if there is none.
  BlockId oldest(const BlockTable& blocks) {
    while (first_ < entries_.size() && !holds(blocks, first_)) ++first_;
    return first_ < entries_.size() ? entries_[first_] : 0;
  }
  // Calls `visit(id)` for every block, oldest first, until it says false. `visit` must change nothing.
  template <class Visit>
  void for_each(const BlockTable& blocks, Visit visit) const {
    for (std::size_t i = first_; i < entries_.size(); ++i) {
      if (holds(blocks, i) && !visit(entries_[i])) return;
    }
  }

  // `heir` takes the place of `id`, which is gone.
  void inherit(BlockTable& blocks, BlockId id, BlockId heir) {
    const std::uint64_t at = blocks[heir].logged = blocks[id].logged;
    entries_[at - base_ - 1] = heir;
  }
  // Takes in blocks whose frees lie anywhere between the others. Costs a sort of the whole log.
  void insert(BlockTable& blocks, const std::vector<BlockId>& more) {
    sweep(blocks);
    entries_.insert(entries_.end(), more.begin(), more.end());
    std::stable_sort(entries_.begin(), entries_.end(),
                     [&](BlockId a, BlockId b) { return blocks[a].freed < blocks[b].freed; });
    stamp(blocks);
  }

 private:
  // Sweeping touches every entry, so it happens once in some multiple of what is left then.
  static constexpr std::size_t slack = 8, least_room = 64;

  [[nodiscard]] bool holds(const BlockTable& blocks, std::size_t i) const {
    const Block& block = blocks[entries_[i]];
    return (block.logged == base_ + i + 1) & (block.stream == stream_) & (block.state == BlockState::free);
  }
  void sweep(BlockTable& blocks) {
    std::size_t kept = 0;
    for (std::size_t i = first_; i < entries_.size(); ++i) {
      entries_[kept] = entries_[i];
      kept += holds(blocks, i) ? 1 : 0;  // no branch: nobody could guess it
    }
    base_ += entries_.size();  // no number is used twice
    entries_.resize(kept);
    first_ = 0;
    stamp(blocks);
    room_ = kept * slack + least_room;
  }
  void stamp(BlockTable& blocks) {
    for (std::size_t i = 0; i < entries_.size(); ++i) blocks[entries_[i]].logged = base_ + i + 1;
  }

  const StreamIndex stream_;
  std::vector<BlockId> entries_;
  std::size_t first_ = 0;   // entries before it are not true
  std::uint64_t base_ = 0;  // entry i has the number base_ + i + 1
  std::size_t room_ = least_room;
};

}  // namespace streampool::engine
