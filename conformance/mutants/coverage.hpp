// What the cases and the mutants cover of the specification.
#pragma once

#include <span>
#include <vector>

#include "conformance/suites/suite.hpp"
#include "spec/clauses.hpp"

namespace streampool::mutants {

// Of the modelled clauses that a runtime can break (must, must-not, error; the chapter on programs is not theirs), in
// their order.
struct Coverage {
  std::vector<spec::ClauseId> breakable;
  std::vector<spec::ClauseId> without_case;  // no case of the suites' lists aims at it
  std::vector<spec::ClauseId>
      without_mutant;  // no mutant claims to break it or a family that it belongs to, or a finer clause
};

[[nodiscard]] Coverage coverage(const model::Profile& profile, std::span<const suites::Suite* const> suites);

}  // namespace streampool::mutants
