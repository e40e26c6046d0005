// Which failures of a run are minimised, and which of them tell one story.
#include "conformance/minimize/failures.hpp"

#include <gtest/gtest.h>

#include "model/profile/load.hpp"

namespace streampool::minimize {
namespace {

class FailuresTest : public testing::Test {
 protected:
  FailuresTest() {
    worker_.executable = STREAMPOOL_PROGRAM;
    worker_.runtime = "mutant:null_is_success";
    worker_.profile = "strict";
  }
  // A failure of that mutant. `pool`: how the pool is come by. Each name has a length of its own.
  static kit::CaseResult failed(const std::string& name, const std::string& pool = "pool_create p") {
    kit::CaseResult result;
    result.suite = "random";
    result.name = name;
    result.verdict = kit::Verdict::fail;
    result.clause = spec::find_clause("ALLOC-NONNULL");
    result.shape = "malloc";
    result.history = "streampool-history 1\nstream_create n blocking\nstream_create s nonblocking\n" + pool + "\n";
    for (std::size_t i = 0; i < name.size(); ++i) result.history += "malloc x" + std::to_string(i) + " 1KiB p n\n";
    result.history += "malloc a 9GiB p s\n";
    return result;
  }

  const model::Profile profile_ = *model::load_profile("strict");
  const std::atomic<bool> interrupted_{false};
  kit::WorkerSettings worker_;
};

TEST_F(FailuresTest, ThoseOfOneFormTellOneStory) {
  Failures failures(worker_, profile_, interrupted_);
  kit::CaseResult first = failed("random/1"), second = failed("random/two"),
                  other = failed("random/3", "pool_default p");
  for (kit::CaseResult* result : {&first, &second, &other}) {
    failures.minimise(*result);
    EXPECT_EQ(result->history.find("1KiB"), std::string::npos) << result->history;
    EXPECT_NE(result->history.find("-> ok null"), std::string::npos) << result->history;
  }
  EXPECT_EQ(first.history_of, "");
  EXPECT_EQ(second.history_of, "random/1");
  EXPECT_EQ(other.history_of, "");
}

// A serial fault met by the threads suite: made again, the calls say which clause it is.
TEST_F(FailuresTest, WhereNoOrderFitsTheClauseThatItsCallsBreakIsTold) {
  Failures failures(worker_, profile_, interrupted_);
  kit::CaseResult named = failed("threads/1"), other = failed("threads/2");
  named.clause = other.clause = spec::find_clause("THREAD-LINEARIZABLE");
  named.explanation = "No order of 7 overlapping calls explains their results; one of them breaks ALLOC-NONNULL: null.";
  other.explanation = "No order of 7 overlapping calls explains their results; one of them breaks STAT-USED: 9.";
  const std::string before = other.history;
  failures.minimise(named);
  failures.minimise(other);
  EXPECT_EQ(named.clause, spec::find_clause("ALLOC-NONNULL"));
  EXPECT_NE(named.explanation.find("no order of them"), std::string::npos) << named.explanation;
  EXPECT_EQ(named.history.find("1KiB"), std::string::npos) << named.history;
  EXPECT_EQ(other.clause, spec::find_clause("THREAD-LINEARIZABLE"));
  EXPECT_EQ(other.history, before);
}

TEST_F(FailuresTest, OnlySoManyOfAKind) {
  Failures failures(worker_, profile_, interrupted_, {.of_a_kind = 1});
  kit::CaseResult first = failed("random/1"), second = failed("random/2");
  const std::string before = second.history;
  failures.minimise(first);
  failures.minimise(second);
  EXPECT_EQ(first.history.find("1KiB"), std::string::npos);
  EXPECT_EQ(second.history, before);
  EXPECT_EQ(second.history_of, "random/1");
}

TEST_F(FailuresTest, WithoutTimeTheyStayAsTheyAre) {
  Failures failures(worker_, profile_, interrupted_, {.all = std::chrono::milliseconds(0)});
  kit::CaseResult result = failed("random/1"), second = failed("random/2");
  const std::string before = result.history;
  failures.minimise(result);
  failures.minimise(second);
  EXPECT_EQ(result.history, before);
  EXPECT_EQ(second.history_of, "");  // the first tells no more than it does
}

TEST_F(FailuresTest, OneThatDoesNotFailAgainStaysAsItIs) {
  worker_.runtime = "mutant";
  Failures failures(worker_, profile_, interrupted_);
  kit::CaseResult result = failed("random/1");
  const std::string before = result.history;
  failures.minimise(result);
  EXPECT_EQ(result.history, before);
  EXPECT_EQ(result.history_of, "");
}

}  // namespace
}  // namespace streampool::minimize
