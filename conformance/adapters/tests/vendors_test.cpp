// What holds for every vendor adapter, each over a fake of its vendor's library.
#include <thread>

#include "conformance/adapters/tests/adapter.hpp"

namespace streampool::adapters {
namespace {

struct VendorCase {
  const char* name;
  const char* adapter;
  const char* library;
  const char* malloc_symbol;
  const char* query_symbol;
  int out_of_memory;  // the vendor's codes
  int not_ready;
  int unlisted = 987654;
};

const VendorCase vendor_cases[] = {
    {"cuda", CUDA_ADAPTER, FAKE_CUDA, "cudaMallocFromPoolAsync", "cudaStreamQuery", 2, 600},
    {"hip", HIP_ADAPTER, FAKE_HIP, "hipMallocFromPoolAsync", "hipStreamQuery", 2, 600},
    {"ascend", ASCEND_ADAPTER, FAKE_ASCEND, "aclrtMemPoolMallocAsync", "aclrtStreamQuery", 207001, 1},
};

struct Vendors : testing::TestWithParam<VendorCase> {
  fake::Script& script = load_fake(GetParam().library);
  Adapter adapter{GetParam().adapter, GetParam().library};

  void SetUp() override {
    script.answers.clear();
    script.calls.clear();
    script.devices = 1;
    script.version = GetParam().name == std::string("hip") ? 60443483 : 13000;
    script.pools_supported = true;
  }
};

TEST_P(Vendors, OpensDescribesItselfAndEndsEverythingAtClose) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK) << adapter.last_error().text;
  streampool_description description{};
  description.size = sizeof description;
  ASSERT_EQ(adapter.runtime.describe(adapter.context, &description), STREAMPOOL_OK);
  EXPECT_STREQ(description.name, GetParam().name);
  EXPECT_NE(std::string(description.version).find('.'), std::string::npos) << description.version;
  EXPECT_EQ(description.device_count, 1u);
  EXPECT_EQ(description.memory, std::uint64_t{1} << 30);
  EXPECT_EQ(description.reserve_granule, 0u);

  const streampool_stream stream = adapter.stream();
  const streampool_pool pool = adapter.pool();
  streampool_event event = 0;
  streampool_address memory = 0, plain = 0;
  EXPECT_EQ(adapter.runtime.event_create(adapter.context, 0, &event), STREAMPOOL_OK);
  EXPECT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, 4096, pool, stream), STREAMPOOL_OK);
  EXPECT_EQ(adapter.runtime.plain_malloc(adapter.context, 0, &plain, 4096), STREAMPOOL_OK);
  EXPECT_EQ(adapter.close(), STREAMPOOL_OK) << adapter.last_error().text;
  EXPECT_TRUE(script.live.empty()) << script.live.size() << " objects are left";
}

TEST_P(Vendors, CarriesDataBothWays) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  const streampool_pool pool = adapter.pool();
  constexpr std::size_t bytes = (std::size_t{9} << 20) + 3;  // more than two of the staging buffers
  streampool_address memory = 0;
  ASSERT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, bytes, pool, stream), STREAMPOOL_OK);
  ASSERT_EQ(adapter.runtime.fill(adapter.context, stream, memory, 0x5a, bytes), STREAMPOOL_OK);
  ASSERT_EQ(adapter.runtime.fill(adapter.context, stream, memory + bytes - 1, 0x77, 1), STREAMPOOL_OK);
  std::vector<std::uint8_t> host(bytes);
  ASSERT_EQ(adapter.runtime.read(adapter.context, stream, memory, bytes, host.data()), STREAMPOOL_OK);
  EXPECT_TRUE(std::all_of(host.begin(), host.end() - 1, [](std::uint8_t byte) { return byte == 0x5a; }));
  EXPECT_EQ(host.back(), 0x77);
  EXPECT_EQ(adapter.runtime.launch(adapter.context, stream, &memory, 1), STREAMPOOL_OK);
  EXPECT_EQ(adapter.runtime.free_async(adapter.context, memory, stream), STREAMPOOL_OK);
}

TEST_P(Vendors, ReadsForSeveralThreadsAtOnce) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  const streampool_pool pool = adapter.pool();
  constexpr std::size_t bytes = std::size_t{1} << 20;
  std::vector<std::thread> threads;
  for (std::uint8_t own = 1; own <= 5; ++own) {  // more than buffers are made ready
    streampool_address memory = 0;
    ASSERT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, bytes, pool, stream), STREAMPOOL_OK);
    ASSERT_EQ(adapter.runtime.fill(adapter.context, stream, memory, own, bytes), STREAMPOOL_OK);
    threads.emplace_back([=, this] {
      std::vector<std::uint8_t> host(bytes);
      for (int again = 0; again < 10; ++again) {
        EXPECT_EQ(adapter.runtime.read(adapter.context, stream, memory, bytes, host.data()), STREAMPOOL_OK);
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(host, own)), bytes);
        std::ranges::fill(host, std::uint8_t{0});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Vendors, WritesOutputsWhereTheVendorDoes) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  const streampool_pool pool = adapter.pool();
  constexpr streampool_address pattern = 0xa5a5'a5a5'a5a5'a5a5;
  streampool_address memory = pattern;
  EXPECT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, 0, pool, stream), STREAMPOOL_OK);
  EXPECT_EQ(memory, pattern);
  std::uint64_t value = pattern;
  EXPECT_EQ(adapter.runtime.attribute_get(adapter.context, pool, STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC, &value, 8),
            STREAMPOOL_OK);
  EXPECT_EQ(value, pattern & ~std::uint64_t{0xffff'ffff});  // four bytes, no more
}

TEST_P(Vendors, KeepsTheVendorsCodeAndTextOfAFailure) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  const streampool_pool pool = adapter.pool();
  streampool_address memory = 0;
  const auto allocate = [&] { return adapter.runtime.malloc_from_pool(adapter.context, &memory, 512, pool, stream); };
  script.answers[GetParam().malloc_symbol] = GetParam().out_of_memory;
  EXPECT_EQ(allocate(), STREAMPOOL_OUT_OF_MEMORY);
  EXPECT_EQ(adapter.last_error().code, GetParam().out_of_memory);
  EXPECT_NE(adapter.last_error().text.find(GetParam().malloc_symbol), std::string::npos);
  EXPECT_NE(adapter.last_error().text.find("fake"), std::string::npos);
  script.answers[GetParam().malloc_symbol] = GetParam().unlisted;
  EXPECT_EQ(allocate(), STREAMPOOL_UNKNOWN);
  EXPECT_EQ(adapter.last_error().code, GetParam().unlisted);
  script.answers.clear();
  EXPECT_EQ(allocate(), STREAMPOOL_OK);
  EXPECT_EQ(adapter.last_error().code, GetParam().unlisted) << "a success must not hide the newest failure";
}

TEST_P(Vendors, KeepsFailuresOfThreadsApart) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  const streampool_pool pool = adapter.pool();
  streampool_address memory = 0;
  script.answers[GetParam().malloc_symbol] = GetParam().out_of_memory;
  EXPECT_EQ(adapter.runtime.malloc_from_pool(adapter.context, &memory, 512, pool, stream), STREAMPOOL_OUT_OF_MEMORY);
  Error before, after;
  std::thread([&] {
    before = adapter.last_error();
    EXPECT_EQ(adapter.runtime.stream_synchronize(adapter.context, 0xdead0000), STREAMPOOL_INVALID_HANDLE);
    after = adapter.last_error();
  }).join();
  EXPECT_EQ(before.code, 0);
  EXPECT_NE(after.code, 0);
  EXPECT_NE(after.code, GetParam().out_of_memory);
  EXPECT_EQ(adapter.last_error().code, GetParam().out_of_memory);
}

TEST_P(Vendors, AnswersPendingWorkAsNotReady) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const streampool_stream stream = adapter.stream();
  EXPECT_EQ(adapter.runtime.stream_query(adapter.context, stream), STREAMPOOL_OK);
  script.answers[GetParam().query_symbol] = GetParam().not_ready;
  EXPECT_EQ(adapter.runtime.stream_query(adapter.context, stream), STREAMPOOL_NOT_READY);
}

TEST_P(Vendors, RefusesHandleZeroWhereTheVendorWouldTakeTheDefaultStream) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  const std::size_t before = script.calls.size();
  EXPECT_EQ(adapter.runtime.stream_synchronize(adapter.context, 0), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(script.calls.size(), before);
  EXPECT_LT(adapter.last_error().code, 0);
}

TEST_P(Vendors, RefusesOptionsThatItCannotKeep) {
  EXPECT_EQ(adapter.open({{"colour", "red"}}), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(adapter.open({{"device", "first"}}), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(adapter.open({{"memory", "1048576"}}), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_EQ(adapter.open({{"device", "1"}}), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_NE(adapter.last_error().text.find("device 1"), std::string::npos);
  EXPECT_EQ(adapter.open({{"seed", "7"}}), STREAMPOOL_OK);
}

TEST_P(Vendors, CountsDevicesFromTheChosenOne) {
  script.devices = 3;
  ASSERT_EQ(adapter.open({{"device", "1"}}), STREAMPOOL_OK);
  streampool_description description{};
  description.size = sizeof description;
  ASSERT_EQ(adapter.runtime.describe(adapter.context, &description), STREAMPOOL_OK);
  EXPECT_EQ(description.device_count, 2u);
  const streampool_stream stream = adapter.stream(1);
  EXPECT_EQ(script.device_of[reinterpret_cast<void*>(stream)], 2);
  adapter.stream(0);
  EXPECT_EQ(script.current_device.load(), 1);
  EXPECT_EQ(adapter.runtime.stream_synchronize(adapter.context, stream), STREAMPOOL_OK);
  EXPECT_EQ(script.current_device.load(), 2) << "a call on a stream runs on the stream's device";
  streampool_stream beyond = 0;
  EXPECT_EQ(adapter.runtime.stream_create(adapter.context, 2, STREAMPOOL_STREAM_BLOCKING, &beyond),
            STREAMPOOL_INVALID_VALUE);
}

TEST_P(Vendors, HasOneContextAtATime) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  streampool_context second = 0;
  EXPECT_EQ(adapter.runtime.open(nullptr, 0, &second), STREAMPOOL_NOT_PERMITTED);
  const streampool_context old = adapter.context;
  ASSERT_EQ(adapter.close(), STREAMPOOL_OK);
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_EQ(adapter.runtime.device_synchronize(old, 0), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(adapter.runtime.capabilities_of(old), 0u);
}

TEST_P(Vendors, SaysWhichLibraryCannotBeOpened) {
  Adapter other(GetParam().adapter, "/nowhere/libnothing.so");
  EXPECT_EQ(other.open(), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_NE(other.last_error().text.find("/nowhere/libnothing.so"), std::string::npos);
}

TEST_P(Vendors, SaysThatALibraryIsAnother) {
  Adapter other(GetParam().adapter, "libm.so.6");
  EXPECT_EQ(other.open(), STREAMPOOL_NOT_SUPPORTED);
  EXPECT_NE(other.last_error().text.find("it lacks"), std::string::npos);
}

TEST_P(Vendors, OffersNeitherStepsNorFaultsNorLimits) {
  ASSERT_EQ(adapter.open(), STREAMPOOL_OK);
  EXPECT_FALSE(adapter.offers(STREAMPOOL_CAP_STEP));
  EXPECT_FALSE(adapter.offers(STREAMPOOL_CAP_FAULT));
  EXPECT_FALSE(adapter.offers(STREAMPOOL_CAP_LIMIT));
  EXPECT_TRUE(adapter.offers(STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_POOL |
                             STREAMPOOL_CAP_ATTRIBUTE | STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_PROBE));
}

INSTANTIATE_TEST_SUITE_P(Each, Vendors, testing::ValuesIn(vendor_cases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace streampool::adapters
