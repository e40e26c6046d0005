#include <gtest/gtest.h>

#include "conformance/abi/streampool_runtime.h"

namespace {

constexpr streampool_address pattern = 0xa5a5'a5a5'a5a5'a5a5;

struct NullRuntime : testing::Test {
  const streampool_runtime& runtime = *streampool_runtime_table();
  streampool_context context = 0;
  void SetUp() override { ASSERT_EQ(runtime.open(nullptr, 0, &context), STREAMPOOL_OK); }
};

TEST_F(NullRuntime, HandsOutDistinctHandlesThatAreNeverZero) {
  streampool_stream stream = 0;
  streampool_pool pool = 0;
  EXPECT_EQ(runtime.stream_create(context, 0, STREAMPOOL_STREAM_BLOCKING, &stream), STREAMPOOL_OK);
  EXPECT_EQ(runtime.pool_create(context, 0, 0, &pool), STREAMPOOL_OK);
  EXPECT_NE(stream, 0u);
  EXPECT_NE(pool, 0u);
  EXPECT_NE(stream, pool);
}

TEST_F(NullRuntime, AcceptsEverythingAndWritesNoOutput) {
  streampool_address address = pattern;
  EXPECT_EQ(runtime.malloc_from_pool(context, &address, 1024, 1, 2), STREAMPOOL_OK);
  EXPECT_EQ(address, pattern);
  std::uint64_t value = pattern;
  EXPECT_EQ(runtime.attribute_get(context, 1, STREAMPOOL_USED_MEM_CURRENT, &value, sizeof value), STREAMPOOL_OK);
  EXPECT_EQ(value, pattern);
  EXPECT_EQ(runtime.free_async(context, 0x1234, 99), STREAMPOOL_OK);
  EXPECT_EQ(runtime.attribute_set(context, 1, 12345, nullptr, 0), STREAMPOOL_OK);
}

TEST_F(NullRuntime, DescribesItselfAndRefusesAShortDescription) {
  streampool_description description{};
  EXPECT_EQ(runtime.describe(context, &description), STREAMPOOL_INVALID_VALUE);
  description.size = sizeof description;
  ASSERT_EQ(runtime.describe(context, &description), STREAMPOOL_OK);
  EXPECT_STREQ(description.name, "null");
  EXPECT_EQ(description.device_count, 1u);
  EXPECT_EQ(description.alignment, 0u);
}

TEST_F(NullRuntime, OffersNoSteps) {
  EXPECT_EQ(runtime.capabilities_of(context) & STREAMPOOL_CAP_STEP, 0u);
  EXPECT_EQ(runtime.step, nullptr);
}

}  // namespace
