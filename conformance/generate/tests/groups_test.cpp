// A runtime may lack groups of calls: what is generated then goes without them, and accuses nobody.
#include <gtest/gtest.h>

#include "conformance/generate/random_suite.hpp"
#include "conformance/generate/threads_suite.hpp"
#include "conformance/kit/executor.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

std::uint64_t lacking = 0;  // STREAMPOOL_CAP_*

std::uint64_t fewer_capabilities(streampool_context context) {
  return streampool_runtime_table()->capabilities_of(context) & ~lacking;
}

class WithoutAGroup : public testing::TestWithParam<std::uint64_t> {};

TEST_P(WithoutAGroup, NobodyIsAccused) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  lacking = GetParam();
  streampool_runtime table = *streampool_runtime_table();
  table.capabilities_of = fewer_capabilities;
  auto runtime = kit::Runtime::from_table(&table, "model");
  ASSERT_TRUE(runtime);
  kit::Executor target(std::move(*runtime), {{"policy", "greedy"}, {"seed", "7"}});
  kit::Watchdog watchdog;
  const kit::RunContext context{.target = target, .profile = *profile, .watchdog = watchdog};
  Shapes shapes;
  for (const auto& answer : {run_random({.seed = 1, .histories = 20}, context, shapes),
                             run_threads({.seed = 1, .histories = 20}, context)}) {
    ASSERT_EQ(answer.results.size(), 1U);
    const kit::CaseResult& result = answer.results.front();
    EXPECT_TRUE(result.verdict == kit::Verdict::pass || result.verdict == kit::Verdict::quality)
        << result.explanation << "\n"
        << result.history;
    EXPECT_GT(result.calls, 200U);
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, WithoutAGroup,
                         testing::Values(STREAMPOOL_CAP_DEFAULT_STREAMS, STREAMPOOL_CAP_EVENT, STREAMPOOL_CAP_DEVICE,
                                         STREAMPOOL_CAP_MEMORY_INFO, STREAMPOOL_CAP_DEFAULT_POOL,
                                         STREAMPOOL_CAP_ATTRIBUTE, STREAMPOOL_CAP_FREE_SYNC, STREAMPOOL_CAP_PLAIN,
                                         STREAMPOOL_CAP_PROBE, STREAMPOOL_CAP_GATE, STREAMPOOL_CAP_STEP,
                                         STREAMPOOL_CAP_FAULT, STREAMPOOL_CAP_LIMIT));

}  // namespace
}  // namespace streampool::generate
