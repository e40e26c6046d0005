// Nothing is proved of nothing: for every transition a run from the fresh machine that ends with it.
#pragma once

#include <string>

#include "spec/theorems/world.hpp"

namespace streampool::theorems {

struct Witness {
  bool found = false;
  std::size_t moves = 0;
  std::string history;  // where every call of the run can be written as a line
};
[[nodiscard]] Witness witness_of(const Transition& transition);

}  // namespace streampool::theorems
