// Free + allocate pairs: the engine beside packaged mallocs and twins, and the engine's own growth curves.
// Names are part of the interface of measure.py.
#include <benchmark/benchmark.h>

#include <chrono>

#include "impl/bench/engine_under_test.hpp"
#include "impl/bench/peers.hpp"

namespace streampool::bench {
namespace {

constexpr std::uint32_t live_blocks = 1000;

// Fills the slots, then measures pairs.
template <class Peer>
void run_pairs(benchmark::State& state, Peer& peer, const Workload& work) {
  struct Slot {
    Held block;
    std::uint64_t bytes;
  };
  std::vector<Slot> slots;
  for (const std::uint64_t bytes : work.initial) slots.push_back({peer.allocate(bytes), bytes});
  std::size_t next = 0;
  for (auto _ : state) {
    const Pair& pair = work.pairs[next++ & (Workload::pair_count - 1)];
    Slot& slot = slots[pair.slot];
    peer.free(slot.block, slot.bytes);
    slot = {peer.allocate(pair.bytes), pair.bytes};
  }
  for (const Slot& slot : slots) peer.free(slot.block, slot.bytes);
}

const Workload& workload(Shape shape, int thread) {
  static std::map<std::pair<Shape, int>, Workload> cache;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return cache
      .try_emplace({shape, thread}, shape, shape == Shape::one_size ? 1 : live_blocks, std::uint64_t{16} << 20,
                   thread + 1)
      .first->second;
}

std::unique_ptr<Engine> the_engine;
std::vector<engine::StreamIndex> the_streams;
void open_engine(const benchmark::State& state) {
  the_engine = std::make_unique<Engine>();
  the_streams.clear();
  for (int i = 0; i < state.threads(); ++i) the_streams.push_back(the_engine->stream());
}
void close_engine(const benchmark::State&) { the_engine.reset(); }

void engine_pairs(benchmark::State& state, Shape shape) {
  EngineStream peer{*the_engine, the_streams[static_cast<std::size_t>(state.thread_index())]};
  run_pairs(state, peer, workload(shape, state.thread_index()));
  if (state.threads() == 1) {
    state.counters["reserved_per_used"] =
        static_cast<double>(the_engine->pool.reserved_high()) / static_cast<double>(the_engine->pool.used_high());
  }
}

template <class Twin>
std::unique_ptr<Twin> the_twin;
template <class Twin>
void open_twin(const benchmark::State&) {
  the_twin<Twin> = std::make_unique<Twin>();
}
template <class Twin>
void twin_pairs(benchmark::State& state, Shape shape) {
  run_pairs(state, *the_twin<Twin>, workload(shape, state.thread_index()));
}

void library_pairs(benchmark::State& state, Shape shape, const PeerLibrary& library) {
  HostMalloc peer(library);
  if (!peer) return state.SkipWithError("the library is not installed");
  run_pairs(state, peer, workload(shape, state.thread_index()));
}

// A with ever more live blocks of at most 1 MiB.
void engine_growth(benchmark::State& state) {
  const Workload work(Shape::log_uniform, static_cast<std::uint32_t>(state.range(0)), std::uint64_t{1} << 20);
  EngineStream peer{*the_engine, the_streams[0]};
  run_pairs(state, peer, work);
}
template <class Twin>
void twin_growth(benchmark::State& state) {
  const Workload work(Shape::log_uniform, static_cast<std::uint32_t>(state.range(0)), std::uint64_t{1} << 20);
  run_pairs(state, *the_twin<Twin>, work);
}

// A ring of streams: each frees, records; the next one waits and allocates what was freed.
void engine_ring(benchmark::State& state) {
  const std::size_t count = static_cast<std::size_t>(state.range(0));
  Engine engine;
  std::vector<engine::StreamIndex> streams;
  std::vector<engine::Clock> events(count);
  std::vector<engine::Address> blocks;
  constexpr engine::Bytes bytes = engine::Bytes{1} << 16;
  for (std::size_t i = 0; i < count; ++i) streams.push_back(engine.stream());
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(engine.pool.allocate(streams[i], bytes)->address);
  std::size_t i = 0;
  for (auto _ : state) {
    const std::size_t next = i + 1 == count ? 0 : i + 1;
    engine.pool.free(blocks[i], streams[i]);
    engine.order.snapshot(streams[i], events[i]);
    engine.order.join(streams[next], events[i]);
    blocks[i] = engine.pool.allocate(streams[next], bytes)->address;
    i = next;
  }
  state.counters["reserved"] = static_cast<double>(engine.pool.reserved_high());
}
// The same, in pairs of a producer and a consumer that keep to each other.
void engine_producer_consumer(benchmark::State& state) {
  const std::size_t count = static_cast<std::size_t>(state.range(0));
  Engine engine;
  std::vector<engine::StreamIndex> streams;
  engine::Clock event;
  std::vector<engine::Address> blocks;
  constexpr engine::Bytes bytes = engine::Bytes{1} << 16;
  for (std::size_t i = 0; i < count; ++i) streams.push_back(engine.stream());
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(engine.pool.allocate(streams[i], bytes)->address);
  std::size_t i = 0;
  for (auto _ : state) {
    const std::size_t other = i ^ 1;
    engine.pool.free(blocks[i], streams[i]);
    engine.order.snapshot(streams[i], event);
    engine.order.join(streams[other], event);
    blocks[i] = engine.pool.allocate(streams[other], bytes)->address;
    i = i + 1 == count ? 0 : i + 1;
  }
}

// Record and wait between 16 streams while 10 thousand free blocks lie about.
void engine_record_wait(benchmark::State& state) {
  Engine engine;
  std::vector<engine::StreamIndex> streams;
  for (int i = 0; i < 16; ++i) streams.push_back(engine.stream());
  std::vector<engine::Address> blocks;
  for (std::int64_t i = 0; i < 2 * state.range(0); ++i) {
    blocks.push_back(engine.pool.allocate(streams[static_cast<std::size_t>(i) % 16], 4096)->address);
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) engine.pool.free(blocks[i], streams[(i / 2) % 16]);
  engine::Clock event;
  std::size_t i = 0;
  for (auto _ : state) {
    engine.order.snapshot(streams[i % 16], event);
    engine.order.join(streams[(i + 5) % 16], event);
    ++i;
  }
}

// A on one stream while free blocks that fit, but may not be taken, are pending on others.
void engine_beside_pending(benchmark::State& state) {
  Engine engine;
  EngineStream peer{engine, engine.stream()};
  engine.pool.attributes.reuse_allow_opportunistic = false;
  std::vector<engine::StreamIndex> others;
  for (int i = 0; i < 16; ++i) others.push_back(engine.stream());
  std::vector<engine::Address> blocks;
  for (std::int64_t i = 0; i < 2 * state.range(0); ++i)
    blocks.push_back(engine.pool.allocate(others[0], 65536)->address);
  for (std::size_t i = 0; i < blocks.size(); i += 2) engine.pool.free(blocks[i], others[(i / 2) % 16]);
  run_pairs(state, peer, workload(Shape::log_uniform, 0));
}

// Single pairs by the clock, for the tail; the clock's own cost is in it. Pairs that map memory are left out:
// `reserved()` rises with them.
template <class Peer, class Reserved>
void run_tail(benchmark::State& state, Peer& peer, Reserved reserved) {
  const Workload& work = workload(Shape::log_uniform, 0);
  std::vector<Held> blocks;
  std::vector<std::uint64_t> bytes = work.initial;
  for (const std::uint64_t n : bytes) blocks.push_back(peer.allocate(n));
  std::vector<double> times;
  std::size_t next = 0;
  for (auto _ : state) {
    const Pair& pair = work.pairs[next++ & (Workload::pair_count - 1)];
    const auto before = reserved();
    const auto start = std::chrono::steady_clock::now();
    peer.free(blocks[pair.slot], bytes[pair.slot]);
    blocks[pair.slot] = peer.allocate(bytes[pair.slot] = pair.bytes);
    const auto end = std::chrono::steady_clock::now();
    if (reserved() == before) times.push_back(std::chrono::duration<double, std::nano>(end - start).count());
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  state.counters["p50"] = at(0.5);
  state.counters["p99"] = at(0.99);
  state.counters["p999"] = at(0.999);
}
void engine_tail(benchmark::State& state) {
  EngineStream peer{*the_engine, the_streams[0]};
  run_tail(state, peer, [] { return the_engine->pool.reserved_high(); });
}
void twin_tail(benchmark::State& state) {
  run_tail(state, *the_twin<TlsfTwin>, [] { return 0; });
}

// The machine's clock: a thousand additions that wait for one another. Absolute times mean little without it.
void thousand_additions(benchmark::State& state) {
  std::uint64_t sum = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) {
      ++sum;
      benchmark::DoNotOptimize(sum);
    }
  }
}

void register_all() {
  struct Named {
    const char* name;
    Shape shape;
  };
  for (const Named& w : {Named{"A", Shape::log_uniform}, Named{"B", Shape::few_sizes}, Named{"C", Shape::one_size}}) {
    const auto add = [&](const std::string& peer, auto body) {
      return benchmark::RegisterBenchmark((std::string("pairs/") + w.name + "/" + peer).c_str(), body)->UseRealTime();
    };
    const Shape shape = w.shape;
    for (const int threads : {1, 2}) {
      add("engine", [shape](benchmark::State& s) { engine_pairs(s, shape); })
          ->Setup(open_engine)
          ->Teardown(close_engine)
          ->Threads(threads);
      add("tlsf_twin", [shape](benchmark::State& s) { twin_pairs<TlsfTwin>(s, shape); })
          ->Setup(open_twin<TlsfTwin>)
          ->Threads(threads);
      add("map_twin", [shape](benchmark::State& s) { twin_pairs<MapTwin>(s, shape); })
          ->Setup(open_twin<MapTwin>)
          ->Threads(threads);
      for (const PeerLibrary& library : peer_libraries) {
        add(library.name, [shape, &library](benchmark::State& s) {
          library_pairs(s, shape, library);
        })->Threads(threads);
      }
    }
    add("lifo_twin", [shape](benchmark::State& s) { twin_pairs<LifoTwin>(s, shape); })->Setup(open_twin<LifoTwin>);
  }
  for (const std::int64_t live : {100, 10'000, 1'000'000}) {
    benchmark::RegisterBenchmark("growth/engine", engine_growth)->Setup(open_engine)->Teardown(close_engine)->Arg(live);
    benchmark::RegisterBenchmark("growth/lifo_twin", twin_growth<LifoTwin>)->Setup(open_twin<LifoTwin>)->Arg(live);
    benchmark::RegisterBenchmark("growth/tlsf_twin", twin_growth<TlsfTwin>)->Setup(open_twin<TlsfTwin>)->Arg(live);
  }
  for (const std::int64_t streams : {8, 64, 1024}) {
    benchmark::RegisterBenchmark("ring/engine", engine_ring)->Arg(streams);
    benchmark::RegisterBenchmark("producer_consumer/engine", engine_producer_consumer)->Arg(streams);
  }
  for (const std::int64_t blocks : {0, 10'000}) {
    benchmark::RegisterBenchmark("record_wait/engine", engine_record_wait)->Arg(blocks);
    benchmark::RegisterBenchmark("beside_pending/engine", engine_beside_pending)->Arg(blocks);
  }
  benchmark::RegisterBenchmark("clock/thousand_additions", thousand_additions);
  benchmark::RegisterBenchmark("tail/engine", engine_tail)->Setup(open_engine)->Teardown(close_engine);
  benchmark::RegisterBenchmark("tail/tlsf_twin", twin_tail)->Setup(open_twin<TlsfTwin>);
}

}  // namespace
}  // namespace streampool::bench

int main(int argc, char** argv) {
  streampool::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
