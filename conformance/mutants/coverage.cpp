#include "conformance/mutants/coverage.hpp"

#include <algorithm>
#include <set>

#include "conformance/mutants/catalogue.hpp"

namespace streampool::mutants {

Coverage coverage(const model::Profile& profile, std::span<const suites::Suite* const> suites) {
  std::set<spec::ClauseId> aims;
  for (const suites::Suite* suite : suites) {
    if (suite->scenarios == nullptr) continue;
    for (const kit::Scenario& scenario : suite->scenarios(profile))
      aims.insert(scenario.aims.begin(), scenario.aims.end());
  }
  Coverage result;
  for (std::uint16_t index = 0; index < spec::clause_count; ++index) {
    const spec::ClauseId clause{index};
    const spec::ClauseInfo& info = spec::info(clause);
    const bool breakable =
        info.kind == spec::Kind::must || info.kind == spec::Kind::must_not || info.kind == spec::Kind::error;
    if (!breakable || info.chapter == "program" || info.status != spec::ClauseStatus::modelled) continue;
    result.breakable.push_back(clause);
    if (!aims.contains(clause)) result.without_case.push_back(clause);
    if (std::ranges::none_of(catalogue, [&](const Mutant& mutant) {
          return kills(info.id, mutant.clause) || kills(mutant.clause, info.id);
        }))
      result.without_mutant.push_back(clause);
  }
  return result;
}

}  // namespace streampool::mutants
