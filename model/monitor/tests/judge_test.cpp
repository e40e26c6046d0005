// The judge on small histories: each state is chosen so that a judge without the rule answers differently.
#include "model/monitor/judge.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/history/reader.hpp"
#include "model/monitor/judge_text.hpp"
#include "model/profile/load.hpp"

namespace streampool::model {
namespace {

// "conformant", or the kind of finding with its clause and line.
std::string verdict(const std::string& calls, std::string_view profile = "strict") {
  const Judgement found = judge_text("streampool-history 1\n" + calls, profile);
  return found.clause.empty() ? found.kind : found.in_words() + " " + std::to_string(found.line);
}

const std::string two_streams =
    "stream_create s1 nonblocking\nstream_create s2 nonblocking\nevent_create e\ngate_create g\npool_create p\n"
    "pool_set p release_threshold max\n";

std::string with_switches(int event, int opportunistic, int internal) {
  return two_streams + "pool_set p reuse_follow_event_dependencies " + std::to_string(event) +
         "\npool_set p reuse_allow_opportunistic " + std::to_string(opportunistic) +
         "\npool_set p reuse_allow_internal_dependencies " + std::to_string(internal) + "\n";
}

const std::string freed_behind_gate = "malloc a 2MiB p s1 -> ok 0x10000000\ngate_hold s1 g\nfree a s1\n";
const std::string reused = "malloc b 2MiB p s2 -> ok 0x10000000\n";

TEST(Judge, SameStreamReuseNeedsNothing) {
  EXPECT_EQ(verdict(with_switches(0, 0, 0) + freed_behind_gate + "malloc b 2MiB p s1 -> ok 0x10000000\n"),
            "conformant");
}

TEST(Judge, HeldFreeOnAnotherStreamIsUnsafe) {
  EXPECT_EQ(verdict(with_switches(1, 1, 0) + freed_behind_gate + reused), "violation REUSE-UNSAFE 14");
}

TEST(Judge, RecordBeforeTheFreeGivesNoRight) {
  const std::string stale =
      "malloc a 2MiB p s1 -> ok 0x10000000\ngate_hold s1 g\nevent_record e s1\nfree a s1\nstream_wait_event s2 e\n";
  EXPECT_EQ(verdict(with_switches(1, 1, 0) + stale + reused), "violation REUSE-UNSAFE 16");
  const std::string fresh =
      "malloc a 2MiB p s1 -> ok 0x10000000\ngate_hold s1 g\nfree a s1\nevent_record e s1\nstream_wait_event s2 e\n";
  EXPECT_EQ(verdict(with_switches(1, 0, 0) + fresh + reused), "conformant");
  EXPECT_EQ(verdict(with_switches(0, 0, 0) + fresh + reused), "violation REUSE-POLICY-EVENT 16");
}

TEST(Judge, OpportunisticNeedsItsSwitch) {
  const std::string free_running = "malloc a 2MiB p s1 -> ok 0x10000000\nfree a s1\n";
  EXPECT_EQ(verdict(with_switches(0, 1, 0) + free_running + reused), "conformant");
  EXPECT_EQ(verdict(with_switches(0, 0, 0) + free_running + reused), "violation REUSE-POLICY-OPPORTUNISTIC 13");
}

TEST(Judge, ObservedReuseNeedsNoSwitch) {
  EXPECT_EQ(
      verdict(with_switches(0, 0, 0) + "malloc a 2MiB p s1 -> ok 0x10000000\nfree a s1\nstream_sync s1\n" + reused),
      "conformant");
}

TEST(Judge, ClaimedDependencyMustBeThere) {
  const std::string claimed = with_switches(0, 0, 1) + freed_behind_gate + reused;
  EXPECT_EQ(verdict(claimed + "stream_query s2 -> not_ready\ngate_open g\nstream_sync s2\n"), "conformant");
  EXPECT_EQ(verdict(claimed + "stream_sync s2 -> ok\n"), "violation REUSE-DEPENDENCY-MISSING 15");
}

TEST(Judge, ShownCompleteStaysComplete) {
  const std::string shown = with_switches(0, 1, 0) + "malloc a 2MiB p s1 -> ok 0x10000000\nfree a s1\n" + reused;
  EXPECT_EQ(verdict(shown + "stream_query s1 -> ok\n"), "conformant");
  EXPECT_EQ(verdict(shown + "stream_query s1 -> not_ready\n"), "violation REUSE-UNSAFE-PENDING 14");
}

TEST(Judge, HeldItemIsNotReportedComplete) {
  EXPECT_EQ(
      verdict(two_streams + "gate_hold s1 g\nevent_record e s1\nevent_query e -> not_ready\nevent_query e -> ok\n"),
      "violation ORDER-EARLY-EVENT 11");
}

TEST(Judge, OneUnexplainedByteIsEnough) {
  const std::string two_blocks =
      "malloc a 1MiB p s2 -> ok 0x10000000\nmalloc b 1MiB p s1 -> ok 0x10100000\nfree a s2\ngate_hold s1 g\nfree b "
      "s1\n";
  EXPECT_EQ(verdict(with_switches(1, 1, 0) + two_blocks + "malloc c 1MiB p s2 -> ok 0x10000000\n"), "conformant");
  EXPECT_EQ(verdict(with_switches(1, 1, 0) + two_blocks + "malloc c 0x100001 p s2 -> ok 0x10000000\n"),
            "violation REUSE-UNSAFE 16");
}

TEST(Judge, UsedIsExactUnderStrict) {
  const std::string used = two_streams + "malloc a 1000 p s1 -> ok 0x10000000\npool_get p used_mem_current -> ok ";
  EXPECT_EQ(verdict(used + "1000\n"), "conformant");
  EXPECT_EQ(verdict(used + "1024\n"), "violation STAT-USED 9");
}

TEST(Judge, ReservedFallsOnlyWhereItMay) {
  const std::string idle = two_streams +
                           "malloc a 8MiB p s1 -> ok 0x10000000\npool_get p reserved_mem_current -> ok 8388608\n"
                           "free a s1\nstream_sync s1\n";
  EXPECT_EQ(verdict(idle + "pool_get p reserved_mem_current -> ok 8388608\n"), "conformant");
  EXPECT_EQ(verdict(idle + "pool_get p reserved_mem_current -> ok 4194304\n"), "violation RELEASE-THRESHOLD-FLOOR 12");
  EXPECT_EQ(verdict(idle + "pool_trim p 4MiB\npool_get p reserved_mem_current -> ok 4194304\n"), "conformant");
  EXPECT_EQ(verdict(idle + "pool_trim p 4MiB\npool_get p reserved_mem_current -> ok 2097152\n"),
            "violation RELEASE-TRIM-FLOOR 13");
}

TEST(Judge, FreeNeedsTheOrderOfTheProgram) {
  EXPECT_EQ(verdict(two_streams + "malloc a 1MiB p s1 -> ok 0x10000000\nfree a s2\n"),
            "program_fault PROGRAM-FREE-UNORDERED 9");
  EXPECT_EQ(verdict(two_streams + "malloc a 1MiB p s1 -> ok 0x10000000\nstream_sync s1\nfree a s2\n"), "conformant");
}

TEST(Judge, ContentIsJudgedWhereItIsKnown) {
  const std::string filled = two_streams + "malloc a 4096 p s1 -> ok 0x10000000\nfill s1 a 7\nfill s1 a+1024 9 1024\n";
  EXPECT_EQ(verdict(filled + "check s1 a 7 1024 -> ok\ncheck s1 a+1024 9 1024 -> ok\ncheck s1 a 7 -> mismatch\n"),
            "conformant");
  EXPECT_EQ(verdict(filled + "check s1 a 7 -> ok\n"), "violation ALLOC-CONTENT 11");
  EXPECT_EQ(verdict(filled + "check s1 a 7 1024 -> mismatch\n"), "violation ALLOC-CONTENT 11");
}

TEST(Judge, KnowsNoHolderOfWhatCameAfterAFinding) {
  const auto profile = load_profile("strict");
  ASSERT_TRUE(profile) << profile.error();
  history::NameTable names;
  const auto lines = history::read_text("streampool-history 1\n" + with_switches(0, 0, 0) + freed_behind_gate + reused +
                                            "event_create late\nevent_sync late\nevent_sync e\nstream_sync s1\n",
                                        names);
  ASSERT_TRUE(lines);
  Judge judge(*profile, names);
  for (const auto& line : *lines) judge.apply(line);
  ASSERT_TRUE(judge.finding());
  const std::size_t n = lines->size();
  EXPECT_EQ(judge.held_by((*lines)[n - 3].call), history::Name::none);
  EXPECT_NE(judge.held_by((*lines)[n - 1].call), history::Name::none);
}

TEST(Judge, OverlappingCallsNeedOneOrderThatFits) {
  const auto calls = [](const std::string& stream) {
    return with_switches(0, 0, 0) +
           "malloc a 2MiB p s1 -> ok 0x10000000\n[t1] call 1 free a s1\n[t2] call 2 malloc b 2MiB p " + stream +
           "\n[t2] return 2 -> ok 0x10000000\n[t1] return 1 -> ok\n";
  };
  EXPECT_EQ(verdict(calls("s1")), "conformant");
  // One order overlaps, the other one breaks a switch.
  EXPECT_EQ(verdict(calls("s2")), "violation THREAD-LINEARIZABLE 15");
}

// Where no profile that ships says so: `strict` with one answer changed.
template <class Change>
std::string verdict_under(Change change, const std::string& calls) {
  auto profile = load_profile("strict");
  history::NameTable names;
  const auto lines = history::read_text("streampool-history 1\n" + calls, names);
  EXPECT_TRUE(profile && lines);
  change(*profile);
  Judge judge(*profile, names);
  for (const auto& line : *lines) judge.apply(line);
  judge.finish();
  return judge.finding() ? std::string(spec::info(judge.finding()->clause).id) : "conformant";
}

TEST(Judge, UsedThatDropsAtCompletionCountsWhatWasAskedFor) {
  const auto at_completion = [](Profile& profile) { profile.used_drops_at.value = UsedDropsAt::completion; };
  const std::string held =
      two_streams +
      "malloc a 1000 p s1 -> ok 0x10000000\ngate_hold s1 g\nfree a s1\npool_get p used_mem_current -> ok ";
  EXPECT_EQ(verdict_under(at_completion, held + "1000\n"), "conformant");
  EXPECT_EQ(verdict_under(at_completion, held + "999\n"), "STAT-USED-DROP");
  // The new block may take a unit of the runtime's own along, more than its range.
  const std::string partly = two_streams +
                             "malloc a 1024 p s1 -> ok 0x10000000\ngate_hold s1 g\nfree a s1\n"
                             "malloc b 1 p s1 -> ok 0x10000000\npool_get p used_mem_current -> ok ";
  EXPECT_EQ(verdict_under(at_completion, partly + "513\n"), "conformant");
  EXPECT_EQ(verdict_under(at_completion, partly + "0\n"), "STAT-USED-DROP");
}

TEST(Judge, PoolsUnderPressureKeepWhatLives) {
  const auto from_any = [](Profile& profile) { profile.pressure_release.value = PressureRelease::any; };
  const std::string beside =
      "device d0 memory=8MiB\n" + two_streams + "pool_create q\nmalloc a 1 p s1 -> ok 0x10000000\n";
  EXPECT_EQ(verdict_under(from_any, beside + "malloc b 8MiB q s1 -> out_of_memory out=null\n"), "conformant");
  EXPECT_EQ(verdict_under(from_any, beside + "malloc b 6MiB q s1 -> out_of_memory out=null\n"), "CAP-MUST-SERVE");
  EXPECT_EQ(
      verdict_under(from_any, beside + "free a s1\nstream_sync s1\nmalloc b 8MiB q s1 -> out_of_memory out=null\n"),
      "CAP-MUST-SERVE");
}

TEST(Judge, RecommendsNothingThatSomeOrderMet) {
  const auto recommendations = [](const std::string& overlapping) {
    const auto profile = load_profile("strict");
    history::NameTable names;
    const auto lines =
        history::read_text("streampool-history 1\n" + two_streams + "malloc a 2MiB p s1 -> ok 0x10000000\n" +
                               "pool_get p reserved_mem_current -> ok 2097152\n" + overlapping,
                           names);
    EXPECT_TRUE(profile && lines);
    Judge judge(*profile, names);
    for (const auto& line : *lines) judge.apply(line);
    EXPECT_FALSE(judge.finding());
    return judge.qualities().size();
  };
  const std::string fresh = "malloc b 2MiB p s1 -> ok 0x20000000\n";
  EXPECT_EQ(recommendations("free a s1\n" + fresh), 1U);
  // The malloc may have come before the free.
  EXPECT_EQ(recommendations("[t1] call 1 free a s1\n[t2] " + fresh + "[t1] return 1 -> ok\n"), 0U);
  // Too many calls to try every order of them.
  std::string crowd;
  for (int i = 0; i < 70; ++i) crowd += "[t2] pool_get p release_threshold\n";
  EXPECT_EQ(
      recommendations("[t1] call 1 malloc b 2MiB p s1\n[t2] free a s1\n" + crowd + "[t1] return 1 -> ok 0x20000000\n"),
      0U);
}

TEST(Judge, AnOrderThatIsTheProgramsFaultAccusesNobody) {
  // The new pool has the old handle: a malloc from the old name may have come last, and has an address in use.
  EXPECT_EQ(verdict("stream_create s nonblocking\npool_create p -> ok handle=0x7\npool_create q -> ok handle=0x8\n"
                    "malloc a 2MiB q s -> ok 0x10000000\n[t1] call 1 pool_destroy p\n[t2] call 2 malloc b 2MiB p s\n"
                    "[t1] return 1 -> ok\n[t1] call 3 pool_create r\n[t1] return 3 -> ok handle=0x7\n"
                    "[t2] return 2 -> ok 0x10000000\n"),
            "program_fault PROGRAM-MISUSE 11");
}

TEST(Judge, AFailureThatWasAskedForMayComeBeforeThatOfMisuse) {
  const std::string block = two_streams + "malloc a 2MiB p s1 -> ok 0x10000000\n";
  EXPECT_EQ(verdict(block + "fail submit 1\nfree a+512 s1 -> out_of_memory\n"), "conformant");
  EXPECT_EQ(verdict(block + "free a+512 s1 -> out_of_memory\n").substr(0, 24), "violation ALLOC-INTERIOR");
}

TEST(Judge, ALimitBelowWhatIsTakenHidesWhatComesBack) {
  const auto calls = [](const std::string& limit, const std::string& free_before, const std::string& free_after) {
    return "device d0 memory=64MiB granularity=2MiB\nstream_create s nonblocking\npool_create p\n"
           "malloc a 4MiB p s -> ok 0x10000000\npool_get p reserved_mem_current -> ok 4194304\n" +
           limit + "memory_info -> ok " + free_before +
           "\nfree a s\nstream_sync s\npool_destroy p\nmemory_info -> ok " + free_after + "\n";
  };
  EXPECT_EQ(verdict(calls("limit d0 2MiB\n", "0", "0")), "conformant");
  EXPECT_EQ(verdict(calls("", "62914560", "62914560")), "violation LIFE-POOL-GIVES-BACK 11");
}

// What a default pool held when the process began, or somebody else, is no memory for a request.
TEST(Judge, LeavesOutWhatWasTakenBeforeTheFirstCall) {
  const auto calls = [](const std::string& device) {
    return device +
           "\nstream_create s nonblocking\npool_create p\npool_get p reserved_mem_current -> ok 0\nlimit d0 8MiB\n";
  };
  const std::string known = "device d0 memory=64MiB granularity=2MiB", taken = known + " taken=4MiB";
  const std::string refused = "malloc a 6MiB p s -> out_of_memory out=null\n";
  EXPECT_EQ(verdict(calls(known) + refused), "violation CAP-MUST-SERVE 7");
  EXPECT_EQ(verdict(calls(taken) + refused), "conformant");
  EXPECT_EQ(verdict(calls(taken) + "malloc a 4MiB p s -> out_of_memory out=null\n"), "violation CAP-MUST-SERVE 7");
  EXPECT_EQ(verdict(calls(known + " taken=max") + refused), "conformant");
  // It may have been short, so it may have given back what idles.
  const std::string idle =
      "malloc a 2MiB p s -> ok 0x10000000\nfree a s\npool_get p reserved_mem_current -> ok 2097152\n"
      "malloc b 4MiB p s -> out_of_memory out=null\npool_get p reserved_mem_current -> ok 0\n";
  const std::string keeping = "pool_set p release_threshold max\n";
  EXPECT_EQ(verdict(calls(known) + keeping + idle), "violation STAT-FAILED-CALL 12");
  EXPECT_EQ(verdict(calls(taken) + keeping + idle), "conformant");
}

// What becomes of the blocks of a destroyed pool, and which thresholds are refused, is asked where the profile says it.
TEST(Judge, AsksForNothingThatTheProfileLeavesOpen) {
  const std::string calls =
      "stream_create s nonblocking\npool_create p max_size=2MiB\nmalloc a 2MiB p s -> ok 0x10000000\n";
  EXPECT_EQ(verdict(calls + "pool_destroy p\nfree a s -> internal\n", "ascend-9.0-documented"),
            "program_fault PROGRAM-MISUSE 5");
  EXPECT_EQ(verdict(calls + "pool_destroy p\nfree a s -> internal\n"), "violation LIFE-POOL-DEFERRED 6");
  EXPECT_EQ(verdict(calls + "pool_set p release_threshold 4194304 -> invalid_value\n", "ascend-9.0-documented"),
            "conformant");
}

// A runtime rounds by units of its own.
TEST(Judge, TakesASizeNearTheLargestNumberForOneThatOverflows) {
  const std::string calls = "stream_create s nonblocking\npool_create p\nmalloc a 18446744073708551615 p s -> ";
  for (const char* profile : {"strict", "hip-6"}) {
    EXPECT_EQ(verdict(calls + "invalid_value out=null\n", profile), "conformant") << profile;
    EXPECT_EQ(verdict(calls + "out_of_memory out=null\n", profile), "conformant") << profile;
    EXPECT_EQ(verdict(calls + "ok 0x10000000\n", profile), "violation ALLOC-WRAP 4") << profile;
  }
}

// Where no document says which calls release, none must.
TEST(Judge, ObligesNoCallThatOnlyMayRelease) {
  const std::string calls =
      "stream_create s nonblocking\npool_create p\nmalloc a 2MiB p s -> ok 0x10000000\nfree a s\nstream_sync s\n"
      "pool_get p reserved_mem_current -> ok 2097152\n";
  EXPECT_EQ(verdict_under([](Profile&) {}, calls), "RELEASE-THRESHOLD-REST");
  EXPECT_EQ(verdict_under([](Profile& profile) { profile.release_calls = Profile().release_calls; }, calls),
            "conformant");
}

// A synchronize may give back what pools of other devices hold, and need not.
TEST(Judge, LeavesOpenWhatASynchronizeDoesToOtherDevices) {
  const std::string calls =
      "device d1\nstream_create s nonblocking\nstream_create t nonblocking d1\npool_create p device=d1\n"
      "malloc a 2MiB p t -> ok 0x10000000\nfree a t\nevent_create e\nevent_record e t\nstream_wait_event s e\n"
      "pool_get p reserved_mem_current -> ok 2097152\nstream_sync s\n";
  EXPECT_EQ(verdict(calls + "pool_get p reserved_mem_current -> ok 0\n"), "conformant");
  EXPECT_EQ(verdict(calls + "pool_get p reserved_mem_current -> ok 2097152\n"), "conformant");
  EXPECT_EQ(verdict(calls + "stream_sync t\npool_get p reserved_mem_current -> ok 2097152\n"),
            "violation RELEASE-THRESHOLD-REST 14");
}

TEST(Judge, KnowsThatADeviceThatTellsNothingIsHardlyShort) {
  const std::string calls = with_switches(1, 0, 0) + "malloc a 2MiB p s1 -> ok 0x10000000\nfree a s1\n";
  const std::string again = "malloc b 2MiB p s2 -> ok 0x10000000\n", device = "device d0 memory=8GiB taken=max\n";
  EXPECT_EQ(verdict(device + calls + again), "violation REUSE-POLICY-OPPORTUNISTIC 14");
  EXPECT_EQ(verdict(device + calls + "limit d0 4GiB\n" + again), "conformant");
}

TEST(Judge, KnowsThatALimitAddsNoMemory) {
  EXPECT_EQ(
      verdict("device d0 memory=8MiB granularity=2MiB\nstream_create s nonblocking\npool_create p\n"
              "malloc a 6MiB p s -> ok 0x10000000\nlimit d0 20MiB\nmalloc b 4MiB p s -> out_of_memory out=null\n"),
      "conformant");
}

// A pool may grow by chunks, and so stand at its limit after a small request.
TEST(Judge, BelievesGrowthByChunks) {
  const std::string limited =
      "device d0 memory=1GiB granularity=2MiB\nstream_create s1 nonblocking\nstream_create s2 nonblocking\n"
      "pool_create p max_size=32MiB\npool_set p release_threshold max\npool_set p reuse_allow_opportunistic 0\n"
      "pool_set p reuse_allow_internal_dependencies 0\nmalloc a 2MiB p s1 -> ok 0x10000000\n";
  const std::string again = "free a s1\nmalloc b 2MiB p s2 -> ok 0x10000000\n";
  EXPECT_EQ(verdict(limited + again), "conformant");  // given back under pressure, and new
  const std::string reading = "pool_get p reserved_mem_current -> ok ";
  EXPECT_EQ(verdict(limited + reading + "33554432\n" + again), "conformant");
  EXPECT_EQ(verdict(limited + reading + "2097152\n" + again), "violation REUSE-POLICY-OPPORTUNISTIC 12");
}

// Units that nobody declared: the rest of one goes with the block in front of it.
TEST(Judge, BelievesUnitsOfARuntimesOwn) {
  const std::string order = "event_record e s1\nstream_wait_event s2 e\n",
                    back = "event_record e s2\nstream_wait_event s1 e\n";
  EXPECT_EQ(verdict(with_switches(1, 0, 0) + "gate_hold s1 g\nmalloc a 512 p s1 -> ok 0x10000000\n" + order +
                    "free a s2\n" + back + "malloc b 1 p s1 -> ok 0x10000000\nfree b s1\n" +
                    "pool_set p reuse_follow_event_dependencies 0\nmalloc c 512 p s1 -> ok 0x10000000\n"),
            "conformant");
}

// Under this profile a free gives memory back whatever the threshold is.
TEST(Judge, LetsFreesReleasePastTheThresholdWhereTheProfileSaysSo) {
  const std::string calls =
      "stream_create s nonblocking\npool_create p\npool_set p release_threshold max\n"
      "malloc a 4KiB p s -> ok 0x10000000\nmalloc b 4KiB p s -> ok 0x10001000\nfree a s\nstream_sync s\n"
      "pool_get p reserved_mem_current -> ok 8192\n";
  const std::string less = "pool_get p reserved_mem_current -> ok 4096\n";
  EXPECT_EQ(verdict(calls + "free b s\n" + less, "hip-2024-as-built"), "conformant");
  EXPECT_EQ(verdict(calls + "stream_sync s\n" + less, "hip-2024-as-built"), "violation RELEASE-THRESHOLD-FLOOR 11");
  EXPECT_EQ(verdict(calls + "free b s\n" + less, "hip-7-documented"), "violation STAT-RESERVED-FALL 11");
}

// No unit is documented, so none binds: neither in reserved nor in a maximum size.
TEST(Judge, AsksForNoUnitThatNoDocumentNames) {
  EXPECT_EQ(verdict("stream_create s nonblocking\npool_create p max_size=8KiB\n"
                    "malloc a 4KiB p s -> ok 0x10000000\npool_get p reserved_mem_current -> ok 4096\n"
                    "malloc b 8KiB p s -> ok 0x10001000\npool_get p reserved_mem_current -> ok 33554432\n",
                    "hip-7-documented"),
            "conformant");
}

// The warnings, by clause.
std::vector<std::string> warnings(const std::string& calls) {
  const auto profile = load_profile("strict");
  EXPECT_TRUE(profile) << profile.error();
  history::NameTable names;
  const auto lines = history::read_text("streampool-history 1\n" + calls, names);
  EXPECT_TRUE(lines);
  Judge judge(*profile, names);
  for (const auto& line : *lines) judge.apply(line);
  judge.finish();
  EXPECT_FALSE(judge.finding());
  std::vector<std::string> clauses;
  for (const Quality& quality : judge.qualities()) clauses.emplace_back(spec::info(quality.clause).id);
  return clauses;
}

const std::string idle_warning = "REUSE-IDLE-OWN-STREAM";

TEST(Judge, WarnsOfGrowthBesideAnIdleBlockOfTheStream) {
  const std::string freed = two_streams +
                            "malloc a 2MiB p s1 -> ok 0x10000000\nfree a s1\n"
                            "pool_get p reserved_mem_current -> ok 2097152\n";
  EXPECT_EQ(warnings(freed + "malloc b 2MiB p s1 -> ok 0x20000000\n"), std::vector{idle_warning});
  EXPECT_EQ(warnings(freed + "malloc b 2MiB p s1 -> ok 0x10000000\n"), std::vector<std::string>{});
}

// A pool may have grown by more than it was asked for, or have had memory from the start.
TEST(Judge, WarnsOfNoFreshMemoryThatWasReservedBefore) {
  const std::string calls = "malloc a 2MiB p s1 -> ok 0x10000000\nfree a s1\n";
  const std::string again = "malloc b 2MiB p s1 -> ok 0x10200000\n", streams = "stream_create s1 nonblocking\n";
  const std::string four = "pool_get p reserved_mem_current -> ok 8388608\n";
  EXPECT_EQ(warnings(streams + "pool_create p\n" + calls + again), std::vector<std::string>{});
  EXPECT_EQ(warnings(streams + "pool_create p\n" + calls + four + again), std::vector<std::string>{});
  EXPECT_EQ(warnings(streams + "pool_default p\n" + four + calls + four + again), std::vector<std::string>{});
  EXPECT_EQ(warnings(streams + "pool_create p\n" + calls + "pool_get p reserved_mem_current -> ok 2097152\n" + again),
            std::vector{idle_warning});
}

TEST(Judge, WarnsOfNoIdleBlockThatMayWaitForAnothersFree) {
  EXPECT_EQ(warnings(two_streams + "malloc a 2MiB p s1 -> ok 0x10000000\nmalloc b 2MiB p s2 -> ok 0x10200000\n"
                                   "free a s1\nfree b s2\nmalloc c 2MiB p s1 -> ok 0x20000000\n"),
            std::vector<std::string>{});
}

TEST(Judge, WarnsOfNothingThatAnOrderOfOverlappingCallsLeavesOpen) {
  // The free may come behind the malloc; or the other malloc took the block first.
  const std::string block = two_streams + "malloc a 2MiB p s1 -> ok 0x10000000\n";
  EXPECT_EQ(warnings(block + "[t1] call 1 free a s1\n[t2] call 2 malloc b 2MiB p s1\n"
                             "[t1] return 1 -> ok\n[t2] return 2 -> ok 0x20000000\n"),
            std::vector<std::string>{});
  // Which of the trim and the free came first decides whether the block is still there.
  EXPECT_EQ(warnings(block + "[t1] call 1 free a s1\n[t2] call 2 pool_trim p 0\n[t1] return 1 -> ok\n"
                             "[t2] return 2 -> ok\nmalloc b 2MiB p s1 -> ok 0x20000000\n"),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace streampool::model
