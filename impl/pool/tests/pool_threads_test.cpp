// The pool under many threads: no memory is live twice, counts stay exact, and every arena is in order afterwards.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <thread>

#include "impl/device/simulated/simulated_device.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::engine {
namespace {

constexpr unsigned thread_count = 4;
constexpr int rounds = 4000;

class PoolThreads : public ::testing::TestWithParam<unsigned> {
 protected:
  Order order{false};
  SimulatedDevice device{order, Bytes{1} << 16, Bytes{1} << 30};
  Space<SimulatedDevice> space{device, order, Bytes{1} << 28};
  Pool<SimulatedDevice> pool{space, {0, GetParam()}};
  // One mark a unit: who writes finds 0, who frees leaves 0.
  std::unique_ptr<std::atomic<std::uint32_t>[]> owner =
      std::make_unique<std::atomic<std::uint32_t>[]>((Bytes{1} << 30) / unit_bytes);

  void mark(Address a, Bytes bytes, std::uint32_t from, std::uint32_t to) {
    const std::uint64_t first = (raw(a) - raw(device.base())) / unit_bytes;
    for (std::uint64_t i = first; i < first + (bytes + unit_bytes - 1) / unit_bytes; ++i) {
      ASSERT_EQ(owner[i].exchange(to, std::memory_order_relaxed), from);
    }
  }

  struct Block {
    Address address;
    Bytes bytes;
  };
  void churn(unsigned id, StreamIndex mine, StreamIndex other) {
    std::minstd_rand random(id + 1);
    std::vector<Block> live;
    Clock cut;
    for (int i = 0; i < rounds; ++i) {
      const unsigned dice = static_cast<unsigned>(random()) % 100;
      if (dice < 45 || live.empty()) {
        const Bytes bytes = 1 + random() % (Bytes{1} << (8 + random() % 9));
        const auto got = pool.allocate(mine, bytes);
        ASSERT_TRUE(got);
        mark(got->address, bytes, 0, id + 1);
        live.push_back({got->address, bytes});
      } else if (dice < 90) {
        std::swap(live[random() % live.size()], live.back());
        mark(live.back().address, live.back().bytes, id + 1, 0);
        ASSERT_TRUE(dice < 80 ? pool.free(live.back().address, mine) : pool.free_sync(live.back().address));
        live.pop_back();
      } else if (dice < 95) {
        order.snapshot(mine, cut);
        order.join(other, cut);
      } else if (dice < 98) {
        order.prove({mine, order.observe(mine)});
        pool.release();
      } else {
        pool.trim(random() % (Bytes{1} << 24));
      }
      ASSERT_LE(pool.used(), pool.reserved() + (Bytes{1} << 28));
    }
    for (const Block& block : live) {
      mark(block.address, block.bytes, id + 1, 0);
      ASSERT_TRUE(pool.free(block.address, mine));
    }
  }
};

TEST_P(PoolThreads, NoMemoryIsLiveTwice) {
  std::vector<StreamIndex> streams;
  for (unsigned i = 0; i < thread_count; ++i) streams.push_back(order.open([](StreamIndex) { return false; }));
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < thread_count; ++i) {
    threads.emplace_back([&, i] { churn(i, streams[i], streams[(i + 1) % thread_count]); });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(pool.check(), "");
  EXPECT_EQ(pool.used(), 0u);
  EXPECT_GT(pool.used_high(), 0u);
  for (const StreamIndex s : streams) order.prove({s, order.observe(s)});
  pool.trim(0);
  EXPECT_EQ(pool.reserved(), 0u);
  EXPECT_EQ(space.committed(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Arenas, PoolThreads, ::testing::Values(1u, 2u, 4u));

// Two streams whose blocks lie in one granule, pairs of free and allocation in turn, by one thread or by two.
std::uint64_t granules_after_pairs(bool two_threads) {
  Order order{false};
  SimulatedDevice device{order, Bytes{1} << 16, Bytes{1} << 30};
  Space<SimulatedDevice> space{device, order, Bytes{1} << 28};
  Pool<SimulatedDevice> pool{space, {0, 2}};
  std::array<StreamIndex, 2> streams{};
  std::array<Address, 2> blocks{};
  for (std::size_t i = 0; i < 2; ++i) {
    streams[i] = order.open([](StreamIndex) { return false; });
    blocks[i] = pool.allocate(streams[i], 4096)->address;
  }
  EXPECT_EQ(pool.reserved(), space.granule());
  constexpr unsigned pairs = 10'000;
  const auto pair = [&](std::size_t i) {
    EXPECT_TRUE(pool.free(blocks[i], streams[i]));
    blocks[i] = pool.allocate(streams[i], 4096)->address;
  };
  if (two_threads) {
    std::atomic<unsigned> turn{0};
    const auto every_other = [&](std::size_t i) {
      for (unsigned mine = static_cast<unsigned>(i); mine < pairs; mine += 2) {
        while (turn.load() != mine) std::this_thread::yield();
        pair(i);
        ++turn;
      }
    };
    std::thread other(every_other, 1);
    every_other(0);
    other.join();
  } else {
    for (unsigned turn = 0; turn < pairs; ++turn) pair(turn % 2);
  }
  EXPECT_EQ(pool.check(), "");
  return pool.reserved() / space.granule();
}
TEST(PoolOfTwoStreams, GivesEachMemoryOfItsOwnWhereThreadsKeepMeeting) {
  EXPECT_EQ(granules_after_pairs(false), 1u);
  EXPECT_EQ(granules_after_pairs(true), 2u);
}

}  // namespace
}  // namespace streampool::engine
