#include "spec/theorems/witness.hpp"

#include <algorithm>

#include "spec/theorems/bounded.hpp"

namespace streampool::theorems {

Witness witness_of(const Transition& t) {
  constexpr std::size_t depth = 5;
  auto all = moves(transition("malloc").step);
  auto it = std::ranges::find(all, t.name, &Move::name);
  if (it == all.end()) {
    all.push_back({t.name, t.step});
    it = std::prev(all.end());
  }
  const auto last = static_cast<std::size_t>(it - all.begin());
  const auto found = find_run(all, last, {}, depth, "a run that ends with " + t.name);
  if (!found) return {};
  return {true, found->moves, found->history};
}

}  // namespace streampool::theorems
