#include "conformance/kit/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "conformance/kit/glob.hpp"

namespace streampool::kit {
namespace {

const std::vector<std::string> words = {"--profile", "--runtime", "--seed", "directed"};

TEST(Nearest, FindsTypingErrors) {
  EXPECT_EQ(nearest("--profil", words), "--profile");
  EXPECT_EQ(nearest("--porfile", words), "--profile");
  EXPECT_EQ(nearest("--sed", words), "--seed");
  EXPECT_EQ(nearest("dir", words), "directed");
}

TEST(Nearest, IsSilentOnOtherWords) {
  EXPECT_EQ(nearest("banana", words), "");
  EXPECT_EQ(nearest("", words), "");
}

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(matches("reuse/*", "reuse/event_order"));
  EXPECT_TRUE(matches("*event*order", "reuse/event_order"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*ab*ab", "ababab"));
  EXPECT_FALSE(matches("reuse/*", "release/x"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_FALSE(matches("", "a"));
}

}  // namespace
}  // namespace streampool::kit
