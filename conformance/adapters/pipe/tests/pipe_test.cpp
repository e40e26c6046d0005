// The pipe runtime against small programs: shell one-liners for what can go wrong, the Python example for what works.
#include <array>
#include <thread>

#include "conformance/adapters/tests/adapter.hpp"

namespace streampool::adapters {
namespace {

struct Pipe : testing::Test {
  const streampool_runtime& runtime = load_adapter(PIPE_ADAPTER);
  streampool_context context = 0;

  void TearDown() override {
    if (context != 0) runtime.close(context);
  }
  streampool_status open(const char* key, const std::string& value) {
    const streampool_option option{key, value.c_str()};
    return runtime.open(&option, 1, &context);
  }
  Error last_error() {
    char text[256];
    Error error;
    runtime.last_error(context, &error.code, text, sizeof text);
    error.text = text;
    return error;
  }
};

// Answers every request by the rest of the script, one `read` each.
std::string shell(const std::string& script) { return "next() { read -r id thread call words || exit 0; }; " + script; }

TEST_F(Pipe, NeedsAProgram) {
  EXPECT_EQ(runtime.open(nullptr, 0, &context), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(open("library", "/nowhere/program"), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_NE(last_error().text.find("/nowhere/program"), std::string::npos);
  EXPECT_EQ(open("command", "exit 3"), STREAMPOOL_INTERNAL);
}

TEST_F(Pipe, GivesOnAFailureTheProgramsCodeAndText) {
  EXPECT_EQ(open("command", shell("next; echo $id not_supported ! 35 no device here")), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_EQ(last_error().code, 35);
  EXPECT_EQ(last_error().text, "open: no device here");
}

TEST_F(Pipe, OffersWhatTheProgramOffers) {
  ASSERT_EQ(open("command", shell("next; echo $id ok 5; next; echo $id ok")), STREAMPOOL_OK);
  EXPECT_EQ(runtime.capabilities_of(context), 5u);
  EXPECT_EQ(runtime.capabilities_of(context + 1), 0u);
  EXPECT_EQ(runtime.close(std::exchange(context, 0)), STREAMPOOL_OK);
}

TEST_F(Pipe, KeepsTheProgramForTheNextContextAndStartsItAgainWhenItHasEnded) {
  const std::string script = shell("next; echo $id ok 1; next; echo $id ok; next; echo $id ok 2; next; echo $id ok");
  for (const std::uint64_t process : {1u, 2u, 1u}) {
    ASSERT_EQ(open("command", script), STREAMPOOL_OK) << last_error().text;
    EXPECT_EQ(runtime.capabilities_of(context), process);
    ASSERT_EQ(runtime.close(std::exchange(context, 0)), STREAMPOOL_OK);
  }
}

TEST_F(Pipe, AnswersInternalWhenTheProgramEnds) {
  ASSERT_EQ(open("command", shell("next; echo $id ok 1; next; exit 1")), STREAMPOOL_OK);
  EXPECT_EQ(runtime.stream_query(context, 1), STREAMPOOL_INTERNAL);
  EXPECT_NE(last_error().text.find("stream_query: the program"), std::string::npos) << last_error().text;
  EXPECT_EQ(runtime.stream_query(context, 1), STREAMPOOL_INTERNAL) << "and goes on so";
}

TEST_F(Pipe, AnswersInternalToALineThatIsNoReply) {
  ASSERT_EQ(open("command", shell("next; echo $id ok 1; next; echo hello there; cat >/dev/null")), STREAMPOOL_OK);
  EXPECT_EQ(runtime.stream_query(context, 1), STREAMPOOL_INTERNAL);
  EXPECT_NE(last_error().text.find("hello there"), std::string::npos);
}

TEST_F(Pipe, AnswersInternalToOutputsThatDoNotFit) {
  const char* script =
      "next; echo $id ok 1; next; echo $id ok many; next; echo $id ok 1 2; next; echo $id ok x0102; next";
  ASSERT_EQ(open("command", shell(script)), STREAMPOOL_OK);
  streampool_stream stream = 7;
  EXPECT_EQ(runtime.stream_create(context, 0, 0, &stream), STREAMPOOL_INTERNAL);
  EXPECT_EQ(runtime.stream_create(context, 0, 0, &stream), STREAMPOOL_INTERNAL);
  std::uint8_t byte = 0;
  EXPECT_EQ(runtime.read(context, 1, 0x1000, 1, &byte), STREAMPOOL_INTERNAL) << "two bytes where one has room";
}

TEST_F(Pipe, LeavesAloneWhatTheProgramDidNotWrite) {
  ASSERT_EQ(open("command", shell("next; echo $id ok 1; next; echo $id ok -; next; echo $id out_of_memory 0 ! 2; next; "
                                  "echo $id ok")),
            STREAMPOOL_OK);
  streampool_address address = 0x77;
  EXPECT_EQ(runtime.malloc_from_pool(context, &address, 64, 1, 2), STREAMPOOL_OK);
  EXPECT_EQ(address, 0x77u);
  EXPECT_EQ(runtime.malloc_from_pool(context, &address, 64, 1, 2), STREAMPOOL_OUT_OF_MEMORY);
  EXPECT_EQ(address, 0u);
}

TEST_F(Pipe, SendsTheCallAsTheProtocolSays) {
  // The program gives the words of the request back as the text of a failure.
  const char* echo = "next; echo $id invalid_value ! 1 $call $words; ";
  ASSERT_EQ(open("command", shell(std::string("next; echo $id ok 1; ") + echo + echo + echo + "next; echo $id ok")),
            STREAMPOOL_OK);
  EXPECT_EQ(runtime.fill(context, 3, 0x1000, 0xff, 16), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(last_error().text, "fill: fill 3 4096 255 16");
  const std::int32_t value = 258;
  EXPECT_EQ(runtime.attribute_set(context, 9, -4, &value, sizeof value), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(last_error().text, "attribute_set: attribute_set 9 -4 4 x02010000");
  const streampool_address addresses[] = {1, 2};
  EXPECT_EQ(runtime.launch(context, 3, addresses, 2), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(last_error().text, "launch: launch 3 2 1 2");
}

TEST_F(Pipe, TakesRepliesInAnyOrder) {
  // The first call is answered only after the second has come.
  ASSERT_EQ(open("command", shell("next; echo $id ok 1; next; first=$id; next; echo $id ok; echo $first not_ready ! 0; "
                                  "next; echo $id ok")),
            STREAMPOOL_OK);
  std::array<streampool_status, 2> answers{};
  std::thread other([&] { answers[0] = runtime.stream_synchronize(context, 1); });
  answers[1] = runtime.stream_synchronize(context, 1);
  other.join();
  std::ranges::sort(answers);
  EXPECT_EQ(answers, (std::array<streampool_status, 2>{STREAMPOOL_OK, STREAMPOOL_NOT_READY}));
}

struct PythonExample : Pipe {
  void SetUp() override {
    if (std::string(PIPE_PYTHON).empty()) GTEST_SKIP() << "no python3";
    ASSERT_EQ(open("command", std::string(PIPE_PYTHON) + " " + PIPE_EXAMPLE), STREAMPOOL_OK) << last_error().text;
  }
};

TEST_F(PythonExample, IsARuntime) {
  streampool_description description{};
  description.size = sizeof description;
  ASSERT_EQ(runtime.describe(context, &description), STREAMPOOL_OK);
  EXPECT_STREQ(description.name, "python example");
  EXPECT_EQ(description.alignment, 256u);
  streampool_stream stream = 0;
  streampool_pool pool = 0;
  ASSERT_EQ(runtime.stream_create(context, 0, STREAMPOOL_STREAM_NONBLOCKING, &stream), STREAMPOOL_OK);
  ASSERT_EQ(runtime.pool_create(context, 0, 0, &pool), STREAMPOOL_OK);
  streampool_address memory = 0;
  ASSERT_EQ(runtime.malloc_from_pool(context, &memory, 100000, pool, stream), STREAMPOOL_OK);
  ASSERT_EQ(runtime.fill(context, stream, memory, 0xab, 100000), STREAMPOOL_OK);
  std::vector<std::uint8_t> host(100000);
  ASSERT_EQ(runtime.read(context, stream, memory, host.size(), host.data()), STREAMPOOL_OK);
  EXPECT_TRUE(std::ranges::all_of(host, [](std::uint8_t byte) { return byte == 0xab; }));
  std::uint64_t used = 0;
  ASSERT_EQ(runtime.attribute_get(context, pool, STREAMPOOL_USED_MEM_CURRENT, &used, sizeof used), STREAMPOOL_OK);
  EXPECT_EQ(used, 100000u);
  const std::uint64_t threshold = 1 << 20;
  ASSERT_EQ(runtime.attribute_set(context, pool, STREAMPOOL_RELEASE_THRESHOLD, &threshold, 8), STREAMPOOL_OK);
  EXPECT_EQ(runtime.attribute_set(context, pool, STREAMPOOL_USED_MEM_CURRENT, &threshold, 8), STREAMPOOL_INVALID_VALUE);
  ASSERT_EQ(runtime.free_async(context, memory, stream), STREAMPOOL_OK);
  EXPECT_EQ(runtime.free_async(context, memory, stream), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(last_error().code, 1);
  EXPECT_EQ(runtime.close(std::exchange(context, 0)), STREAMPOOL_OK);
}

}  // namespace
}  // namespace streampool::adapters
