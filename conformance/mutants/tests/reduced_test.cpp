// What the random suite finds of a mutant comes to at most twice the calls of what a case written by hand comes to.
// `streampool mutants --minimize` says it of all mutants and suites.
#include "conformance/mutants/reduced.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/profile/load.hpp"

namespace streampool::mutants {
namespace {

// Shapes that differ: chains over streams, splits and merges, settings, releases, content, limits, life cycle, a call
// that blocks, a fault that lives on from case to case.
constexpr const char* chosen[] = {
    "event_covers_every_free",
    "merge_keeps_one_history",
    "dependency_not_inserted",
    "legacy_orders_nothing",
    "growth_loses_content",
    "release_takes_pending",
    "threshold_overshot",
    "used_high_sampled",
    "reserved_beyond_the_limit",
    "scattered_granules_useless",
    "destroy_frees_live",
    "current_dangles",
    "record_waits",
    "last_error_of_all_threads",
};

class RandomFailure : public testing::TestWithParam<const char*> {};

TEST_P(RandomFailure, HasAtMostTwiceTheCallsOfTheShortest) {
  const Mutant* mutant = find_mutant(GetParam());
  ASSERT_NE(mutant, nullptr);
  const model::Profile profile = *model::load_profile("strict");
  MatrixSettings settings{.worker = {},
                          .profile = profile,
                          .suites = {suites::find_suite("directed"), suites::find_suite("random")},
                          .seed = 1,
                          .budget = std::chrono::seconds(30)};
  settings.worker.executable = STREAMPOOL_PROGRAM;
  settings.worker.profile = "strict";
  const std::atomic<bool> interrupted{false};
  const Reduction reduction = reduce(*mutant, settings, {}, interrupted);
  ASSERT_EQ(reduction.broken, "");
  ASSERT_EQ(reduction.found.size(), 2U) << "a suite does not find it";
  for (const Reduced& one : reduction.found) {
    EXPECT_EQ(one.why_not, "") << one.name;
    EXPECT_TRUE(reduction.within_twice_the_shortest(one))
        << one.calls << " calls, the shortest has " << reduction.shortest() << "\n"
        << one.history;
  }
  const Reduced& random = reduction.found.back();
  EXPECT_LT(random.calls, random.calls_before);
}

INSTANTIATE_TEST_SUITE_P(Mutants, RandomFailure, testing::ValuesIn(chosen),
                         [](const testing::TestParamInfo<const char*>& tested) { return std::string(tested.param); });

TEST(Reduction, TheShortestIsTheMeasureOfTheOthers) {
  Reduction reduction;
  EXPECT_EQ(reduction.shortest(), 0U);
  for (const std::uint64_t calls : {9U, 4U, 8U}) reduction.found.emplace_back().calls = calls;
  EXPECT_EQ(reduction.shortest(), 4U);
  EXPECT_FALSE(reduction.within_twice_the_shortest(reduction.found[0]));
  EXPECT_TRUE(reduction.within_twice_the_shortest(reduction.found[1]));
  EXPECT_TRUE(reduction.within_twice_the_shortest(reduction.found[2]));
}

}  // namespace
}  // namespace streampool::mutants
