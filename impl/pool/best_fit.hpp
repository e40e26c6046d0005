// An index of free blocks by size: 32 lists a doubling, two levels of bitmaps. Insert, erase and find cost two bit
// scans whatever the number of blocks. Not thread safe; knows nothing of addresses or streams.
#pragma once

#include <algorithm>
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
    const Class c = class_of(block.size);
    BlockId& head = heads_[c.row][c.column];
    block.bin_prev = 0;
    block.bin_next = head;
    blocks[head].bin_prev = id;
    head = id;
    columns_[c.row] |= 1u << c.column;
    rows_ |= 1u << c.row;
  }

  // `block.size` must still be what it was at the insert.
  void erase(BlockTable& blocks, BlockId id) {
    Block& block = blocks[id];
    const Class c = class_of(block.size);
    BlockId& head = heads_[c.row][c.column];
    blocks[block.bin_next].bin_prev = block.bin_prev;
    blocks[block.bin_prev].bin_next = block.bin_next;
    head = block.bin_prev == 0 ? block.bin_next : head;
    columns_[c.row] &= ~(static_cast<std::uint32_t>(head == 0) << c.column);
    rows_ &= ~(static_cast<std::uint32_t>(columns_[c.row] == 0) << c.row);
    block.bin_prev = block.bin_next = 0;
  }

  // A block of at least `size` that `accept` takes, from the smallest class that has one; 0 if none was found. Looks at
  // `patience` blocks of the request's own class, which may be too small, and at as many of all larger classes
  // together, which `accept` may refuse. So where `accept` takes everything, only a fitting block of its own class can
  // be missed.
  template <class Accept>
  [[nodiscard]] BlockId find(const BlockTable& blocks, Units size, Accept accept, int patience = 8) const {
    Class c = class_of(size);
    const Class own = c;
    int left = patience;
    for (bool more = first_from(c); more; more = next_after(c)) {
      BlockId best = 0;
      for (BlockId id = heads_[c.row][c.column]; id != 0 && left > 0; id = blocks[id].bin_next, --left) {
        const Block& block = blocks[id];
        if (block.size < size || (best != 0 && block.size >= blocks[best].size) || !accept(block)) continue;
        best = id;
        if (block.size == size) return best;
      }
      if (best != 0) return best;
      if (c == own) left = patience;
      if (left == 0) return 0;
    }
    return 0;
  }
  [[nodiscard]] BlockId find(const BlockTable& blocks, Units size) const {
    return find(blocks, size, [](const Block&) { return true; });
  }

  // Calls `visit(id)` for every block of at least `size`, largest classes first. `visit` must not change the index.
  template <class Visit>
  void for_each_from(const BlockTable& blocks, Units size, Visit visit) const {
    const Class least = class_of(size);
    for (unsigned row = row_count; row-- > least.row;) {
      for (unsigned column = column_count; column-- > (row == least.row ? least.column : 0u);) {
        for (BlockId id = heads_[row][column]; id != 0; id = blocks[id].bin_next) {
          if (blocks[id].size >= size) visit(id);
        }
      }
    }
  }

  [[nodiscard]] bool empty() const { return rows_ == 0; }

  struct Class {
    unsigned row;
    unsigned column;
    bool operator==(const Class&) const = default;
  };
  // Sizes below 32 have a list each; above, a doubling is a row and its 32 parts are columns.
  static constexpr Class class_of(Units size) {
    const unsigned top = static_cast<unsigned>(std::bit_width(size | 16u)) - 1;
    return {top - 4, (size >> (std::max(top, 5u) - 5)) & (column_count - 1)};
  }

 private:
  static constexpr unsigned column_count = 32;
  static constexpr unsigned row_count = 28;

  // Moves `c` to the first class from itself on that has a block.
  bool first_from(Class& c) const {
    if (const std::uint32_t here = columns_[c.row] & (~0u << c.column); here != 0) {
      c.column = static_cast<unsigned>(std::countr_zero(here));
      return true;
    }
    const std::uint32_t above = c.row + 1 < 32 ? rows_ & (~0u << (c.row + 1)) : 0;
    if (above == 0) return false;
    c.row = static_cast<unsigned>(std::countr_zero(above));
    c.column = static_cast<unsigned>(std::countr_zero(columns_[c.row]));
    return true;
  }
  bool next_after(Class& c) const {
    if (++c.column < column_count) return first_from(c);
    c.column = 0;
    return ++c.row < row_count && first_from(c);
  }

  std::uint32_t rows_ = 0;
  std::array<std::uint32_t, row_count> columns_{};
  std::array<std::array<BlockId, column_count>, row_count> heads_{};
};

}  // namespace streampool::engine
