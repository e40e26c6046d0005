// Theorems that `streampool prove` decides by going through runs of the model instead of asking a solver: what is in
// their scopes is certain, beyond them nothing is said.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/explorer/theorems.hpp"

namespace streampool::cli {

struct Explored {
  std::string id, theorem;
  std::string scope;  // in words
  std::function<model::explorer::Verdict()> check;
};
[[nodiscard]] const std::vector<Explored>& explored_theorems();

// What the check answers; a model that stops itself in it (a rule that it relies on does not hold) has contradicted it.
[[nodiscard]] model::explorer::Verdict run_explored(const Explored& explored);

}  // namespace streampool::cli
