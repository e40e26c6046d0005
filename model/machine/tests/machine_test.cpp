// The machine by itself: what each policy makes of the same choice, and what the rules leave to nobody.
#include "model/machine/machine.hpp"

#include <gtest/gtest.h>

#include "model/profile/load.hpp"

namespace streampool::model::machine {
namespace {

constexpr std::uint64_t granule = std::uint64_t{2} << 20;

const Profile& strict() {
  static const auto profile = load_profile("strict");
  return *profile;
}

struct Device {
  explicit Device(Policy policy, std::uint64_t max_size = 0, std::uint64_t seed = 1)
      : machine(strict(), {.policy = policy, .seed = seed}) {
    EXPECT_EQ(machine.stream_create(false, s1), Status::ok);
    EXPECT_EQ(machine.stream_create(false, s2), Status::ok);
    EXPECT_EQ(machine.pool_create(max_size, pool), Status::ok);
    threshold(UINT64_MAX);
  }
  std::uint64_t malloc(Handle stream, std::uint64_t bytes = granule) {
    std::uint64_t address = 0;
    EXPECT_EQ(machine.malloc(pool, stream, bytes, address), Status::ok);
    return address;
  }
  void free(std::uint64_t address, Handle stream) { EXPECT_EQ(machine.free_async(address, stream), Status::ok); }
  void threshold(std::uint64_t bytes) { EXPECT_EQ(machine.attribute_set(pool, 4, &bytes, 8), Status::ok); }
  void switch_off(int attribute) {
    const std::uint32_t off = 0;
    EXPECT_EQ(machine.attribute_set(pool, attribute, &off, 4), Status::ok);
  }
  void sync(Handle stream) {
    Machine::Ticket ticket;
    ASSERT_EQ(machine.begin_stream_sync(stream, ticket), Status::ok);
    ASSERT_TRUE(machine.run(ticket));
    machine.conclude(ticket);
  }
  std::uint64_t get(int attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(machine.attribute_get(pool, attribute, &value, 8), Status::ok);
    return value;
  }
  Machine machine;
  Handle s1{}, s2{}, pool{};
};

TEST(Machine, GreedyTakesAFreedBlockBackAndLazyNever) {
  Device greedy(Policy::greedy), lazy(Policy::lazy);
  for (Device* device : {&greedy, &lazy}) {
    const std::uint64_t a = device->malloc(device->s1);
    device->free(a, device->s1);
    EXPECT_EQ(device->malloc(device->s1) == a, device == &greedy);
  }
}

TEST(Machine, AnInsertedDependencyHoldsTheAllocationBack) {
  Device device(Policy::greedy);
  device.switch_off(2);
  const std::uint64_t a = device.malloc(device.s1);
  Handle gate{};
  ASSERT_EQ(device.machine.gate_create(gate), Status::ok);
  ASSERT_EQ(device.machine.gate_hold(device.s1, gate), Status::ok);
  device.free(a, device.s1);
  EXPECT_EQ(device.malloc(device.s2), a);
  EXPECT_EQ(device.machine.step(device.s2), Status::not_ready);
  Machine::Ticket ticket;
  ASSERT_EQ(device.machine.begin_stream_sync(device.s2, ticket), Status::ok);
  EXPECT_FALSE(device.machine.run(ticket));
  ASSERT_EQ(device.machine.gate_open(gate), Status::ok);
  EXPECT_TRUE(device.machine.run(ticket));
}

TEST(Machine, WithEverySwitchOffAForeignStreamGetsOnlyWhatWasObserved) {
  Device device(Policy::greedy);
  for (const int attribute : {1, 2, 3}) device.switch_off(attribute);
  const std::uint64_t a = device.malloc(device.s1);
  device.free(a, device.s1);
  EXPECT_NE(device.malloc(device.s2), a);
  device.sync(device.s1);
  EXPECT_EQ(device.malloc(device.s2), a);
}

TEST(Machine, ASynchronizeReleasesDownToTheThreshold) {
  for (const Policy policy : {Policy::greedy, Policy::lazy, Policy::random}) {
    Device device(policy);
    device.threshold(granule + 1);
    const std::uint64_t a = device.malloc(device.s1, 3 * granule);
    device.free(a, device.s1);
    EXPECT_EQ(device.get(5), 3 * granule);
    device.sync(device.s1);
    EXPECT_EQ(device.get(5), 2 * granule);
    EXPECT_EQ(device.get(6), 3 * granule);
  }
}

TEST(Machine, AnotherPoolsUnprovedFreeKeepsNoMemoryBack) {
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    Device device(Policy::random, 0, seed);
    device.free(device.malloc(device.s1), device.s1);
    while (device.machine.step(device.s1) == Status::ok) {
    }
    ASSERT_EQ(device.machine.pool_trim(device.pool, 0), Status::ok);
    ASSERT_EQ(device.machine.pool_create(0, device.pool), Status::ok);
    device.free(device.malloc(device.s2, granule / 2), device.s2);
    device.sync(device.s2);
    EXPECT_EQ(device.get(5), 0U) << "seed " << seed;
  }
}

TEST(Machine, AFullPoolServesAgainOnceItsFreesHaveEnded) {
  for (const Policy policy : {Policy::greedy, Policy::lazy, Policy::random}) {
    Device device(policy, 2 * granule);
    for (const int attribute : {1, 2, 3}) device.switch_off(attribute);
    const std::uint64_t a = device.malloc(device.s1, 2 * granule);
    std::uint64_t none = 1;
    EXPECT_EQ(device.machine.malloc(device.pool, device.s2, 1, none), Status::out_of_memory);
    EXPECT_EQ(none, 0U);
    device.free(a, device.s1);
    EXPECT_EQ(device.machine.malloc(device.pool, device.s2, 1, none), Status::out_of_memory);
    device.sync(device.s1);
    EXPECT_NE(device.malloc(device.s2, 2 * granule), 0U);
  }
}

TEST(Machine, AFailedMallocChangesNothing) {
  Device device(Policy::greedy);
  device.malloc(device.s1, 100);
  const std::uint64_t used = device.get(7), reserved = device.get(5);
  device.machine.fail_next(history::FailKind::map, 1);
  std::uint64_t address = 1;
  EXPECT_EQ(device.machine.malloc(device.pool, device.s1, 4 * granule, address), Status::out_of_memory);
  EXPECT_EQ(device.get(7), used);
  EXPECT_EQ(device.get(5), reserved);
  EXPECT_NE(device.malloc(device.s1, 4 * granule), 0U);
}

TEST(Machine, AFreeWhoseSubmissionFailsLeavesTheBlock) {
  Device device(Policy::greedy);
  const std::uint64_t a = device.malloc(device.s1);
  device.machine.fail_next(history::FailKind::submit, 1);
  EXPECT_EQ(device.machine.free_async(a, device.s1), Status::out_of_memory);
  EXPECT_EQ(device.get(7), granule);
  device.free(a, device.s1);
  EXPECT_EQ(device.get(7), 0U);
}

TEST(Machine, ARecycledHandleIsAnotherObject) {
  Device device(Policy::greedy);
  const Stream before = device.machine.stream_of(device.s2);
  ASSERT_EQ(device.machine.stream_destroy(device.s2), Status::ok);
  EXPECT_EQ(device.machine.stream_query(device.s2), Status::invalid_handle);
  Handle again{};
  ASSERT_EQ(device.machine.stream_create(false, again), Status::ok);
  EXPECT_EQ(again, device.s2);
  EXPECT_NE(device.machine.stream_of(again), before);
}

}  // namespace
}  // namespace streampool::model::machine
