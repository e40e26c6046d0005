// An index of free blocks by size: 32 lists a doubling, two levels of bitmaps. Insert, erase and find cost two bit
// scans whatever the number of blocks. Not thread safe; knows nothing of addresses or streams.
#pragma once

#include <array>
#include <bit>

#include "impl/pool/block.hpp"

namespace streampool::engine {

class BestFit {
 public:
  // Insert and erase do not branch on what they find: the next size is anybody's guess, and a wrong guess costs more
  // than the work. So links to no block are written too, into the table's block 0, which nobody reads.
  void insert(BlockTable& blocks, BlockId id) {
    Block& block = blocks[id];
    const unsigned c = class_of(block.size);
    block.size_class = static_cast<std::uint16_t>(c);
    block.bin_prev = 0;
    block.bin_next = heads_[c];
    blocks[heads_[c]].bin_prev = id;
    heads_[c] = id;
    lists_[c / word] |= 1u << c % word;
    words_ |= 1u << c / word;
  }

  void erase(BlockTable& blocks, BlockId id) {
    const Block& block = blocks[id];
    const unsigned c = block.size_class;
    blocks[block.bin_next].bin_prev = block.bin_prev;
    blocks[block.bin_prev].bin_next = block.bin_next;
    const BlockId head = block.bin_prev == 0 ? block.bin_next : heads_[c];
    heads_[c] = head;
    lists_[c / word] &= ~(static_cast<std::uint32_t>(head == 0) << c % word);
    words_ &= ~(static_cast<std::uint32_t>(lists_[c / word] == 0) << c / word);
  }

  // A block of at least `size`: the smallest among the first `patience` of the request's own class, else the first of
  // the next class that has one. 0 if none was found; only a fitting block of its own class can be missed.
  [[nodiscard]] BlockId find(const BlockTable& blocks, Units size) const {
    const unsigned own = class_of(size);
    const BlockId id = smallest(blocks, own, size, patience, [](const Block&) { return true; });
    return id != 0 ? id : heads_[next_class(own + 1)];
  }
  // The same among those that `accept` takes: looks at `patience` blocks of the own class, and at as many of all larger
  // ones together.
  template <class Accept>
  [[nodiscard]] BlockId find(const BlockTable& blocks, Units size, Accept accept) const {
    unsigned c = class_of(size);
    BlockId id = smallest(blocks, c, size, patience, accept);
    for (int left = patience; id == 0 && left > 0 && (c = next_class(c + 1)) < class_count;) {
      int looked = 0;
      id = smallest(blocks, c, size, left, [&](const Block& block) { return ++looked, accept(block); });
      left -= looked;
    }
    return id;
  }

  // Calls `visit(id)` for every block of at least `size`, largest classes first. `visit` must not change the index.
  template <class Visit>
  void for_each_from(const BlockTable& blocks, Units size, Visit visit) const {
    const unsigned least = class_of(size);
    for (std::uint32_t words = words_ & (~0u << least / word); words != 0;) {
      const unsigned w = take_highest(words);
      for (std::uint32_t lists = lists_[w] & (w == least / word ? ~0u << least % word : ~0u); lists != 0;) {
        for (BlockId id = heads_[w * word + take_highest(lists)]; id != 0; id = blocks[id].bin_next) {
          if (blocks[id].size >= size) visit(id);
        }
      }
    }
  }

  [[nodiscard]] bool empty() const { return words_ == 0; }
  // No block is larger: the end of the largest class that has one. 0 where there is none.
  [[nodiscard]] Units most() const {
    if (words_ == 0) return 0;
    const unsigned w = static_cast<unsigned>(std::bit_width(words_)) - 1;
    return end_of(w * word + static_cast<unsigned>(std::bit_width(lists_[w])) - 1);
  }

  // Sizes below 64 have a class each; above, each doubling has 32.
  static constexpr unsigned class_of(Units size) {
    const unsigned shift = static_cast<unsigned>(std::bit_width(size | 63u)) - 6;
    return shift * 32 + (size >> shift);
  }
  // The largest size of a class.
  static constexpr Units end_of(unsigned c) {
    const unsigned shift = c < 64 ? 0 : c / 32 - 1;
    return static_cast<Units>(((std::uint64_t{c - shift * 32} + 1) << shift) - 1);
  }
  static constexpr unsigned class_count = 896;

 private:
  static constexpr unsigned word = 32;
  static constexpr int patience = 4;

  // The smallest of the class's first blocks that is large enough and accepted; one of just the size ends the search.
  template <class Accept>
  [[nodiscard]] BlockId smallest(const BlockTable& blocks, unsigned c, Units size, int left, Accept accept) const {
    BlockId best = 0;
    for (BlockId id = heads_[c]; id != 0 && left > 0; id = blocks[id].bin_next, --left) {
      const Block& block = blocks[id];
      if (block.size < size || (best != 0 && block.size >= blocks[best].size) || !accept(block)) continue;
      best = id;
      if (block.size == size) break;
    }
    return best;
  }

  static unsigned take_highest(std::uint32_t& bits) {
    const unsigned top = static_cast<unsigned>(std::bit_width(bits)) - 1;
    bits &= ~(1u << top);
    return top;
  }

  // The first class from `c` on that has a block; `class_count`, whose list is always empty, where none has.
  [[nodiscard]] unsigned next_class(unsigned c) const {
    const unsigned row = c / word;
    if (const std::uint32_t here = lists_[row] & (~0u << c % word); here != 0) {
      return row * word + static_cast<unsigned>(std::countr_zero(here));
    }
    const std::uint32_t above = words_ & (~std::uint32_t{1} << row);
    if (above == 0) return class_count;
    const unsigned next = static_cast<unsigned>(std::countr_zero(above));
    return next * word + static_cast<unsigned>(std::countr_zero(lists_[next]));
  }

  std::uint32_t words_ = 0;                                    // which of `lists_` have a bit
  std::array<std::uint32_t, class_count / word + 1> lists_{};  // which of `heads_` have a block
  std::array<BlockId, class_count + 1> heads_{};
};

}  // namespace streampool::engine
