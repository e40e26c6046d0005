// The gallery of unsound rules: each is refuted by a run, and the judge, which knows only the specification's rules,
// rejects that run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/monitor/judge_text.hpp"
#include "spec/theorems/gallery.hpp"
#include "spec/theorems/witness.hpp"

namespace streampool::theorems {
namespace {

class Gallery : public testing::TestWithParam<std::size_t> {};
TEST_P(Gallery, IsRefutedByARunThatTheJudgeRejects) {
  const Wrong& wrong = gallery()[GetParam()];
  const auto found = refute(wrong);
  ASSERT_TRUE(found) << wrong.id;
  EXPECT_THAT(model::judge_text(found->history).in_words(), testing::StartsWith("violation REUSE-")) << found->history;
}
std::string gallery_id(const testing::TestParamInfo<std::size_t>& tested) { return gallery()[tested.param].id; }
INSTANTIATE_TEST_SUITE_P(All, Gallery, testing::Range<std::size_t>(0, 7), gallery_id);

// The counterexamples are litmus files: one for each wrong rule, rejected for the clause that it names.
TEST(Litmus, HoldsEveryRefutedRule) {
  for (const Wrong& wrong : gallery()) {
    std::ifstream file(std::string(STREAMPOOL_UNSOUND_LITMUS) + "/" + wrong.id + ".pool");
    ASSERT_TRUE(file) << wrong.id;
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(model::judge_text(text.str()).in_words(), "violation REUSE-UNSAFE") << wrong.id;
  }
}

TEST(OwnRules, ShareNoMemoryInFiveMoves) { EXPECT_FALSE(search_own_rules(5)); }

// A witness of the machine's step is a run that the judge accepts.
class Witnesses : public testing::TestWithParam<const char*> {};
TEST_P(Witnesses, Replay) {
  const Witness witness = witness_of(transition(GetParam()));
  ASSERT_TRUE(witness.found);
  EXPECT_EQ(model::judge_text(witness.history).in_words(), "conformant") << witness.history;
}
INSTANTIATE_TEST_SUITE_P(, Witnesses, testing::Values("malloc", "free", "use", "record", "wait", "free_sync"));

}  // namespace
}  // namespace streampool::theorems
