// Random histories on the model: no policy of it may be accused, and rare shapes must be frequent.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <thread>

#include "conformance/generate/random_suite.hpp"
#include "conformance/generate/tests/environment.hpp"
#include "conformance/kit/executor.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

class RandomOnModel : public testing::TestWithParam<const char*> {};

kit::Executor model_target(const char* policy, const char* seed) {
  auto runtime = kit::Runtime::from_table(streampool_runtime_table(), "model");
  EXPECT_TRUE(runtime);
  return kit::Executor(std::move(*runtime), {{"policy", policy}, {"seed", seed}});
}

// STREAMPOOL_WITHOUT leaves out a kind of operation.
std::optional<Kind> left_out() {
  const char* const text = std::getenv("STREAMPOOL_WITHOUT");
  for (const KindInfo& info : kinds) {
    if (text != nullptr && info.name == text) return info.kind;
  }
  return std::nullopt;
}

TEST_P(RandomOnModel, IsNeverAccused) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  kit::Executor target = model_target(GetParam(), "7");
  kit::Watchdog watchdog;
  const kit::RunContext context{.target = target, .profile = *profile, .watchdog = watchdog};
  Shapes shapes;
  const RandomJob job{.seed = number("STREAMPOOL_SEED", 1),
                      .histories = number("STREAMPOOL_HISTORIES", 200),
                      .operations = 300,
                      .without = left_out()};
  const auto answer = run_random(job, context, shapes);
  ASSERT_TRUE(answer.clean);
  for (const kit::CaseResult& result : answer.results) {
    EXPECT_TRUE(result.verdict == kit::Verdict::pass || result.verdict == kit::Verdict::quality)
        << result.explanation << "\n"
        << result.history;
    std::cout << result.calls << " calls in " << result.seconds << " s\n";
  }
  // Minimum shares, in calls of 10,000: about half of what is seen. What a lazy machine never does is
  // asked of the others only.
  struct Share {
    Shape shape;
    double minimum;
    bool needs_reuse = false;
  };
  const Share shares[] = {{Shape::cross_stream_free, 300},
                          {Shape::stale_event, 170},
                          {Shape::rerecorded_event, 420},
                          {Shape::transitive_chain, 160},
                          {Shape::recycled_handle, 30, true},
                          {Shape::recycled_address, 120, true},
                          {Shape::split_block, 110, true},
                          {Shape::merged_block, 35, true},
                          {Shape::switch_flip, 230},
                          {Shape::two_pools, 650},
                          {Shape::exhaustion, 55},
                          {Shape::trim_boundary, 20},
                          {Shape::threshold_boundary, 25},
                          {Shape::destroy_with_live, 8},
                          {Shape::misuse, 120},
                          {Shape::gate_closed_malloc, 330},
                          {Shape::gate_closed_free, 250},
                          {Shape::gate_closed_event, 380},
                          {Shape::gate_closed_attribute, 330},
                          {Shape::gate_closed_trim, 13},
                          {Shape::gate_closed_destroy, 5},
                          {Shape::gate_closed_use, 80},
                          {Shape::gate_closed_query, 50},
                          {Shape::gate_closed_life, 44},
                          {Shape::gate_closed_sync, 0.1},
                          {Shape::limit, 3},
                          {Shape::failing_memory, 5},
                          {Shape::failing_submission, 1},
                          {Shape::device_step, 330}};
  const std::uint64_t calls = shapes.of(Shape::call);
  for (const auto& [shape, minimum, needs_reuse] : shares) {
    const auto name = shape_names[static_cast<std::size_t>(shape)];
    const double share = 10'000.0 * static_cast<double>(shapes.of(shape)) / static_cast<double>(calls);
    std::cout << name << ' ' << share << '\n';
    if (needs_reuse && std::string(GetParam()) == "lazy") continue;
    // The short run under sanitizers holds too few calls for what is rarest.
    if (minimum * static_cast<double>(calls) < 5'000) continue;
    EXPECT_GE(share, minimum) << name << " in 10,000 calls";
  }
}

// A failure that is looked into takes nothing from the time that histories have.
TEST(RandomSource, TimeThatWasLostIsNotCounted) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  const kit::Description description;
  const std::chrono::milliseconds budget(50);
  for (const bool lost : {true, false}) {
    const auto source =
        random_source({.profile = *profile, .description = description, .budget = budget, .filter = ""});
    ASSERT_TRUE(source->next());
    if (lost) source->lost(std::chrono::hours(1));
    const auto end = std::chrono::steady_clock::now() + budget;
    while (std::chrono::steady_clock::now() <= end) std::this_thread::yield();
    EXPECT_EQ(source->next().has_value(), lost);
  }
}

TEST(RandomSource, EndsWhenFailuresTeachNothingNew) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  const kit::Description description;
  const auto source =
      random_source({.profile = *profile, .description = description, .budget = std::chrono::hours(1), .filter = ""});
  kit::CaseResult failure;
  failure.verdict = kit::Verdict::fail;
  unsigned jobs = 0;
  while (source->next() && jobs < 5000) {
    failure.shape = jobs < 500 ? std::to_string(jobs) : "known";  // news as long as that
    source->learn(failure);
    ++jobs;
  }
  EXPECT_GT(jobs, 600U);
  EXPECT_LT(jobs, 1000U);
}

TEST(RandomSource, ItsTimeBeginsWithItsFirstJob) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  const kit::Description description;
  constexpr std::chrono::milliseconds budget(200);
  const auto source = random_source({.profile = *profile, .description = description, .budget = budget, .filter = ""});
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() < start + budget) {  // other suites have their turn
  }
  EXPECT_TRUE(source->next());
}

TEST(RandomSource, AFailuresNameIsThatHistory) {
  const auto profile = model::load_profile("strict");
  ASSERT_TRUE(profile);
  const kit::Description description;
  const auto source =
      random_source({.profile = *profile, .description = description, .filter = "random/00000000000000ff"});
  const auto job = source->next();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->seed, 255U);
  EXPECT_FALSE(source->next());
}

INSTANTIATE_TEST_SUITE_P(Policies, RandomOnModel, testing::Values("greedy", "lazy", "random"),
                         [](const auto& policy) { return std::string(policy.param); });

}  // namespace
}  // namespace streampool::generate
