// The template, built outside the tree, does what a pool has to do. Whether it conforms is the kit's to say; these
// tests fix the answers that the guide talks about.
#include <array>
#include <thread>

#include "conformance/adapters/tests/adapter.hpp"

namespace streampool::adapters {
namespace {

constexpr std::uint64_t MiB = std::uint64_t{1} << 20;

struct Template : testing::Test {
  const streampool_runtime& runtime = load_adapter(TEMPLATE_LIBRARY);
  streampool_context context = 0;
  streampool_stream first = 0, second = 0;
  streampool_pool pool = 0;

  void SetUp() override {
    const std::array<streampool_option, 3> options{{{"memory", "16777216"}, {"granularity", "2097152"}, {"seed", "1"}}};
    ASSERT_EQ(runtime.open(options.data(), options.size(), &context), STREAMPOOL_OK);
    ASSERT_EQ(runtime.stream_create(context, 0, STREAMPOOL_STREAM_NONBLOCKING, &first), STREAMPOOL_OK);
    ASSERT_EQ(runtime.stream_create(context, 0, STREAMPOOL_STREAM_BLOCKING, &second), STREAMPOOL_OK);
    ASSERT_EQ(runtime.pool_create(context, 0, 0, &pool), STREAMPOOL_OK);
  }
  void TearDown() override { ASSERT_EQ(runtime.close(context), STREAMPOOL_OK); }

  streampool_address allocate(std::uint64_t bytes, streampool_stream stream) {
    streampool_address address = 0;
    EXPECT_EQ(runtime.malloc_from_pool(context, &address, bytes, pool, stream), STREAMPOOL_OK);
    return address;
  }
  std::uint64_t get(int attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(runtime.attribute_get(context, pool, attribute, &value, sizeof value), STREAMPOOL_OK);
    return value;
  }
  streampool_status set(int attribute, std::uint64_t value) {
    return runtime.attribute_set(context, pool, attribute, &value, sizeof value);
  }
};

TEST_F(Template, ReusesAcrossStreamsOnlyWithTheSwitch) {
  ASSERT_EQ(set(STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC, 0), STREAMPOOL_OK);
  const streampool_address freed = allocate(MiB, first);
  ASSERT_EQ(runtime.free_async(context, freed, first), STREAMPOOL_OK);
  EXPECT_NE(allocate(MiB, second), freed);
  EXPECT_EQ(allocate(MiB, first), freed) << "the freeing stream may";
  ASSERT_EQ(runtime.free_async(context, freed, first), STREAMPOOL_OK);
  ASSERT_EQ(set(STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC, 1), STREAMPOOL_OK);
  EXPECT_EQ(allocate(MiB, second), freed);
}

TEST_F(Template, AsksTheNewestFreeOfEachByte) {
  ASSERT_EQ(set(STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC, 0), STREAMPOOL_OK);
  const streampool_address block = allocate(MiB, first);
  ASSERT_EQ(runtime.free_async(context, block, first), STREAMPOOL_OK);
  ASSERT_EQ(allocate(MiB, first), block);
  ASSERT_EQ(runtime.free_async(context, block, second), STREAMPOOL_OK);
  EXPECT_NE(allocate(MiB, first), block);
  EXPECT_EQ(allocate(MiB, second), block);
}

TEST_F(Template, CountsExactlyAndResetsWatermarksToTheCurrentValue) {
  const streampool_address small = allocate(1000, first);
  allocate(3 * MiB, first);
  EXPECT_EQ(get(STREAMPOOL_USED_MEM_CURRENT), 1000 + 3 * MiB);
  EXPECT_EQ(get(STREAMPOOL_RESERVED_MEM_CURRENT), 6 * MiB);
  ASSERT_EQ(runtime.free_async(context, small, first), STREAMPOOL_OK);
  EXPECT_EQ(get(STREAMPOOL_USED_MEM_CURRENT), 3 * MiB);
  EXPECT_EQ(get(STREAMPOOL_USED_MEM_HIGH), 1000 + 3 * MiB);
  EXPECT_EQ(set(STREAMPOOL_USED_MEM_HIGH, 1), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(set(STREAMPOOL_USED_MEM_HIGH, 0), STREAMPOOL_OK);
  EXPECT_EQ(get(STREAMPOOL_USED_MEM_HIGH), 3 * MiB);
  EXPECT_EQ(set(STREAMPOOL_USED_MEM_CURRENT, 0), STREAMPOOL_INVALID_VALUE);
}

TEST_F(Template, ReleasesIdleMemoryAtASynchronisingCallDownToTheThreshold) {
  ASSERT_EQ(set(STREAMPOOL_RELEASE_THRESHOLD, 4 * MiB), STREAMPOOL_OK);
  const streampool_address block = allocate(8 * MiB, first);
  ASSERT_EQ(runtime.free_async(context, block, first), STREAMPOOL_OK);
  EXPECT_EQ(runtime.stream_query(context, first), STREAMPOOL_OK);
  EXPECT_EQ(get(STREAMPOOL_RESERVED_MEM_CURRENT), 8 * MiB) << "a query releases nothing";
  ASSERT_EQ(runtime.stream_synchronize(context, first), STREAMPOOL_OK);
  EXPECT_EQ(get(STREAMPOOL_RESERVED_MEM_CURRENT), 4 * MiB);
  ASSERT_EQ(runtime.pool_trim(context, pool, 2 * MiB + 1), STREAMPOOL_OK);
  EXPECT_EQ(get(STREAMPOOL_RESERVED_MEM_CURRENT), 4 * MiB);
  ASSERT_EQ(runtime.pool_trim(context, pool, 0), STREAMPOOL_OK);
  EXPECT_EQ(get(STREAMPOOL_RESERVED_MEM_CURRENT), 0u);
}

TEST_F(Template, ServesUnderPressureFromItsOwnIdleMemoryAndFailsWithoutATrace) {
  ASSERT_EQ(set(STREAMPOOL_RELEASE_THRESHOLD, ~std::uint64_t{0}), STREAMPOOL_OK);
  ASSERT_EQ(set(STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC, 0), STREAMPOOL_OK);
  const streampool_address block = allocate(12 * MiB, first);
  ASSERT_EQ(runtime.free_async(context, block, first), STREAMPOOL_OK);
  allocate(14 * MiB, second);
  EXPECT_EQ(get(STREAMPOOL_RESERVED_MEM_CURRENT), 14 * MiB);
  streampool_address refused = 1;
  EXPECT_EQ(runtime.malloc_from_pool(context, &refused, 3 * MiB, pool, first), STREAMPOOL_OUT_OF_MEMORY);
  EXPECT_EQ(refused, 0u);
  EXPECT_EQ(runtime.malloc_from_pool(context, &refused, ~std::uint64_t{0}, pool, first), STREAMPOOL_OUT_OF_MEMORY);
  EXPECT_EQ(get(STREAMPOOL_USED_MEM_CURRENT), 14 * MiB);
  std::uint64_t free_bytes = 0, total_bytes = 0;
  ASSERT_EQ(runtime.memory_info(context, 0, &free_bytes, &total_bytes), STREAMPOOL_OK);
  EXPECT_EQ(free_bytes, 2 * MiB);
}

TEST_F(Template, RoundsAPoolsMaximumUpToAGranule) {
  ASSERT_EQ(runtime.pool_create(context, 0, 3 * MiB, &pool), STREAMPOOL_OK);
  allocate(4 * MiB, first);
  streampool_address more = 0;
  EXPECT_EQ(runtime.malloc_from_pool(context, &more, 1, pool, first), STREAMPOOL_OUT_OF_MEMORY);
}

TEST_F(Template, KeepsADestroyedPoolsBlocksUntilTheyAreFreed) {
  const streampool_address block = allocate(MiB, first);
  ASSERT_EQ(runtime.pool_set_current(context, 0, pool), STREAMPOOL_OK);
  ASSERT_EQ(runtime.pool_destroy(context, pool), STREAMPOOL_OK);
  EXPECT_EQ(runtime.pool_destroy(context, pool), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(set(STREAMPOOL_RELEASE_THRESHOLD, 0), STREAMPOOL_INVALID_HANDLE);
  streampool_pool current = 0, standard = 0;
  ASSERT_EQ(runtime.pool_get_current(context, 0, &current), STREAMPOOL_OK);
  ASSERT_EQ(runtime.pool_default(context, 0, &standard), STREAMPOOL_OK);
  EXPECT_EQ(current, standard);
  std::array<std::uint8_t, 4> bytes{};
  ASSERT_EQ(runtime.fill(context, first, block, 0x42, MiB), STREAMPOOL_OK);
  ASSERT_EQ(runtime.read(context, first, block + MiB - 4, 4, bytes.data()), STREAMPOOL_OK);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{0x42, 0x42, 0x42, 0x42}));
  ASSERT_EQ(runtime.free_async(context, block, second), STREAMPOOL_OK);
  std::uint64_t free_bytes = 0, total_bytes = 0;
  ASSERT_EQ(runtime.memory_info(context, 0, &free_bytes, &total_bytes), STREAMPOOL_OK);
  EXPECT_EQ(free_bytes, total_bytes);
}

TEST_F(Template, RefusesMisuseAndKeepsTheReason) {
  const streampool_address block = allocate(MiB, first);
  EXPECT_EQ(runtime.free_async(context, block + 256, first), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(runtime.free_async(context, block, first), STREAMPOOL_OK);
  EXPECT_EQ(runtime.free_async(context, block, first), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(runtime.free_async(context, 0, first), STREAMPOOL_OK);
  std::int64_t code = 0;
  char text[64];
  ASSERT_EQ(runtime.last_error(context, &code, text, sizeof text), STREAMPOOL_OK);
  EXPECT_STREQ(text, "no live allocation begins there");
  ASSERT_EQ(runtime.stream_destroy(context, first), STREAMPOOL_OK);
  EXPECT_EQ(runtime.stream_synchronize(context, first), STREAMPOOL_INVALID_HANDLE);
  std::uint32_t narrow = 0;
  EXPECT_EQ(runtime.attribute_get(context, pool, STREAMPOOL_RELEASE_THRESHOLD, &narrow, sizeof narrow),
            STREAMPOOL_INVALID_VALUE);
}

TEST_F(Template, GivesEachThreadItsOwnDefaultStream) {
  streampool_stream here = 0, again = 0, there = 0, legacy = 0;
  ASSERT_EQ(runtime.stream_default(context, 0, STREAMPOOL_DEFAULT_PER_THREAD, &here), STREAMPOOL_OK);
  ASSERT_EQ(runtime.stream_default(context, 0, STREAMPOOL_DEFAULT_PER_THREAD, &again), STREAMPOOL_OK);
  ASSERT_EQ(runtime.stream_default(context, 0, STREAMPOOL_DEFAULT_LEGACY, &legacy), STREAMPOOL_OK);
  std::thread([&] {
    EXPECT_EQ(runtime.stream_default(context, 0, STREAMPOOL_DEFAULT_PER_THREAD, &there), STREAMPOOL_OK);
  }).join();
  EXPECT_EQ(here, again);
  EXPECT_NE(here, there);
  EXPECT_NE(here, legacy);
}

TEST_F(Template, LeavesOutWhatItDoesNotPromise) {
  EXPECT_EQ(runtime.capabilities_of(context) & (STREAMPOOL_CAP_GATE | STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_STEP), 0u);
  EXPECT_EQ(runtime.gate_create, nullptr);
}

}  // namespace
}  // namespace streampool::adapters
