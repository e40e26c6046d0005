// The six runs of a litmus test tell apart what a runtime does never, sometimes and always.
#include <gtest/gtest.h>

#include "conformance/kit/executor.hpp"
#include "conformance/kit/run_scenario.hpp"
#include "conformance/suites/suite.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

std::string word(const char* policy, const std::string& name) {
  const auto profile = model::load_profile("strict");
  auto runtime = kit::Runtime::from_table(streampool_runtime_table(), "model");
  kit::Executor target(std::move(*runtime), {{"policy", policy}});
  kit::Watchdog watchdog;
  for (const kit::Scenario& scenario : suites::find_suite("litmus")->scenarios(*profile)) {
    if (scenario.name != name) continue;
    const auto run = kit::run_scenario(scenario, {.target = target, .profile = *profile, .watchdog = watchdog});
    EXPECT_EQ(run.result.verdict, kit::Verdict::pass) << run.result.explanation;
    EXPECT_EQ(run.result.outcomes.size(), 1U);
    EXPECT_EQ(run.result.outcomes.front().decided, scenario.runs);
    return std::string(run.result.outcomes.front().word());
  }
  return "no such test";
}

TEST(LitmusSuite, OutcomesAreCountedOverAllSchedules) {
  // Only opportunistic reuse is on: whether the free has ended decides.
  EXPECT_EQ(word("greedy", "litmus/reuse/o_malloc1_free1_malloc2"), "sometimes");
  EXPECT_EQ(word("lazy", "litmus/reuse/o_malloc1_free1_malloc2"), "never");
  EXPECT_EQ(word("greedy", "litmus/capacity/last_memory_same_stream"), "always");
  EXPECT_EQ(word("greedy", "litmus/capacity/last_memory_unordered"), "never");
}

}  // namespace
}  // namespace streampool::generate
