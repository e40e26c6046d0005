// How far the checks by exhaustion go.
#pragma once

#include <cstdlib>

namespace streampool::model::explorer {

// A longer job goes further: STREAMPOOL_MORE_CALLS=1 makes every program a call longer.
inline unsigned calls(unsigned by_default) {
  const char* const more = std::getenv("STREAMPOOL_MORE_CALLS");
  return by_default + (more != nullptr ? static_cast<unsigned>(std::strtoul(more, nullptr, 10)) : 0);
}

}  // namespace streampool::model::explorer
