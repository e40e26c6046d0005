// Obligations on 64-bit vectors: where the model's machine numbers do what the integers of the theorems do.
#pragma once

#include <string>
#include <vector>

namespace streampool::theorems {

struct OverflowObligation {
  std::string id;
  std::string script;  // complete SMT-LIB text, expected unsat
  std::string says;
};
[[nodiscard]] std::vector<OverflowObligation> overflow_obligations();

}  // namespace streampool::theorems
