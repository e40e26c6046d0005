// Who may take which memory: every switch, every kind of order.
#include "impl/runtime/tests/runtime_fixture.hpp"

namespace streampool::engine::testing {
namespace {

TYPED_TEST_SUITE(RuntimeTest, Devices);

constexpr std::int32_t event_switch = STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES;
constexpr std::int32_t opportunistic_switch = STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC;
constexpr std::int32_t internal_switch = STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;

TYPED_TEST(RuntimeTest, ReusesOnTheSameStreamAtOnceWhileHeld) {
  auto& r = this->opened;
  const auto s = r.stream(), g = r.gate(), p = r.quiet_pool();
  const auto a = r.malloc(MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  EXPECT_EQ(r.malloc(MiB, p, s), a);
  r.open(g);
}

TYPED_TEST(RuntimeTest, KeepsPendingMemoryFromOtherStreamsUntilProved) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), g = r.gate(), p = r.quiet_pool();
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a);
  r.open(g);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "complete, but nobody has proved it";
  r.sync(s);
  EXPECT_EQ(r.malloc(2 * MiB, p, other), a);
}

TYPED_TEST(RuntimeTest, AFreeAfterTheSyncIsNotProvedByIt) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), p = r.quiet_pool();
  const auto a = r.malloc(2 * MiB, p, s);
  r.sync(s);
  r.free(a, s);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a);
}

TYPED_TEST(RuntimeTest, FollowsEventsOnlyWhereTheyCoverTheFreeAndTheSwitchIsOn) {
  auto& r = this->opened;
  const auto s = r.stream(), middle = r.stream(), other = r.stream(), g = r.gate(), p = r.quiet_pool();
  const auto early = r.event(), late = r.event(), through = r.event();
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.set(p, event_switch, 1);
  r.record(early, s);
  r.free(a, s);
  r.wait(other, early);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "recorded before the free";
  r.record(late, s);
  r.wait(middle, late);
  r.record(through, middle);
  r.set(p, event_switch, 0);
  r.wait(other, through);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "the switch is off";
  r.set(p, event_switch, 1);
  EXPECT_EQ(r.malloc(2 * MiB, p, other), a) << "ordered through the stream between";
  r.open(g);
}

TYPED_TEST(RuntimeTest, TakesPassedMemoryOnlyWithTheSwitch) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), g = r.gate(), p = r.quiet_pool();
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  r.set(p, opportunistic_switch, 1);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "held";
  r.open(g);
  // No other stream's call may prove it, so the stream's progress is what is asked for.
  while (r.t.stream_query(r.c, s) != STREAMPOOL_OK) {
    if (r.t.step != nullptr) {
      EXPECT_EQ(r.t.step(r.c, s), STREAMPOOL_OK);
    }
  }
  const auto b = r.malloc(2 * MiB, p, s);
  r.free(b, s);
  if (r.t.step != nullptr) {
    EXPECT_NE(r.malloc(2 * MiB, p, other), b) << "its item has not been stepped";
    while (r.t.step(r.c, s) == STREAMPOOL_OK) {
    }
  }
  // The free's own item may still run: a checked build poisons.
  auto taken = r.malloc(2 * MiB, p, other);
  while (taken != b && r.reserved(p) < 256 * MiB) taken = r.malloc(2 * MiB, p, other);
  EXPECT_EQ(taken, b);
}

TYPED_TEST(RuntimeTest, InsertsADependencyOnlyWhenNoMemoryIsLeft) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), g = r.gate(), p = r.quiet_pool(4 * MiB);
  r.set(p, internal_switch, 1);
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "there was memory";
  r.sync(other);  // returns, for it does not wait for the free
  EXPECT_EQ(r.malloc(2 * MiB, p, other), a);
  EXPECT_EQ(r.t.stream_query(r.c, other), STREAMPOOL_NOT_READY) << "the wait was not made";
  r.set(p, internal_switch, 0);
  EXPECT_EQ(r.try_malloc(2 * MiB, p, other), STREAMPOOL_OUT_OF_MEMORY);
  r.open(g);
  r.sync(other);
}

// The wait is for the merged block's later free, and so covers what was freed between. No user can see that.
TYPED_TEST(RuntimeTest, ADependencyOfOnePoolExplainsNothingInAnother) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), g = r.gate(), p = r.quiet_pool(2 * MiB), q = r.quiet_pool();
  r.set(p, internal_switch, 1);
  r.set(q, event_switch, 1);
  const auto a = r.malloc(MiB, p, s), b = r.malloc(MiB, p, s), between = r.malloc(2 * MiB, q, s);
  r.hold(s, g);
  r.free(a, s);
  r.free(between, s);
  r.free(b, s);
  EXPECT_EQ(r.malloc(MiB, p, other), a);
  EXPECT_NE(r.malloc(2 * MiB, q, other), between);
  r.open(g);
}

TYPED_TEST(RuntimeTest, AFreedBytesHistoryStaysWithSplitAndMergedBlocks) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), p = r.quiet_pool();
  const auto a = r.malloc(MiB, p, s), b = r.malloc(MiB, p, s);
  r.free(a, s);
  r.sync(s);
  r.free(b, s);  // may not become available with a
  const auto c = r.malloc(MiB, p, other);
  EXPECT_NE(c, b);
  EXPECT_NE(r.malloc(512 * KiB, p, other), b);
}

TYPED_TEST(RuntimeTest, SyncFreedMemoryIsFreeForAllAtTheReturn) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), p = r.quiet_pool();
  const auto a = r.malloc(2 * MiB, p, s);
  r.free_sync(a);
  EXPECT_EQ(r.malloc(2 * MiB, p, other), a);
  EXPECT_EQ(r.reserved(p), 2 * MiB);
}

TYPED_TEST(RuntimeTest, LegacyIsOrderedWithBlockingStreamsOnly) {
  auto& r = this->opened;
  const auto legacy = r.default_stream(STREAMPOOL_DEFAULT_LEGACY);
  const auto blocking = r.stream(STREAMPOOL_STREAM_BLOCKING), free_running = r.stream(), g = r.gate();
  const auto p = r.quiet_pool(), a = r.malloc(2 * MiB, p, blocking);
  r.hold(blocking, g);
  r.free(a, blocking);
  r.set(p, event_switch, 1);
  EXPECT_NE(r.malloc(2 * MiB, p, free_running), a);
  EXPECT_EQ(r.malloc(2 * MiB, p, legacy), a);
  EXPECT_EQ(r.t.stream_query(r.c, legacy), STREAMPOOL_NOT_READY);
  const auto later = r.stream(STREAMPOOL_STREAM_BLOCKING);
  EXPECT_EQ(r.t.stream_query(r.c, later), STREAMPOOL_OK);
  const auto e = r.event();
  r.record(e, later);  // a submission: after legacy, which is after `blocking`
  EXPECT_EQ(r.t.event_query(r.c, e), STREAMPOOL_NOT_READY);
  r.open(g);
  EXPECT_EQ(r.t.event_synchronize(r.c, e), STREAMPOOL_OK);
}

TYPED_TEST(RuntimeTest, AFailedMallocOnLegacyOrdersNothing) {
  auto& r = this->opened;
  const auto legacy = r.default_stream(STREAMPOOL_DEFAULT_LEGACY);
  const auto held = r.stream(STREAMPOOL_STREAM_BLOCKING), other = r.stream(STREAMPOOL_STREAM_BLOCKING), g = r.gate();
  const auto p = r.quiet_pool(), a = r.malloc(2 * MiB, p, held);
  r.set(p, event_switch, 1);
  r.hold(held, g);
  r.free(a, held);
  std::uint64_t too_much = 0;
  EXPECT_EQ(r.t.malloc_from_pool(r.c, &too_much, std::uint64_t{1} << 50, p, legacy), STREAMPOOL_OUT_OF_MEMORY);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "legacy has no item that comes after the free";
  r.open(g);
}

TYPED_TEST(RuntimeTest, PendingItemsOfADestroyedBlockingStreamCountForLegacy) {
  auto& r = this->opened;
  const auto blocking = r.stream(STREAMPOOL_STREAM_BLOCKING), g = r.gate(), e = r.event();
  r.hold(blocking, g);
  EXPECT_EQ(r.t.stream_destroy(r.c, blocking), STREAMPOOL_OK);
  r.record(e, r.default_stream(STREAMPOOL_DEFAULT_LEGACY));
  EXPECT_EQ(r.t.event_query(r.c, e), STREAMPOOL_NOT_READY);
  r.open(g);
  EXPECT_EQ(r.t.event_synchronize(r.c, e), STREAMPOOL_OK);
}

TYPED_TEST(RuntimeTest, MemoryOfADestroyedStreamStaysPendingUntilTheDeviceIsSynchronized) {
  auto& r = this->opened;
  const auto s = r.stream(), g = r.gate(), p = r.quiet_pool();
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  EXPECT_EQ(r.t.stream_destroy(r.c, s), STREAMPOOL_OK);
  const auto fresh = r.stream();
  EXPECT_NE(r.malloc(2 * MiB, p, fresh), a);
  r.open(g);
  EXPECT_EQ(r.t.device_synchronize(r.c, 0), STREAMPOOL_OK);
  EXPECT_EQ(r.malloc(2 * MiB, p, fresh), a);
}

}  // namespace
}  // namespace streampool::engine::testing
