// Guards that matter: each conjunct of each guard is dropped in turn, and some obligation must fail without it.
#pragma once

#include <string>
#include <vector>

#include "spec/theorems/world.hpp"

namespace streampool::theorems {

// A part of a guard whose removal makes it weaker.
struct Conjunct {
  std::size_t index;  // in order of appearance
  std::string text;   // as SMT-LIB, cut short
};
[[nodiscard]] std::vector<Conjunct> conjuncts(Term guard);
// The guard without that part.
[[nodiscard]] Term without(Term guard, std::size_t index);

struct Drop {
  std::string transition;
  Conjunct conjunct;
  std::string broken;  // id of the obligation that fails without it; empty: none
  std::string note;    // why it may be redundant
  double seconds = 0;
};
[[nodiscard]] std::vector<std::string> transitions_with_guards();
[[nodiscard]] std::vector<Drop> drop_each(const std::string& transition, double timeout);

}  // namespace streampool::theorems
