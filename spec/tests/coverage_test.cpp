// The coverage check: what it reads, and that each of its complaints can be provoked.
#include "spec/tools/coverage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/clauses.hpp"

namespace streampool::spec::tools {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// One case that names every clause.
std::vector<CoverageCase> everything() {
  CoverageCase all{.name = "all", .clauses = {}};
  for (const auto& clause : clauses()) all.clauses.emplace_back(clause.id);
  return {all};
}

void drop(std::vector<CoverageCase>& cases, std::string_view id) { std::erase(cases.front().clauses, id); }

TEST(Coverage, ReadsLinesAndJson) {
  const auto lines = read_cases("# comment\nfirst REUSE-UNSAFE ORDER-EARLY # why\n\nsecond ALLOC-WRAP\n");
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 2U);
  EXPECT_EQ(lines->front().name, "first");
  EXPECT_THAT(lines->front().clauses, ElementsAre("REUSE-UNSAFE", "ORDER-EARLY"));
  const auto list =
      read_cases(R"([{"case": "a", "clauses": ["X"], "suite": "directed"}, {"name": "b", "clauses": []}])");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 2U);
  EXPECT_THAT(list->front().clauses, ElementsAre("X"));
  const auto suites = read_cases(R"([{"suite": "directed", "about": "", "cases": [{"case": "a", "clauses": ["X"]}]}])");
  ASSERT_TRUE(suites);
  EXPECT_EQ(suites->size(), 1U);
  const auto records = read_cases("{\"case\": \"a\", \"clauses\": [\"X\"]}\n{\"case\": \"b\", \"clauses\": [\"Y\"]}\n");
  ASSERT_TRUE(records);
  EXPECT_EQ(records->size(), 2U);
}

TEST(Coverage, RefusesOtherJson) {
  EXPECT_FALSE(read_cases("[1, 2]"));
  EXPECT_FALSE(read_cases("[{\"case\": \"a\"}]"));
  EXPECT_FALSE(read_cases("{\"case\": \"a\", \"clauses\": [1]}"));
  EXPECT_FALSE(read_cases("{\"case\""));
}

TEST(Coverage, AllClausesNamedIsNoComplaint) {
  EXPECT_THAT(check_tested(everything()), IsEmpty());
  EXPECT_THAT(check_names(everything()), IsEmpty());
}

TEST(Coverage, AClauseWithoutTestIsNamed) {
  for (const auto* id : {"REUSE-UNSAFE", "ALLOC-NONNULL", "ATTR-READ-ONLY-USED_MEM_CURRENT"}) {
    auto cases = everything();
    drop(cases, id);
    EXPECT_THAT(check_tested(cases), ElementsAre(HasSubstr(id)));
  }
}

TEST(Coverage, PermissionsAndLaterChaptersNeedNoTest) {
  auto cases = everything();
  for (const auto* id : {"REUSE-EVENT", "RELEASE-TRIM-REST", "ALLOC-SIZE-ZERO", "IPC-FREE-ORDER"}) drop(cases, id);
  EXPECT_THAT(check_tested(cases), IsEmpty());
}

TEST(Coverage, UnknownAndMissingNamesAreComplaints) {
  std::vector<CoverageCase> cases;
  cases.push_back({.name = "typo", .clauses = {"REUSE-UNSAVE"}});
  cases.push_back({.name = "bare", .clauses = {}});
  EXPECT_THAT(check_names(cases),
              UnorderedElementsAre("case typo names an unknown clause: REUSE-UNSAVE", "case bare names no clause"));
}

TEST(Coverage, HistoriesTestWhatTheyExpectToBeBroken) {
  EXPECT_THAT(
      expected_clauses(
          "profile strict\nmalloc a 1 p s -> ok 0x10\nexpect violation REUSE-UNSAFE # here\n"
          "  expect program_fault PROGRAM-SYNC-FREE\r\nexpect overlap(a, b) forbidden\n# say: expect violation X\n"),
      ElementsAre("REUSE-UNSAFE", "PROGRAM-SYNC-FREE"));
  EXPECT_THAT(expected_clauses("streampool-history 1\n# expect: violation REUSE-PLAIN|REUSE-UNSAFE\n"),
              ElementsAre("REUSE-PLAIN"));
  EXPECT_THAT(expected_clauses("streampool-history 1\n# expect: conformant\n"), IsEmpty());
}

TEST(Coverage, FirstWordsAreKnownButTestNoClause) {
  auto cases = everything();
  drop(cases, "ATTR-READBACK-RELEASE_THRESHOLD");
  cases.push_back({.name = "vague", .clauses = {"ATTR-READBACK", "ALLOC-FREE"}});
  EXPECT_THAT(check_names(cases), IsEmpty());
  EXPECT_THAT(check_tested(cases), ElementsAre(HasSubstr("ATTR-READBACK-RELEASE_THRESHOLD")));
}

TEST(Coverage, FindsLiterals) {
  EXPECT_THAT(clause_literals(R"(count("REUSE-UNSAFE"_clause); of("ATTR-RESET"_family, 6); "plain"; x"_clause)"),
              UnorderedElementsAre("REUSE-UNSAFE", "ATTR-RESET"));
}

TEST(Coverage, AnOrphanIsNamedAndAFamilyCountsForItsMembers) {
  const auto complaints = check_orphans({"REUSE-UNSAFE", "ATTR-RESET"});
  EXPECT_THAT(complaints, Not(Contains(HasSubstr("REUSE-UNSAFE "))));
  EXPECT_THAT(complaints, Not(Contains(HasSubstr("ATTR-RESET-USED_MEM_HIGH "))));
  EXPECT_THAT(complaints, Contains(HasSubstr("ORDER-EARLY ")));
  EXPECT_THAT(complaints, Not(Contains(HasSubstr("IPC-"))));
}

}  // namespace
}  // namespace streampool::spec::tools
