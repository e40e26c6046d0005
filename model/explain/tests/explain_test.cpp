#include "model/explain/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/history/reader.hpp"
#include "model/profile/load.hpp"

namespace streampool::model {
namespace {

using testing::HasSubstr;

// The answers to the last line of a history.
std::vector<ExplainedAnswer> explain_last(const std::string& calls) {
  static const Profile profile = load_profile("strict").value();
  const std::string text = "streampool-history 1\n" + calls;
  history::NameTable names;
  const auto lines = history::read_text(text, names);
  EXPECT_TRUE(lines) << lines.error().message;
  Explainer explainer(profile, names);
  for (std::size_t i = 0; i + 1 < lines->size(); ++i) explainer.apply((*lines)[i]);
  return explainer.answers(lines->back());
}

const ExplainedAnswer& find(const std::vector<ExplainedAnswer>& answers, std::string_view text) {
  for (const auto& answer : answers) {
    if (answer.answer.find(text) != std::string::npos) return answer;
  }
  ADD_FAILURE() << "no answer has " << text;
  return answers.front();
}

const std::string freed =
    "stream_create s1 nonblocking\nstream_create s2 nonblocking\nevent_create e\ngate_create g\npool_create p\n"
    "pool_set p release_threshold max\npool_set p reuse_allow_internal_dependencies 0\nmalloc a 2MiB p s1 -> ok "
    "0x10000000\ngate_hold s1 g\n"
    "free a s1\n";

TEST(Explain, SaysWhichReuseIsPermittedAndWhy) {
  const auto same = explain_last(freed + "malloc b 2MiB p s1\n");
  EXPECT_TRUE(find(same, "range of a").permitted);
  EXPECT_THAT(find(same, "range of a").clause, HasSubstr("REUSE-SAME"));
  const auto other = explain_last(freed + "malloc b 2MiB p s2\n");
  EXPECT_FALSE(find(other, "range of a").permitted);
  EXPECT_EQ(find(other, "range of a").clause, "REUSE-UNSAFE");
  EXPECT_TRUE(find(other, "fresh").permitted);
  const auto ordered = explain_last(freed + "event_record e s1\nstream_wait_event s2 e\nmalloc b 2MiB p s2\n");
  EXPECT_THAT(find(ordered, "range of a").clause, HasSubstr("REUSE-EVENT"));
}

TEST(Explain, SaysWhatAQueryMayAnswer) {
  const auto held = explain_last(freed + "stream_query s1\n");
  EXPECT_TRUE(find(held, "not_ready").permitted);
  EXPECT_EQ(find(held, "ok").clause, "ORDER-EARLY");
  const auto empty = explain_last(freed + "stream_query s2\n");
  EXPECT_EQ(find(empty, "not_ready").clause, "ORDER-STABLE");
}

TEST(Explain, GivesTheBoundsOfAStatistic) {
  EXPECT_THAT(explain_last(freed + "pool_get p used_mem_current\n").front().answer, HasSubstr("0 to 0"));
  EXPECT_THAT(explain_last(freed + "pool_get p reserved_mem_current\n").front().answer,
              HasSubstr("2097152 to no bound"));
}

TEST(Explain, MallocsWithoutAResultGetFreshMemory) {
  const auto answers =
      explain_last("stream_create s nonblocking\npool_create p\nmalloc a 1MiB p s\nfree a s\nmalloc b 1MiB p s\n");
  EXPECT_TRUE(find(answers, "range of a").permitted);
}

}  // namespace
}  // namespace streampool::model
