// Profiles and clauses name the same parameters: none is without a clause, none is made up.
#include <gtest/gtest.h>

#include <set>

#include "model/profile/parameters.hpp"
#include "spec/clauses.hpp"

namespace streampool::model {
namespace {

std::set<std::string_view> profile_parameters() {
  std::set<std::string_view> names;
  for_each_parameter(Parameters{},
                     [&names](std::string_view name, std::string_view, const auto&) { names.insert(name); });
  return names;
}

std::set<std::string_view> clause_parameters() {
  std::set<std::string_view> names;
  for (const auto& clause : spec::clauses()) names.insert(clause.parameters.begin(), clause.parameters.end());
  return names;
}

TEST(ClauseParameters, AreThoseOfTheProfiles) { EXPECT_EQ(clause_parameters(), profile_parameters()); }

// A parameter, quality or error clause that depends on nothing would have nothing to read its answer from.
TEST(ClauseParameters, EveryParameterAndErrorClauseNamesOne) {
  for (const auto& clause : spec::clauses()) {
    const bool needs = clause.kind == spec::Kind::parameter || clause.kind == spec::Kind::error;
    if (needs && clause.status == spec::ClauseStatus::modelled) {
      EXPECT_FALSE(clause.parameters.empty()) << clause.id;
    }
  }
}

}  // namespace
}  // namespace streampool::model
