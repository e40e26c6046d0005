// A lock that favours one thread is a lock: whoever the owner is, wherever the others come in.
#include "impl/pool/biased_lock.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

namespace streampool::engine {
namespace {

constexpr std::uint32_t patience = BiasedLock::patience;

void take(BiasedLock& lock, std::uint64_t times, std::uint64_t& counter) {
  for (std::uint64_t i = 0; i < times; ++i) {
    const std::lock_guard guard(lock);
    ++counter;
  }
}
template <class Body>
void on_another_thread(Body body) {
  std::thread(body).join();
}

TEST(BiasedLock, FavoursWhoComesAloneUntilSomebodyElseComes) {
  if (!ProcessBarrier::available()) GTEST_SKIP() << "no barrier here";
  BiasedLock lock;
  std::uint64_t counter = 0;
  take(lock, patience, counter);
  EXPECT_FALSE(lock.biased());
  take(lock, 2, counter);
  EXPECT_TRUE(lock.biased());
  on_another_thread([&] { take(lock, 1, counter); });
  EXPECT_FALSE(lock.biased());
  take(lock, patience + 2, counter);
  EXPECT_TRUE(lock.biased());
  EXPECT_EQ(counter, 2 * patience + 5);
}

TEST(BiasedLock, OnlySoManyThreadsBecomeOwners) {
  if (!ProcessBarrier::available()) GTEST_SKIP() << "no barrier here";
  BiasedLock lock;
  std::uint64_t counter = 0;
  for (std::uint32_t i = 0; i < BiasedLock::slots + 2; ++i) {
    on_another_thread([&] { take(lock, patience + 2, counter); });
    EXPECT_EQ(lock.biased(), i < BiasedLock::slots);
  }
  EXPECT_EQ(counter, std::uint64_t{BiasedLock::slots + 2} * (patience + 2));
}

// The owner hammers; the others come now and then, or all the time. `counter` is no atomic, so nothing but the lock
// keeps its value.
TEST(BiasedLock, ExcludesWhileItChangesHands) {
  for (const std::uint64_t pause : {0U, 100U, 5000U}) {
    BiasedLock lock;
    std::uint64_t counter = 0;
    constexpr std::uint64_t turns = 200;
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> taken(3);
    for (std::uint64_t& mine : taken) {
      threads.emplace_back([&lock, &counter, &mine, pause] {
        std::uint64_t elsewhere = 0;
        BiasedLock own;
        for (std::uint64_t i = 0; i < turns; ++i) {
          const std::uint64_t burst = i % 3 == 0 ? patience + 10 : 1;
          take(lock, burst, counter);
          mine += burst;
          take(own, pause, elsewhere);
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(counter, taken[0] + taken[1] + taken[2]);
  }
}

}  // namespace
}  // namespace streampool::engine
