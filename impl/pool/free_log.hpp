// The frees of one stream, oldest first: appended to at the end, read from the front. A block that is taken or merged
// away leaves its entry behind, which nobody looks for: entries that are no longer true are skipped at the front and
// dropped when they are many, some at every append, so that no single free pays for all. So a free writes one word, and
// a take writes nothing. An entry is true where its block says that it is free in this stream and has the entry's
// number, which counts from 1. Not thread safe.
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
    entries_.push_back(id);
    blocks[id].logged = entries_.size();
    if (sweeping_) {
      sweep(blocks, entries_a_free);
    } else if (entries_.size() >= room_) {
      start_sweep();
    }
  }
  // No entry is true any more.
  void clear() {
    entries_.clear();
    first_ = kept_ = next_ = 0;
    sweeping_ = false;
  }

  // The oldest free block; 0 if there is none.
  BlockId oldest(const BlockTable& blocks) {
    while (first_ < kept_ && !holds(blocks, first_)) ++first_;
    if (first_ < kept_) return entries_[first_];
    while (next_ < entries_.size() && !holds(blocks, next_)) ++next_;
    return next_ < entries_.size() ? entries_[next_] : 0;
  }
  // Calls `visit(id)` for every block, oldest first, until it says false. `visit` must change nothing.
  template <class Visit>
  void for_each(const BlockTable& blocks, Visit visit) const {
    for (std::size_t i = first_ < kept_ ? first_ : next_; i < entries_.size(); i = i + 1 == kept_ ? next_ : i + 1) {
      if (holds(blocks, i) && !visit(entries_[i])) return;
    }
  }

  // `heir` takes the place of `id`, which is gone.
  void inherit(BlockTable& blocks, BlockId id, BlockId heir) {
    const std::uint64_t at = blocks[heir].logged = blocks[id].logged;
    entries_[at - 1] = heir;
  }
  // Takes in blocks whose frees lie anywhere between the others. Costs a sort of the whole log.
  void insert(BlockTable& blocks, const std::vector<BlockId>& more) {
    if (sweeping_) sweep(blocks, entries_.size());
    start_sweep();
    sweep(blocks, entries_.size());
    entries_.insert(entries_.end(), more.begin(), more.end());
    std::stable_sort(entries_.begin(), entries_.end(),
                     [&](BlockId a, BlockId b) { return blocks[a].freed < blocks[b].freed; });
    for (std::size_t i = 0; i < entries_.size(); ++i) blocks[entries_[i]].logged = i + 1;
  }

 private:
  // A sweep starts where the log is some multiple of what the last one left, and looks at more entries with each free
  // than the free adds.
  static constexpr std::size_t slack = 4, least_room = 32, entries_a_free = 2;

  [[nodiscard]] bool holds(const BlockTable& blocks, std::size_t i) const {
    const Block& block = blocks[entries_[i]];
    return (block.logged == i + 1) & (block.stream == stream_) & (block.state == BlockState::free);
  }
  void start_sweep() {
    sweeping_ = true;
    first_ = kept_ = 0;
  }
  // Moves what is true to the front, at most `count` entries of the log. What it leaves behind is no longer true, for
  // the block carries the number of its new entry.
  void sweep(BlockTable& blocks, std::size_t count) {
    for (; count > 0 && next_ < entries_.size(); --count, ++next_) {
      const BlockId id = entries_[next_];
      if (!holds(blocks, next_)) continue;
      entries_[kept_++] = id;
      blocks[id].logged = kept_;
    }
    if (next_ < entries_.size()) return;
    entries_.resize(kept_);
    room_ = kept_ * slack + least_room;
    kept_ = next_ = first_;
    sweeping_ = false;
  }

  const StreamIndex stream_;
  std::vector<BlockId> entries_;
  // Entries before first_ are not true, nor are those from kept_ to next_, which a sweep has been at.
  std::size_t first_ = 0, kept_ = 0, next_ = 0;
  bool sweeping_ = false;
  std::size_t room_ = least_room;
};

}  // namespace streampool::engine
