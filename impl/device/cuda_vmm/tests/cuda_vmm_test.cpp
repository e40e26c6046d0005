// The CUDA device over a driver made of host memory.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "impl/device/cuda_vmm/cuda_vmm_device.hpp"
#include "impl/device/cuda_vmm/tests/fake_driver.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr Bytes MiB = Bytes{1} << 20;
constexpr Bytes granule = 2 * MiB;

class CudaVmm : public ::testing::Test {
 protected:
  CudaVmm() { ledger() = {}; }
  ~CudaVmm() override {
    device.reset();
    EXPECT_EQ(ledger().reserved, 0u);
    EXPECT_EQ(ledger().physical, 0u);
    EXPECT_EQ(ledger().handles, 0u);
    EXPECT_EQ(ledger().contexts, 0);
    EXPECT_EQ(ledger().depth, 0);
  }
  static cuda::fake::Ledger& ledger() {
    static void* library = ::dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    return *reinterpret_cast<cuda::fake::LedgerFunction>(::dlsym(library, "fake_ledger"))();
  }
  static std::unique_ptr<CudaVmmDevice> open(std::string& why, int ordinal = 0) {
    return CudaVmmDevice::open({ordinal, 64 * granule, granule, FAKE_DRIVER}, why);
  }
  void SetUp() override {
    std::string why;
    device = open(why);
    ASSERT_NE(device, nullptr) << why;
  }
  cuda::Stream stream(std::size_t i) { return reinterpret_cast<cuda::Stream>(&streams_[i]); }
  static void* host(Address a) { return reinterpret_cast<void*>(raw(a)); }

  std::unique_ptr<CudaVmmDevice> device;

 private:
  char streams_[4] = {};
};

TEST(CudaDriver, SaysThatThereIsNone) {
  std::string why;
  EXPECT_EQ(CudaVmmDevice::open({0, granule, granule, "libno-such-driver.so"}, why), nullptr);
  EXPECT_THAT(why, HasSubstr("no CUDA driver"));
  EXPECT_THAT(why, HasSubstr("libno-such-driver.so"));
}
TEST(CudaDriver, SaysWhatALibraryLacks) {
  std::string why;
  EXPECT_EQ(CudaVmmDevice::open({0, granule, granule, "libm.so.6"}, why), nullptr);
  EXPECT_THAT(why, HasSubstr("cuInit"));
}
TEST_F(CudaVmm, SaysThatThereIsNoSuchDevice) {
  std::string why;
  EXPECT_EQ(open(why, 3), nullptr);
  EXPECT_THAT(why, HasSubstr("no CUDA-capable device"));
}
TEST_F(CudaVmm, NoAddressesIsAnError) {
  ledger().failing = "cuMemAddressReserve";
  ledger().failing_nth = 1;
  std::string why;
  EXPECT_EQ(open(why), nullptr);
  EXPECT_THAT(why, HasSubstr("out of memory"));
}

TEST_F(CudaVmm, MemoryComesAndGoesInGranules) {
  const Address base = device->base();
  EXPECT_EQ(raw(base) % granule, 0u);
  ASSERT_TRUE(device->commit(base, 4 * granule));
  EXPECT_EQ(ledger().physical, 4 * granule);
  EXPECT_EQ(ledger().accesses, 1) << "one call for the whole range";
  std::memset(host(base), 1, 4 * granule);
  device->decommit(Address{raw(base) + granule}, 2 * granule);  // the middle of what was committed as one
  EXPECT_EQ(ledger().unmaps, 1);
  EXPECT_EQ(ledger().physical, 2 * granule);
  EXPECT_EQ(static_cast<char*>(host(base))[granule - 1], 1) << "the rest keeps its content";
  device->decommit(base, granule);
  device->decommit(Address{raw(base) + 3 * granule}, granule);
  EXPECT_EQ(device->fault(), "");
}

TEST_F(CudaVmm, AFailedCommitKeepsNothing) {
  for (const auto& [call, nth] : {std::pair("cuMemCreate", 1), std::pair("cuMemCreate", 3), std::pair("cuMemMap", 2),
                                  std::pair("cuMemSetAccess", 1)}) {
    ledger().failing = call;
    ledger().failing_nth = nth;
    EXPECT_FALSE(device->commit(device->base(), 4 * granule)) << call;
    EXPECT_EQ(ledger().physical, 0u) << call;
    EXPECT_EQ(ledger().mapped, 0u) << call;
    EXPECT_EQ(ledger().handles, 0u) << call;
  }
  EXPECT_EQ(device->fault(), "");
}

TEST_F(CudaVmm, AStreamIsCompleteOnceItIsEmpty) {
  const StreamIndex s = first_stream;
  EXPECT_EQ(device->completed(s), Position::all) << "it was given nothing";
  device->bind(s, stream(0));
  EXPECT_EQ(device->completed(s), Position::all);
  ledger().busy = {stream(0)};
  EXPECT_EQ(device->completed(s), Position::none);
  ledger().busy.clear();
  EXPECT_EQ(device->completed(s), Position::all);
}

TEST_F(CudaVmm, AWaitIsARecordAndAWaitOfTheDriver) {
  const StreamIndex s = first_stream, t{raw(s) + 1};
  device->bind(s, stream(0));
  device->bind(t, stream(1));
  device->wait(t, {s, Position{7}});
  EXPECT_THAT(ledger().waits, ElementsAre(Pair(static_cast<void*>(stream(0)), static_cast<void*>(stream(1)))));
  device->wait(s, {s, Position{7}});
  EXPECT_EQ(ledger().waits.size(), 1u) << "a stream comes after itself";
  ledger().failing = "cuEventRecord";
  ledger().failing_nth = 1;
  device->wait(s, {t, Position{1}});
  EXPECT_THAT(device->fault(), HasSubstr("cuEventRecord"));
}

// The pool over it: memory of a busy stream is taken behind a wait, and nothing is left behind.
TEST_F(CudaVmm, CarriesAPool) {
  Order order(false);
  Space<CudaVmmDevice> space(*device, order, 8 * granule);
  Pool<CudaVmmDevice> pool(space, {});
  const auto never = [](StreamIndex) { return false; };
  const StreamIndex s = order.open(never), t = order.open(never);
  device->bind(s, stream(0));
  device->bind(t, stream(1));
  ledger().busy = {stream(0)};
  const auto all = pool.allocate(s, 8 * granule);
  ASSERT_TRUE(all);
  pool.free(all->address, s);
  const auto behind = pool.allocate(t, granule);
  ASSERT_TRUE(behind);
  ASSERT_TRUE(behind->wait);
  EXPECT_EQ(behind->wait->stream, s);
  pool.free(behind->address, t);
  ledger().busy.clear();
  pool.trim(0);
  EXPECT_EQ(ledger().physical, 0u);
  EXPECT_EQ(device->fault(), "");
}

// Random use keeps to the driver's rules, which the fake one checks, and never loses content.
TEST_F(CudaVmm, KeepsToTheDriversRules) {
  Order order(false);
  Space<CudaVmmDevice> space(*device, order, 32 * granule);
  Pool<CudaVmmDevice> pool(space, {});
  const StreamIndex s = order.open([](StreamIndex) { return false; });
  device->bind(s, stream(0));
  struct Block {
    Address at;
    Bytes bytes;
    unsigned char mark;
  };
  std::vector<Block> blocks;
  std::minstd_rand random(1);
  for (int i = 0; i < 3000; ++i) {
    const unsigned dice = static_cast<unsigned>(random()) % 100;
    if (dice < 50) {
      const Bytes bytes = 1 + random() % (3 * granule);
      if (const auto got = pool.allocate(s, bytes)) {
        blocks.push_back({got->address, bytes, static_cast<unsigned char>(random())});
        static_cast<unsigned char*>(host(got->address))[0] = blocks.back().mark;
        static_cast<unsigned char*>(host(got->address))[bytes - 1] = blocks.back().mark;
      }
    } else if (dice < 95 && !blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const Block block = blocks.back();
      blocks.pop_back();
      ASSERT_EQ(static_cast<unsigned char*>(host(block.at))[0], block.mark);
      ASSERT_EQ(static_cast<unsigned char*>(host(block.at))[block.bytes - 1], block.mark);
      ASSERT_TRUE(pool.free(block.at, s));
    } else {
      pool.trim(random() % (32 * granule));
    }
    ASSERT_EQ(ledger().physical, pool.reserved());
    ASSERT_EQ(device->fault(), "");
  }
}

}  // namespace
}  // namespace streampool::engine
