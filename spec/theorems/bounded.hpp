// Counterexamples: the same rule text, unrolled from a fresh machine over a handful of objects.
//
// Every quantifier becomes a conjunction over the few values, so a model is a run. It is printed as a history
// (`.pool`), which the judge of the model, built from the unchanged rules, must reject.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/theorems/world.hpp"

namespace streampool::theorems {

struct Scope {
  std::size_t streams = 2, events = 1, allocations = 2, addresses = 2;
};

// One call of the program, or something that the device does by itself.
struct Move {
  std::string name;
  std::function<Stepped(const World&, const Arguments&)> step;
};
// The calls that counterexamples are made of. `malloc` may be another one than the specification's.
[[nodiscard]] std::vector<Move> moves(const std::function<Stepped(const World&, const Arguments&)>& malloc);

struct Counterexample {
  std::string history;  // text of a .pool file
  std::size_t moves = 0;
  double seconds = 0;
};

// The shortest run, at most `depth` moves long, that ends in a bad world; `runs_on`: once the device has run as far as
// closed gates let it.
[[nodiscard]] std::optional<Counterexample> find_counterexample(const std::vector<Move>& moves,
                                                                const std::function<Bool(const World&)>& bad,
                                                                const Scope& scope, std::size_t depth,
                                                                const std::string& title, bool runs_on);

// The shortest run that ends with this move.
[[nodiscard]] std::optional<Counterexample> find_run(const std::vector<Move>& moves, std::size_t last,
                                                     const Scope& scope, std::size_t depth, const std::string& title);

// Two owners of a byte whose lives overlap: both not freed, or the newer one's item has run and the older one's free
// has not.
[[nodiscard]] Bool memory_is_shared(const World& world);
// The same before anything has run: the older one's free is behind a closed gate, and not in the cut of the newer one's
// item.
[[nodiscard]] Bool memory_is_promised_twice(const World& world);

// Every quantifier of the term over these values of its sort.
[[nodiscard]] Term expand(Term term, const std::vector<std::vector<Term>>& values);

}  // namespace streampool::theorems
