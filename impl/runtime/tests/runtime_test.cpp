// What the runtimes answer, under every parameter of profile `strict`.
#include "impl/runtime/tests/runtime_fixture.hpp"

namespace streampool::engine::testing {
namespace {

TYPED_TEST_SUITE(RuntimeTest, Devices);

constexpr std::int32_t event_switch = STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES;
constexpr std::int32_t opportunistic_switch = STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC;
constexpr std::int32_t internal_switch = STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
constexpr std::uint64_t unlimited = ~std::uint64_t{0};

// Reuse -----------------------------------------------------------------------------------------------

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
  EXPECT_EQ(r.malloc(2 * MiB, p, other), b);
}

TYPED_TEST(RuntimeTest, InsertsADependencyOnlyWhenNoMemoryIsLeft) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), g = r.gate(), p = r.quiet_pool(4 * MiB);
  r.set(p, internal_switch, 1);
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  EXPECT_NE(r.malloc(2 * MiB, p, other), a) << "there was memory";
  EXPECT_EQ(r.t.stream_query(r.c, other), r.t.step == nullptr ? STREAMPOOL_OK : STREAMPOOL_NOT_READY);
  EXPECT_EQ(r.malloc(2 * MiB, p, other), a);
  EXPECT_EQ(r.t.stream_query(r.c, other), STREAMPOOL_NOT_READY) << "the wait was not made";
  r.set(p, internal_switch, 0);
  EXPECT_EQ(r.try_malloc(2 * MiB, p, other), STREAMPOOL_OUT_OF_MEMORY);
  r.open(g);
  r.sync(other);
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

// Statistics, release, capacity -----------------------------------------------------------------------

TYPED_TEST(RuntimeTest, CountsRequestedBytesAtTheCall) {
  auto& r = this->opened;
  const auto s = r.stream(), g = r.gate(), p = r.quiet_pool();
  EXPECT_EQ(r.reserved(p), 0u);
  const auto a = r.malloc(1000, p, s), b = r.malloc(1, p, s);
  EXPECT_EQ(r.used(p), 1001u);
  r.hold(s, g);
  r.free(a, s);
  EXPECT_EQ(r.used(p), 1u);
  EXPECT_EQ(r.get(p, STREAMPOOL_USED_MEM_HIGH), 1001u);
  r.set(p, STREAMPOOL_USED_MEM_HIGH, 0);
  EXPECT_EQ(r.get(p, STREAMPOOL_USED_MEM_HIGH), 1u);
  r.free(b, s);
  EXPECT_EQ(r.get(p, STREAMPOOL_USED_MEM_HIGH), 1u);
  EXPECT_EQ(r.get(p, STREAMPOOL_RESERVED_MEM_HIGH), 2 * MiB);
  r.open(g);
}

TYPED_TEST(RuntimeTest, ReleasesDownToTheThresholdAtEverySynchronizingCall) {
  auto& r = this->opened;
  const auto s = r.stream(), e = r.event(), p = r.pool();
  for (const std::uint64_t threshold : {std::uint64_t{0}, 3 * MiB, 6 * MiB, unlimited}) {
    r.set(p, STREAMPOOL_RELEASE_THRESHOLD, threshold);
    for (int call = 0; call < 3; ++call) {
      std::vector<std::uint64_t> blocks;
      for (int i = 0; i < 5; ++i) blocks.push_back(r.malloc(2 * MiB, p, s));
      for (const auto a : blocks) r.free(a, s);
      EXPECT_EQ(r.reserved(p), 10 * MiB);
      r.record(e, s);
      if (call == 0) r.sync(s);
      EXPECT_EQ(call == 1 ? r.t.event_synchronize(r.c, e) : STREAMPOOL_OK, STREAMPOOL_OK);
      EXPECT_EQ(call == 2 ? r.t.device_synchronize(r.c, 0) : STREAMPOOL_OK, STREAMPOOL_OK);
      const std::uint64_t left =
          std::min<std::uint64_t>((std::min(threshold, 10 * MiB) + 2 * MiB - 1) / MiB / 2 * 2 * MiB, 10 * MiB);
      EXPECT_EQ(r.reserved(p), left) << threshold << " call " << call;
    }
  }
}

TYPED_TEST(RuntimeTest, ReleasesNothingThatIsHeldOrLive) {
  auto& r = this->opened;
  const auto s = r.stream(), other = r.stream(), g = r.gate(), p = r.pool();
  const auto held = r.malloc(2 * MiB, p, s), live = r.malloc(256, p, s), gone = r.malloc(4 * MiB - 256, p, other);
  r.hold(s, g);
  r.free(held, s);
  r.free(gone, other);
  r.sync(other);
  EXPECT_EQ(r.reserved(p), 4 * MiB);
  EXPECT_EQ(r.t.pool_trim(r.c, p, 0), STREAMPOOL_OK);
  EXPECT_EQ(r.reserved(p), 4 * MiB);
  r.open(g);
  r.sync(s);
  EXPECT_EQ(r.reserved(p), 2 * MiB);
  r.free(live, s);
  r.sync(s);
  EXPECT_EQ(r.reserved(p), 0u);
}

TYPED_TEST(RuntimeTest, TrimKeepsWhatItIsAskedToKeep) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool();
  const auto a = r.malloc(10 * MiB, p, s);
  r.free(a, s);
  r.sync(s);
  EXPECT_EQ(r.t.pool_trim(r.c, p, unlimited), STREAMPOOL_OK);
  EXPECT_EQ(r.reserved(p), 10 * MiB);
  EXPECT_EQ(r.t.pool_trim(r.c, p, 5 * MiB), STREAMPOOL_OK);
  EXPECT_EQ(r.reserved(p), 6 * MiB);
  EXPECT_EQ(r.t.pool_trim(r.c, p, 0), STREAMPOOL_OK);
  EXPECT_EQ(r.reserved(p), 0u);
}

TYPED_TEST(RuntimeTest, MovesScatteredIdleGranulesBehindALargeRequest) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool(16 * MiB);
  std::vector<std::uint64_t> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(r.malloc(2 * MiB, p, s));
  for (std::size_t i = 0; i < blocks.size(); i += 2) r.free(blocks[i], s);
  r.fill(s, blocks[1], 7, 2 * MiB);
  r.sync(s);
  const auto large = r.malloc(8 * MiB, p, s);
  EXPECT_EQ(r.reserved(p), 16 * MiB);
  EXPECT_EQ(r.get(p, STREAMPOOL_RESERVED_MEM_HIGH), 16 * MiB);
  r.fill(s, large, 9, 8 * MiB);
  EXPECT_TRUE(r.reads(s, blocks[1], 2 * MiB, 7));
  EXPECT_TRUE(r.reads(s, large, 8 * MiB, 9));
  EXPECT_EQ(r.try_malloc(2 * MiB, p, s), STREAMPOOL_OUT_OF_MEMORY);
}

TYPED_TEST(RuntimeTest, AFailedMallocChangesNothing) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool(8 * MiB);
  const auto a = r.malloc(5 * MiB, p, s);
  r.free(r.malloc(2 * MiB, p, s), s);
  r.sync(s);
  const auto used = r.used(p), reserved = r.reserved(p), memory = r.free_memory();
  const std::uint64_t sizes[] = {4 * MiB, 9 * MiB, 1ull << 40, ~0ull, ~0ull - 300, 1ull << 63};
  for (const std::uint64_t size : sizes) {
    EXPECT_EQ(r.try_malloc(size, p, s), STREAMPOOL_OUT_OF_MEMORY);
    EXPECT_EQ(r.used(p), used);
    EXPECT_EQ(r.reserved(p), reserved);
    EXPECT_EQ(r.get(p, STREAMPOOL_RESERVED_MEM_HIGH), reserved);
    EXPECT_EQ(r.free_memory(), memory);
  }
  r.free(a, s);
}

TYPED_TEST(RuntimeTest, TheDevicesMemoryIsSharedWithPlainAllocationsAndOtherPools) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool(), q = r.quiet_pool();
  std::uint64_t plain = 0;
  EXPECT_EQ(r.t.plain_malloc(r.c, 0, &plain, 30 * MiB), STREAMPOOL_OK);
  const auto a = r.malloc(20 * MiB, p, s);
  EXPECT_EQ(r.free_memory(), 14 * MiB);
  EXPECT_EQ(r.try_malloc(15 * MiB, q, s), STREAMPOOL_OUT_OF_MEMORY);
  r.free(a, s);
  r.sync(s);
  EXPECT_EQ(r.try_malloc(15 * MiB, q, s), STREAMPOOL_OUT_OF_MEMORY) << "idle memory of another pool is not pressed";
  EXPECT_EQ(r.t.plain_free(r.c, plain), STREAMPOOL_OK);
  EXPECT_EQ(r.free_memory(), 44 * MiB);
  EXPECT_EQ(r.try_malloc(44 * MiB, q, s), STREAMPOOL_OK);
  EXPECT_EQ(r.t.limit_memory(r.c, 0, MiB), STREAMPOOL_OK);
  EXPECT_EQ(r.free_memory(), 0u);
  EXPECT_EQ(r.try_malloc(20 * MiB, p, s), STREAMPOOL_OK) << "what is reserved stays";
}

TYPED_TEST(RuntimeTest, InjectedFaultsFailOnceAndLeaveNoTrace) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool(), e = r.event();
  for (const std::uint32_t kind : {STREAMPOOL_FAIL_RESERVE, STREAMPOOL_FAIL_MAP, STREAMPOOL_FAIL_SUBMIT}) {
    EXPECT_EQ(r.t.fail_next(r.c, kind, 1), STREAMPOOL_OK);
    EXPECT_EQ(r.try_malloc(MiB, p, s), STREAMPOOL_OUT_OF_MEMORY);
    EXPECT_EQ(r.used(p), 0u);
    EXPECT_EQ(r.reserved(p), 0u);
    const auto a = r.malloc(MiB, p, s);
    r.free(a, s);
    r.sync(s);
    EXPECT_EQ(r.t.pool_trim(r.c, p, 0), STREAMPOOL_OK);
  }
  EXPECT_EQ(r.t.fail_next(r.c, STREAMPOOL_FAIL_SUBMIT, 2), STREAMPOOL_OK);
  r.record(e, s);
  EXPECT_EQ(r.t.event_record(r.c, e, s), STREAMPOOL_OUT_OF_MEMORY);
  r.record(e, s);
  EXPECT_EQ(r.t.fail_next(r.c, 9, 1), STREAMPOOL_INVALID_VALUE);
}

// Errors and life cycle -------------------------------------------------------------------------------

TYPED_TEST(RuntimeTest, MisuseOfPointersIsAnInvalidValue) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool();
  const auto a = r.malloc(MiB, p, s);
  EXPECT_EQ(r.t.free_async(r.c, a + 256, s), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.t.free_async(r.c, a + 1, s), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.t.free_async(r.c, 0xdead00, s), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.t.free_async(r.c, ~0ull, s), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.used(p), MiB);
  r.free(a, s);
  EXPECT_EQ(r.t.free_async(r.c, a, s), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.t.free_sync(r.c, a), STREAMPOOL_INVALID_VALUE);
  r.free(0, s);
  std::uint64_t null = 7;
  EXPECT_EQ(r.t.malloc_from_pool(r.c, &null, 0, p, s), STREAMPOOL_OK);
  EXPECT_EQ(null, 0u);
  EXPECT_EQ(r.t.malloc_from_pool(r.c, nullptr, 1, p, s), STREAMPOOL_INVALID_VALUE);
}

TYPED_TEST(RuntimeTest, EveryAllocatingCallPairsWithEveryFreeingCall) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool();
  const auto before = r.free_memory();
  for (int which = 0; which < 6; ++which) {
    std::uint64_t a = 0;
    if (which < 3) {
      a = r.malloc(MiB, p, s);
    } else {
      EXPECT_EQ(r.t.plain_malloc(r.c, 0, &a, MiB), STREAMPOOL_OK);
    }
    switch (which % 3) {
      case 0:
        r.free(a, s);
        break;
      case 1:
        r.free_sync(a);
        break;
      default:
        EXPECT_EQ(r.t.plain_free(r.c, a), STREAMPOOL_OK);
    }
    EXPECT_EQ(r.t.free_async(r.c, a, s), STREAMPOOL_INVALID_VALUE);
  }
  r.sync(s);
  EXPECT_EQ(r.t.pool_trim(r.c, p, 0), STREAMPOOL_OK);
  EXPECT_EQ(r.free_memory(), before);
}

TYPED_TEST(RuntimeTest, DeadAndForeignHandlesAreRecognised) {
  auto& r = this->opened;
  const auto s = r.stream(), live = r.stream(), e = r.event(), g = r.gate(), p = r.pool();
  const auto a = r.malloc(MiB, p, s);
  EXPECT_EQ(r.t.stream_destroy(r.c, s), STREAMPOOL_OK);
  for (const std::uint64_t bad : {s, e, g, p, std::uint64_t{0}, ~std::uint64_t{0}}) {
    EXPECT_EQ(r.t.stream_synchronize(r.c, bad), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.t.stream_query(r.c, bad), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.t.stream_destroy(r.c, bad), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.t.free_async(r.c, a, bad), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.try_malloc(1, p, bad), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.t.event_record(r.c, e, bad), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.t.gate_hold(r.c, bad, g), STREAMPOOL_INVALID_HANDLE);
    EXPECT_EQ(r.t.fill(r.c, bad, a, 1, 1), STREAMPOOL_INVALID_HANDLE);
  }
  EXPECT_EQ(r.t.event_destroy(r.c, e), STREAMPOOL_OK);
  EXPECT_EQ(r.t.event_query(r.c, e), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(r.t.stream_wait_event(r.c, live, e), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(r.t.gate_destroy(r.c, g), STREAMPOOL_OK);
  EXPECT_EQ(r.t.gate_open(r.c, g), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(r.t.stream_query(r.c + 1, live), STREAMPOOL_INVALID_HANDLE);
  r.free(a, live);
  std::int64_t code = 0;
  char text[64];
  EXPECT_EQ(r.t.last_error(r.c, &code, text, sizeof text), STREAMPOOL_OK);
  EXPECT_EQ(code, STREAMPOOL_INVALID_HANDLE);
  EXPECT_STREQ(text, "stream_query: invalid handle");
}

TYPED_TEST(RuntimeTest, ARecycledHandleInheritsNothing) {
  auto& r = this->opened;
  const auto s = r.stream(), g = r.gate(), e = r.event(), p = r.quiet_pool();
  const auto a = r.malloc(2 * MiB, p, s);
  r.hold(s, g);
  r.free(a, s);
  r.record(e, s);
  EXPECT_EQ(r.t.stream_destroy(r.c, s), STREAMPOOL_OK);
  EXPECT_EQ(r.t.event_destroy(r.c, e), STREAMPOOL_OK);
  EXPECT_EQ(r.stream(), s);
  EXPECT_EQ(r.event(), e);
  EXPECT_EQ(r.t.stream_query(r.c, s), STREAMPOOL_OK) << "its namesake's items";
  EXPECT_EQ(r.t.event_query(r.c, e), STREAMPOOL_OK) << "its namesake's record";
  EXPECT_NE(r.malloc(2 * MiB, p, s), a) << "its namesake's memory";
  EXPECT_EQ(r.t.pool_destroy(r.c, p), STREAMPOOL_OK);
  EXPECT_EQ(r.pool(), p);
  EXPECT_EQ(r.get(p, opportunistic_switch), 1u);
  EXPECT_EQ(r.get(p, STREAMPOOL_RESERVED_MEM_HIGH), 0u);
  r.open(g);
}

TYPED_TEST(RuntimeTest, ADestroyedGateHoldsNobody) {
  auto& r = this->opened;
  const auto s = r.stream(), g = r.gate();
  r.hold(s, g);
  EXPECT_EQ(r.t.gate_destroy(r.c, g), STREAMPOOL_OK);
  r.sync(s);
}

TYPED_TEST(RuntimeTest, AReadReleasesAsAnEventsSynchronizationDoes) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.pool(), q = r.pool();
  const auto a = r.malloc(1, p, s);
  r.free(r.malloc(MiB, q, s), s);
  r.fill(s, a, 1, 1);
  EXPECT_EQ(r.reserved(q), 2 * MiB);
  EXPECT_TRUE(r.reads(s, a, 1, 1));
  EXPECT_EQ(r.reserved(q), 0u);
}

TYPED_TEST(RuntimeTest, ADefaultStreamsHandleIsNoDeadStreams) {
  auto& r = this->opened;
  const auto s = r.stream();
  EXPECT_EQ(r.t.stream_destroy(r.c, s), STREAMPOOL_OK);
  EXPECT_NE(r.default_stream(STREAMPOOL_DEFAULT_PER_THREAD), s);
  EXPECT_EQ(r.t.free_async(r.c, 0, s), STREAMPOOL_INVALID_HANDLE);
}

TYPED_TEST(RuntimeTest, AttributesTakeTheirWidthsAndRefuseTheRest) {
  auto& r = this->opened;
  const auto p = r.pool();
  for (std::int32_t a = 1; a <= 3; ++a) {
    EXPECT_EQ(r.get(p, a), 1u);
    std::uint64_t pattern = ~std::uint64_t{0};
    EXPECT_EQ(r.t.attribute_get(r.c, p, a, &pattern, 8), STREAMPOOL_OK);
    EXPECT_EQ(pattern, 0xffffffff00000001ull);
    EXPECT_EQ(r.t.attribute_get(r.c, p, a, &pattern, 3), STREAMPOOL_INVALID_VALUE);
    for (const std::int32_t odd : {2, -1, 256}) {
      EXPECT_EQ(r.t.attribute_set(r.c, p, a, &odd, 4), STREAMPOOL_INVALID_VALUE);
    }
    EXPECT_EQ(r.get(p, a), 1u);
  }
  EXPECT_EQ(r.get(p, STREAMPOOL_RELEASE_THRESHOLD), 0u);
  std::uint64_t one = 1;
  for (std::int32_t a = 5; a <= 8; ++a) {
    EXPECT_EQ(r.t.attribute_set(r.c, p, a, &one, 8), STREAMPOOL_INVALID_VALUE);
    EXPECT_EQ(r.t.attribute_get(r.c, p, a, &one, 4), STREAMPOOL_INVALID_VALUE);
  }
  std::uint64_t zero = 0;
  EXPECT_EQ(r.t.attribute_set(r.c, p, STREAMPOOL_USED_MEM_CURRENT, &zero, 8), STREAMPOOL_INVALID_VALUE);
  for (const std::int32_t unknown : {0, -1, 9, 4711}) {
    EXPECT_EQ(r.t.attribute_get(r.c, p, unknown, &zero, 8), STREAMPOOL_INVALID_VALUE);
    EXPECT_EQ(r.t.attribute_set(r.c, p, unknown, &zero, 8), STREAMPOOL_INVALID_VALUE);
  }
  EXPECT_EQ(r.t.attribute_get(r.c, p, 4, nullptr, 8), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.t.attribute_set(r.c, p, 4, nullptr, 8), STREAMPOOL_INVALID_VALUE);
}

TYPED_TEST(RuntimeTest, ADestroyedPoolsAllocationsLiveOn) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.pool(), g = r.gate();
  const auto before = r.free_memory();
  const auto a = r.malloc(MiB, p, s), b = r.malloc(8 * MiB, p, s);
  EXPECT_EQ(r.t.pool_set_current(r.c, 0, p), STREAMPOOL_OK);
  EXPECT_EQ(r.t.pool_destroy(r.c, p), STREAMPOOL_OK);
  EXPECT_EQ(r.t.pool_destroy(r.c, p), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(r.try_malloc(1, p, s), STREAMPOOL_INVALID_HANDLE);
  EXPECT_EQ(r.t.pool_trim(r.c, p, 0), STREAMPOOL_INVALID_HANDLE);
  std::uint64_t current = 0, standard = 0;
  EXPECT_EQ(r.t.pool_get_current(r.c, 0, &current), STREAMPOOL_OK);
  EXPECT_EQ(r.t.pool_default(r.c, 0, &standard), STREAMPOOL_OK);
  EXPECT_EQ(current, standard);
  EXPECT_EQ(r.t.pool_destroy(r.c, standard), STREAMPOOL_INVALID_VALUE);
  r.fill(s, a, 3, MiB);
  EXPECT_TRUE(r.reads(s, a, MiB, 3));
  r.hold(s, g);
  r.free(a, s);
  r.free(b, s);
  r.open(g);
  r.sync(s);
  EXPECT_EQ(r.free_memory(), before);
}

TYPED_TEST(RuntimeTest, ContentSurvivesGrowthReleaseAndOtherBlocks) {
  auto& r = this->opened;
  const auto s = r.stream(), p = r.pool();
  const auto a = r.malloc(3 * MiB, p, s);
  r.fill(s, a, 5, 3 * MiB);
  const auto b = r.malloc(9 * MiB, p, s);
  r.fill(s, b, 6, 9 * MiB);
  r.free(b, s);
  r.sync(s);
  EXPECT_EQ(r.reserved(p), 4 * MiB);
  EXPECT_TRUE(r.reads(s, a, 3 * MiB, 5));
  const std::uint64_t list[] = {a};
  EXPECT_EQ(r.t.launch(r.c, s, list, 1), STREAMPOOL_OK);
  EXPECT_EQ(r.t.fill(r.c, s, 4096, 1, 1), STREAMPOOL_INVALID_VALUE);
  EXPECT_EQ(r.t.fill(r.c, s, a, 1, 1ull << 62), STREAMPOOL_INVALID_VALUE);
}

// A consumer reads what a producer frees without waiting for it.
TEST(Adversarial, AMissingWaitShowsAtOnce) {
  for (const bool adversarial : {false, true}) {
    Opened r{Table<SimulatedDevice>::get(), {{"adversarial", adversarial ? "1" : "0"}}};
    const auto producer = r.stream(), consumer = r.stream(), e = r.event(), p = r.pool();
    const auto a = r.malloc(MiB, p, producer);
    r.fill(producer, a, 7, MiB);
    r.record(e, producer);
    r.wait(consumer, e);
    r.free(a, producer);
    EXPECT_EQ(r.reads(consumer, a, MiB, 7), !adversarial);
  }
}

TEST(Adversarial, ACorrectProgramSeesNothingOfIt) {
  Opened r{Table<SimulatedDevice>::get(), {{"adversarial", "1"}}};
  const auto producer = r.stream(), consumer = r.stream(), e = r.event(), f = r.event(), p = r.pool();
  for (std::uint8_t i = 1; i < 20; ++i) {
    const auto a = r.malloc(MiB, p, producer);
    r.fill(producer, a, i, MiB);
    r.record(e, producer);
    r.wait(consumer, e);
    const auto b = r.malloc(MiB, p, consumer);
    r.fill(consumer, b, 100, MiB);
    EXPECT_TRUE(r.reads(consumer, a, MiB, i));
    r.record(f, consumer);
    r.wait(producer, f);
    r.free(a, producer);
    EXPECT_TRUE(r.reads(consumer, b, MiB, 100));
    r.free(b, consumer);
  }
}

TYPED_TEST(RuntimeTest, OpenChecksItsOptions) {
  const auto& t = this->opened.t;
  streampool_context second = 0;
  EXPECT_EQ(t.open(nullptr, 0, &second), STREAMPOOL_NOT_PERMITTED);
  for (const streampool_option bad :
       {streampool_option{"memory", "x"}, {"granularity", "3"}, {"device", "1"}, {"colour", "1"}}) {
    EXPECT_EQ(t.open(&bad, 1, &second), STREAMPOOL_INVALID_VALUE) << bad.key;
  }
  streampool_description d{};
  d.size = sizeof d;
  EXPECT_EQ(t.describe(this->opened.c, &d), STREAMPOOL_OK);
  EXPECT_EQ(d.memory, 64 * MiB);
  EXPECT_EQ(d.reserve_granule, 2 * MiB);
  EXPECT_EQ(d.alignment, 256u);
}

}  // namespace
}  // namespace streampool::engine::testing
