// Queues: order within and across streams, gates, callers that help, with and without workers.
#include "impl/device/queues.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace streampool::engine {
namespace {

class QueuesTest : public ::testing::TestWithParam<Queues::Workers> {
 protected:
  StreamIndex stream() {
    return order.open([](StreamIndex) { return false; });
  }
  Order order{true};
  Queues queues{order, GetParam()};
};

TEST_P(QueuesTest, ItemsRunInOrderAndAfterWhatTheyWaitFor) {
  const auto gate = queues.make_gate();
  const StreamIndex a = stream(), b = stream();
  std::vector<int> seen;  // written by items only, one after the other
  queues.submit(a, {{}, gate, {}});
  const Position first = queues.submit(a, {{}, nullptr, [&] { seen.push_back(1); }});
  const Position last = queues.submit(b, {{{a, first}}, nullptr, [&] { seen.push_back(2); }});
  EXPECT_FALSE(queues.complete({b, last}));
  EXPECT_EQ(queues.completed(a), Position::none);
  queues.open(*gate);
  queues.wait_for({b, last});
  EXPECT_EQ(seen, (std::vector{1, 2}));
  EXPECT_EQ(queues.completed(b), Position::all);
}

TEST_P(QueuesTest, AWaitingCallerIsWokenByTheGate) {
  const auto gate = queues.make_gate();
  const StreamIndex s = stream();
  const Position at = queues.submit(s, {{}, gate, {}});
  std::thread opener([&] { queues.open(*gate); });
  queues.wait_for({s, at});
  opener.join();
  EXPECT_TRUE(queues.complete({s, at}));
}

// A caller that runs the items of others first: what it waits for is run by a worker meanwhile.
TEST(AdversarialQueues, NoticeWhatWorkersDoMeanwhile) {
  Order order(true);
  Queues queues(order, Queues::Workers::one_a_stream);
  queues.be_adversarial();
  const auto never = [](StreamIndex) { return false; };
  const StreamIndex a = order.open(never), b = order.open(never);
  for (int round = 0; round < 300; ++round) {
    const auto gate = queues.make_gate();
    std::atomic<bool> ran{false};
    queues.submit(b, {{}, gate, [&] {
                        while (!ran) std::this_thread::yield();
                      }});
    const Position at = queues.submit(a, {{}, gate, [&] { ran = true; }});
    queues.open(*gate);
    queues.wait_for({a, at});
    queues.wait_for({b, order.tail(b)});
  }
}

// Looks often, for what it waits for may last some nanoseconds; gives way where the other thread does not run.
template <class Condition>
void spin_until(Condition condition) {
  for (int spins = 0; !condition(); ++spins) {
    if (spins > 10'000) std::this_thread::yield();
  }
}

// Whoever sees a stream's tail must not find the stream empty: it would take what is held for complete.
TEST_P(QueuesTest, ATailThatIsHeldIsNeverComplete) {
  constexpr std::uint32_t rounds = 2000;
  const auto gate = queues.make_gate();
  std::vector<StreamIndex> streams;
  for (std::uint32_t i = 0; i < rounds; ++i) streams.push_back(stream());
  std::atomic<std::uint32_t> turn{0};
  int complete = 0;
  std::thread looker([&] {
    for (std::uint32_t i = 0; i < rounds; ++i) {
      turn.store(i + 1);
      Position tail{};
      spin_until([&] { return (tail = order.tail(streams[i])) != Position::none; });
      complete += queues.complete({streams[i], tail}) ? 1 : 0;
    }
  });
  for (std::uint32_t i = 0; i < rounds; ++i) {
    spin_until([&] { return turn.load() > i; });
    queues.submit(streams[i], {{}, gate, {}});
  }
  looker.join();
  EXPECT_EQ(complete, 0);
  queues.open(*gate);
}

// Random graphs of items over ten streams; each notes the moment it ran, and all edges must point forward in time.
TEST_P(QueuesTest, EveryEdgeOfARandomGraphHolds) {
  std::mt19937 random(7);
  std::vector<StreamIndex> streams;
  for (int i = 0; i < 10; ++i) streams.push_back(stream());
  const auto gate = queues.make_gate();
  struct Ran {
    Point point;
    std::vector<std::size_t> after;
    std::uint64_t when = 0;
  };
  std::vector<std::unique_ptr<Ran>> items;
  std::atomic<std::uint64_t> clock{0};
  for (std::size_t i = 0; i < 3000; ++i) {
    auto ran = std::make_unique<Ran>();
    Queues::Item item;
    for (std::size_t k = random() % 3; k > 0 && i > 0; --k) {
      ran->after.push_back(random() % i);
      item.after.push_back(items[ran->after.back()]->point);
    }
    if (random() % 50 == 0) item.gate = gate;
    item.work = [&clock, r = ran.get()] { r->when = ++clock; };
    const StreamIndex s = streams[random() % streams.size()];
    ran->point = {s, queues.submit(s, std::move(item))};
    items.push_back(std::move(ran));
  }
  queues.open(*gate);
  for (const StreamIndex s : streams) queues.wait_for({s, order.tail(s)});
  std::map<StreamIndex, std::uint64_t> last;
  for (const auto& ran : items) {
    EXPECT_GT(ran->when, last[ran->point.stream]);
    last[ran->point.stream] = ran->when;
    for (const std::size_t before : ran->after) EXPECT_GT(ran->when, items[before]->when);
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, QueuesTest, ::testing::Values(Queues::Workers::none, Queues::Workers::one_a_stream));

TEST(SteppedQueues, MoveOnlyByStepsAndByWhoWaits) {
  Order order(true);
  Queues queues(order, Queues::Workers::none);
  const StreamIndex a = order.open([](StreamIndex) { return false; }),
                    b = order.open([](StreamIndex) { return false; });
  const Position one = queues.submit(a, {});
  const Position two = queues.submit(a, {});
  queues.submit(b, {{{a, two}}, nullptr, {}});
  std::size_t total = 0;
  EXPECT_EQ(queues.pending(10, total).size(), 3u);
  EXPECT_EQ(queues.pending(1, total).size(), 1u);
  EXPECT_EQ(total, 3u);
  EXPECT_FALSE(queues.step(b));
  EXPECT_TRUE(queues.step(a));
  EXPECT_TRUE(queues.complete({a, one}));
  EXPECT_FALSE(queues.complete({a, two}));
  queues.wait_for({b, order.tail(b)});
  EXPECT_TRUE(queues.complete({a, two}));
  EXPECT_FALSE(queues.step(a));
}

}  // namespace
}  // namespace streampool::engine
