// Adversarial mode shows a missing order at once.
#include "impl/runtime/tests/runtime_fixture.hpp"

namespace streampool::engine::testing {
namespace {

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

}  // namespace
}  // namespace streampool::engine::testing
