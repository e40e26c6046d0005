#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <pugixml.hpp>

#include "conformance/report/folder.hpp"
#include "conformance/report/junit.hpp"
#include "conformance/report/record.hpp"
#include "conformance/report/submission.hpp"
#include "conformance/report/summary.hpp"

namespace streampool::report {
namespace {

namespace fs = std::filesystem;
using kit::CaseResult;
using kit::Verdict;
using namespace spec::literals;
using testing::HasSubstr;
using testing::Not;

CaseResult passed(const std::string& name) {
  CaseResult result;
  result.name = name;
  result.suite = "directed";
  result.aims = {"REUSE-EVENT"_clause};
  result.verdict = Verdict::pass;
  result.exercised = 2;
  result.counts = {{"REUSE-EVENT"_clause, 2}, {"ALLOC-STATUS"_clause, 1}};
  result.outcomes = {{"overlap(a, b) allowed", 1, 1}};
  return result;
}

CaseResult failed(const std::string& name) {
  CaseResult result = passed(name);
  result.verdict = Verdict::fail;
  result.clause = "REUSE-UNSAFE"_clause;
  result.line = 2;
  result.explanation = "b lies where a is </script> \x01 pending.";
  result.history = "streampool-history 1\nstream_create s1 blocking\n";
  return result;
}

class InFolder : public testing::Test {
 protected:
  InFolder() : path_(fs::temp_directory_path() / ("streampool-report-test-" + std::to_string(getpid()))) {}
  ~InFolder() override { fs::remove_all(path_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

  std::unique_ptr<Folder> filled(bool with_failure) {
    RunInfo info;
    info.runtime = "host";
    info.profile_hash = std::string(64, 'a');
    auto folder = *Folder::create(path_, info);
    EXPECT_TRUE(folder->add(passed("reuse/one")).has_value());
    if (with_failure) {
      EXPECT_TRUE(folder->add(failed("reuse/two words")).has_value());
    }
    EXPECT_TRUE(folder->finish(false).has_value());
    return folder;
  }

  fs::path path_;
};

TEST_F(InFolder, HoldsRecordsHistoriesAndPages) {
  const auto folder = filled(true);
  const auto recorded = read_records(*read_file(path_ / "results.jsonl"));
  ASSERT_TRUE(recorded.has_value()) << recorded.error();
  ASSERT_EQ(recorded->results.size(), 2U);
  EXPECT_EQ(recorded->results[1].history, "failures/directed-reuse_two_words.pool");
  const std::string history = *read_file(path_ / recorded->results[1].history);
  EXPECT_THAT(history, HasSubstr("stream_create s1 blocking\n# directed reuse/two words: fail"));
  EXPECT_THAT(*read_file(path_ / "report.html"), Not(HasSubstr("@DATA@")));
  // The data must not end its own script element.
  EXPECT_THAT(*read_file(path_ / "report.html"), Not(HasSubstr("is </script>")));
}

TEST_F(InFolder, KeepsFewHistoriesOfOneKind) {
  const auto folder = *Folder::create(path_, RunInfo{});
  const auto add = [&](const std::string& name, const std::string& shape) {
    kit::CaseResult result = failed(name);
    result.shape = shape;
    ASSERT_TRUE(folder->add(std::move(result)).has_value());
  };
  for (int i = 0; i < 9; ++i) add("reuse/" + std::to_string(i), "malloc");
  add("reuse/other", "stream_query");
  ASSERT_TRUE(folder->finish(false).has_value());
  const auto recorded = read_records(*read_file(path_ / "results.jsonl"));
  ASSERT_TRUE(recorded.has_value()) << recorded.error();
  ASSERT_EQ(recorded->results.size(), 10U);
  const kit::CaseResult& last_own = recorded->results[4];
  EXPECT_EQ(last_own.history, "failures/directed-reuse_4.pool");
  EXPECT_EQ(last_own.history_of, "");
  const kit::CaseResult& shared = recorded->results[8];
  EXPECT_EQ(shared.history, "failures/directed-reuse_0.pool");
  EXPECT_EQ(shared.history_of, "reuse/0");
  EXPECT_EQ(shared.verdict, kit::Verdict::fail);
  EXPECT_EQ(recorded->results[9].history, "failures/directed-reuse_other.pool");
  EXPECT_EQ(std::distance(fs::directory_iterator(path_ / "failures"), fs::directory_iterator()), 6);
}

TEST_F(InFolder, ASecondRunLeavesNothingOfTheFirst) {
  (void)filled(true);
  (void)filled(false);
  EXPECT_TRUE(fs::is_empty(path_ / "failures"));
}

TEST_F(InFolder, JunitIsXmlWithoutControlCharacters) {
  (void)filled(true);
  const std::string text = *read_file(path_ / "junit.xml");
  EXPECT_THAT(text, Not(HasSubstr("&#")));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("tests").value(), "2");
  EXPECT_STREQ(suite.attribute("failures").value(), "1");
}

TEST_F(InFolder, SubmissionIsCheckedFileByFile) {
  (void)filled(false);
  const fs::path archive = path_ / "submission.tar";
  ASSERT_TRUE(make_submission(path_, archive).has_value());
  const auto good = check_submission(archive);
  ASSERT_TRUE(good.has_value());
  EXPECT_TRUE(good->problems.empty());
  EXPECT_EQ(good->verdict, "conformant");

  std::string bytes = *read_file(archive);
  bytes.replace(bytes.rfind("\"pass\""), 6, "\"Pass\"");
  ASSERT_TRUE(write_file(archive, bytes).has_value());
  EXPECT_THAT(check_submission(archive)->problems,
              testing::Contains(HasSubstr("changed after it was packed: results.jsonl")));
}

TEST(TotalsOf, ConformanceAndCounts) {
  Totals totals;
  totals.add(passed("a"));
  EXPECT_EQ(totals.conformance(false), Conformance::conformant);
  CaseResult stuck = passed("b");
  stuck.verdict = Verdict::inconclusive;
  totals.add(stuck);
  EXPECT_EQ(totals.conformance(false), Conformance::inconclusive);
  CaseResult poor = passed("c");
  poor.verdict = Verdict::quality;
  Totals strict;
  strict.add(poor);
  EXPECT_EQ(strict.conformance(false), Conformance::conformant);
  EXPECT_EQ(strict.conformance(true), Conformance::not_conformant);
  totals.add(failed("d"));
  EXPECT_EQ(totals.conformance(false), Conformance::not_conformant);
  EXPECT_EQ(totals.clauses()["REUSE-EVENT"_clause.index].exercised, 6U);
  EXPECT_EQ(totals.clauses()["REUSE-UNSAFE"_clause.index].failed, 1U);
}

TEST(TotalsOf, EachVerdictThatCountsAgainstTheRuntime) {
  for (const Verdict verdict : {Verdict::fail, Verdict::crash, Verdict::timeout, Verdict::internal_error}) {
    Totals totals;
    CaseResult result = passed("a");
    result.verdict = verdict;
    totals.add(result);
    EXPECT_EQ(totals.conformance(false), Conformance::not_conformant) << kit::name(verdict);
  }
  for (const Verdict verdict :
       {Verdict::not_exercised, Verdict::not_applicable, Verdict::not_supported, Verdict::waived}) {
    Totals totals;
    CaseResult result = passed("a");
    result.verdict = verdict;
    totals.add(result);
    EXPECT_EQ(totals.conformance(true), Conformance::conformant) << kit::name(verdict);
  }
}

TEST(TotalsOf, OutcomesAreNeverSometimesAlways) {
  Totals totals;
  CaseResult result = passed("a");
  totals.add(result);
  EXPECT_EQ(totals.outcomes().begin()->second.word(), "always");
  result.outcomes.front().seen = 0;
  totals.add(result);
  EXPECT_EQ(totals.outcomes().begin()->second.word(), "sometimes");
}

TEST(Summary, SaysWhatFailedAndHowToReplay) {
  Totals totals;
  CaseResult result = failed("reuse/two");
  result.history = "failures/x.pool";
  totals.add(result);
  RunInfo info;
  info.runtime = "mine.so";
  const std::string text = summary(totals, info, "out", false);
  EXPECT_THAT(text, HasSubstr("NOT CONFORMANT"));
  EXPECT_THAT(text, HasSubstr("Overlaps that are allowed   seen always in 1\n"));
  EXPECT_THAT(text, HasSubstr("REUSE-UNSAFE (must-not)"));
  EXPECT_THAT(text, HasSubstr("streampool replay out/failures/x.pool --runtime mine.so"));
  EXPECT_THAT(summary(totals, info, "out", true), HasSubstr("INTERRUPTED"));
}

TEST(Records, ErrorsNameTheLine) {
  EXPECT_THAT(read_records("{\"case\": 1}\n").error(), HasSubstr("line 1"));
  EXPECT_THAT(read_records("\nnonsense\n").error(), HasSubstr("line 2"));
}

}  // namespace
}  // namespace streampool::report
