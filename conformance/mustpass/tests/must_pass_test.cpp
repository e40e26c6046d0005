#include "conformance/mustpass/must_pass.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "conformance/suites/suite.hpp"
#include "model/profile/load.hpp"

namespace streampool::mustpass {
namespace {

TEST(MustPass, IsWhatTheSuitesSayNow) {
  std::ifstream file(CASES);
  const std::string kept{std::istreambuf_iterator<char>(file), {}};
  std::string now;
  std::FILE* output = popen(COMMAND " list --must-pass", "r");
  ASSERT_NE(output, nullptr);
  std::array<char, 4096> block;
  while (const std::size_t count = fread(block.data(), 1, block.size(), output)) now.append(block.data(), count);
  ASSERT_EQ(pclose(output), 0);
  // Not by EXPECT_EQ: hundreds of lines would hide the one that differs.
  EXPECT_TRUE(now == kept) << "out of date; `cmake --build BUILD --target mustpass` writes it again";
}

TEST(MustPass, HasEveryApplicableCaseOfEveryProfile) {
  for (const std::string_view name : model::builtin_profiles()) {
    const auto profile = model::load_profile(name);
    ASSERT_TRUE(profile);
    std::size_t expected = 0;
    for (const suites::Suite& suite : suites::suites()) {
      if (suite.scenarios == nullptr) continue;
      for (const kit::Scenario& one : suite.scenarios(*profile)) {
        if (one.not_applicable.empty() && !one.undefined) ++expected;
      }
    }
    const auto cases = must_pass(name);
    ASSERT_TRUE(cases);
    EXPECT_EQ(cases->size(), expected) << name;
    EXPECT_GT(expected, 100u) << name;
  }
  EXPECT_FALSE(must_pass("my-own"));
}

TEST(MustPass, CountsQualityAsTheRunDid) {
  EXPECT_TRUE(is_good_end(kit::Verdict::quality, false));
  EXPECT_FALSE(is_good_end(kit::Verdict::quality, true));
  EXPECT_FALSE(is_good_end(kit::Verdict::not_applicable, false));
  EXPECT_FALSE(is_good_end(kit::Verdict::inconclusive, false));
}

}  // namespace
}  // namespace streampool::mustpass
