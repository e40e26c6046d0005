// Planted faults: a known short history of each, buried in other calls, comes back at most twice as long.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "conformance/minimize/minimize.hpp"
#include "model/profile/load.hpp"

namespace streampool::minimize {
namespace {

struct Planted {
  const char* mutant;
  const char* clause;
  std::uint64_t shortest;  // calls
  const char* history;
};

const Planted planted[] = {
    {"null_is_success", "ALLOC-NONNULL", 3,
     "stream_create s nonblocking\npool_create p max_size=2MiB\nmalloc a 8MiB p s\n"},
    {"double_free_accepted", "ALLOC-DOUBLE-FREE", 5,
     "stream_create s nonblocking\npool_create p\nmalloc a 4KiB p s\nfree a s\nfree a s\n"},
    {"switches_start_off", "ATTR-DEFAULT-REUSE_ALLOW_OPPORTUNISTIC", 2,
     "pool_create p\npool_get p reuse_allow_opportunistic\n"},
    {"dead_pool_serves", "LIFE-POOL-DEAD", 3, "pool_create p\npool_destroy p\npool_trim p 0\n"},
    {"event_covers_every_free", "REUSE-UNSAFE", 12,
     "stream_create s nonblocking\nstream_create t nonblocking\nevent_create e\ngate_create g\npool_create p\n"
     "pool_set p reuse_allow_internal_dependencies 0\nmalloc a 2MiB p s\ngate_hold s g\nevent_record e s\nfree a s\n"
     "stream_wait_event t e\nmalloc b 2MiB p t\n"},
};

// Calls that have nothing to do with the fault, before and after each line.
std::string buried(const std::string& history) {
  std::string text =
      "streampool-history 1\nstream_create n1 nonblocking\nstream_create n2 blocking\nevent_create ne\npool_create np\n"
      "pool_create np2\nevent_record ne n1\n";
  std::istringstream lines(history);
  std::string line;
  for (int i = 0; std::getline(lines, line); ++i) {
    const std::string n = std::to_string(i);
    text += "malloc x" + n + " 100KiB np n1\nmalloc y" + n + " 3MiB np2 n2\nfill n1 x" + n + " 7\n";
    text += line + "\n";
    text += "stream_wait_event n2 ne\nfree x" + n + " n1\npool_get np2 used_mem_high\nfree y" + n + " n2\n";
    if (i % 3 == 0) text += "stream_sync n2\nevent_sync ne\n";
  }
  return text;
}

Settings settings_for(const model::Profile& profile, const std::string& runtime) {
  Settings settings{.worker = {}, .profile = profile};
  settings.worker.executable = STREAMPOOL_PROGRAM;
  settings.worker.runtime = runtime;
  settings.worker.profile = "strict";
  return settings;
}

class Minimise : public testing::TestWithParam<Planted> {};

TEST_P(Minimise, AtMostTwiceTheShortest) {
  const Planted& fault = GetParam();
  const model::Profile profile = *model::load_profile("strict");
  Settings settings = settings_for(profile, std::string("mutant:") + fault.mutant);
  settings.budget = std::chrono::milliseconds(100'000);
  const std::atomic<bool> interrupted{false};
  const auto done = minimise(buried(fault.history), settings, interrupted);
  ASSERT_TRUE(done.has_value()) << done.error();
  ASSERT_TRUE(done->result.clause.has_value()) << done->result.explanation;
  EXPECT_EQ(spec::info(*done->result.clause).id, fault.clause) << done->result.history;
  EXPECT_GT(done->calls_before, 4 * fault.shortest);
  EXPECT_LE(done->result.calls, 2 * fault.shortest) << done->result.history;
}

INSTANTIATE_TEST_SUITE_P(Mutants, Minimise, testing::ValuesIn(planted),
                         [](const testing::TestParamInfo<Planted>& tested) {
                           return std::string(tested.param.mutant);
                         });

// The gate is opened later: a runtime without the fault comes to the end of the same history.
TEST(Minimise, ACallThatReturnedTooEarlyStaysOneThatMayWait) {
  const model::Profile profile = *model::load_profile("strict");
  const Settings settings = settings_for(profile, "mutant:sync_returns_early");
  const std::atomic<bool> interrupted{false};
  const auto done = minimise(
      "streampool-history 1\nstream_create s1 nonblocking\nstream_create s2 nonblocking\ngate_create g\npool_create p\n"
      "gate_hold s1 g\nmalloc a 4KiB p s2\n[t1] call c stream_sync s1\nfree a s2\ngate_open g\n[t1] return c -> ok\n",
      settings, interrupted);
  ASSERT_TRUE(done.has_value()) << done.error();
  EXPECT_EQ(spec::info(done->result.clause.value()).id, "ORDER-EARLY");
  EXPECT_LE(done->result.calls, 5) << done->result.history;
  const auto on_host = minimise(done->result.history, settings_for(profile, "host"), interrupted);
  ASSERT_FALSE(on_host.has_value());
  EXPECT_EQ(on_host.error(), "it does not fail on this runtime: pass") << done->result.history;
}

// With the three seconds that a run gives a call, two candidates would be all that there is time for.
TEST(Minimise, ACallThatBlocksIsGivenUpSoon) {
  const model::Profile profile = *model::load_profile("strict");
  Settings settings = settings_for(profile, "mutant:record_waits");
  settings.budget = std::chrono::seconds(20);
  const std::atomic<bool> interrupted{false};
  const auto done =
      minimise(buried("stream_create s nonblocking\nevent_create e\ngate_create g\ngate_hold s g\nevent_record e s\n"),
               settings, interrupted);
  ASSERT_TRUE(done.has_value()) << done.error();
  EXPECT_EQ(spec::info(done->result.clause.value()).id, "ASYNC-BLOCKED-EVENT");
  EXPECT_LE(done->result.calls, 10U) << done->result.history;
}

// This one keeps the last error of the process: what earlier candidates left there decides about later ones.
TEST(Minimise, NoLineIsKeptForWhatAnotherCandidateLeftBehind) {
  const model::Profile profile = *model::load_profile("strict");
  Settings settings = settings_for(profile, "mutant:last_error_of_all_threads");
  settings.budget = std::chrono::seconds(60);
  const std::atomic<bool> interrupted{false};
  const auto done = minimise(
      "streampool-history 1\nevent_create e\npool_create p\ngate_create g\npool_get p used_mem_current\n"
      "fail submit 1\nfail map 2\npool_set p reuse_allow_internal_dependencies 4\n"
      "pool_set p reuse_allow_internal_dependencies 1\ngate_open g\nplain_malloc x 1\n"
      "[t1] call c plain_malloc y 1\n[t1] return c -> ok\ngate_open g\n",
      settings, interrupted);
  ASSERT_TRUE(done.has_value()) << done.error();
  EXPECT_EQ(spec::info(done->result.clause.value()).id, "CAP-NATIVE-CODE");
  EXPECT_LE(done->result.calls, 8U) << done->result.history;
}

// The failure that is looked into is the one that was seen, not whatever else the runtime gets wrong.
TEST(Minimise, AnotherFailureIsNotTheOneAskedFor) {
  const model::Profile profile = *model::load_profile("strict");
  Settings settings = settings_for(profile, "mutant:null_is_success");
  settings.failure = Failure{kit::Verdict::fail, spec::find_clause("ALLOC-OVERLAP")};
  const std::atomic<bool> interrupted{false};
  const auto done = minimise(buried(planted[0].history), settings, interrupted);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().find("it fails otherwise"), std::string::npos) << done.error();
}

TEST(Minimise, WhatDoesNotFailIsNotMinimised) {
  const model::Profile profile = *model::load_profile("strict");
  const Settings settings = settings_for(profile, "mutant");
  const std::atomic<bool> interrupted{false};
  const auto done = minimise(buried(planted[0].history), settings, interrupted);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().find("does not fail"), std::string::npos) << done.error();
}

}  // namespace
}  // namespace streampool::minimize
