#include "conformance/kit/run_scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "conformance/kit/executor.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/kit/tests/fake_table.hpp"
#include "model/history/reader.hpp"
#include "model/profile/load.hpp"

namespace streampool::kit {
namespace {

using namespace spec::literals;
using testing::HasSubstr;

class RunScenario : public testing::Test {
 protected:
  CaseResult run(const std::string& text, std::vector<spec::ClauseId> aims = {"ALLOC-STATUS"_clause}) {
    Scenario scenario;
    scenario.name = "x/y";
    scenario.suite = "test";
    scenario.aims = std::move(aims);
    scenario.text = text;
    return run(scenario);
  }
  CaseResult run(const Scenario& scenario) {
    auto runtime = Runtime::from_table(&table_, "fake");
    Executor executor(std::move(*runtime), {});
    ScenarioRun done = run_scenario(scenario, {executor, profile_, watchdog_, &journal_, undefined_});
    EXPECT_TRUE(done.clean);
    return done.result;
  }

  streampool_runtime table_ = fake::table();
  model::Profile profile_ = *model::load_profile("strict");
  Watchdog watchdog_;
  Journal journal_;
  bool undefined_ = false;
};

constexpr const char* setup = "stream_create s nonblocking\npool_create p\n";

TEST_F(RunScenario, Pass) {
  const CaseResult result = run(std::string(setup) + "malloc a 1 p s\nfree a s\n");
  EXPECT_EQ(result.verdict, Verdict::pass) << result.explanation;
  EXPECT_GT(result.exercised, 0U);
  EXPECT_EQ(result.calls, 4U);
}

TEST_F(RunScenario, FailHasClauseAndAHistoryThatReplays) {
  table_.malloc_from_pool = [](streampool_context, streampool_address* out, uint64_t, streampool_pool,
                               streampool_stream) {
    *out = 0x10000000;
    return streampool_status{STREAMPOOL_OK};
  };
  const CaseResult result = run(std::string(setup) + "malloc a 1 p s\nmalloc b 1 p s\n");
  ASSERT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(*result.clause, "ALLOC-OVERLAP"_clause);
  EXPECT_THAT(result.history, HasSubstr("malloc b 1 p s -> ok 0x10000000"));
  history::NameTable names;
  const auto lines = history::read_text(result.history, names);
  ASSERT_TRUE(lines.has_value());
  // The finding's line is the file's.
  EXPECT_EQ(lines->back().number, result.line);
}

// While the kit judges, no call is under way: that takes as long as it takes.
TEST_F(RunScenario, WhoMakesNoCallDoesNotHang) {
  auto runtime = Runtime::from_table(&table_, "fake");
  Executor target(std::move(*runtime), {});
  Watchdog watchdog({.tick = std::chrono::milliseconds{1}, .journal = &journal_});
  const std::uint64_t before = journal_.progress();
  watchdog.watch(&target);
  while (journal_.progress() < before + 3) std::this_thread::yield();
  watchdog.watch(nullptr);
}

TEST_F(RunScenario, JournalHoldsEveryLine) {
  (void)run(std::string(setup) + "malloc a 1 p s\n");
  EXPECT_THAT(journal_.text(), HasSubstr("malloc a 1 p s -> ok 0x10000000\n"));
}

TEST_F(RunScenario, NotExercised) { EXPECT_EQ(run("stream_create s blocking\n").verdict, Verdict::not_exercised); }

TEST_F(RunScenario, NotSupportedNamesTheGroup) {
  const CaseResult result = run("stream_create s blocking\ngate_create g\n");
  EXPECT_EQ(result.verdict, Verdict::not_supported);
  EXPECT_THAT(result.explanation, HasSubstr("gate"));
}

TEST_F(RunScenario, NotApplicable) {
  Scenario scenario;
  scenario.not_applicable = "because";
  EXPECT_EQ(run(scenario).verdict, Verdict::not_applicable);
  scenario.not_applicable.clear();
  scenario.undefined = true;
  EXPECT_EQ(run(scenario).verdict, Verdict::not_applicable);
  undefined_ = true;
  EXPECT_EQ(run(scenario).verdict, Verdict::pass);  // no lines, nothing aimed at
}

TEST_F(RunScenario, MalformedCaseIsTheKitsFault) {
  EXPECT_EQ(run("stream_create\n").verdict, Verdict::internal_error);
  EXPECT_EQ(run("malloc a {bananas} p s\n").verdict, Verdict::not_supported);
}

TEST_F(RunScenario, ProgramFaultIsTheCasesFault) {
  const CaseResult result = run(std::string(setup) + "stream_create t nonblocking\nmalloc a 1 p s\nfree a t\n");
  EXPECT_EQ(result.verdict, Verdict::internal_error);
  EXPECT_THAT(result.explanation, HasSubstr("case itself"));
}

TEST_F(RunScenario, ExpectedFindingIsAPass) {
  EXPECT_EQ(run(std::string(setup) +
                "stream_create t nonblocking\nmalloc a 1 p s\nfree a t\nexpect program_fault PROGRAM-FREE-UNORDERED\n")
                .verdict,
            Verdict::pass);
  EXPECT_EQ(run(std::string(setup) + "malloc a 1 p s\nexpect violation ALLOC-OVERLAP\n").verdict, Verdict::fail);
}

TEST_F(RunScenario, LinesWithNamesThatWereNeverMadeAreLeftOut) {
  const CaseResult result =
      run(std::string(setup) + "malloc a 2GiB p s\nfree a s\nmalloc b 1 p s\nexpect overlap(a, b) forbidden\n");
  EXPECT_EQ(result.calls, 4U);
  EXPECT_TRUE(result.outcomes.empty());
}

TEST_F(RunScenario, RequiredOutcomeThatWasNotSeen) {
  const CaseResult result =
      run(std::string(setup) + "malloc a 1 p s\nfree a s\nmalloc b 1 p s\nexpect overlap(a, b) required\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  ASSERT_EQ(result.outcomes.size(), 1U);
  EXPECT_FALSE(result.outcomes.front().seen);
}

TEST_F(RunScenario, GarbageStatusesAreResults) {
  table_.stream_query = [](streampool_context, streampool_stream) { return streampool_status{4711}; };
  const CaseResult result = run("stream_create s blocking\nstream_query s\n", {"ORDER-QUERY-STATUS"_clause});
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(*result.clause, "ORDER-QUERY-STATUS"_clause);
}

TEST_F(RunScenario, ResultsSurviveTheWire) {
  CaseResult result =
      run(std::string(setup) + "malloc a 1 p s\nfree a s\nmalloc b 1 p s\nexpect overlap(a, b) required\n");
  result.output = "\xff not UTF-8";
  const auto back = result_from_json(nlohmann::json::parse(dump(to_json(result))));
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(back->history, result.history);
  EXPECT_THAT(back->counts, testing::UnorderedElementsAreArray(result.counts));
  EXPECT_EQ(back->verdict, result.verdict);
  EXPECT_EQ(back->outcomes.size(), 1U);
}

// The judge obliges a runtime to serve what fits the device; what others hold of it is known only here.
TEST_F(RunScenario, AShortDeviceIsInconclusive) {
  table_.capabilities |= STREAMPOOL_CAP_MEMORY_INFO;
  table_.capabilities_of = [](streampool_context context) {
    return fake::capabilities(context) | STREAMPOOL_CAP_MEMORY_INFO;
  };
  table_.describe = [](streampool_context context, streampool_description* out) {
    fake::describe(context, out);
    out->memory = 1 << 20;
    return streampool_status{STREAMPOOL_OK};
  };
  table_.malloc_from_pool = [](streampool_context, streampool_address* out, uint64_t, streampool_pool,
                               streampool_stream) {
    *out = 0;
    return streampool_status{STREAMPOOL_OUT_OF_MEMORY};
  };
  static std::uint64_t free_bytes = 0;
  table_.memory_info = [](streampool_context, std::uint32_t, std::uint64_t* free, std::uint64_t* total) {
    *free = free_bytes;
    *total = 1 << 20;
    return streampool_status{STREAMPOOL_OK};
  };
  free_bytes = 4096;
  const CaseResult short_of_memory = run(std::string(setup) + "malloc a 8KiB p s\n");
  EXPECT_EQ(short_of_memory.verdict, Verdict::inconclusive) << short_of_memory.explanation;
  EXPECT_THAT(short_of_memory.explanation, HasSubstr("of its 1048576 bytes 4096 were free"));
  free_bytes = 16384;
  EXPECT_EQ(run(std::string(setup) + "malloc a 8KiB p s\n").verdict, Verdict::fail);
}

}  // namespace
}  // namespace streampool::kit
