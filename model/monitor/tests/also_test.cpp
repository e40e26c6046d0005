// Facts that break two clauses: both are named, and the second only where it is what explains the answer. And ends of
// histories that came to no end.
#include <gtest/gtest.h>

#include <string>

#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/load.hpp"

namespace streampool::model {
namespace {

// "CLAUSE", "CLAUSE + CLAUSE", or "none".
std::string broken(const std::string& calls) {
  const auto profile = load_profile("strict");
  history::NameTable names;
  const auto lines = history::read_text("streampool-history 1\n" + calls, names);
  if (!profile || !lines) return lines ? profile.error() : history::to_text(lines.error());
  Judge judge(*profile, names);
  for (const history::Line& line : *lines) judge.apply(line);
  judge.finish();
  if (!judge.finding() || judge.finding()->kind != Finding::Kind::violation) return "none";
  std::string text(spec::info(judge.finding()->clause).id);
  if (const auto also = judge.finding()->also) text.append(" + ").append(spec::info(*also).id);
  return text;
}

const std::string small_device = "device d0 memory=64MiB granularity=2MiB\n";
const std::string streams = "stream_create s1 nonblocking\nstream_create s2 nonblocking\ngate_create g\n";
const std::string keeping_pool =
    "pool_create p max_size=0\npool_set p release_threshold max\npool_set p reuse_follow_event_dependencies 0\n"
    "pool_set p reuse_allow_opportunistic 0\npool_set p reuse_allow_internal_dependencies 0\n";

TEST(Also, AStreamThatIsTakenForTheDestroyedOne) {
  const auto reused = [](const std::string& handle) {
    return "stream_create s1 nonblocking -> ok handle=0x11\ngate_create g\n" + keeping_pool +
           "malloc a 2MiB p s1 -> ok 0x10000000\ngate_hold s1 g\nfree a s1\nstream_destroy s1\n"
           "stream_create s2 nonblocking -> ok handle=" +
           handle + "\nmalloc b 2MiB p s2 -> ok 0x10000000\n";
  };
  EXPECT_EQ(broken(reused("0x11")), "REUSE-UNSAFE + LIFE-RECYCLED-STREAM");
  EXPECT_EQ(broken(reused("0x12")), "REUSE-UNSAFE");
}

TEST(Also, AnEventThatIsTakenForTheDestroyedOne) {
  const auto asked = [](const std::string& record) {
    return streams + "event_create e -> ok handle=0x21\ngate_hold s1 g\n" + record +
           "event_destroy e\nevent_create f -> ok handle=0x21\nevent_query f -> not_ready\n";
  };
  EXPECT_EQ(broken(asked("event_record e s1\n")), "ORDER-EVENT-EMPTY + LIFE-RECYCLED-EVENT");
  EXPECT_EQ(broken(asked("")), "ORDER-EVENT-EMPTY");  // the old one held nothing either
}

TEST(Also, APoolThatIsTakenForTheDestroyedOne) {
  const auto read = [](const std::string& value) {
    return "pool_create p max_size=0 -> ok handle=0x31\npool_set p release_threshold 2MiB\npool_destroy p\n"
           "pool_create q max_size=0 -> ok handle=0x31\npool_get q release_threshold -> ok " +
           value + "\n";
  };
  EXPECT_EQ(broken(read("2097152")), "ATTR-DEFAULT-RELEASE_THRESHOLD + LIFE-RECYCLED-POOL");
  EXPECT_EQ(broken(read("4096")), "ATTR-DEFAULT-RELEASE_THRESHOLD");
}

TEST(Also, ShortageThatIsNotReportedAsSuch) {
  const auto asked = [](const std::string& size, const std::string& answer) {
    return small_device + streams + keeping_pool + "malloc a " + size + " p s1 -> " + answer + "\n";
  };
  EXPECT_EQ(broken(asked("128MiB", "ok null")), "ALLOC-NONNULL + CAP-OOM-STATUS");
  EXPECT_EQ(broken(asked("2MiB", "ok null")), "ALLOC-NONNULL");
  EXPECT_EQ(broken(asked("128MiB", "internal")), "ALLOC-STATUS + CAP-OOM-STATUS");
  EXPECT_EQ(broken(asked("2MiB", "internal")), "ALLOC-STATUS");
  EXPECT_EQ(broken(asked("128MiB", "ok 0x10000000")), "CAP-OOM-STATUS");
  EXPECT_EQ(broken(asked("64MiB", "ok 0x10000000")), "none");
}

TEST(Also, AFailureThatSticksOrWasNone) {
  const std::string begin = small_device + streams + keeping_pool + "event_create e\n";
  const std::string failed = "fail reserve 1\nmalloc a 2MiB p s1 -> out_of_memory\n";
  EXPECT_EQ(broken(begin + failed + "malloc b 2MiB p s1 -> out_of_memory\n"), "CAP-MUST-SERVE + CAP-FAULT");
  EXPECT_EQ(broken(begin + failed + "malloc b 2MiB p s1 -> ok 0x10000000\nmalloc c 2MiB p s1 -> out_of_memory\n"),
            "CAP-MUST-SERVE");
  EXPECT_EQ(broken(begin + "gate_hold s1 g\nfail submit 1\nevent_record e s1 -> out_of_memory\n" +
                   "event_query e -> not_ready\n"),
            "ORDER-EVENT-EMPTY + CAP-FAULT");
}

TEST(Also, PlainMemoryOverAHeldFree) {
  EXPECT_EQ(broken(streams + "plain_malloc a 2MiB -> ok 0x10000000\ngate_hold s1 g\nfree a s1\n"
                             "plain_malloc b 2MiB -> ok 0x10000000\n"),
            "REUSE-UNSAFE + REUSE-PLAIN");
}

TEST(Also, TheDeviceGetsBackWhatIsHeldNoSooner) {
  const auto destroyed = [](const std::string& opened, const std::string& free) {
    return small_device + streams + keeping_pool +
           "malloc a 2MiB p s1 -> ok 0x10000000\npool_get p reserved_mem_current -> ok 2097152\ngate_hold s1 g\n"
           "free a s1\nmemory_info -> ok 33554432\npool_destroy p\n" +
           opened + "memory_info -> ok " + free + "\n";
  };
  EXPECT_EQ(broken(destroyed("", "33554432")), "none");
  EXPECT_EQ(broken(destroyed("", "35651584")), "RELEASE-LIVE-KEPT");
  EXPECT_EQ(broken(destroyed("gate_open g\nstream_sync s1\n", "35651584")), "none");
}

TEST(NeverReturned, CallsOfTwoThreadsAreADeadlock) {
  const std::string begin = streams + "event_create e\npool_create p max_size=0\ngate_hold s1 g\nevent_record e s1\n";
  const std::string both = "malloc a 2MiB p s2 -> timeout\n[t1] return c -> timeout\n";
  EXPECT_EQ(broken(begin + "[t1] call c event_sync e\n[watchdog] gate_open g\n" + both), "THREAD-DEADLOCK");
  // With the gate closed it is the malloc alone that may not wait.
  EXPECT_EQ(broken(begin + "[t1] call c event_sync e\n" + both), "ASYNC-BLOCKED-MALLOC");
  EXPECT_EQ(broken(begin + "[watchdog] gate_open g\nmalloc a 2MiB p s2 -> timeout\n"), "LIFE-NO-CRASH");
}

}  // namespace
}  // namespace streampool::model
