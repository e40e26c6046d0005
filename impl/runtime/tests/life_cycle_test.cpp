// Errors, handles, and how things end.
#include "impl/runtime/tests/runtime_fixture.hpp"

namespace streampool::engine::testing {
namespace {

TYPED_TEST_SUITE(RuntimeTest, Devices);

constexpr std::int32_t opportunistic_switch = STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC;

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
