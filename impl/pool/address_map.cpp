#include "impl/pool/address_map.hpp"

#include <bit>

namespace streampool::engine {

AddressMap::AddressMap(Units granule_units, std::uint32_t granules)
    : mask_(granule_units - 1),
      shift_(static_cast<unsigned>(std::countr_zero(granule_units))),
      granules_(granules),
      directory_(std::make_unique<std::atomic<Granule*>[]>(granules)) {}

AddressMap::~AddressMap() {
  for (std::uint32_t i = 0; i < granules_; ++i) delete directory_[i].load(std::memory_order_relaxed);
}

void AddressMap::give(Units start, Units size, Arena* owner) {
  const std::uint32_t first = start >> shift_;
  const std::uint32_t end = first + (size >> shift_);
  for (std::uint32_t i = first; i < end; ++i) {
    if (directory_[i].load(std::memory_order_relaxed) != nullptr) continue;
    auto granule = std::make_unique<Granule>();
    granule->blocks = std::make_unique<std::atomic<BlockId>[]>(std::size_t{mask_} + 1);
    directory_[i].store(granule.release(), std::memory_order_release);
  }
  for (std::uint32_t i = first; i < end; ++i) {
    directory_[i].load(std::memory_order_relaxed)->owner.store(owner, std::memory_order_release);
  }
}

void AddressMap::take_back(Units start, Units size) {
  const std::uint32_t first = start >> shift_;
  const std::uint32_t end = first + (size >> shift_);
  for (std::uint32_t i = first; i < end; ++i) {
    directory_[i].load(std::memory_order_relaxed)->owner.store(nullptr, std::memory_order_release);
  }
}

}  // namespace streampool::engine
