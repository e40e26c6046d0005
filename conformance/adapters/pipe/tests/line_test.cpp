#include "conformance/adapters/pipe/line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace streampool::pipe {
namespace {

RC_GTEST_PROP(PipeLine, GivesBackEveryText, (const std::string& text)) {
  const std::string word = encode_text(text);
  RC_ASSERT(split_words(word).size() == 1u);
  RC_ASSERT(split_words(word).front() == word);
  RC_ASSERT(decode_text(word) == text);
}

RC_GTEST_PROP(PipeLine, GivesBackAllBytes, (const std::vector<std::uint8_t>& bytes)) {
  RC_ASSERT(decode_bytes(encode_bytes(bytes)) == bytes);
}

TEST(PipeLine, WritesBytesInMemoryOrder) {
  EXPECT_EQ(encode_bytes(std::vector<std::uint8_t>{0, 0xff, 0x12}), "x00ff12");
  EXPECT_EQ(encode_bytes({}), "x");
}

RC_GTEST_PROP(PipeLine, GivesBackEveryNumber, (std::uint64_t number)) {
  RC_ASSERT(decode_number(std::to_string(number)) == number);
}

RC_GTEST_PROP(PipeLine, TakesNoLineForMoreThanItIs, (const std::string& line)) {
  const auto reply = parse_reply(line);
  if (reply) RC_ASSERT(split_words(line).size() >= 2u + reply->outputs.size());
}

TEST(PipeLine, RefusesWhatIsNoNumberOrNoBytes) {
  for (const char* word : {"", "0x", "-1", "1 ", "18446744073709551616", "0xg"})
    EXPECT_FALSE(decode_number(word)) << word;
  EXPECT_EQ(decode_number("0xff"), 255u);
  for (const char* word : {"", "00", "x0", "xzz", "x-1"}) EXPECT_FALSE(decode_bytes(word)) << word;
  EXPECT_FALSE(decode_text("50%"));
  EXPECT_FALSE(decode_text("%zz"));
}

TEST(PipeLine, KeepsTextsApartFromWordsWithAMeaning) {
  for (const std::string text : {"-", "!", "%", ""}) {
    EXPECT_NE(encode_text(text), "-");
    EXPECT_NE(encode_text(text), "!");
    EXPECT_EQ(decode_text(encode_text(text)), text);
  }
}

TEST(PipeLine, TakesAReplyApart) {
  const auto reply = parse_reply("17 out_of_memory 0x10 - ! -5 the memory is full\r");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->id, 17u);
  EXPECT_EQ(reply->status, STREAMPOOL_OUT_OF_MEMORY);
  EXPECT_EQ(reply->outputs, (std::vector<std::string>{"0x10", "-"}));
  EXPECT_EQ(reply->code, -5);
  EXPECT_EQ(reply->text, "the memory is full");
}

TEST(PipeLine, RefusesWhatIsNoReply) {
  for (const char* line : {"", "1", "one ok", "1 fine", "1 ok !", "1 ok ! five"})
    EXPECT_FALSE(parse_reply(line)) << line;
}

}  // namespace
}  // namespace streampool::pipe
