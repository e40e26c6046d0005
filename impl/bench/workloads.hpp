// The workloads, drawn beforehand from fixed seeds, so that a loop contains nothing but calls.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace streampool::bench {

// One pair: free what lies in a slot, allocate this many bytes into it.
struct Pair {
  std::uint32_t slot;
  std::uint64_t bytes;
};

enum class Shape : std::uint8_t { log_uniform, few_sizes, one_size };  // A, B, C of docs/performance.md

// Sizes: A 256 B to `largest`, log-uniform, in steps of 256 B; B a fixed set of 64 of those; C one of 64 KiB.
class Workload {
 public:
  Workload(Shape shape, std::uint32_t live, std::uint64_t largest = std::uint64_t{16} << 20, std::uint32_t seed = 1)
      : shape_(shape), random_(seed), magnitude_(8.0, std::log2(static_cast<double>(largest))) {
    for (int i = 0; i < 64; ++i) few_.push_back(log_uniform());
    for (std::uint32_t i = 0; i < live; ++i) initial.push_back(draw());
    pairs.reserve(pair_count);
    for (std::size_t i = 0; i < pair_count; ++i) {
      pairs.push_back({static_cast<std::uint32_t>(random_() % live), draw()});
    }
  }
  static constexpr std::size_t pair_count = 1 << 18;  // a power of two
  std::vector<std::uint64_t> initial;
  std::vector<Pair> pairs;

 private:
  std::uint64_t log_uniform() { return (static_cast<std::uint64_t>(std::exp2(magnitude_(random_))) + 255) / 256 * 256; }
  std::uint64_t draw() {
    switch (shape_) {
      case Shape::log_uniform:
        return log_uniform();
      case Shape::few_sizes:
        return few_[random_() % few_.size()];
      default:
        return std::uint64_t{64} << 10;
    }
  }
  Shape shape_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> magnitude_;
  std::vector<std::uint64_t> few_;
};

}  // namespace streampool::bench
