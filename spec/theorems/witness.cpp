#include "spec/theorems/witness.hpp"

#include <algorithm>

#include "spec/theorems/bounded.hpp"

namespace streampool::theorems {

Witness witness_of(const Transition& t) {
  constexpr std::size_t depth = 5;
  auto all = moves(transition("malloc").step);
  // What the others need to come first.
  std::erase_if(all, [&](const Move& m) { return m.name == "record" || m.name == "use" || m.name == "wait"; });
  all.push_back({"start", transition("start").step});
  all.push_back({"unmap", transition("unmap").step});
  for (const char* kind : {"stream", "event"}) {
    const std::string given = std::string("name_") + kind;
    if (t.name == std::string("forget_") + kind) all.push_back({given, transition(given).step});
  }
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
