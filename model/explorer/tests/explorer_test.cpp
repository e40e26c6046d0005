// The theorems that are checked by exhaustion, each with the scope in which it was.
#include <gtest/gtest.h>

#include <iostream>

#include "model/explorer/tests/more_calls.hpp"
#include "model/explorer/theorems.hpp"
#include "model/profile/load.hpp"

namespace streampool::model::explorer {
namespace {

const Profile& strict() {
  static const auto profile = load_profile("strict");
  return *profile;
}

void report(const char* theorem, const Verdict& verdict, std::uint64_t programs) {
  std::cout << theorem << ": " << verdict.programs << " programs, " << verdict.histories << " histories\n";
  EXPECT_GE(verdict.programs, programs) << "the scope has shrunk";
  EXPECT_FALSE(verdict.counterexample) << verdict.sentence << "\n" << *verdict.counterexample;
}

TEST(Programs, CountsOfSmallScopes) {
  const auto count = [](const Scope& scope) {
    std::uint64_t programs = 0;
    each_program(scope, {}, [&](std::span<const Move>) { return ++programs, true; });
    return programs;
  };
  // One call: a malloc or a record.
  EXPECT_EQ(count({.streams = 3, .events = 2, .blocks = 2, .calls = 1}), 2u);
  EXPECT_EQ(count({.streams = 3, .events = 2, .blocks = 2, .calls = 5}), 33042u);
  EXPECT_EQ(count({.streams = 3, .events = 2, .blocks = 2, .calls = 5, .reduced = true}), 127u);
  // A malloc, a free of it and a malloc, each on a stream that may be a new one.
  EXPECT_EQ(count({.streams = 3, .events = 2, .blocks = 2, .calls = 3, .reduced = true}), 2u);
}

TEST(MonitorSound, EveryRunIsAccepted) {
  for (unsigned switches = 0; switches < 8; ++switches) {
    report("MONITOR-SOUND",
           check_monitor_sound(strict(), {.streams = 2, .events = 1, .blocks = 2, .calls = calls(4)}, switches), 100);
  }
}

TEST(MonitorSound, WithGatesAndUses) {
  for (unsigned switches = 0; switches < 8; ++switches) {
    report(
        "MONITOR-SOUND",
        check_monitor_sound(
            strict(),
            {.streams = 2, .events = 1, .blocks = 2, .gates = 1, .calls = calls(3), .uses = true, .event_syncs = true},
            switches),
        100);
  }
}

TEST(MonitorTight, EveryAcceptedHistoryHasARun) {
  for (unsigned switches = 0; switches < 8; ++switches) {
    report("MONITOR-TIGHT",
           check_monitor_tight(strict(), {.streams = 2, .events = 1, .blocks = 2, .gates = 1, .calls = calls(4)},
                               switches),
           100);
  }
}

TEST(OrderExact, AScheduleForEveryPair) {
  report("ORDER-EXACT", check_order_exact(strict(), {.streams = 3, .events = 2, .blocks = 0, .calls = calls(4)}), 100);
}

TEST(RulesExact, PermitWhatTheirTwinPermits) {
  const Verdict verdict = check_rules_exact(14000, 20);
  EXPECT_EQ(verdict.programs, 14000u);
  EXPECT_FALSE(verdict.counterexample) << verdict.sentence << "\n" << *verdict.counterexample;
}

TEST(ProgramSound, EveryScheduleKeepsTheObligations) {
  report("PROGRAM-SOUND",
         check_program_sound(strict(), {.streams = 2, .events = 1, .blocks = 1, .calls = calls(4), .uses = true}), 100);
}

}  // namespace
}  // namespace streampool::model::explorer
