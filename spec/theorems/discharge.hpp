// One obligation to one answer: instances are added round by round until the solver has enough, and the last text is
// the obligation's file.
#pragma once

#include <string>
#include <vector>

#include "spec/theorems/obligations.hpp"
#include "spec/theorems/smtlib.hpp"
#include "spec/theorems/solver.hpp"

namespace streampool::theorems {

struct Discharged {
  Answer answer = Answer::error;
  std::string script;
  std::string message;
  double seconds = 0;
  int rounds = 0;  // of instances in the script
};

[[nodiscard]] Discharged discharge(const std::vector<Term>& assertions, const std::vector<std::string>& comments,
                                   double timeout, int rounds = 6);
[[nodiscard]] Discharged discharge(const Obligation& obligation, double timeout);
// The obligation's file without asking a solver: as many rounds of instances as it is known to need. Should a changed
// rule need more, then another solver answers `sat`, which proves nothing and hides nothing.
[[nodiscard]] std::string write_out(const Obligation& obligation);

}  // namespace streampool::theorems
