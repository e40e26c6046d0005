// Every directed case on a right runtime, where it must pass and exercise each clause that it aims at; and on each
// faulty twin that it names, where it must not pass, for one of those clauses.
#include "conformance/suites/directed/directed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "conformance/kit/run_scenario.hpp"
#include "conformance/suites/tests/twin_target.hpp"
#include "model/profile/load.hpp"

namespace streampool::suites {
namespace {

using kit::Verdict;

const model::Profile& strict() {
  static const auto profile = model::load_profile("strict");
  EXPECT_TRUE(profile) << profile.error();
  return *profile;
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

kit::CaseResult run(const kit::Scenario& scenario, const twins::Twin& twin) {
  twins::TwinTarget target(twin);
  // Nothing here is slow: what has not returned after some ticks waits for a gate.
  kit::Watchdog watchdog({.tick = std::chrono::milliseconds{5}, .held = 40, .unexpected = 10});
  return kit::run_scenario(scenario, {.target = target, .profile = strict(), .watchdog = watchdog, .undefined = true})
      .result;
}

std::string told(const kit::CaseResult& result) {
  std::string text = std::string(name(result.verdict));
  if (result.clause) text += " of " + std::string(spec::info(*result.clause).id);
  return text + ": " + result.explanation + "\n" + result.history;
}

bool aimed_at(const kit::CaseResult& result) {
  return result.clause && std::ranges::find(result.aims, *result.clause) != result.aims.end();
}

// The finding that a case expects exercises its clause too.
bool exercises(const kit::CaseResult& result, spec::ClauseId clause) {
  if (result.clause && *result.clause == clause) return true;
  return std::ranges::any_of(result.counts, [&](const auto& count) { return count.first == clause; });
}

class DirectedCase : public testing::TestWithParam<const Case*> {
 protected:
  [[nodiscard]] const Case& one() const { return *GetParam(); }
};

// The first aim is what the case is about; the others are what its twins may be found by.
TEST_P(DirectedCase, PassesOnARightRuntimeAndExercisesWhatItAimsAt) {
  const kit::Scenario scenario = directed_scenario(one(), strict());
  if (!scenario.not_applicable.empty()) GTEST_SKIP() << scenario.not_applicable;
  const kit::CaseResult result = run(scenario, {});
  EXPECT_EQ(result.verdict, Verdict::pass) << told(result);
  EXPECT_TRUE(exercises(result, result.aims.front())) << spec::info(result.aims.front()).id << " is not exercised\n"
                                                      << told(result);
}

TEST_P(DirectedCase, TellsItsTwinsFromARightRuntime) {
  const kit::Scenario scenario = directed_scenario(one(), strict());
  if (!scenario.not_applicable.empty()) GTEST_SKIP() << scenario.not_applicable;
  // A fault of the program is the judge's to find, whatever the runtime.
  EXPECT_NE(words(one().twins).empty(), one().text.find("expect program_fault") == std::string_view::npos)
      << one().twins;
  for (const std::string& name : words(one().twins)) {
    const auto twin = twins::find(name);
    if (!twin) {
      ADD_FAILURE() << name << " is no twin";
      continue;
    }
    const kit::CaseResult result = run(scenario, *twin);
    if (result.verdict == Verdict::inconclusive) continue;  // it got stuck, so it is not conformant either
    EXPECT_TRUE(result.verdict == Verdict::fail || result.verdict == Verdict::quality)
        << name << " answers: " << told(result);
    EXPECT_TRUE(aimed_at(result)) << name << " answers: " << told(result);
  }
}

std::string test_name(const testing::TestParamInfo<const Case*>& info) {
  std::string text(info.param->name);
  std::ranges::replace_if(
      text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
}

INSTANTIATE_TEST_SUITE_P(Suite, DirectedCase, testing::ValuesIn(directed_cases()), test_name);

TEST(Directed, NamesAreUniqueAndEnoughCasesStand) {
  std::set<std::string_view> names;
  for (const Case* one : directed_cases()) EXPECT_TRUE(names.insert(one->name).second) << one->name;
  EXPECT_GE(names.size(), 200U);
}

TEST(Directed, ThresholdsAreLawfulWhereTheyAreLimited) {
  const auto profile = model::load_profile("ascend-9.1-beta-as-built");
  ASSERT_TRUE(profile) << profile.error();
  for (const kit::Scenario& scenario : directed_scenarios(*profile)) {
    if (!scenario.not_applicable.empty()) continue;
    EXPECT_EQ(scenario.text.find("release_threshold max"), std::string::npos) << scenario.name;
  }
}

TEST(Directed, EveryTwinIsToldByACase) {
  std::set<std::string> told_apart;
  for (const Case* one : directed_cases()) {
    for (const std::string& name : words(one->twins)) told_apart.insert(name.substr(0, name.find(':')));
  }
  for (const twins::Info& twin : twins::all) {
    EXPECT_TRUE(told_apart.contains(std::string(twin.name)))
        << "no case tells " << twin.name << " from a right runtime";
  }
}

TEST(Directed, EveryClauseThatBindsIsAimedAtAndExercised) {
  std::set<std::uint16_t> aimed, exercised;
  for (const Case* one : directed_cases()) {
    const kit::CaseResult result = run(directed_scenario(*one, strict()), {});
    for (const spec::ClauseId clause : one->aims.list()) {
      aimed.insert(clause.index);
      if (exercises(result, clause)) exercised.insert(clause.index);
    }
  }
  for (std::size_t i = 0; i < spec::clause_count; ++i) {
    const auto index = static_cast<std::uint16_t>(i);
    const spec::ClauseInfo& info = spec::info(spec::ClauseId{index});
    const bool binds =
        info.kind == spec::Kind::must || info.kind == spec::Kind::must_not || info.kind == spec::Kind::error;
    if (!binds || info.status != spec::ClauseStatus::modelled) continue;
    EXPECT_TRUE(aimed.contains(index)) << info.id << " is aimed at by no case";
    EXPECT_TRUE(exercised.contains(index)) << info.id << " is exercised by no case that aims at it";
  }
}

}  // namespace
}  // namespace streampool::suites
