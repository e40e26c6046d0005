#include "conformance/mutants/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "spec/clauses.hpp"

namespace streampool::mutants {
namespace {

TEST(Catalogue, AtLeastSixty) { EXPECT_GE(catalogue.size(), 60U); }

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

}  // namespace
}  // namespace streampool::mutants
