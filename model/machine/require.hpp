// What the machine relies on: a guard of the rules that it has made true itself.
#pragma once

#include <cstdlib>

namespace streampool::model::machine {

// A guard that does not hold here is a fault of the model itself: nothing after it would mean anything.
inline void require(bool guard) {
  if (!guard) std::abort();
}

}  // namespace streampool::model::machine
