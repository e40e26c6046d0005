// How small failures become: what each suite finds first of a mutant, minimised as a run does it.
//
// The shortest of them is the measure of the others: each is to have at most twice its calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "conformance/mutants/matrix.hpp"

namespace streampool::mutants {

struct Reduced {
  std::string suite, name;  // of the case
  std::string clause;       // that it breaks
  std::uint64_t calls_before = 0, calls = 0;
  std::uint64_t runs = 0;  // on the mutant, by the minimiser
  double seconds = 0;      // of the minimiser
  std::string history;     // the smaller one; the case's own where it was not minimised
  std::string why_not;     // it was not minimised; empty: it was
};

struct Reduction {
  const Mutant* mutant = nullptr;
  std::vector<Reduced> found;  // by the suites that find the mutant's own clause, in their order
  std::string broken;          // why the mutant could not be run; empty: it could
  // Calls of the shortest; 0: nothing was found.
  [[nodiscard]] std::uint64_t shortest() const;
  // One that was not minimised counts with all its calls.
  [[nodiscard]] bool within_twice_the_shortest(const Reduced& one) const { return one.calls <= 2 * shortest(); }
};

// Each suite has the budget for itself. `ignored`: cases that find nothing.
[[nodiscard]] Reduction reduce(const Mutant& mutant, const MatrixSettings& settings,
                               const std::set<std::string>& ignored, const std::atomic<bool>& interrupted);

}  // namespace streampool::mutants
