#include "conformance/kit/expectations.hpp"

#include <gtest/gtest.h>

#include "model/history/reader.hpp"

namespace streampool::kit {
namespace {

Expectations evaluated(const std::string& text) {
  history::NameTable names;
  const auto lines =
      history::read_text("streampool-history 1\nstream_create s blocking\npool_create p\n" + text, names);
  EXPECT_TRUE(lines.has_value()) << history::to_text(lines.error());
  return evaluate(*lines, names);
}

TEST(Expectations, Overlap) {
  const std::string blocks =
      "malloc a 16 p s -> ok 0x1000\nmalloc b 16 p s -> ok 0x1010\nmalloc c 17 p s -> ok 0x1000\n";
  EXPECT_FALSE(evaluated(blocks + "expect overlap(a, b) allowed\n").outcomes.front().seen);
  EXPECT_TRUE(evaluated(blocks + "expect overlap(b, c) allowed\n").outcomes.front().seen);
  EXPECT_EQ(evaluated(blocks + "expect overlap(a, b) required\n").unmet_overlaps.size(), 1U);
  EXPECT_EQ(evaluated(blocks + "expect overlap(a, c) forbidden\n").unmet_overlaps.size(), 1U);
}

TEST(Expectations, StatusAndAttribute) {
  EXPECT_EQ(evaluated("@x malloc a 16 p s -> out_of_memory\nexpect status x ok\n").unmet.size(), 1U);
  EXPECT_TRUE(evaluated("@x malloc a 16 p s -> out_of_memory\nexpect status x out_of_memory\n").unmet.empty());
  EXPECT_EQ(
      evaluated("pool_get p used_mem_current -> ok 5\nexpect attribute(p, used_mem_current) in 0..4\n").unmet.size(),
      1U);
  EXPECT_TRUE(
      evaluated("pool_get p used_mem_current -> ok 5\nexpect attribute(p, used_mem_current) in 5..5\n").unmet.empty());
}

}  // namespace
}  // namespace streampool::kit
