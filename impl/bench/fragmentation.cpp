// How much memory a pool needs for what is live: reserved over live peak, without a limit and under the tightest limit
// that a trace still fits in (the pool then moves scattered idle granules instead of growing).
//
//   streampool_fragmentation [TRACE.csv...]      rows of id,lower,upper,size as in google/minimalloc; none: workload A
//                                                and the histories of histories.hpp, each with its time
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "impl/bench/engine_under_test.hpp"
#include "impl/bench/histories.hpp"

namespace streampool::bench {
namespace {

// Frees come before allocations of the same time.
History read_minimalloc(const std::string& path) {
  struct Moment {
    std::uint64_t time;
    Step step;
  };
  std::vector<Moment> moments;
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "streampool_fragmentation: %s cannot be read\n", path.c_str());
    std::exit(2);
  }
  std::string line;
  std::getline(file, line);
  for (std::uint32_t block = 0; std::getline(file, line); ++block) {
    char id[64];
    unsigned long lower = 0, upper = 0, size = 0;
    if (std::sscanf(line.c_str(), "%63[^,],%lu,%lu,%lu", id, &lower, &upper, &size) != 4) continue;
    // All traces fit in 2^20 of their units: a unit of 256 B makes that 128 granules of 2 MiB.
    moments.push_back({lower, {true, block, size * 256}});
    moments.push_back({upper, {false, block, size * 256}});
  }
  std::stable_sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
    return a.time != b.time ? a.time < b.time : a.step.allocate < b.step.allocate;
  });
  HistoryMaker make(path.substr(path.find_last_of('/') + 1));
  std::map<std::uint32_t, std::uint32_t> names;
  for (const auto& [time, step] : moments) {
    if (step.allocate) {
      names[step.block] = make.allocate(step.bytes);
    } else {
      make.free(names.at(step.block));
    }
  }
  return make.finish();
}

History workload_a() {
  const Workload work(Shape::log_uniform, 1000);
  HistoryMaker make("A");
  std::vector<std::uint32_t> slots;
  for (const std::uint64_t bytes : work.initial) slots.push_back(make.allocate(bytes));
  for (const Pair& pair : work.pairs) {
    make.free(slots[pair.slot]);
    slots[pair.slot] = make.allocate(pair.bytes);
  }
  return make.finish();
}

// The reserved peak; 0: it does not fit.
std::uint64_t reserved_peak(const History& trace, std::uint64_t limit) {
  Engine engine(1);
  engine::Pool<Device> pool(engine.space, {limit, 1});
  pool.attributes.release_threshold = ~engine::Bytes{0};
  const engine::StreamIndex stream = engine.stream();
  std::vector<engine::Address> blocks(trace.blocks);
  for (const Step& step : trace.steps) {
    if (!step.allocate) {
      pool.free(blocks[step.block], stream);
    } else if (const auto got = pool.allocate(stream, step.bytes)) {
      blocks[step.block] = got->address;
    } else {
      return 0;
    }
  }
  return pool.reserved_high();
}

// Nanoseconds a call, the best of some replays.
double step_time(const History& trace) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    reserved_peak(trace, 0);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    const double a_step = took.count() / static_cast<double>(trace.steps.size());
    best = i == 0 ? a_step : std::min(best, a_step);
  }
  return best;
}

// Returns the ratios without and under the tightest limit.
std::pair<double, double> report(const History& trace) {
  constexpr std::uint64_t granule = std::uint64_t{2} << 20;
  const std::uint64_t free_running = reserved_peak(trace, 0);
  std::uint64_t fits = free_running / granule, fails = trace.peak / granule - 1;
  while (fits - fails > 1) {
    const std::uint64_t middle = (fits + fails) / 2;
    (reserved_peak(trace, middle * granule) != 0 ? fits : fails) = middle;
  }
  const double peak = static_cast<double>(trace.peak);
  const std::pair ratios(static_cast<double>(free_running) / peak, static_cast<double>(fits * granule) / peak);
  std::printf("%-24s %9.3f %9.3f %9.1f\n", trace.name.c_str(), ratios.first, ratios.second, step_time(trace));
  return ratios;
}

}  // namespace
}  // namespace streampool::bench

int main(int argc, char** argv) {
  using namespace streampool::bench;
  std::printf("%-24s %9s %9s %9s\n", "reserved/live peak", "no limit", "tightest", "ns a call");
  if (argc < 2) {
    for (const History& history : {workload_a(), training_step(), dataframe_query(), inference_server()})
      report(history);
    return 0;
  }
  double free_running = 0;
  double tightest = 0;
  for (int i = 1; i < argc; ++i) {
    const auto [first, second] = report(read_minimalloc(argv[i]));
    free_running += first / (argc - 1);
    tightest += second / (argc - 1);
  }
  std::printf("%-24s %9.3f %9.3f\n", "mean", free_running, tightest);
  return 0;
}
