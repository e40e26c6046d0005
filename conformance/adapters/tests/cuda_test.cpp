// What is CUDA's own, and HIP's where it differs: gates, default streams, versions, absent symbols, no driver.
#include "conformance/adapters/tests/adapter.hpp"

namespace streampool::adapters {
namespace {

struct Cuda : testing::Test {
  fake::Script& script = load_fake(FAKE_CUDA);
  Adapter adapter{CUDA_ADAPTER, FAKE_CUDA};
  void SetUp() override {
    script.answers.clear();
    script.calls.clear();
    script.waits.clear();
    script.devices = 1;
    script.version = 13000;
    script.pools_supported = true;
  }
};

TEST_F(Cuda, HoldsAStreamByAWordThatOpensWithOneStore) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  ASSERT_TRUE(adapter.offers(STREAMPOOL_CAP_GATE));
  const streampool_stream stream = adapter.stream();
  streampool_gate gate = 0, other = 0;
  ASSERT_EQ(adapter.runtime.gate_create(adapter.context, 0, &gate), STREAMPOOL_OK);
  ASSERT_EQ(adapter.runtime.gate_create(adapter.context, 0, &other), STREAMPOOL_OK);
  script.waits.clear();
  ASSERT_EQ(adapter.runtime.gate_hold(adapter.context, stream, gate), STREAMPOOL_OK);
  ASSERT_EQ(adapter.runtime.gate_hold(adapter.context, stream, other), STREAMPOOL_OK);
  ASSERT_EQ(script.waits.size(), 2u);
  EXPECT_EQ(script.waits[0].stream, reinterpret_cast<void*>(stream));
  EXPECT_LT(*script.waits[0].word, script.waits[0].value);
  ASSERT_EQ(adapter.runtime.gate_open(adapter.context, gate), STREAMPOOL_OK);
  EXPECT_GE(*script.waits[0].word, script.waits[0].value);
  EXPECT_LT(*script.waits[1].word, script.waits[1].value) << "the other gate stays closed";
  EXPECT_EQ(adapter.runtime.gate_destroy(adapter.context, other), STREAMPOOL_NOT_PERMITTED);
  ASSERT_EQ(adapter.runtime.gate_open(adapter.context, other), STREAMPOOL_OK);
  EXPECT_EQ(adapter.runtime.gate_destroy(adapter.context, other), STREAMPOOL_OK);
  EXPECT_EQ(adapter.runtime.gate_open(adapter.context, other), STREAMPOOL_INVALID_HANDLE);
}

TEST_F(Cuda, DoesNotCountAHoldThatFailed) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  streampool_gate gate = 0;
  ASSERT_EQ(adapter.runtime.gate_create(adapter.context, 0, &gate), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  script.answers["cuStreamWaitValue32"] = 1;
  EXPECT_EQ(adapter.runtime.gate_hold(adapter.context, stream, gate), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(adapter.runtime.gate_destroy(adapter.context, gate), STREAMPOOL_OK);
}

TEST_F(Cuda, AsksForQueuesEnoughUnlessTheUserDid) {
  unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_STREQ(getenv("CUDA_DEVICE_MAX_CONNECTIONS"), "32");
  ASSERT_EQ(adapter.close(), STREAMPOOL_OK);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "4", 1);
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_STREQ(getenv("CUDA_DEVICE_MAX_CONNECTIONS"), "4");
}

TEST_F(Cuda, ClearsTheGateBitWhereTheDeviceRefusesToWait) {
  script.answers["cuStreamWaitValue32"] = 801;
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_FALSE(adapter.offers(STREAMPOOL_CAP_GATE));
  EXPECT_TRUE(adapter.offers(STREAMPOOL_CAP_MEMORY));
}

TEST_F(Cuda, ClearsTheGateBitWhereTheDriverHasNoWait) {
  Adapter old(CUDA_ADAPTER, FAKE_CUDA_WITHOUT_GATE);
  ASSERT_EQ(old.open(), STREAMPOOL_OK) << old.last_error().text;
  EXPECT_FALSE(old.offers(STREAMPOOL_CAP_GATE));
  EXPECT_TRUE(old.offers(STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_PROBE));
}

TEST_F(Cuda, ClearsPoolBitsWhereTheLibraryIsOlderThanPools) {
  Adapter old(CUDA_ADAPTER, FAKE_CUDA_WITHOUT_POOLS);
  ASSERT_EQ(old.open(), STREAMPOOL_OK) << old.last_error().text;
  for (const std::uint64_t group :
       {STREAMPOOL_CAP_POOL, STREAMPOOL_CAP_DEFAULT_POOL, STREAMPOOL_CAP_ATTRIBUTE, STREAMPOOL_CAP_MEMORY}) {
    EXPECT_FALSE(old.offers(group)) << group;
  }
  EXPECT_TRUE(old.offers(STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_PLAIN | STREAMPOOL_CAP_PROBE));
  streampool_pool pool = 0;
  EXPECT_EQ(old.runtime.pool_create(old.context, 0, 0, &pool), STREAMPOOL_NOT_SUPPORTED);
}

TEST_F(Cuda, ClearsPoolBitsWhereTheDeviceHasNone) {
  script.pools_supported = false;
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_FALSE(adapter.offers(STREAMPOOL_CAP_POOL));
  EXPECT_FALSE(adapter.offers(STREAMPOOL_CAP_MEMORY));
}

TEST_F(Cuda, FailsToOpenWithoutADriverWithTheNativeCode) {
  script.answers["cudaGetDeviceCount"] = 35;
  EXPECT_EQ(adapter.open(), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_EQ(adapter.last_error().code, 35);
  EXPECT_NE(adapter.last_error().text.find("cudaGetDeviceCount"), std::string::npos);
  script.answers.clear();
  EXPECT_EQ(adapter.open(), STREAMPOOL_OK) << "a failed open leaves nothing behind";
}

TEST_F(Cuda, NamesTheDefaultStreamsAsTheVendorDoes) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_pool pool = adapter.pool();
  const std::pair<std::uint32_t, std::uintptr_t> kinds[] = {{STREAMPOOL_DEFAULT_LEGACY, 1},
                                                            {STREAMPOOL_DEFAULT_PER_THREAD, 2}};
  for (const auto& [kind, native] : kinds) {
    streampool_stream stream = 0;
    ASSERT_EQ(adapter.runtime.stream_default(adapter.context, 0, kind, &stream), STREAMPOOL_OK);
    EXPECT_NE(stream, 0u);
    streampool_address memory = 0;
    ASSERT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, 64, pool, stream), STREAMPOOL_OK);
    EXPECT_EQ(script.last_stream.load(), reinterpret_cast<void*>(native));
  }
  streampool_stream stream = 0;
  EXPECT_EQ(adapter.runtime.stream_default(adapter.context, 0, 2, &stream), STREAMPOOL_INVALID_VALUE);
}

TEST_F(Cuda, GivesAPoolAMaximumSizeFrom12_2On) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_pool pool = adapter.pool(std::uint64_t{64} << 20);
  EXPECT_EQ(reinterpret_cast<fake::Pool*>(pool)->max_size, std::uint64_t{64} << 20);
  ASSERT_EQ(adapter.close(), STREAMPOOL_OK);
  script.version = 12010;
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  streampool_pool limited = 0;
  EXPECT_EQ(adapter.runtime.pool_create(adapter.context, 0, 4096, &limited), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_EQ(adapter.runtime.pool_create(adapter.context, 0, 0, &limited), STREAMPOOL_OK);
}

TEST_F(Cuda, WritesVersionsAsTheVendorDoes) {
  script.version = 12040;
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  streampool_description description{};
  description.size = sizeof description;
  ASSERT_EQ(adapter.runtime.describe(adapter.context, &description), STREAMPOOL_OK);
  EXPECT_STREQ(description.version, "runtime 12.4, driver 12.4");
  EXPECT_EQ(description.alignment, 256u);
}

TEST_F(Cuda, MapsTheListedCodes) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  const std::pair<int, streampool_status> codes[] = {{1, STREAMPOOL_INVALID_VALUE},   {2, STREAMPOOL_OUT_OF_MEMORY},
                                                     {101, STREAMPOOL_INVALID_VALUE}, {400, STREAMPOOL_INVALID_HANDLE},
                                                     {600, STREAMPOOL_NOT_READY},     {700, STREAMPOOL_INTERNAL},
                                                     {719, STREAMPOOL_INTERNAL},      {800, STREAMPOOL_NOT_PERMITTED},
                                                     {801, STREAMPOOL_NOT_SUPPORTED}, {999, STREAMPOOL_UNKNOWN}};
  for (const auto& [native, status] : codes) {
    script.answers["cudaStreamSynchronize"] = native;
    EXPECT_EQ(adapter.runtime.stream_synchronize(adapter.context, stream), status) << native;
    EXPECT_EQ(adapter.last_error().code, native);
  }
  script.answers.clear();
}

TEST_F(Cuda, KeepsMemoryThatTheVendorRefusedToFree) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  streampool_address memory = 0;
  ASSERT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, 64, adapter.pool(), stream), STREAMPOOL_OK);
  script.answers["cudaFreeAsync"] = 1;
  EXPECT_EQ(adapter.runtime.free_async(adapter.context, memory, stream), STREAMPOOL_INVALID_VALUE);
  script.answers.clear();
  ASSERT_EQ(adapter.close(), STREAMPOOL_OK);
  EXPECT_TRUE(script.live.empty());
}

TEST(Hip, HoldsAStreamByASignalWordAndTakesTheNullStreamAsLegacy) {
  fake::Script& script = load_fake(FAKE_HIP);
  script.answers.clear();
  script.version = 60443483;
  Adapter adapter(HIP_ADAPTER, FAKE_HIP);
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK) << adapter.last_error().text;
  ASSERT_TRUE(adapter.offers(STREAMPOOL_CAP_GATE));
  const streampool_stream stream = adapter.stream();
  script.waits.clear();
  for (int made = 0; made < 100; ++made) {  // more than are made ready at open
    streampool_gate gate = 0;
    ASSERT_EQ(adapter.runtime.gate_create(adapter.context, 0, &gate), STREAMPOOL_OK);
    ASSERT_EQ(adapter.runtime.gate_hold(adapter.context, stream, gate), STREAMPOOL_OK);
    EXPECT_EQ(*script.waits.back().word, 0u);
    ASSERT_EQ(adapter.runtime.gate_open(adapter.context, gate), STREAMPOOL_OK);
    EXPECT_EQ(*script.waits.back().word, script.waits.back().value);
  }
  streampool_stream legacy = 0;
  ASSERT_EQ(adapter.runtime.stream_default(adapter.context, 0, STREAMPOOL_DEFAULT_LEGACY, &legacy), STREAMPOOL_OK);
  streampool_address memory = 0;
  ASSERT_EQ(adapter.runtime.malloc_current(adapter.context, &memory, 64, legacy), STREAMPOOL_OK);
  EXPECT_EQ(script.last_stream.load(), nullptr);
  streampool_description description{};
  description.size = sizeof description;
  ASSERT_EQ(adapter.runtime.describe(adapter.context, &description), STREAMPOOL_OK);
  EXPECT_STREQ(description.version, "runtime 6.4.43483");
}

TEST(Hip, HasNoMaximumSizeOfAPoolBefore6_2) {
  fake::Script& script = load_fake(FAKE_HIP);
  script.answers.clear();
  script.version = 60100000;
  Adapter adapter(HIP_ADAPTER, FAKE_HIP);
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  streampool_pool pool = 0;
  EXPECT_EQ(adapter.runtime.pool_create(adapter.context, 0, 4096, &pool), STREAMPOOL_NOT_SUPPORTED);
}

TEST(Ascend, OffersWhatItsInterfaceHas) {
  load_fake(FAKE_ASCEND).answers.clear();
  Adapter adapter(ASCEND_ADAPTER, FAKE_ASCEND);
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK) << adapter.last_error().text;
  for (const std::uint64_t group :
       {STREAMPOOL_CAP_GATE, STREAMPOOL_CAP_DEFAULT_STREAMS, STREAMPOOL_CAP_DEFAULT_POOL, STREAMPOOL_CAP_FREE_SYNC}) {
    EXPECT_FALSE(adapter.offers(group)) << group;
  }
}

TEST(Ascend, LeavesTheCodeThatMeansEverythingUnknown) {
  load_fake(FAKE_ASCEND).answers.clear();
  Adapter adapter(ASCEND_ADAPTER, FAKE_ASCEND);
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  streampool_address memory = 0;
  EXPECT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, std::uint64_t{1} << 40, adapter.pool(),
                                             adapter.stream()),
            STREAMPOOL_UNKNOWN);
  EXPECT_EQ(adapter.last_error().code, 507000);
}

TEST(Ascend, StartsWhereTheProcessHasStartedCannAlready) {
  fake::Script& script = load_fake(FAKE_ASCEND);
  script.answers = {{"aclInit", 100002}};
  Adapter adapter(ASCEND_ADAPTER, FAKE_ASCEND);
  EXPECT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_EQ(adapter.close(), STREAMPOOL_OK);
  script.answers = {{"aclInit", 500000}};
  EXPECT_EQ(adapter.open(), STREAMPOOL_UNKNOWN);
  script.answers.clear();
}

}  // namespace
}  // namespace streampool::adapters
