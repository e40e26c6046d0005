// The theorems and what they rest on.
//
// An invariant is a statement about every reachable world: base (it holds initially), step (each transition preserves
// it), one obligation each. A step statement speaks of one transition; a use follows from the invariants alone.
// `theorem` is an id of docs/proofs.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spec/theorems/world.hpp"

namespace streampool::theorems {

template <class... Keys, class F>
Bool every(const F& body) {
  if constexpr (sizeof...(Keys) == 0) {
    return body();
  } else {
    return [&]<class First, class... Rest>(std::type_identity<First>, std::type_identity<Rest>...) {
      return Bool{for_all(First::sort, [&](Term t) {
        return every<Rest...>([&](const Rest&... rest) { return body(First{t}, rest...); }).term;
      })};
    }(std::type_identity<Keys>{}...);
  }
}
template <class Key, class F>
Bool some(const F& body) {
  return {exists(Key::sort, [&](Term t) { return body(Key{t}).term; })};
}

struct Invariant {
  std::string id;
  std::string theorem;
  std::vector<std::string> needs;  // other invariants that its steps use; empty: none but itself
  std::function<Bool(const World&)> holds;
  // Instances of invariants above it in the table, whose steps do not use it, for the world after: what the new item's
  // cut holds.
  std::function<Bool(const World& before, const World& after, const std::string& transition, const Arguments&)>
      known_after{};
};

struct StepStatement {
  std::string id;
  std::string theorem;
  std::vector<std::string> needs;
  std::function<Bool(const World&, const std::string& transition, const Arguments&, const World& after)> holds;
};

// Follows from the invariants that it names (`needs`); `premises` are the theorem's own.
struct Consequence {
  std::string id;
  std::string theorem;
  std::vector<std::string> needs;
  std::function<Bool(const World&)> holds;
};

// CUT-CLOSED for two items: if (u, m) is in the cut of (s, n), so is the cut of (u, m). Instances for PROGRAM-WITHIN:
// program_within.
[[nodiscard]] Bool cut_closed_at(const World&, const Stream& s, const Nat& n, const Stream& u, const Nat& m);
[[nodiscard]] Bool program_within(const World&, const Stream& s);

void add_order(std::vector<Invariant>&, std::vector<Consequence>&);
void add_memory(std::vector<Invariant>&, std::vector<Consequence>&);
void add_accounting(std::vector<Invariant>&, std::vector<StepStatement>&, std::vector<Consequence>&);
void add_rules(std::vector<StepStatement>&, std::vector<Consequence>&);
void add_monitor(std::vector<Consequence>&);
void add_exact(std::vector<Consequence>&);
void add_exact_values(std::vector<Consequence>&);

struct Theory {
  std::vector<Invariant> invariants;
  std::vector<StepStatement> steps;
  std::vector<Consequence> consequences;
};
[[nodiscard]] const Theory& theory();

// Item (s, n) has been submitted.
inline Bool is_item(const World& w, const Stream& s, const Nat& n) { return one() <= n && n <= submitted(w, s); }

}  // namespace streampool::theorems
