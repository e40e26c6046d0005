// The runtime `model` by its table: options, waiting calls and who wakes them, errors of a thread.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "conformance/abi/streampool_runtime.h"

namespace {

class ModelRuntime : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(rt().open(nullptr, 0, &context), STREAMPOOL_OK); }
  void TearDown() override { EXPECT_EQ(rt().close(context), STREAMPOOL_OK); }
  static const streampool_runtime& rt() { return *streampool_runtime_table(); }

  streampool_stream stream() {
    streampool_stream made = 0;
    EXPECT_EQ(rt().stream_create(context, 0, STREAMPOOL_STREAM_NONBLOCKING, &made), STREAMPOOL_OK);
    return made;
  }
  streampool_gate closed_gate(streampool_stream on) {
    streampool_gate made = 0;
    EXPECT_EQ(rt().gate_create(context, 0, &made), STREAMPOOL_OK);
    EXPECT_EQ(rt().gate_hold(context, on, made), STREAMPOOL_OK);
    return made;
  }

  streampool_context context = 0;
};

TEST_F(ModelRuntime, ASynchronizeWaitsUntilAnotherThreadOpensTheGate) {
  const streampool_stream s = stream();
  const streampool_gate gate = closed_gate(s);
  std::atomic<bool> opened{false};
  bool returned_too_early = false;
  streampool_status status = STREAMPOOL_UNKNOWN;
  std::thread waiter([&] {
    status = rt().stream_synchronize(context, s);
    returned_too_early = !opened;
  });
  EXPECT_EQ(rt().stream_query(context, s), STREAMPOOL_NOT_READY);
  opened = true;
  EXPECT_EQ(rt().gate_open(context, gate), STREAMPOOL_OK);
  waiter.join();
  EXPECT_EQ(status, STREAMPOOL_OK);
  EXPECT_FALSE(returned_too_early);
  EXPECT_EQ(rt().stream_query(context, s), STREAMPOOL_OK);
}

TEST_F(ModelRuntime, DestroyingTheGateWakesAReader) {
  const streampool_stream s = stream();
  streampool_pool pool = 0;
  ASSERT_EQ(rt().pool_create(context, 0, 0, &pool), STREAMPOOL_OK);
  streampool_address block = 0;
  ASSERT_EQ(rt().malloc_from_pool(context, &block, 256, pool, s), STREAMPOOL_OK);
  ASSERT_EQ(rt().fill(context, s, block, 7, 256), STREAMPOOL_OK);
  const streampool_gate gate = closed_gate(s);
  std::array<std::uint8_t, 256> seen{};
  std::thread reader([&] { EXPECT_EQ(rt().read(context, s, block, seen.size(), seen.data()), STREAMPOOL_OK); });
  EXPECT_EQ(rt().gate_destroy(context, gate), STREAMPOOL_OK);
  reader.join();
  EXPECT_EQ(seen.front(), 7);
  EXPECT_EQ(seen.back(), 7);
}

TEST_F(ModelRuntime, ItemsEndOnlyByStepsOrInWaitingCalls) {
  const streampool_stream s = stream();
  streampool_event event = 0;
  ASSERT_EQ(rt().event_create(context, 0, &event), STREAMPOOL_OK);
  ASSERT_EQ(rt().event_record(context, event, s), STREAMPOOL_OK);
  std::size_t count = 0;
  streampool_pending item{};
  ASSERT_EQ(rt().step_pending(context, &item, 1, &count), STREAMPOOL_OK);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(item.stream, s);
  EXPECT_EQ(item.position, 1U);
  EXPECT_EQ(item.ready, 1U);
  EXPECT_EQ(rt().event_query(context, event), STREAMPOOL_NOT_READY);
  EXPECT_EQ(rt().step(context, s), STREAMPOOL_OK);
  EXPECT_EQ(rt().event_query(context, event), STREAMPOOL_OK);
  EXPECT_EQ(rt().step(context, s), STREAMPOOL_NOT_READY);
}

TEST_F(ModelRuntime, EachThreadHasItsOwnStreamAndItsOwnLastError) {
  streampool_stream mine = 0, again = 0, other = 0;
  ASSERT_EQ(rt().stream_default(context, 0, STREAMPOOL_DEFAULT_PER_THREAD, &mine), STREAMPOOL_OK);
  ASSERT_EQ(rt().stream_default(context, 0, STREAMPOOL_DEFAULT_PER_THREAD, &again), STREAMPOOL_OK);
  EXPECT_EQ(rt().stream_destroy(context, 12345), STREAMPOOL_INVALID_HANDLE);
  std::thread thread([&] {
    EXPECT_EQ(rt().stream_default(context, 0, STREAMPOOL_DEFAULT_PER_THREAD, &other), STREAMPOOL_OK);
    std::int64_t code = -1;
    EXPECT_EQ(rt().last_error(context, &code, nullptr, 0), STREAMPOOL_OK);
    EXPECT_EQ(code, 0);
  });
  thread.join();
  EXPECT_EQ(mine, again);
  EXPECT_NE(mine, other);
  std::int64_t code = 0;
  std::array<char, 64> text{};
  EXPECT_EQ(rt().last_error(context, &code, text.data(), text.size()), STREAMPOOL_OK);
  EXPECT_EQ(code, STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(std::string(text.data()), "stream_destroy: invalid_handle");
}

TEST(ModelOptions, AreChecked) {
  const streampool_runtime& rt = *streampool_runtime_table();
  streampool_context context = 0;
  for (const streampool_option bad :
       {streampool_option{"policy", "eager"}, {"seed", "x"}, {"granularity", "3"}, {"device", "1"}, {"colour", "1"}}) {
    EXPECT_EQ(rt.open(&bad, 1, &context), STREAMPOOL_INVALID_VALUE) << bad.key;
  }
  const streampool_option good[] = {{"policy", "lazy"}, {"memory", "8388608"}, {"granularity", "4096"}};
  ASSERT_EQ(rt.open(good, 3, &context), STREAMPOOL_OK);
  streampool_description description{};
  description.size = sizeof description;
  ASSERT_EQ(rt.describe(context, &description), STREAMPOOL_OK);
  EXPECT_EQ(description.memory, 8388608U);
  EXPECT_EQ(description.reserve_granule, 4096U);
  EXPECT_EQ(rt.close(context), STREAMPOOL_OK);
}

}  // namespace
