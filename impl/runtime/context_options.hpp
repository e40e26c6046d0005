// What a runtime is opened with.
#pragma once

#include <algorithm>

#include "impl/pool/units.hpp"

namespace streampool::engine {

struct ContextOptions {
  Bytes memory = 0;
  Bytes granularity = Bytes{2} << 20;
  unsigned arenas = 1;
  // Early reuse, memory poisoned at every malloc and free, and a device that lets others go first.
  bool adversarial = false;

  // Room for every granule to lie alone, within what units can count.
  [[nodiscard]] Bytes address_range() const {
    constexpr Bytes most = Bytes{1} << 39;
    return memory > most / 8 ? most : std::min(most, std::max(memory * 8, granularity << 12));
  }
};

#ifdef STREAMPOOL_CHECKED
inline constexpr bool checked_build = true;
#else
inline constexpr bool checked_build = false;
#endif

}  // namespace streampool::engine
