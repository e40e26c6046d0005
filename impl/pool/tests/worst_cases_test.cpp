// What a pool's structures like least, with the pool's own check after it: sizes that never come twice, growth and
// shrinking at a granule's border, streams by the thousand, memory full to the last granule, readers beside writers.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "impl/device/simulated/simulated_device.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::engine {
namespace {

constexpr Bytes granule = Bytes{1} << 16, MiB = Bytes{1} << 20;

// Frees are no items of their own, as over a real device.
struct Device : SimulatedDevice {
  static constexpr bool explicit_items = false;
  using SimulatedDevice::SimulatedDevice;
};

class WorstCases : public ::testing::Test {
 protected:
  StreamIndex stream() {
    return order.open([](StreamIndex) { return true; });
  }
  void prove(StreamIndex s) {
    order.prove({s, order.observe(s)});
    pool.release();
  }
  Order order{false};
  Device device{order, granule, Bytes{1} << 32};
  Space<Device> space{device, order, 64 * MiB};
  Pool<Device> pool{space, {0, 2}};
};

TEST_F(WorstCases, SizesThatNeverComeTwice) {
  const StreamIndex s = stream();
  std::vector<Address> live(200);
  Bytes next = 1;
  Bytes used = 0;
  std::vector<Bytes> sizes(live.size());
  for (std::size_t i = 0; i < 4000; ++i) {
    const std::size_t slot = i * 7919 % live.size();
    if (live[slot] != Address::null) {
      ASSERT_TRUE(pool.free(live[slot], s));
      used -= sizes[slot];
    }
    next = (next * 48'271) % 262'139;  // goes through all sizes below a prime
    const auto got = pool.allocate(s, next);
    ASSERT_TRUE(got);
    live[slot] = got->address;
    used += sizes[slot] = next;
    ASSERT_EQ(pool.used(), used);
  }
  EXPECT_EQ(pool.check(), "");
}

TEST_F(WorstCases, AGranulesBorderIsCrossedInBothDirections) {
  const StreamIndex s = stream();
  const Bytes threshold[] = {0, granule, ~Bytes{0}};
  for (const Bytes kept : threshold) {
    pool.attributes.release_threshold = kept;
    const Address base = pool.allocate(s, granule - unit_bytes)->address;
    for (int i = 0; i < 100; ++i) {
      const Address over = pool.allocate(s, 2 * unit_bytes)->address;
      EXPECT_LE(pool.reserved(), 4 * granule);
      ASSERT_TRUE(pool.free(over, s));
      prove(s);
      EXPECT_GE(pool.reserved(), granule);
      ASSERT_EQ(pool.check(), "");
    }
    ASSERT_TRUE(pool.free(base, s));
    prove(s);
    pool.trim(0);
    EXPECT_EQ(pool.reserved(), 0u);
  }
}

TEST_F(WorstCases, StreamsByTheThousandLeaveNothingBehind) {
  constexpr int rounds = 10'000;
  std::vector<StreamIndex> open;
  for (int i = 0; i < rounds; ++i) {
    const StreamIndex s = stream();
    const Address a = pool.allocate(s, 4096)->address;
    ASSERT_TRUE(pool.free(a, s));
    open.push_back(s);
    if (open.size() < 100) continue;
    const StreamIndex end = open[static_cast<std::size_t>(i) % open.size()];
    std::erase(open, end);
    if (i % 2 == 0) prove(end);
    pool.forget(end);
    order.close(end);
  }
  EXPECT_EQ(pool.check(), "");
  EXPECT_EQ(pool.used(), 0u);
  for (const StreamIndex s : open) prove(s);
  EXPECT_LT(order.bound(), rounds / 3) << "identities are used again";
  EXPECT_LE(pool.reserved(), 8 * MiB);
}

TEST_F(WorstCases, OneEventThatAllWaitFor) {
  const StreamIndex producer = stream();
  std::vector<StreamIndex> consumers;
  std::vector<Address> blocks;
  for (int i = 0; i < 1000; ++i) {
    consumers.push_back(stream());
    blocks.push_back(pool.allocate(producer, 4096)->address);
  }
  const Bytes reserved = pool.reserved();
  for (const Address a : blocks) ASSERT_TRUE(pool.free(a, producer));
  Clock event;
  order.snapshot(producer, event);
  pool.attributes.reuse_allow_opportunistic = false;
  pool.attributes.reuse_allow_internal_dependencies = false;
  for (const StreamIndex s : consumers) {
    order.join(s, event);
    ASSERT_TRUE(pool.allocate(s, 4096));
  }
  EXPECT_EQ(pool.reserved(), reserved) << "every consumer takes what the producer freed";
  EXPECT_EQ(pool.check(), "");
}

TEST_F(WorstCases, SizesAtBothEnds) {
  const StreamIndex s = stream();
  std::vector<Address> small;
  for (int i = 0; i < 1000; ++i) small.push_back(pool.allocate(s, 1)->address);
  EXPECT_EQ(pool.used(), 1000u);
  EXPECT_EQ(pool.reserved(), (1000 * unit_bytes + granule - 1) / granule * granule);
  for (const Bytes bytes : {64 * MiB, 64 * MiB + 1, Bytes{1} << 39, Bytes{1} << 40, ~Bytes{0} - 254, ~Bytes{0}}) {
    EXPECT_FALSE(pool.allocate(s, bytes)) << bytes;
  }
  EXPECT_EQ(pool.used(), 1000u);
  for (const Address a : small) ASSERT_TRUE(pool.free(a, s));
  prove(s);
  pool.trim(0);
  EXPECT_TRUE(pool.allocate(s, 64 * MiB));
  EXPECT_FALSE(pool.allocate(s, 1));
  EXPECT_EQ(pool.check(), "");
}

TEST_F(WorstCases, ManyPoolsShareTheMemory) {
  const StreamIndex s = stream();
  std::vector<std::unique_ptr<Pool<Device>>> pools;
  std::vector<Address> blocks;
  for (int i = 0; i < 500; ++i) {
    pools.push_back(std::make_unique<Pool<Device>>(space, PoolOptions{0, 1}));
    blocks.push_back(pools.back()->allocate(s, granule)->address);
  }
  EXPECT_EQ(space.committed(), 500 * granule);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    EXPECT_FALSE(pool.free(blocks[i], s)) << "another pool's memory";
    EXPECT_TRUE(pools[i]->free(blocks[i], s));
    if (i % 2 == 0) pools[i].reset();
  }
  pools.clear();
  EXPECT_EQ(space.committed(), 0u);
}

// 90 % and 99 % of the memory live in scattered granules; what is left must be found for one request, wherever it lies.
TEST_F(WorstCases, WhatIsLeftOfTheMemoryServesOneRequest) {
  constexpr std::size_t granules = 64 * MiB / granule;
  for (const std::size_t live : {granules * 90 / 100, granules * 99 / 100, granules - 1}) {
    const StreamIndex s = stream();
    std::vector<Address> blocks;
    for (std::size_t i = 0; i < granules; ++i) blocks.push_back(pool.allocate(s, granule)->address);
    EXPECT_FALSE(pool.allocate(s, 1));
    std::mt19937 random(static_cast<unsigned>(live));
    std::shuffle(blocks.begin(), blocks.end(), random);
    while (blocks.size() > live) {
      ASSERT_TRUE(pool.free(blocks.back(), s));
      blocks.pop_back();
    }
    order.prove({s, order.observe(s)});
    const auto got = pool.allocate(stream(), (granules - live) * granule);
    ASSERT_TRUE(got) << live;
    EXPECT_EQ(pool.reserved(), 64 * MiB);
    EXPECT_FALSE(pool.allocate(s, 1));
    ASSERT_EQ(pool.check(), "");
    ASSERT_TRUE(pool.free_sync(got->address));
    for (const Address a : blocks) ASSERT_TRUE(pool.free_sync(a));
    pool.trim(0);
    EXPECT_EQ(pool.reserved(), 0u);
  }
}

// Two threads come and go at the watermark while a third reads: no reading is ever impossible.
TEST_F(WorstCases, ReadersSeePossibleValuesOnly) {
  constexpr Bytes bytes = 4096;
  std::vector<std::thread> threads;
  std::atomic<int> running{2};
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([this, &running, s = stream()] {
      for (int i = 0; i < 20'000; ++i) EXPECT_TRUE(pool.free(pool.allocate(s, bytes)->address, s));
      --running;
    });
  }
  while (running != 0) {
    const Bytes used = pool.used(), high = pool.used_high(), reserved = pool.reserved();
    EXPECT_LE(used, 2 * bytes);
    EXPECT_EQ(used % bytes, 0u);
    EXPECT_LE(high, 2 * bytes);
    EXPECT_LE(reserved, 2 * granule);
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(pool.used(), 0u);
  EXPECT_GE(pool.used_high(), bytes);
  pool.reset_used_high();
  EXPECT_EQ(pool.used_high(), 0u);
}

}  // namespace
}  // namespace streampool::engine
