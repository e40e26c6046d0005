// Overlapping calls on the model, which makes them one at a time: no order of them may be missing.
#include <gtest/gtest.h>

#include "conformance/generate/tests/environment.hpp"
#include "conformance/generate/threads_suite.hpp"
#include "conformance/kit/executor.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

class ThreadsOnModel : public testing::TestWithParam<const char*> {};

TEST_P(ThreadsOnModel, AreExplained) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  auto runtime = kit::Runtime::from_table(streampool_runtime_table(), "model");
  ASSERT_TRUE(runtime);
  kit::Executor target(std::move(*runtime), {{"policy", GetParam()}, {"seed", "7"}});
  kit::Watchdog watchdog;
  const kit::RunContext context{.target = target, .profile = *profile, .watchdog = watchdog};
  const std::uint64_t histories = number("STREAMPOOL_HISTORIES", 100);
  const auto answer = run_threads({.seed = number("STREAMPOOL_SEED", 1), .histories = histories}, context);
  ASSERT_TRUE(answer.clean);
  ASSERT_EQ(answer.results.size(), 1U);
  const kit::CaseResult& result = answer.results.front();
  EXPECT_TRUE(result.verdict == kit::Verdict::pass || result.verdict == kit::Verdict::quality)
      << result.explanation << "\n"
      << result.history;
  EXPECT_GT(result.calls, 30 * histories);
}

INSTANTIATE_TEST_SUITE_P(Policies, ThreadsOnModel, testing::Values("greedy", "lazy", "random"),
                         [](const auto& policy) { return std::string(policy.param); });

}  // namespace
}  // namespace streampool::generate
