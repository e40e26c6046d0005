// What is counted, released and refused.
#include "impl/runtime/tests/runtime_fixture.hpp"

namespace streampool::engine::testing {
namespace {

TYPED_TEST_SUITE(RuntimeTest, Devices);

constexpr std::uint64_t unlimited = ~std::uint64_t{0};

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

}  // namespace
}  // namespace streampool::engine::testing
