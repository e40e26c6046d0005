// The C++ interface over the host device, and the C interface through a C program.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "impl/api/pool.hpp"
#include "impl/device/host/host_device.hpp"

extern "C" int run_c_caller(void);

namespace streampool {
namespace {

// A device that needs its domain's order before the domain is there takes a detour: queues are not used here.
struct IdleDevice {
  static constexpr bool explicit_items = false;
  engine::Mapping memory{Bytes{1} << 30, Bytes{2} << 20, engine::Mapping::Pages::small};
  [[nodiscard]] engine::Address base() const { return memory.base(); }
  [[nodiscard]] Bytes range() const { return memory.size(); }
  [[nodiscard]] Bytes granularity() const { return Bytes{2} << 20; }
  bool commit(engine::Address at, Bytes bytes) { return engine::Mapping::populate(at, bytes); }
  void decommit(engine::Address at, Bytes bytes) { engine::Mapping::give_back(at, bytes); }
  [[nodiscard]] engine::Position completed(Stream) const { return engine::Position::all; }
  void wait(Stream, engine::Point) { ++waits; }
  int waits = 0;
};

class Api : public ::testing::Test {
 protected:
  IdleDevice device;
  Domain<IdleDevice> domain{device, Bytes{64} << 20};
  Pool<IdleDevice> pool{domain};
};

TEST_F(Api, AllocatesInStreamOrder) {
  const Stream s = domain.open_stream();
  void* a = pool.allocate_async(1000, 64, s);
  std::memset(a, 1, 1000);
  EXPECT_EQ(pool.used(), 1000u);
  EXPECT_TRUE(pool.deallocate_async(a, 1000, 64, s));
  EXPECT_FALSE(pool.deallocate_async(a, 1000, 64, s));
  EXPECT_EQ(pool.allocate_async(1000, s), a);
  EXPECT_EQ(pool.reserved(), Bytes{2} << 20);
  EXPECT_THROW(pool.allocate_async(std::size_t{1} << 40, s), std::bad_alloc);
  EXPECT_THROW(pool.allocate_async(1, 4096, s), std::bad_alloc);
}

TEST_F(Api, EventsCarryOrderAndSynchronisingReleases) {
  pool.attributes().reuse_allow_opportunistic = false;
  const Stream s = domain.open_stream(), t = domain.open_stream();
  void* a = pool.allocate_async(Bytes{2} << 20, s);
  pool.deallocate_async(a, Bytes{2} << 20, s);
  Event e;
  domain.record(e, s);
  domain.wait(t, e);
  EXPECT_EQ(device.waits, 1);
  void* b = pool.allocate_async(Bytes{2} << 20, t);
  EXPECT_EQ(a, b);
  pool.deallocate_async(b, Bytes{2} << 20, t);
  domain.record(e, t);
  domain.synchronized(e);
  EXPECT_EQ(pool.reserved(), 0u);
  domain.close_stream(s);
}

TEST_F(Api, ServesHostContainers) {
  MemoryResource<IdleDevice> resource(pool);
  {
    std::pmr::vector<std::pmr::string> words(&resource);
    for (int i = 0; i < 1000; ++i) words.emplace_back("a word that is longer than a string keeps to itself");
    EXPECT_GT(pool.used(), 50'000u);
  }
  EXPECT_EQ(pool.used(), 0u);
  StreamOrderedResource<IdleDevice> ordered(pool);
  const Stream s = domain.open_stream();
  void* p = ordered.allocate_async(10, 8, s);
  ordered.deallocate_async(p, 10, 8, s);
  EXPECT_EQ(pool.used(), 0u);
}

TEST(CApi, ServesACProgram) { EXPECT_EQ(run_c_caller(), 0); }

}  // namespace
}  // namespace streampool
