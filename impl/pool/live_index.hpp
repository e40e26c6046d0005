// From the unit where a block starts to the block: open addressing, linear probing, no tombstones. Small and dense, so
// that a look-up touches one cache line; a table over all addresses would touch a page of its own for every block.
// Not thread safe.
#pragma once

#include <utility>
#include <vector>

#include "impl/pool/huge_pages.hpp"
#include "impl/pool/units.hpp"

namespace streampool::engine {

class LiveIndex {
 public:
  // 0: nothing starts there.
  [[nodiscard]] BlockId find(Units unit) const {
    for (std::size_t i = home(unit);; i = next(i)) {
      if (cells_[i].id == 0 || cells_[i].unit == unit) return cells_[i].id;
    }
  }
  // The unit must not be in the index. May throw std::bad_alloc, then nothing changed.
  void insert(Units unit, BlockId id) {
    if ((count_ + 1) * 8 > cells_.size()) grow();  // sparse: a look-up seldom reads a second cell
    place(unit, id);
    ++count_;
  }
  // The unit must be in the index.
  void erase(Units unit) {
    std::size_t hole = home(unit);
    while (cells_[hole].unit != unit || cells_[hole].id == 0) hole = next(hole);
    // Whoever was pushed behind the hole by it moves up.
    for (std::size_t i = next(hole); cells_[i].id != 0; i = next(i)) {
      if (((i - home(cells_[i].unit)) & mask_) >= ((i - hole) & mask_)) {
        cells_[hole] = cells_[i];
        hole = i;
      }
    }
    cells_[hole] = {};
    --count_;
  }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  struct Cell {
    Units unit = 0;
    BlockId id = 0;
  };
  [[nodiscard]] std::size_t home(Units unit) const {
    return static_cast<std::size_t>((std::uint64_t{unit} * 0x9e3779b97f4a7c15u) >> shift_);
  }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & mask_; }
  void place(Units unit, BlockId id) {
    std::size_t i = home(unit);
    while (cells_[i].id != 0) i = next(i);
    cells_[i] = {unit, id};
  }
  void grow() {
    std::vector<Cell, HugePages<Cell>> old(cells_.size() * 2);
    old.swap(cells_);
    mask_ = cells_.size() - 1;
    --shift_;
    for (const Cell& cell : old) {
      if (cell.id != 0) place(cell.unit, cell.id);
    }
  }
  static constexpr unsigned first_bits = 8;
  std::vector<Cell, HugePages<Cell>> cells_{std::size_t{1} << first_bits};
  std::size_t mask_ = (std::size_t{1} << first_bits) - 1;
  unsigned shift_ = 64 - first_bits;
  std::size_t count_ = 0;
};

}  // namespace streampool::engine
