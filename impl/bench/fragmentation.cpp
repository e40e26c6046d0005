// How much memory a pool needs for what is live: reserved over live peak, without a limit and under the tightest limit
// that a trace still fits in (the pool then moves scattered idle granules instead of growing).
//
//   streampool_fragmentation [TRACE.csv...]      rows of id,lower,upper,size as in google/minimalloc; none: workload A
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "impl/bench/engine_under_test.hpp"

namespace streampool::bench {
namespace {

struct Step {
  bool allocate;
  std::uint32_t block;
  std::uint64_t bytes;
};
struct Trace {
  std::string name;
  std::vector<Step> steps;
  std::uint64_t peak = 0;  // live
};

void finish(Trace& trace) {
  std::uint64_t live = 0;
  for (const Step& step : trace.steps) {
    live = step.allocate ? live + step.bytes : live - step.bytes;
    trace.peak = std::max(trace.peak, live);
  }
}

// Frees come before allocations of the same time.
Trace read_minimalloc(const std::string& path) {
  struct Moment {
    std::uint64_t time;
    Step step;
  };
  std::vector<Moment> moments;
  std::ifstream file(path);
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
  Trace trace{path.substr(path.find_last_of('/') + 1), {}, 0};
  for (const Moment& moment : moments) trace.steps.push_back(moment.step);
  finish(trace);
  return trace;
}

Trace workload_a() {
  const Workload work(Shape::log_uniform, 1000);
  Trace trace{"A", {}, 0};
  std::vector<Step> slots;
  std::uint32_t block = 0;
  for (const std::uint64_t bytes : work.initial) trace.steps.push_back(slots.emplace_back(Step{true, block++, bytes}));
  for (const Pair& pair : work.pairs) {
    Step& slot = slots[pair.slot];
    trace.steps.push_back({false, slot.block, slot.bytes});
    trace.steps.push_back(slot = {true, block++, pair.bytes});
  }
  finish(trace);
  return trace;
}

// The reserved peak; 0: it does not fit.
std::uint64_t reserved_peak(const Trace& trace, std::uint64_t limit) {
  Engine engine(1);
  engine::Pool<Device> pool(engine.space, {limit, 1});
  pool.attributes.release_threshold = ~engine::Bytes{0};
  const engine::StreamIndex stream = engine.stream();
  std::vector<engine::Address> blocks(trace.steps.size());
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

// Returns the ratios without and under the tightest limit.
std::pair<double, double> report(const Trace& trace) {
  constexpr std::uint64_t granule = std::uint64_t{2} << 20;
  const std::uint64_t free_running = reserved_peak(trace, 0);
  std::uint64_t fits = free_running / granule, fails = trace.peak / granule - 1;
  while (fits - fails > 1) {
    const std::uint64_t middle = (fits + fails) / 2;
    (reserved_peak(trace, middle * granule) != 0 ? fits : fails) = middle;
  }
  const double peak = static_cast<double>(trace.peak);
  const std::pair ratios(static_cast<double>(free_running) / peak, static_cast<double>(fits * granule) / peak);
  std::printf("%-24s %9.3f %9.3f\n", trace.name.c_str(), ratios.first, ratios.second);
  return ratios;
}

}  // namespace
}  // namespace streampool::bench

int main(int argc, char** argv) {
  using namespace streampool::bench;
  std::printf("%-24s %9s %9s\n", "reserved/live peak", "no limit", "tightest");
  if (argc < 2) return report(workload_a()), 0;
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
