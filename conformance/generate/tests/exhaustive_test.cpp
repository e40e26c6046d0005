// Every small program on the model: no policy of it may be accused, and the counts are what the scope promises.
#include <gtest/gtest.h>

#include <iostream>

#include "conformance/generate/exhaustive_suite.hpp"
#include "conformance/kit/executor.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

struct Wanted {
  const char* policy;
  model::explorer::Scope scope;
  std::uint64_t programs, runs;
};

class ExhaustiveOnModel : public testing::TestWithParam<Wanted> {};

TEST_P(ExhaustiveOnModel, IsNeverAccused) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  auto runtime = kit::Runtime::from_table(streampool_runtime_table(), "model");
  ASSERT_TRUE(runtime);
  kit::Executor target(std::move(*runtime), {{"policy", GetParam().policy}});
  ASSERT_TRUE(target.open());  // so that its capabilities are known
  kit::Watchdog watchdog;
  const kit::RunContext context{.target = target, .profile = *profile, .watchdog = watchdog};
  ExhaustiveCounts counts;
  const auto answer = run_exhaustive({.scope = GetParam().scope, .first = 0, .count = UINT32_MAX}, context, counts);
  ASSERT_TRUE(answer.clean);
  for (const kit::CaseResult& result : answer.results) {
    EXPECT_EQ(result.verdict, kit::Verdict::pass) << result.explanation << "\n" << result.history;
    std::cout << GetParam().policy << ": " << counts.programs << " programs, " << counts.runs << " runs, "
              << counts.calls << " calls, " << static_cast<double>(counts.calls) / result.seconds << " a second\n";
  }
  EXPECT_GE(counts.programs, GetParam().programs);
  EXPECT_GE(counts.runs, GetParam().runs);
}

constexpr model::explorer::Scope four{.streams = 3, .events = 2, .blocks = 2, .calls = 4};
constexpr model::explorer::Scope four_wide{
    .streams = 3, .events = 2, .blocks = 2, .gates = 1, .calls = 4, .uses = true, .event_syncs = true};

INSTANTIATE_TEST_SUITE_P(Scopes, ExhaustiveOnModel,
                         testing::Values(Wanted{"greedy", four, 2000, 2100}, Wanted{"lazy", four, 2000, 2100},
                                         Wanted{"greedy", four_wide, 3000, 3100},
                                         Wanted{"random", four_wide, 3000, 3100}));

}  // namespace
}  // namespace streampool::generate
