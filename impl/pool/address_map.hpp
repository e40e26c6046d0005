// From an address to the arena and block that own it. One table a granule, made at the granule's first use and kept, so
// that a look-up needs no lock; what it finds is checked against the block under the arena's lock.
#pragma once

#include <atomic>
#include <memory>

#include "impl/pool/units.hpp"

namespace streampool::engine {

class Arena;

class AddressMap {
 public:
  // `granule_units` is a power of two.
  AddressMap(Units granule_units, std::uint32_t granules);
  ~AddressMap();
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;

  // Who owns the granule of this unit; null where nobody does or the unit lies outside the range.
  [[nodiscard]] Arena* owner(std::uint64_t unit) const {
    const Granule* granule = find(unit);
    return granule == nullptr ? nullptr : granule->owner.load(std::memory_order_acquire);
  }
  // The block that was last noted at this unit; 0 where none was. The granule must have been owned once.
  [[nodiscard]] BlockId block(Units unit) const {
    return find(unit)->blocks[unit & mask_].load(std::memory_order_relaxed);
  }
  void note(Units unit, BlockId id) { find(unit)->blocks[unit & mask_].store(id, std::memory_order_relaxed); }

  // `start` and `size` are whole granules. May throw std::bad_alloc, then nothing changed hands.
  void give(Units start, Units size, Arena* owner);
  void take_back(Units start, Units size);

  [[nodiscard]] Units granule_units() const { return mask_ + 1; }

 private:
  struct Granule {
    std::atomic<Arena*> owner{nullptr};
    std::unique_ptr<std::atomic<BlockId>[]> blocks;
  };
  [[nodiscard]] Granule* find(std::uint64_t unit) const {
    const std::uint64_t index = unit >> shift_;
    return index < granules_ ? directory_[index].load(std::memory_order_acquire) : nullptr;
  }

  const Units mask_;
  const unsigned shift_;
  const std::uint32_t granules_;
  const std::unique_ptr<std::atomic<Granule*>[]> directory_;
};

}  // namespace streampool::engine
