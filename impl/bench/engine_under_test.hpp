// The engine as the benchmarks see it: a pool over the simulated device, all attributes and statistics on, thread safe.
#pragma once

#include "impl/bench/twins.hpp"
#include "impl/device/simulated/simulated_device.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::bench {

// Frees are no items of their own, as over a real device.
struct Device : engine::SimulatedDevice {
  static constexpr bool explicit_items = false;
  using engine::SimulatedDevice::SimulatedDevice;
};

struct Engine {
  engine::Order order{false};
  Device device{order, engine::Bytes{2} << 20, engine::Bytes{1} << 39};
  engine::Space<Device> space{device, order, ~engine::Bytes{0}};
  engine::Pool<Device> pool;

  explicit Engine(unsigned arenas = 2) : pool(space, {0, arenas}) {
    pool.attributes.release_threshold = ~engine::Bytes{0};
  }
  engine::StreamIndex stream() {
    return order.open([](engine::StreamIndex) { return false; });
  }
};

// One stream of it, with the calls of the twins.
struct EngineStream {
  Engine& engine;
  engine::StreamIndex stream;
  Held allocate(std::uint64_t bytes) { return {raw(engine.pool.allocate(stream, bytes)->address), 0}; }
  void free(const Held& block, std::uint64_t) { engine.pool.free(engine::Address{block.address}, stream); }
};

}  // namespace streampool::bench
