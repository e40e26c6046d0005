// The clause files: those of the tree are sound, and each kind of mistake is refused with its place.
#include "spec/tools/clause_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "spec/tools/emit.hpp"

namespace streampool::spec::tools {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path clauses_folder = STREAMPOOL_SOURCE_DIR "/spec/clauses";

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The tree's clauses in a folder of its own, with one piece of one file replaced.
class ClauseFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ("clauses_" + std::to_string(::getpid()) + "_" + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(clauses_folder, folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void replace(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read_text(folder_ / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(folder_ / file, std::ios::binary) << text.replace(at, from.size(), to);
  }

  std::string error() {
    const auto specification = read_specification(folder_);
    return specification ? "no error" : specification.error();
  }

  std::filesystem::path folder_;
};

TEST_F(ClauseFiles, OfTheTreeAreSound) { EXPECT_EQ(error(), "no error"); }

TEST_F(ClauseFiles, MissingFieldIsRefused) {
  replace("order.toml", "kind = \"must-not\"\n", "");
  const std::string text = read_text(folder_ / "order.toml");
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("[[clause]]")), '\n');
  EXPECT_THAT(error(), HasSubstr("order.toml:" + std::to_string(line) + ":1: field `kind` is missing"));
}

TEST_F(ClauseFiles, UnknownFieldIsRefused) {
  replace("order.toml", "kind = ", "colour = \"red\"\nkind = ");
  EXPECT_THAT(error(), HasSubstr("unknown field `colour`"));
}

TEST_F(ClauseFiles, UnknownKindIsRefused) {
  replace("order.toml", "\"must-not\"", "\"shall\"");
  EXPECT_THAT(error(), HasSubstr("unknown kind `shall`"));
}

TEST_F(ClauseFiles, ForeignPrefixIsRefused) {
  replace("order.toml", "ORDER-EARLY", "REUSE-EARLY");
  EXPECT_THAT(error(), HasSubstr("must begin with `ORDER-`"));
}

TEST_F(ClauseFiles, RepeatedIdIsRefused) {
  replace("order.toml", "ORDER-EARLY-EVENT", "ORDER-EARLY");
  EXPECT_THAT(error(), HasSubstr("`ORDER-EARLY` is used twice"));
}

TEST_F(ClauseFiles, RepeatedIdOfAFamilyMemberIsRefused) {
  replace("attributes.toml", "ATTR-THRESHOLD-RANGE", "ATTR-WIDTH-RELEASE_THRESHOLD");
  EXPECT_THAT(error(), HasSubstr("`ATTR-WIDTH-RELEASE_THRESHOLD` is used twice"));
}

TEST_F(ClauseFiles, UnknownAttributeIsRefused) {
  replace("statistics.toml", "[\"used_mem_current\"]", "[\"used_mem_now\"]");
  EXPECT_THAT(error(), HasSubstr("unknown attribute `used_mem_now`"));
}

TEST_F(ClauseFiles, ModelledClauseNeedsEveryVendor) {
  const std::string text = read_text(folder_ / "order.toml");
  const std::size_t begin = text.find("hip = {");
  replace("order.toml", text.substr(begin, text.find('\n', begin) - begin), "");
  EXPECT_THAT(error(), HasSubstr("must say for each vendor"));
}

TEST_F(ClauseFiles, UnknownDocumentIsRefused) {
  replace("order.toml", "from = \"cuda-event\"", "from = \"hearsay\"");
  EXPECT_THAT(error(), HasSubstr("not `hearsay`"));
}

TEST_F(ClauseFiles, BrokenTomlIsRefusedWithItsPlace) {
  replace("reuse.toml", "prefix = \"REUSE\"", "prefix = ");
  EXPECT_THAT(error(), HasSubstr("reuse.toml:1:"));
}

TEST(ClauseRules, NameFunctionsThatExist) {
  const auto specification = read_specification(clauses_folder);
  ASSERT_TRUE(specification) << specification.error();
  std::size_t checked = 0;
  for (const auto& chapter : specification->chapters) {
    for (const auto& clause : chapter.clauses) {
      if (clause.rule.empty()) continue;
      const std::size_t blank = clause.rule.find(' ');
      ASSERT_NE(blank, std::string::npos) << clause.id << ": expected FILE FUNCTION";
      const std::string text = read_text(clauses_folder.parent_path() / "rules" / clause.rule.substr(0, blank));
      EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + clause.rule.substr(blank + 1) + "\\(")))
          << clause.id << ": " << clause.rule;
      ++checked;
    }
  }
  EXPECT_GT(checked, 40U);
}

// The rules say in their comments which clauses they are; those must exist, or be theorems.
TEST(ClauseRules, CiteClausesThatExist) {
  const auto specification = read_specification(clauses_folder);
  ASSERT_TRUE(specification) << specification.error();
  std::set<std::string> known;
  std::string prefixes;
  for (const auto& chapter : specification->chapters) {
    prefixes += (prefixes.empty() ? "" : "|") + chapter.prefix;
    for (const auto& clause : chapter.clauses) known.insert({clause.id, clause.family, clause.theorem});
  }
  const std::regex id("\\b(?:" + prefixes + ")-[A-Z][A-Z_-]*[A-Z]");
  std::size_t cited = 0;
  for (const auto& entry : std::filesystem::directory_iterator(clauses_folder.parent_path() / "rules")) {
    const std::string text = entry.is_regular_file() ? read_text(entry.path()) : "";
    for (std::sregex_iterator found(text.begin(), text.end(), id), end; found != end; ++found, ++cited) {
      EXPECT_TRUE(known.contains(found->str())) << entry.path() << ": " << found->str();
    }
  }
  EXPECT_GT(cited, 20U);
}

TEST(Reference, HasAPageForEachChapterAndALineForEachClause) {
  const auto specification = read_specification(clauses_folder);
  ASSERT_TRUE(specification) << specification.error();
  const auto pages = emit_reference(*specification);
  ASSERT_EQ(pages.size(), specification->chapters.size() + 1);
  for (std::size_t i = 0; i < specification->chapters.size(); ++i) {
    for (const auto& clause : specification->chapters[i].clauses) {
      EXPECT_THAT(pages.front().second, HasSubstr("[" + clause.id + "]"));
      EXPECT_THAT(pages[i + 1].second, HasSubstr("## " + clause.id + "\n"));
    }
  }
}

}  // namespace
}  // namespace streampool::spec::tools
