// From an address to the arena that owns its granule. One word a granule, read without a lock; what follows from it is
// checked under the arena's lock.
#pragma once

#include <atomic>
#include <bit>
#include <memory>

#include "impl/pool/units.hpp"

namespace streampool::engine {

class Arena;

class AddressMap {
 public:
  // `granule_units` is a power of two.
  AddressMap(Units granule_units, std::uint32_t granules)
      : granule_units_(granule_units),
        shift_(static_cast<unsigned>(std::countr_zero(granule_units))),
        granules_(granules),
        owners_(std::make_unique<std::atomic<Arena*>[]>(granules)) {}

  // Who owns the granule of this unit; null where nobody does or the unit lies outside the range.
  [[nodiscard]] Arena* owner(std::uint64_t unit) const {
    const std::uint64_t index = unit >> shift_;
    return index < granules_ ? owners_[index].load(std::memory_order_acquire) : nullptr;
  }
  // `start` and `size` are whole granules. Null: nobody owns them any more.
  void give(Units start, Units size, Arena* owner) {
    for (std::uint64_t i = start >> shift_; i < (std::uint64_t{start} + size) >> shift_; ++i) {
      owners_[i].store(owner, std::memory_order_release);
    }
  }
  [[nodiscard]] Units granule_units() const { return granule_units_; }

 private:
  const Units granule_units_;
  const unsigned shift_;
  const std::uint32_t granules_;
  const std::unique_ptr<std::atomic<Arena*>[]> owners_;
};

}  // namespace streampool::engine
