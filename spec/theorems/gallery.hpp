// The gallery of unsound rules: each must be refuted by a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/theorems/bounded.hpp"

namespace streampool::theorems {

struct Wrong {
  std::string id;     // also the name of its litmus file
  std::string title;  // what the rule does
  Scope scope;
  std::size_t depth = 7;
  std::function<std::vector<Move>()> moves;
  bool clocks_deceived = false;  // the rule's mistake is in the runtime's order too: only the device shows it
};
[[nodiscard]] const std::vector<Wrong>& gallery();
[[nodiscard]] std::optional<Counterexample> refute(const Wrong& wrong);
// A run of the specification's own rules that shares memory: there is none up to the depth.
[[nodiscard]] std::optional<Counterexample> search_own_rules(std::size_t depth);

}  // namespace streampool::theorems
