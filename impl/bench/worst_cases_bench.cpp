// What a pool's structures like least: sizes that never come twice, growth and shrinking at a granule's border, streams
// that come and go by the thousand, one event that everybody waits for, thousands of pending frees at the limit of
// memory.
#include <benchmark/benchmark.h>

#include "impl/bench/engine_under_test.hpp"

namespace streampool::bench {
namespace {

using engine::Address;
using engine::Bytes;
using engine::StreamIndex;

constexpr Bytes granule = Bytes{2} << 20;

// Every request has a size that nobody has asked for since long: no class repeats, nothing fits exactly.
void all_sizes_distinct(benchmark::State& state) {
  Engine engine;
  const StreamIndex s = engine.stream();
  const std::size_t live = static_cast<std::size_t>(state.range(0));
  constexpr std::uint64_t sizes = 65'521;  // a prime, so that steps of `stride` go through all of them
  constexpr std::uint64_t stride = 25'057;
  std::uint64_t next = 1;
  const auto bytes = [&] { return ((next += stride) % sizes + 1) * engine::unit_bytes; };
  std::vector<Address> blocks;
  for (std::size_t i = 0; i < live; ++i) blocks.push_back(engine.pool.allocate(s, bytes())->address);
  std::size_t i = 0;
  for (auto _ : state) {
    Address& block = blocks[(i += 7919) % live];
    engine.pool.free(block, s);
    block = engine.pool.allocate(s, bytes())->address;
  }
}

// A block that needs one unit more than a granule comes and goes. `synchronized`: the stream is proved and the pool
// released after each round; with threshold 0 the rules then ask for the memory back.
void granule_border(benchmark::State& state) {
  Engine engine(1);
  engine.pool.attributes.release_threshold = state.range(1) != 0 ? ~Bytes{0} : 0;
  const StreamIndex s = engine.stream();
  engine.pool.allocate(s, granule - engine::unit_bytes);
  const Bytes before = engine.pool.reserved();
  std::uint64_t grown = 0;
  for (auto _ : state) {
    const Bytes reserved = engine.pool.reserved();
    const Address block = engine.pool.allocate(s, 2 * engine::unit_bytes)->address;
    grown += (engine.pool.reserved() - reserved) / granule;
    engine.pool.free(block, s);
    if (state.range(0) == 0) continue;
    engine.order.prove({s, engine.order.observe(s)});
    engine.pool.release();
  }
  state.counters["granules_a_round"] = static_cast<double>(grown) / static_cast<double>(state.iterations());
  state.counters["reserved_more"] = static_cast<double>(engine.pool.reserved() - before);
}

// A stream's whole life: opened, used, proved, closed. `indices` is how many identities that took in all.
void stream_life(benchmark::State& state) {
  Engine engine;
  const std::size_t at_once = static_cast<std::size_t>(state.range(0));
  std::vector<StreamIndex> streams;
  const auto close = [&](StreamIndex s) {
    engine.order.prove({s, engine.order.observe(s)});
    engine.pool.forget(s);
    engine.order.close(s);
  };
  std::size_t i = 0;
  for (auto _ : state) {
    const StreamIndex s = engine.order.open([](StreamIndex) { return true; });
    engine.pool.free(engine.pool.allocate(s, 4096)->address, s);
    if (streams.size() < at_once) {
      streams.push_back(s);
    } else {
      close(std::exchange(streams[i++ % at_once], s));
    }
  }
  state.counters["indices"] = static_cast<double>(engine.order.bound());
}

// One event that all streams wait for, each of which then allocates what was freed before it. Time is a stream's.
void one_event_for_all(benchmark::State& state) {
  Engine engine;
  const StreamIndex producer = engine.stream();
  std::vector<StreamIndex> streams;
  for (std::int64_t i = 0; i < state.range(0); ++i) streams.push_back(engine.stream());
  engine::Clock event;
  std::vector<Address> blocks(streams.size());
  for (Address& block : blocks) block = engine.pool.allocate(producer, 65536)->address;
  for (const Address block : blocks) engine.pool.free(block, producer);
  engine.order.snapshot(producer, event);
  std::size_t i = 0;
  for (auto _ : state) {
    const StreamIndex s = streams[i % streams.size()];
    engine.order.join(s, event);
    const Address block = engine.pool.allocate(s, 65536)->address;
    engine.pool.free(block, s);
    ++i;
  }
}

// Streams with a small pending free each, no memory left, and a request that fits nowhere.
void refused_at_the_limit(benchmark::State& state) {
  Engine engine(1);
  const Bytes limit = static_cast<Bytes>(state.range(0)) * 8192 / granule * granule + granule;
  engine::Pool<Device> pool(engine.space, {limit, 1});
  std::vector<StreamIndex> streams;
  std::vector<Address> blocks;
  for (std::int64_t i = 0; i < 2 * state.range(0); ++i) {
    if (i % 2 == 0) streams.push_back(engine.stream());
    blocks.push_back(pool.allocate(streams.back(), 4096)->address);
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) pool.free(blocks[i], streams[i / 2]);
  std::size_t i = 0;
  for (auto _ : state) {
    if (pool.allocate(streams[i++ % streams.size()], 4 * granule)) return state.SkipWithError("it was served");
  }
}

BENCHMARK(all_sizes_distinct)->Arg(100)->Arg(1000)->Arg(10'000)->Arg(30'000);
BENCHMARK(granule_border)->ArgNames({"synchronized", "keeps"})->Args({0, 0})->Args({1, 1})->Args({1, 0});
BENCHMARK(stream_life)->ArgName("at_once")->Arg(1)->Arg(10'000);
BENCHMARK(one_event_for_all)->Arg(8)->Arg(1024)->Arg(10'000);
BENCHMARK(refused_at_the_limit)->Arg(100)->Arg(10'000);

}  // namespace
}  // namespace streampool::bench

BENCHMARK_MAIN();
