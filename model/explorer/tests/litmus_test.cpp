// Every litmus test of the tree: the model computes its verdict and must agree with the file.
#include "model/explorer/litmus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "model/history/reader.hpp"
#include "model/history/signature.hpp"
#include "model/profile/load.hpp"

namespace streampool::model::explorer {
namespace {

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STREAMPOOL_LITMUS)) {
    if (entry.path().extension() == ".pool") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

TEST(Litmus, TheModelAgreesWithEveryFile) {
  const auto profile = load_profile("strict");
  ASSERT_TRUE(profile);
  std::size_t expectations = 0;
  std::set<Overlap> verdicts;
  for (const auto& path : files()) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    history::NameTable names;
    const auto lines = history::read_text(text, names);
    ASSERT_TRUE(lines) << history::to_text(lines.error());
    EXPECT_TRUE(keeps_obligations(*profile, names, *lines));
    for (const history::Line& line : *lines) {
      if (line.kind != history::LineKind::expect) continue;
      ASSERT_EQ(line.expect.kind, history::Expect::Kind::overlap);
      const auto verdict = overlap_of(*profile, *lines, line.expect.first, line.expect.second);
      ASSERT_TRUE(verdict);
      EXPECT_EQ(*verdict, line.expect.verdict) << "the model says " << history::to_text(*verdict);
      verdicts.insert(*verdict);
      ++expectations;
    }
  }
  EXPECT_GE(expectations, 60u);
  EXPECT_TRUE(verdicts.contains(Overlap::forbidden) && verdicts.contains(Overlap::allowed));
}

}  // namespace
}  // namespace streampool::model::explorer
