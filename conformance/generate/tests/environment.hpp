// How long the tests of the generators take: STREAMPOOL_HISTORIES and STREAMPOOL_SEED.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace streampool::generate {

inline std::uint64_t number(const char* variable, std::uint64_t by_default) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : by_default;
}

}  // namespace streampool::generate
