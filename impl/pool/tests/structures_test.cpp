// Each structure of the pool beside a naive twin, on random operations.
#include <gtest/gtest.h>
// RapidCheck's GoogleTest support needs gtest first.
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <set>

#include "impl/pool/best_fit.hpp"
#include "impl/pool/by_age.hpp"
#include "impl/pool/clock.hpp"
#include "impl/pool/live_index.hpp"
#include "impl/pool/order.hpp"
#include "impl/pool/range_set.hpp"
#include "impl/pool/statistics.hpp"

namespace streampool::engine {
namespace {

// Sizes over the whole range of magnitudes, small ones and class borders included.
rc::Gen<Units> sizes() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 31), rc::gen::inRange<Units>(0, 1u << 30)), [](auto p) {
    return std::max<Units>(1,
                           (Units{1} << p.first) + p.second % (Units{1} << p.first) - static_cast<Units>(p.second % 2));
  });
}

TEST(BestFit, ClassesAreOrderedAndComplete) {
  unsigned before = 0;
  for (std::uint64_t size = 1; size <= 0xffffffffu; size += 1 + size / 100) {
    const unsigned now = BestFit::class_of(static_cast<Units>(size));
    ASSERT_GE(now, before);
    ASSERT_LE(now, before + 1);
    ASSERT_GE(BestFit::end_of(now), size);
    ASSERT_TRUE(size == 0xffffffffu || BestFit::class_of(BestFit::end_of(now)) == now);
    before = now;
  }
  EXPECT_EQ(BestFit::class_of(0xffffffffu), BestFit::class_count - 1);
}

RC_GTEST_PROP(BestFit, FindsWhatANaiveSearchFinds, ()) {
  BlockTable blocks;
  BestFit index;
  std::set<BlockId> present;
  const auto steps =
      *rc::gen::container<std::vector<std::pair<int, Units>>>(rc::gen::pair(rc::gen::inRange(0, 3), sizes()));
  for (const auto& [what, size] : steps) {
    if (what == 0) {
      const BlockId id = blocks.make();
      blocks[id].size = size;
      index.insert(blocks, id);
      present.insert(id);
    } else if (what == 1 && !present.empty()) {
      const BlockId id = *std::next(present.begin(), static_cast<std::ptrdiff_t>(size % present.size()));
      index.erase(blocks, id);
      blocks.release(id);
      present.erase(id);
    }
    RC_ASSERT(index.empty() == present.empty());
    Units most = 0;
    for (const BlockId id : present) most = std::max(most, blocks[id].size);
    RC_ASSERT(index.most() == (most == 0 ? 0 : BestFit::end_of(BestFit::class_of(most))));
    const BlockId found = index.find(blocks, size);
    // With few blocks the search is exhaustive in its class, and exact in order of classes.
    unsigned best = BestFit::class_count;
    for (const BlockId id : present) {
      if (blocks[id].size >= size) best = std::min(best, BestFit::class_of(blocks[id].size));
    }
    if (found == 0) {
      RC_ASSERT(best == BestFit::class_count || (best == BestFit::class_of(size) && present.size() > 8));
    } else {
      RC_ASSERT(present.contains(found));
      RC_ASSERT(blocks[found].size >= size);
      RC_ASSERT(BestFit::class_of(blocks[found].size) == best || present.size() > 8);
    }
    std::set<BlockId> listed;
    index.for_each_from(blocks, size, [&](BlockId id) { RC_ASSERT(listed.insert(id).second); });
    for (const BlockId id : present) RC_ASSERT(listed.contains(id) == (blocks[id].size >= size));
  }
}

RC_GTEST_PROP(LiveIndex, IsAMap, ()) {
  LiveIndex index;
  std::map<Units, BlockId> twin;
  const auto steps =
      *rc::gen::scale(5.0, rc::gen::container<std::vector<std::pair<bool, Units>>>(rc::gen::pair(
                               rc::gen::arbitrary<bool>(), rc::gen::map(rc::gen::inRange<Units>(0, 400), [](Units u) {
                                 return u % 2 == 0 ? u : u << 20;  // near and far
                               }))));
  BlockId next = 0;
  for (const auto& [insert, unit] : steps) {
    if (insert && !twin.contains(unit)) {
      index.insert(unit, ++next);
      twin[unit] = next;
    } else if (!insert && !twin.empty()) {
      const auto it = twin.lower_bound(unit) == twin.end() ? twin.begin() : twin.lower_bound(unit);
      index.erase(it->first);
      twin.erase(it);
    }
    RC_ASSERT(index.size() == twin.size());
    RC_ASSERT(index.find(unit) == (twin.contains(unit) ? twin[unit] : 0));
  }
  for (const auto& [unit, id] : twin) RC_ASSERT(index.find(unit) == id);
}

RC_GTEST_PROP(ByAge, IsAList, ()) {
  BlockTable blocks;
  ByAge ages(blocks);
  std::vector<BlockId> twin;  // oldest first
  const auto steps = *rc::gen::container<std::vector<std::pair<int, std::size_t>>>(
      rc::gen::pair(rc::gen::inRange(0, 5), rc::gen::inRange<std::size_t>(0, 1000)));
  for (const auto& [what, which] : steps) {
    if (what < 2 || twin.empty()) {
      twin.push_back(blocks.make());
      ages.append(blocks, twin.back());
    } else if (what == 2) {
      const auto place = twin.begin() + static_cast<std::ptrdiff_t>(which % twin.size());
      const BlockId more = blocks.make();
      ages.insert_behind(blocks, more, *place);
      twin.insert(place + 1, more);
    } else {
      const auto place = twin.begin() + static_cast<std::ptrdiff_t>(which % twin.size());
      ages.erase(blocks, *place);
      blocks.release(*place);
      twin.erase(place);
    }
    std::vector<BlockId> listed;
    for (BlockId id = ages.oldest(blocks); id != 0; id = ages.behind(blocks, id)) listed.push_back(id);
    RC_ASSERT(listed == twin);
  }
}

// Shares beside one plain counter: the watermark is exact, however the counting is spread.
RC_GTEST_PROP(SharedHigh, IsTheMaximumOfTheSum, ()) {
  std::array<Share, 3> share;
  std::vector<Share*> all{&share[0], &share[1], &share[2]};
  SharedHigh high;
  Bytes sum = 0, most = 0;
  const auto steps = *rc::gen::container<std::vector<std::tuple<int, std::size_t, Bytes>>>(
      rc::gen::tuple(rc::gen::inRange(0, 9), rc::gen::inRange<std::size_t>(0, 3), rc::gen::inRange<Bytes>(1, 100)));
  for (const auto& [what, which, bytes] : steps) {
    if (what < 5) {
      if (!share[which].add(bytes)) high.add(all, share[which], bytes);
      most = std::max(most, sum += bytes);
    } else if (what < 8) {
      const Bytes less = std::min(bytes, share[which].current);
      share[which].subtract(less);
      sum -= less;
    } else {
      high.reset(all);
      most = sum;
    }
    RC_ASSERT(SharedHigh::sum(all) == sum);
    RC_ASSERT(high.high() == most);
  }
}

// Two who come and go at the watermark ask each other once, and not at every step.
TEST(SharedHigh, WhoeverDoesWhatItDidBeforeNeedsNobody) {
  Share a, b;
  const std::vector<Share*> all{&a, &b};
  SharedHigh high;
  high.add(all, a, 100);
  high.add(all, b, 30);
  int asked = 0;
  for (int i = 0; i < 100; ++i) {
    Share& share = i % 3 == 0 ? a : b;
    const Bytes bytes = i % 3 == 0 ? 100 : 30;
    share.subtract(bytes);
    if (!share.add(bytes)) high.add(all, share, bytes), ++asked;
  }
  EXPECT_LE(asked, 2);
  EXPECT_EQ(high.high(), 130u);
}

RC_GTEST_PROP(Clock, IsAMapWithPointwiseMaximum, ()) {
  const auto points = rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint64_t>>>(
      rc::gen::pair(rc::gen::inRange(2u, 20u), rc::gen::inRange<std::uint64_t>(1, 9)));
  std::map<std::uint32_t, std::uint64_t> twin;
  Clock clock;
  const auto raise = [](Clock& c, std::map<std::uint32_t, std::uint64_t>& t, std::uint32_t s, std::uint64_t at) {
    c.raise({StreamIndex{s}, Position{at}});
    t[s] = std::max(t[s], at);
  };
  for (const auto& [s, at] : *points) raise(clock, twin, s, at);
  Clock other;
  std::map<std::uint32_t, std::uint64_t> other_twin;
  for (const auto& [s, at] : *points) raise(other, other_twin, s, at);
  Clock part = clock;
  const std::uint64_t seventh = raw(clock.at(StreamIndex{7}));
  clock.join(other);
  part.join(other, StreamIndex{7});
  for (std::uint32_t s = 0; s < 22; ++s) {
    RC_ASSERT(raw(part.at(StreamIndex{s})) == (s == 7 ? seventh : raw(clock.at(StreamIndex{s}))));
  }
  for (const auto& [s, at] : other_twin) twin[s] = std::max(twin[s], at);
  for (std::uint32_t s = 0; s < 22; ++s) {
    RC_ASSERT(raw(clock.at(StreamIndex{s})) == (twin.contains(s) ? twin[s] : 0));
  }
  RC_ASSERT(clock.entries().size() == twin.size());
  Clock again = clock;
  again.join(other);
  RC_ASSERT(again == clock);
  const Point more{StreamIndex{*rc::gen::inRange(0u, 22u)}, Position{100}};
  Clock copy;
  clock.prune_into(copy, more, [&](const Point& p) { return raw(p.at) < 5 || p.stream == more.stream; });
  for (std::uint32_t s = 0; s < 22; ++s) {
    const bool kept = twin.contains(s) && twin[s] >= 5 && s != raw(more.stream);
    RC_ASSERT(raw(clock.at(StreamIndex{s})) == (kept ? twin[s] : 0));
    RC_ASSERT(raw(copy.at(StreamIndex{s})) == (s == raw(more.stream) ? 100 : kept ? twin[s] : 0));
  }
}

RC_GTEST_PROP(RangeSet, GivesOutEachUnitOnce, ()) {
  constexpr std::uint64_t size = 64;
  RangeSet set(0, size);
  std::vector<bool> taken(size, false);
  std::map<std::uint64_t, std::uint64_t> held;
  const auto steps = *rc::gen::container<std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>>(rc::gen::tuple(
      rc::gen::inRange(0, 4), rc::gen::inRange<std::uint64_t>(0, size), rc::gen::inRange<std::uint64_t>(1, 12)));
  const auto longest = [&] {
    std::uint64_t best = 0, run = 0;
    for (const bool t : taken) best = std::max(best, run = t ? 0 : run + 1);
    return best;
  };
  for (const auto& [what, at, n] : steps) {
    const auto mark = [&](std::uint64_t start, std::uint64_t count, bool value) {
      for (std::uint64_t i = start; i < start + count; ++i) {
        RC_ASSERT(taken[i] != value);
        taken[i] = value;
      }
    };
    if (what < 2) {
      const auto got = set.take(n, what == 1 ? 5 : 0);
      RC_ASSERT(got.has_value() == (longest() >= n));
      if (got) mark(*got, n, true), held[*got] = n;
    } else if (what == 2) {
      bool free = at + n <= size;
      for (std::uint64_t i = at; free && i < at + n; ++i) free = !taken[i];
      RC_ASSERT(set.take_at(at, n) == free);
      if (free) mark(at, n, true), held[at] = n;
    } else if (!held.empty()) {
      const auto it = std::next(held.begin(), static_cast<std::ptrdiff_t>(at % held.size()));
      set.give(it->first, it->second);
      mark(it->first, it->second, false);
      held.erase(it);
    }
    std::uint64_t free = 0, end = 0;
    for (const auto& [start, room] : set.ranges()) {
      RC_ASSERT(start > end || start == 0);  // neighbours are merged
      end = start + room;
      free += room;
    }
    RC_ASSERT(free == static_cast<std::uint64_t>(std::count(taken.begin(), taken.end(), false)));
  }
}

// The order beside a twin that keeps whole vectors: every stream's cut as a dense list of positions.
RC_GTEST_PROP(Order, AgreesWithDenseVectorClocks, ()) {
  constexpr std::uint32_t streams = 5, events = 4;
  Order order(true);
  using Dense = std::array<std::uint64_t, streams>;
  std::array<Dense, streams> cut{};
  std::array<Dense, events> event_cut{};
  std::array<Clock, events> event;
  Dense proved{};
  std::vector<StreamIndex> index;
  for (std::uint32_t s = 0; s < streams; ++s) {
    index.push_back(order.open([](StreamIndex) { return false; }));
    order.announce(index.back());  // somebody has free blocks of it, so what is known of it matters
  }
  const auto join = [](Dense& into, const Dense& from) {
    for (std::uint32_t i = 0; i < streams; ++i) into[i] = std::max(into[i], from[i]);
  };
  const auto steps = *rc::gen::container<std::vector<std::tuple<int, std::uint32_t, std::uint32_t>>>(
      rc::gen::tuple(rc::gen::inRange(0, 5), rc::gen::inRange(0u, streams), rc::gen::inRange(0u, events)));
  for (const auto& [what, s, e] : steps) {
    switch (what) {
      case 0:
        cut[s][s] = raw(order.advance(index[s]));
        break;
      case 1:
        cut[s][s] = raw(order.advance(index[s]));
        order.snapshot(index[s], event[e]);
        event_cut[e] = cut[s];
        break;
      case 2:
        order.join(index[s], event[e]);
        join(cut[s], event_cut[e]);
        break;
      case 3:
        order.prove(event[e]);
        join(proved, event_cut[e]);
        break;
      default: {
        const std::uint32_t other = e % streams;
        if (other == s) break;
        Clock now;
        order.snapshot(index[other], now);
        order.join(index[s], now);
        join(cut[s], cut[other]);
      }
    }
    for (std::uint32_t a = 0; a < streams; ++a) {
      for (std::uint32_t b = 0; b < streams; ++b) {
        if (a == b) continue;
        const std::uint64_t known = std::max(cut[a][b], proved[b]);
        RC_ASSERT(order.covers(index[a], {index[b], Position{known}}));
        RC_ASSERT(!order.covers(index[a], {index[b], Position{known + 1}}));
      }
      RC_ASSERT(raw(order.proved(index[a])) == proved[a]);
    }
  }
}

TEST(Order, HeldIndicesDoNotHideTheOthers) {
  Order order(false);
  const auto idle = [](StreamIndex) { return true; };
  std::vector<StreamIndex> streams;
  for (int i = 0; i < 100; ++i) streams.push_back(order.open([](StreamIndex) { return false; }));
  for (const StreamIndex s : streams) {
    order.hold(s);
    order.close(s);
  }
  order.let_go(streams[50]);
  const std::uint32_t bound = order.bound();
  StreamIndex found{};
  for (int i = 0; i < 20 && found != streams[50]; ++i) found = order.open(idle);
  EXPECT_EQ(found, streams[50]);
  EXPECT_LT(order.bound(), bound + 20);
}

// Who looked at proofs before learns which streams the new ones are about, as long as they are few.
TEST(Order, NamesTheStreamsOfNewProofs) {
  Order order(false);
  const StreamIndex a = order.open([](StreamIndex) { return false; });
  const StreamIndex b = order.open([](StreamIndex) { return false; });
  const std::uint64_t first = order.proofs();
  order.prove({b, order.observe(b)});
  order.prove({a, order.observe(a)});
  order.prove({a, Position::none});  // nothing new
  std::vector<StreamIndex> named;
  const auto note = [&](StreamIndex s) { named.push_back(s); };
  EXPECT_TRUE(order.for_each_proof(first, order.proofs(), note));
  EXPECT_EQ(named, (std::vector{b, a}));
  for (int i = 0; i < 1000; ++i) order.prove({a, order.observe(a)});
  EXPECT_FALSE(order.for_each_proof(first, order.proofs(), note));
}

// A device that only knows whether a stream is empty answers `none` for one that is not.
TEST(Order, NoFreeHasPassedWhileNothingIsComplete) {
  Order order(false);
  const StreamIndex s = order.open([](StreamIndex) { return false; });
  EXPECT_LT(order.frees_passed(Position::none), order.free_point(s));
  EXPECT_GE(order.frees_passed(order.observe(s)), order.free_point(s));
}

TEST(Order, ForgetsStreamsWithoutFreeBlocks) {
  Order order(false);
  const auto open = [&] { return order.open([](StreamIndex) { return false; }); };
  const StreamIndex a = open(), b = open();
  Clock cut;
  order.announce(a);
  order.snapshot(a, cut);
  order.join(b, cut);
  order.snapshot(b, cut);
  EXPECT_EQ(cut.entries().size(), 2u);
  order.withdraw(a);
  order.snapshot(b, cut);
  EXPECT_EQ(cut.entries().size(), 1u);
}

TEST(Order, AClosedIndexIsUsedAgainOnlyWhenNothingRefersToIt) {
  Order order(false);
  const auto idle = [](StreamIndex) { return true; };
  const StreamIndex first = order.open(idle);
  const Position last = order.advance(first);
  order.hold(first);
  order.close(first);
  const StreamIndex second = order.open(idle);
  EXPECT_NE(first, second);
  order.let_go(first);
  EXPECT_NE(order.open([](StreamIndex) { return false; }), first) << "its queue is not empty";
  EXPECT_EQ(order.open(idle), first);
  EXPECT_EQ(order.tail(first), last) << "positions go on";
  EXPECT_FALSE(order.covers(second, {first, last}));
}

}  // namespace
}  // namespace streampool::engine
