#include "conformance/minimize/shrink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/history/print.hpp"
#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/load.hpp"

namespace streampool::minimize {
namespace {

using namespace spec::literals;
using testing::HasSubstr;
using testing::Not;

class Shrink : public testing::Test {
 protected:
  Lines read(const std::string& text) {
    const auto lines = history::read_text("streampool-history 1\n" + text, names_);
    EXPECT_TRUE(lines.has_value()) << history::to_text(lines.error());
    return *lines;
  }
  std::string print(const Lines& lines) { return history::print(lines, names_); }
  // Fails with all of its lines where that holds.
  static Fails where(std::function<bool(const Lines&)> holds) {
    return
        [holds = std::move(holds)](const Lines& lines) { return holds(lines) ? std::optional(lines) : std::nullopt; };
  }
  // Fails where the printed history has all these words.
  Fails has(std::vector<std::string> words) {
    return where([this, words = std::move(words)](const Lines& lines) {
      const std::string text = print(lines);
      return std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != std::string::npos; });
    });
  }
  history::NameTable names_;
};

constexpr const char* noisy =
    "stream_create s1 blocking\nstream_create s2 nonblocking\nevent_create e\nevent_create f\npool_create p "
    "max_size=8MiB\n"
    "pool_set p release_threshold max\nmalloc a 3MiB p s1\nmalloc b 5000 p s2\nevent_record e s1\n"
    "stream_wait_event s2 f\nfree a s2\nfree b s2\n";

TEST_F(Shrink, KeepsWhatIsNeededAndWhatThatNeeds) {
  const Lines lines = shrink(closed(read(noisy)), {}, has({"free b"}));
  EXPECT_EQ(print(lines),
            "streampool-history 1\nstream_create s2 nonblocking\npool_create p\nmalloc b 0 p s2\nfree b s2\n");
}

// Ids are used again, and a name is known only once the call that makes it has returned.
TEST_F(Shrink, OfOverlappingCallsThoseStayThatReturn) {
  Lines lines = read(
      "[t1] call c pool_create p\n[t1] return c -> ok\n[t1] call c pool_get p used_mem_current\n"
      "[t1] return c -> ok 0\n");
  EXPECT_EQ(closed(lines).size(), 4U);
  lines.erase(lines.begin() + 1);  // the return of the first
  EXPECT_EQ(closed(lines).size(), 0U);
}

// With the lines between them gone, a call meets the return of a later one of its id.
TEST_F(Shrink, ReturnsOfOtherCallsAreNotTheirs) {
  Lines lines = read(
      "stream_create s nonblocking\npool_create p\npool_create q\n[t] call c pool_get p used_mem_current\n"
      "[t] return c -> ok 0\n[t] call c malloc a 1KiB p s\n[t] return c -> ok 0x1000\n");
  lines.erase(lines.begin() + 4, lines.begin() + 6);
  EXPECT_EQ(closed(lines).size(), 3U) << print(closed(lines));

  lines = read(
      "pool_create p\npool_create q\n[t] call c pool_get p used_mem_current\n[t] return c -> ok 0\n"
      "[t] call c pool_get q used_mem_current\n[t] return c -> ok 0\n");
  lines.erase(lines.begin() + 3, lines.begin() + 5);
  lines.erase(lines.begin() + 1);  // the pool of the second call
  const Lines kept = closed(lines);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[2].call.pool, kept[1].call.pool);
}

TEST_F(Shrink, StreamsAndEventsBecomeOne) {
  const Lines lines = shrink(closed(read(noisy)), {}, has({"event_record", "stream_wait_event"}));
  const std::string text = print(lines);
  EXPECT_THAT(text, HasSubstr("event_create"));
  EXPECT_EQ(lines.size(), 4U) << text;
}

TEST_F(Shrink, SizesBecomeTheSmallestThatStillFails) {
  const Lines lines = shrink(closed(read(noisy)), {}, where([](const Lines& candidate) {
                               return std::ranges::any_of(candidate, [](const history::Line& line) {
                                 return line.call.op == history::Op::malloc && *line.call.size > 300;
                               });
                             }));
  EXPECT_THAT(print(lines), HasSubstr("malloc"));
  for (const history::Line& line : lines) {
    if (line.call.op == history::Op::malloc) {
      EXPECT_LE(*line.call.size, 600U);
    }
  }
}

// Fails where four mebibytes are allocated: by many blocks, or by one that is larger than each of them was.
TEST_F(Shrink, ALargeBlockTakesThePlaceOfSmallOnes) {
  std::string text = "stream_create s nonblocking\npool_create p\n";
  for (const char* name : {"a", "b", "c", "d"}) text += std::string("malloc ") + name + " 1MiB p s\n";
  const Lines left = shrink(closed(read(text)), {}, where([](const Lines& lines) {
                              std::uint64_t sum = 0;
                              for (const history::Line& line : lines)
                                sum += line.call.op == history::Op::malloc ? *line.call.size : 0;
                              return sum >= std::uint64_t{4} << 20;
                            }));
  EXPECT_EQ(left.size(), 3U) << print(left);
}

// Where no line goes with it, the small one stays.
TEST_F(Shrink, BlocksAreNotLargerThanNeeded) {
  const Lines left =
      shrink(closed(read("stream_create s nonblocking\npool_create p\nmalloc a 1KiB p s\n")), {}, has({"malloc a"}));
  EXPECT_THAT(print(left), HasSubstr("malloc a 0 p s"));
}

TEST_F(Shrink, ClosedLeavesOutWhatHasNoBeginning) {
  Lines lines =
      read("stream_create s blocking\npool_create p\n[t] call 1 malloc a 1KiB p s\nreturn 1 -> ok 0x1000\nfree a s\n");
  lines.erase(lines.begin() + 2);  // the call: its return and the free go with it
  EXPECT_EQ(closed(lines).size(), 2U);
  lines =
      read("stream_create s blocking\npool_create p\n[t] call 1 malloc a 1KiB p s\nreturn 1 -> ok 0x1000\nfree a s\n");
  lines.erase(lines.begin() + 3);  // the return: the call would never come back
  EXPECT_EQ(closed(lines).size(), 2U);
}

// The runtime died over them: in a run again they are open at its end, too.
TEST_F(Shrink, CallsThatNeverReturnedAreKept) {
  const Lines lines = read(
      "stream_create s blocking\npool_create p\n[t] call 1 pool_get p used_mem_current\nreturn 1 -> ok 0\n"
      "[t] call 1 malloc a 1KiB p s\n[u] call 2 stream_sync s\n");
  EXPECT_EQ(closed(lines).size(), 4U);
  const std::string text = print(closed(finished(lines)));
  EXPECT_THAT(text, HasSubstr("[t] call 1 malloc a 1KiB p s\n[u] call 2 stream_sync s\n"));
  EXPECT_THAT(text, HasSubstr("[t] return 1 -> ok\n[u] return 2 -> ok\n"));
}

// What a candidate did not need is gone at once, and never tried again.
TEST_F(Shrink, WhatStandsBehindTheFailureGoes) {
  const Lines lines = closed(read(noisy));
  std::size_t smallest = lines.size();
  const Lines left = drop_lines(lines, [&](const Lines& candidate) -> std::optional<Lines> {
    EXPECT_LE(candidate.size(), smallest);
    const auto at = std::ranges::find(candidate, history::Op::malloc, [](const history::Line& l) { return l.call.op; });
    if (at == candidate.end()) return std::nullopt;
    const Lines needed(candidate.begin(), at + 1);
    smallest = needed.size();
    return needed;
  });
  EXPECT_EQ(left.size(), 3U) << print(left);
}

// The run adds a line of its own at the end: leaving that out is no progress, and comes to an end.
TEST_F(Shrink, LinesThatARunAddsAreNoProgress) {
  const Lines end = read("gate_create g\ngate_open g\n");
  const Lines left = shrink(closed(read(noisy)), {}, [&](const Lines& candidate) -> std::optional<Lines> {
    if (print(candidate).find("event_record") == std::string::npos) return std::nullopt;
    Lines made = candidate;
    std::erase_if(made, [](const history::Line& line) { return line.call.gate != history::Name::none; });
    made.insert(made.end(), end.begin(), end.end());
    return made;
  });
  EXPECT_EQ(left.size(), 5U) << print(left);
}

TEST_F(Shrink, WhatTheLastCallIsAboutIsTriedFirst) {
  const Lines lines = closed(read(noisy));
  std::vector<std::string> tried;
  const Lines left = keep_related(lines, [&](const Lines& candidate) {
    tried.push_back(print(candidate));
    return std::optional(candidate);
  });
  ASSERT_EQ(tried.size(), 1U);
  EXPECT_EQ(print(left),
            "streampool-history 1\nstream_create s1 blocking\nstream_create s2 nonblocking\nevent_create f\n"
            "pool_create p max_size=8MiB\nmalloc a 3MiB p s1\nmalloc b 5000 p s2\nstream_wait_event s2 f\n"
            "free a s2\nfree b s2\n");
  // A setting of the pool is about neither the block nor the stream: where it is needed, nothing is left out.
  EXPECT_EQ(keep_related(lines, has({"pool_set"})).size(), lines.size());
}

TEST_F(Shrink, PairsOfOverlappingCallsBecomeLines) {
  const Lines lines = read(
      "stream_create s blocking\npool_create p\n[t] call 1 malloc a 1KiB p s\nstream_query s\nreturn 1 -> ok "
      "0x1000\nfree a s\n");
  const std::string text = print(shrink(closed(lines), {}, has({"free a"})));
  EXPECT_THAT(text, Not(HasSubstr("return")));
}

// The recorded answers alone: the judge finds the same clause in what is left.
TEST_F(Shrink, RecordedAnswersWithTheJudge) {
  const model::Profile profile = *model::load_profile("strict");
  const auto overlaps = [&](const Lines& lines) {
    model::Judge judge(profile, names_);
    for (const history::Line& line : lines) judge.apply(line);
    return judge.finding() && judge.finding()->clause == "ALLOC-OVERLAP"_clause;
  };
  const Lines lines = closed(read(
      "stream_create s nonblocking -> ok\nstream_create t nonblocking -> ok\npool_create p -> ok\n"
      "malloc a 1KiB p s -> ok 0x10000000\nmalloc b 1KiB p t -> ok 0x20000000\nfree b t -> ok\nstream_sync t -> ok\n"
      "malloc c 1KiB p t -> ok 0x10000000\n"));
  ASSERT_TRUE(overlaps(lines));
  const Lines small = drop_lines(lines, where(overlaps));
  EXPECT_TRUE(overlaps(small));
  EXPECT_EQ(small.size(), 5U) << print(small);
}

}  // namespace
}  // namespace streampool::minimize
