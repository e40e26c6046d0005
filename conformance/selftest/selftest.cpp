// What the kit says of runtimes that are broken in ways that end, stop or deceive a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "conformance/kit/session.hpp"
#include "conformance/minimize/minimize.hpp"
#include "conformance/suites/suite.hpp"
#include "model/history/reader.hpp"
#include "model/monitor/judge_text.hpp"
#include "model/profile/load.hpp"

namespace streampool {
namespace {

using kit::CaseResult;
using kit::Verdict;

struct Outcome {
  std::vector<CaseResult> results;
  kit::SessionEnd end;

  [[nodiscard]] const CaseResult* with(Verdict verdict) const {
    const auto found = std::ranges::find(results, verdict, &CaseResult::verdict);
    return found == results.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string broken(Verdict verdict) const {
    const CaseResult* result = with(verdict);
    return result == nullptr || !result->clause ? "" : std::string(spec::info(*result->clause).id);
  }
  [[nodiscard]] std::size_t count(Verdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count(results, verdict, &CaseResult::verdict));
  }
};

kit::WorkerSettings settings_for(const char* fault) {
  ::setenv("STREAMPOOL_FAULT", fault, 1);
  kit::WorkerSettings settings;
  settings.executable = STREAMPOOL_COMMAND;
  settings.runtime = STREAMPOOL_FAULTY;
  settings.profile = "strict";
  settings.hang = std::chrono::seconds(5);
  return settings;
}

class Faulty : public testing::Test {
 protected:
  Outcome run(
      const char* fault, const std::string& filter,
      const std::function<void(kit::SessionSettings&)>& adjust = [](kit::SessionSettings&) {}) {
    kit::SessionSettings settings;
    settings.worker = settings_for(fault);
    adjust(settings);
    const auto profile = model::load_profile("strict");
    const kit::Description description;
    const suites::SuiteOptions options{.profile = *profile, .description = description, .filter = filter};
    std::vector<std::unique_ptr<kit::JobSource>> sources;
    sources.push_back(suites::find_suite("directed")->open(options));
    Outcome made;
    made.end = kit::run_session(settings, std::move(sources), interrupted_,
                                [&](const CaseResult& result) { made.results.push_back(result); });
    // No worker is left behind, not even as a zombie.
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    return made;
  }

  tl::expected<minimize::Minimised, std::string> minimised(const char* fault, const std::string& history) {
    const auto profile = model::load_profile("strict");
    const minimize::Settings settings{
        .worker = settings_for(fault), .profile = *profile, .budget = std::chrono::seconds(60)};
    return minimize::minimise(history, settings, interrupted_);
  }

  std::atomic<bool> interrupted_{false};
};

TEST_F(Faulty, WithoutAFaultEverythingPasses) {
  const Outcome made = run("none", "allocation/*");
  EXPECT_GT(made.results.size(), 5U);
  EXPECT_EQ(made.count(Verdict::pass), made.results.size());
}

TEST_F(Faulty, CrashIsAResultWithTheHistorySoFar) {
  const Outcome made = run("crash", "allocation/sizes*");
  ASSERT_NE(made.with(Verdict::crash), nullptr);
  EXPECT_EQ(made.broken(Verdict::crash), "LIFE-NO-CRASH");
  EXPECT_THAT(made.with(Verdict::crash)->history, testing::HasSubstr("-> crash"));
  EXPECT_THAT(made.with(Verdict::crash)->explanation, testing::HasSubstr("signal 6"));
  // What was saved is a history.
  history::NameTable names;
  EXPECT_TRUE(history::read_text(made.with(Verdict::crash)->history, names).has_value());
}

TEST_F(Faulty, TheRunGoesOnAfterACrash) {
  const Outcome made = run("crash", "*/*read_back*");
  EXPECT_EQ(made.count(Verdict::pass), made.results.size());
  const Outcome other = run("crash", "allocation/*");
  EXPECT_GT(other.count(Verdict::crash), 1U);
  EXPECT_TRUE(other.end.broken.empty());
}

TEST_F(Faulty, ExitIsACrash) {
  const Outcome made = run("exit", "order/event_query_held");
  ASSERT_NE(made.with(Verdict::crash), nullptr);
  EXPECT_THAT(made.with(Verdict::crash)->explanation, testing::HasSubstr("exit code 0"));
}

TEST_F(Faulty, HangIsATimeout) {
  const Outcome made = run("hang", "order/query_held_stream");
  ASSERT_NE(made.with(Verdict::timeout), nullptr);
  EXPECT_THAT(made.with(Verdict::timeout)->history, testing::HasSubstr("stream_query s1 -> timeout"));
}

// The first costs five seconds, the others one; each says so. After the fourth nothing is to be learned any more.
TEST_F(Faulty, WhereManyHangTheyGetLessTimeAndTheirSuiteEnds) {
  const Outcome made = run("deadlock", "reuse/*", [](kit::SessionSettings& settings) {
    settings.hangs_in_full = 1;
    settings.hangs_in_a_row = 4;
  });
  std::vector<std::string> said;
  for (const CaseResult& result : made.results) {
    if (result.verdict == Verdict::timeout) said.push_back(result.explanation);
  }
  ASSERT_GE(said.size(), 4U);
  for (std::size_t i = 0; i < said.size(); ++i) {
    EXPECT_THAT(said[i], testing::HasSubstr(i < 1 ? "no progress for 5000 ms" : "no progress for 1000 ms"));
    EXPECT_EQ(said[i].find("less time") != std::string::npos, i >= 1) << said[i];
  }
  EXPECT_EQ(made.results.back().name, "directed/broken_off");
  EXPECT_EQ(made.results.back().verdict, Verdict::inconclusive);
  EXPECT_THAT(made.results.back().explanation, testing::HasSubstr("were not run"));
}

constexpr std::string_view calls_to_minimise =
    "streampool-history 1\nstream_create s nonblocking\nstream_create t blocking\nevent_create e\n"
    "pool_create p max_size=64MiB\nevent_record e s\nmalloc a 1MiB p s\nstream_wait_event t e\nfree a s\n";

// The second malloc of a process aborts: what other candidates did in it must not count.
TEST_F(Faulty, ACrashIsMinimised) {
  const auto done =
      minimised("crash", std::string(calls_to_minimise) + "stream_sync s\npool_trim p 0\nmalloc b 2MiB p t\n");
  ASSERT_TRUE(done.has_value()) << done.error();
  EXPECT_EQ(done->result.verdict, Verdict::crash);
  EXPECT_EQ(done->result.calls, 4U) << done->result.history;
  EXPECT_EQ(done->result.line, 7U) << done->result.history;
}

TEST_F(Faulty, AHangIsMinimised) {
  const auto done = minimised("hang", std::string(calls_to_minimise) + "stream_query s\n");
  ASSERT_TRUE(done.has_value()) << done.error();
  EXPECT_EQ(done->result.verdict, Verdict::timeout);
  EXPECT_EQ(done->result.calls, 2U) << done->result.history;
}

// The finding of the saved history alone.
std::string judged_again(const CaseResult& result) { return model::judge_text(result.history).clause; }

TEST_F(Faulty, SeveralThreadsThatHangAreADeadlock) {
  const Outcome alone = run("hang", "order/query_held_stream");
  EXPECT_EQ(alone.broken(Verdict::timeout), "LIFE-NO-CRASH");
  EXPECT_EQ(judged_again(*alone.with(Verdict::timeout)), "LIFE-NO-CRASH");
  const Outcome both = run("deadlock", "threads/two_syncs_of_two_gates");
  EXPECT_EQ(both.broken(Verdict::timeout), "THREAD-DEADLOCK");
  EXPECT_EQ(judged_again(*both.with(Verdict::timeout)), "THREAD-DEADLOCK");
}

// A call that hangs beside one that has returned is stuck alone, though the text does not show that return.
TEST_F(Faulty, OneThreadThatHangsBesideAnotherIsNone) {
  EXPECT_EQ(run("hang", "threads/two_syncs_of_two_gates").broken(Verdict::timeout), "LIFE-NO-CRASH");
}

TEST_F(Faulty, GarbageStatusIsAFailure) {
  EXPECT_EQ(run("garbage", "allocation/sizes_around_the_alignment").broken(Verdict::fail), "ALLOC-STATUS");
}

TEST_F(Faulty, OkWithoutAnAddressIsAFailure) {
  EXPECT_EQ(run("silent", "allocation/sizes_around_the_alignment").broken(Verdict::fail), "ALLOC-NONNULL");
}

TEST_F(Faulty, AlwaysFailing) {
  const Outcome made = run("failing", "allocation/*");
  EXPECT_GT(made.count(Verdict::fail), 3U);
  EXPECT_EQ(made.broken(Verdict::fail), "ALLOC-STATUS");
}

TEST_F(Faulty, WhatIsSavedNamesNothingThatWasNotMade) {
  const Outcome made = run("failing", "policy/internal_dependency_is_there");  // it expects something of a and b
  ASSERT_NE(made.with(Verdict::fail), nullptr);
  history::NameTable names;
  EXPECT_TRUE(history::read_text(made.with(Verdict::fail)->history, names).has_value())
      << made.with(Verdict::fail)->history;
}

TEST_F(Faulty, LyingQuery) {
  EXPECT_EQ(run("lying_query", "order/query_held_stream").broken(Verdict::fail), "ORDER-EARLY");
}

TEST_F(Faulty, SyncThatReturnsEarly) {
  EXPECT_EQ(run("lying_sync", "order/sync_does_not_return_early").broken(Verdict::fail), "ORDER-EARLY");
}

TEST_F(Faulty, FlakyAttribute) {
  EXPECT_EQ(run("flaky", "attributes/threshold_boundaries").broken(Verdict::fail), "ATTR-READBACK-RELEASE_THRESHOLD");
}

TEST_F(Faulty, AttributeThatIsTooWide) {
  EXPECT_THAT(run("wide", "attributes/reuse_allow_opportunistic/width").broken(Verdict::fail),
              testing::StartsWith("ATTR-WIDTH"));
}

TEST_F(Faulty, CallThatBlocksBehindAGate) {
  const Outcome made = run("blocking", "asynchrony/free_on_a_held_stream");
  EXPECT_EQ(made.broken(Verdict::fail), "ASYNC-BLOCKED-FREE");
  ASSERT_NE(made.with(Verdict::fail), nullptr);
  EXPECT_THAT(made.with(Verdict::fail)->history, testing::HasSubstr("blocked=g"));
}

TEST_F(Faulty, SlowIsNotWrong) {
  const Outcome made = run("slow", "reuse/*");
  EXPECT_EQ(made.count(Verdict::fail) + made.count(Verdict::timeout), 0U);
}

TEST_F(Faulty, WhatItPrintsIsKept) {
  const Outcome made = run("chatter", "allocation/size_zero");
  ASSERT_EQ(made.results.size(), 1U);
  EXPECT_THAT(made.results.front().output, testing::HasSubstr("malloc of 1 bytes"));
}

TEST_F(Faulty, EatenMemoryIsACrashUnderALimit) {
  // A limit that is soon reached: on a busy machine, filling a gigabyte took longer than a hang is given.
  const Outcome made = run("eater", "allocation/size_zero", [](kit::SessionSettings& settings) {
    settings.worker.memory_limit = std::uint64_t{256} << 20;
  });
  EXPECT_NE(made.with(Verdict::crash), nullptr);
}

TEST_F(Faulty, AWorkerThatCannotBeClosedIsReplaced) {
  const Outcome made = run("unclean", "allocation/*");
  EXPECT_EQ(made.count(Verdict::pass), made.results.size());
}

TEST_F(Faulty, MissingGroupIsNotSupported) {
  const Outcome made = run("gateless", "order/query_held_stream");
  ASSERT_NE(made.with(Verdict::not_supported), nullptr);
  EXPECT_THAT(made.with(Verdict::not_supported)->explanation, testing::HasSubstr("gate"));
}

TEST_F(Faulty, InterruptedRunKeepsNothingHalfDone) {
  interrupted_ = true;
  const Outcome made = run("none", "*");
  EXPECT_TRUE(made.end.interrupted);
  EXPECT_TRUE(made.results.empty());
}

TEST_F(Faulty, TablesThatCannotBeUsed) {
  for (const auto& [fault, why] : {std::pair{"old_abi", "ABI version"}, {"tiny", "bytes"}, {"hollow", "gate_open"}}) {
    const auto worker = kit::Worker::start(settings_for(fault), interrupted_);
    ASSERT_FALSE(worker.has_value()) << fault;
    EXPECT_THAT(worker.error(), testing::HasSubstr(why));
  }
}

}  // namespace
}  // namespace streampool
