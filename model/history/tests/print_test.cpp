#include "model/history/print.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "model/history/reader.hpp"
#include "model/history/tests/maker.hpp"

namespace streampool::history {
namespace {

// Print and read are each other's inverse, for lines as values and for canonical text.
RC_GTEST_PROP(Print, ReadingGivesBackTheLinesAndTheText, (std::vector<std::uint32_t> choices)) {
  Maker maker(choices);
  const std::vector<Line> lines = maker.history(30);
  const std::string text = print(lines, maker.names());
  const auto read = read_text(text, maker.names());
  if (!read) RC_FAIL(to_text(read.error()) + "\n" + text);
  RC_ASSERT(read->size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!same((*read)[i], lines[i])) RC_FAIL(print(lines[i], maker.names()) + "\n" + text);
  }
  RC_ASSERT(print(*read, maker.names()) == text);
}

// The property is worth something only if every form of line occurs.
TEST(Print, TheMakerReachesEveryOperationAndLineKind) {
  std::set<Op> ops;
  std::set<LineKind> kinds;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Maker maker({seed, seed * 7919, seed * 104729});
    for (const Line& line : maker.history(100)) {
      kinds.insert(line.kind);
      if (line.kind == LineKind::call) ops.insert(line.call.op);
    }
  }
  EXPECT_EQ(ops.size(), op_count);
  EXPECT_EQ(kinds.size(), 6u);
}

// Canonical text comes back as it was.
TEST(Print, CanonicalTextIsKept) {
  const std::string text = R"(streampool-history 1
profile ascend-9.1-beta-as-built
device d0 memory=16GiB granularity=2MiB
device d1
stream_create s1 nonblocking -> ok handle=0x7f00
stream_create s2 blocking d1
event_create e -> ok native=0
gate_create g
pool_create p max_size=0 device=d1 -> ok
pool_default q d0
pool_set p release_threshold max
pool_set p release_threshold 18446744073709551615 -> ok
pool_set p attr:77 raw:00ff -> invalid_value native=1
pool_set p reuse_allow_opportunistic null
pool_get p used_mem_high width=4 -> ok 0 wrote=4
@big [t1] malloc a 3KiB p s1 -> out_of_memory out=unchanged
malloc a 1000 current legacy -> ok 0x10000000
malloc b 0 p per_thread -> ok null
[t1] call 1 stream_sync s1
[t2] call x.2 plain_malloc c max
event_record e s1 -> ok
[t2] return x.2 -> out_of_memory
[t1] return 1 -> ok blocked=g
fill s1 a+16 0x0a 1MiB
check s1 @0x10000000 0xff -> mismatch
launch s1
launch s1 a null @0x0
memory_info d1 -> ok 1000 2000
pool_get_current -> ok handle=0x1
limit d0 1GiB
fail reserve 3
expect overlap(a,b) forbidden
expect status big out_of_memory
expect attribute(p,used_mem_current) in 0..2MiB
expect violation REUSE-UNSAFE
expect program_fault PROGRAM-SYNC-FREE
)";
  NameTable names;
  const auto lines = read_text(text, names);
  ASSERT_TRUE(lines) << to_text(lines.error());
  EXPECT_EQ(print(*lines, names), text);
}

}  // namespace
}  // namespace streampool::history
