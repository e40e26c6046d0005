// The devices: hand-over to a worker stream, steps of the simulated device, memory that goes and comes back.
#include <benchmark/benchmark.h>

#include "impl/device/host/host_device.hpp"
#include "impl/device/simulated/simulated_device.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::engine {
namespace {

constexpr Bytes MiB = Bytes{1} << 20;
bool never(StreamIndex) { return false; }

void launch_and_wait(benchmark::State& state) {
  Order order(false);
  HostDevice device(order, 2 * MiB, 64 * MiB);
  std::vector<StreamIndex> streams;
  for (std::int64_t i = 0; i < state.range(0); ++i) streams.push_back(order.open(never));
  std::atomic<int> ran{0};
  std::size_t i = 0;
  for (auto _ : state) {
    const StreamIndex s = streams[i++ % streams.size()];
    device.queues().wait_for({s, device.queues().submit(s, {{}, nullptr, [&] { ++ran; }})});
  }
}

void steps(benchmark::State& state) {
  Order order(true);
  SimulatedDevice device(order, 2 * MiB, 64 * MiB);
  const StreamIndex s = order.open(never), t = order.open(never);
  for (auto _ : state) {
    const Position at = device.queues().submit(s, {});
    device.queues().submit(t, {{{s, at}}, nullptr, {}});
    device.queues().step(s);
    device.queues().step(t);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2);
}

// 64 MiB that go back at each synchronisation (threshold 0), or stay (threshold max).
void shrink_and_grow(benchmark::State& state) {
  Order order(false);
  HostDevice device(order, 2 * MiB, 256 * MiB);
  Space<HostDevice> space(device, order, 128 * MiB);
  Pool<HostDevice> pool(space, {});
  if (state.range(0) != 0) pool.attributes.release_threshold = ~Bytes{0};
  const StreamIndex s = order.open(never);
  for (auto _ : state) {
    pool.free(pool.allocate(s, 64 * MiB)->address, s);
    order.prove({s, order.observe(s)});
    pool.release();
  }
}
void bare_shrink_and_grow(benchmark::State& state) {
  const Mapping mapping(256 * MiB, 2 * MiB, Mapping::Pages::huge);
  for (auto _ : state) {
    Mapping::populate(mapping.base(), 64 * MiB);
    Mapping::give_back(mapping.base(), 64 * MiB);
  }
}

BENCHMARK(launch_and_wait)->Arg(1)->Arg(16)->Arg(64)->UseRealTime();
BENCHMARK(steps);
BENCHMARK(shrink_and_grow)->ArgName("keeps")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(bare_shrink_and_grow)->UseRealTime();

}  // namespace
}  // namespace streampool::engine

BENCHMARK_MAIN();
