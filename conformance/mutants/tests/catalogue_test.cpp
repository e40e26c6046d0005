#include "conformance/mutants/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/mutants/coverage.hpp"
#include "model/profile/load.hpp"
#include "spec/clauses.hpp"

namespace streampool::mutants {
namespace {

TEST(Catalogue, AtLeastTwoHundred) { EXPECT_GE(catalogue.size(), 200U); }

TEST(Catalogue, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const Mutant& mutant : catalogue) {
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
    EXPECT_EQ(find_mutant(mutant.name), &mutant);
  }
  EXPECT_EQ(find_mutant("no_such_mutant"), nullptr);
}

TEST(Catalogue, EveryClauseExists) {
  for (const Mutant& mutant : catalogue) {
    const bool known = std::ranges::any_of(spec::clauses(), [&](const spec::ClauseInfo& clause) {
      return clause.id == mutant.clause || clause.family == mutant.clause;
    });
    EXPECT_TRUE(known) << mutant.name << " claims " << mutant.clause;
  }
}

TEST(Catalogue, FinerClausesKillOthersDoNot) {
  EXPECT_TRUE(kills("REUSE-UNSAFE", "REUSE-UNSAFE"));
  EXPECT_TRUE(kills("REUSE-UNSAFE-PENDING", "REUSE-UNSAFE"));
  EXPECT_FALSE(kills("REUSE-UNSAFEST", "REUSE-UNSAFE"));
  EXPECT_FALSE(kills("REUSE-UNSAFE", "REUSE-UNSAFE-PENDING"));
}

// A clause that a runtime can break and no case aims at, or no mutant breaks, is a gap of the kit.
TEST(Catalogue, LeavesNoClauseOut) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  std::vector<const suites::Suite*> all;
  for (const suites::Suite& suite : suites::suites()) all.push_back(&suite);
  const Coverage covered = coverage(*profile, all);
  EXPECT_GE(covered.breakable.size(), 100U);
  EXPECT_THAT(covered.without_case, testing::IsEmpty());
  std::vector<std::string_view> without_mutant;
  for (const spec::ClauseId clause : covered.without_mutant) without_mutant.push_back(spec::info(clause).id);
  EXPECT_THAT(without_mutant, testing::IsEmpty());
}

}  // namespace
}  // namespace streampool::mutants
