// From the theory to obligations: base, step, use and induction, from one table, and the list of what must be there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {

enum class Kind : std::uint8_t { base, step, statement, use, induction, vacuity, dropped, overflow, gallery };
[[nodiscard]] const char* to_string(Kind kind);

struct Obligation {
  std::string id;  // e.g. "step.CLOSED.finish"
  std::string theorem;
  Kind kind = Kind::base;
  // Unsatisfiable together: hypotheses, the step, the denied goal. `light`: without the other invariants, which most
  // steps do not need.
  std::function<std::vector<Term>(bool light)> assertions;
};

[[nodiscard]] const std::vector<Obligation>& obligations();
// The ids that must be there, built from names alone; obligations() is checked against it.
[[nodiscard]] std::vector<std::string> missing_obligations();

// The assertions of one step under the named invariants: hypotheses, axioms, guard, premises. `weaken` may change the
// guard.
struct StepSetting {
  World before, after;
  Arguments arguments;
  std::vector<Term> hypotheses;
};
[[nodiscard]] StepSetting setting(const Transition& transition, const std::vector<std::string>& needs,
                                  const std::function<Term(Term)>& weaken);

}  // namespace streampool::theorems
