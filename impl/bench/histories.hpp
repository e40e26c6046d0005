// Allocation histories with the shapes that programs of three kinds are known for, drawn from fixed seeds. Sizes in
// bytes; a history is made once and replayed against any pool.
//
//   training   layers are entered and left like a stack: activations live from the forward to the backward pass, each
//              layer needs short-lived workspace, gradients appear in the backward pass and go with the optimiser step;
//              every step repeats the same sizes
//   dataframe  a query as a chain of operators: a table's columns (few, large, sizes alike) live until the next
//   operator
//              has made its own; hash tables and offsets beside them; selectivity shrinks what is passed on
//   inference  requests come and go in random order, each with a cache that grows in equal blocks as it generates, and
//   a
//              scratch buffer for every batch
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace streampool::bench {

struct Step {
  bool allocate;
  std::uint32_t block;
  std::uint64_t bytes;
};
struct History {
  std::string name;
  std::vector<Step> steps;
  std::uint64_t peak = 0;  // live bytes
  std::uint32_t blocks = 0;
};

class HistoryMaker {
 public:
  explicit HistoryMaker(std::string name) { history_.name = std::move(name); }
  std::uint32_t allocate(std::uint64_t bytes) {
    sizes_.push_back(bytes);
    live_ += bytes;
    history_.peak = std::max(history_.peak, live_);
    history_.steps.push_back({true, history_.blocks, bytes});
    return history_.blocks++;
  }
  void free(std::uint32_t block) {
    live_ -= sizes_[block];
    history_.steps.push_back({false, block, sizes_[block]});
  }
  History finish() { return std::move(history_); }

 private:
  History history_;
  std::vector<std::uint64_t> sizes_;
  std::uint64_t live_ = 0;
};

inline History training_step() {
  HistoryMaker make("training step");
  std::mt19937 random(1);
  constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;
  struct Layer {
    std::uint64_t activation, attention, workspace, gradient;
  };
  std::vector<Layer> layers;
  for (int i = 0; i < 48; ++i) {
    layers.push_back({(4 + random() % 13) * MiB, (1 + random() % 24) * MiB, (256 + random() % 8192) * KiB,
                      (2 + random() % 7) * MiB + random() % 64 * 512});
  }
  for (std::size_t i = 0; i < layers.size(); ++i) make.allocate(layers[i].gradient * 2);  // weights and their state
  for (int step = 0; step < 12; ++step) {
    std::vector<std::uint32_t> kept, gradients;
    for (const Layer& layer : layers) {
      const std::uint32_t work = make.allocate(layer.workspace);
      kept.push_back(make.allocate(layer.activation));
      const std::uint32_t scores = make.allocate(layer.attention);
      kept.push_back(make.allocate(layer.activation / 4));
      make.free(scores);
      make.free(work);
    }
    for (std::size_t i = layers.size(); i-- > 0;) {
      const std::uint32_t work = make.allocate(layers[i].workspace * 2);
      const std::uint32_t back = make.allocate(layers[i].activation);
      gradients.push_back(make.allocate(layers[i].gradient));
      make.free(kept.back());
      kept.pop_back();
      make.free(kept.back());
      kept.pop_back();
      make.free(back);
      make.free(work);
    }
    for (const std::uint32_t gradient : gradients) make.free(gradient);
  }
  return make.finish();
}

inline History dataframe_query() {
  HistoryMaker make("dataframe query");
  std::mt19937 random(2);
  for (int query = 0; query < 40; ++query) {
    std::uint64_t rows = 200'000 + random() % 800'000;
    std::vector<std::uint32_t> table;
    for (unsigned column = 0; column < 4 + random() % 8; ++column) table.push_back(make.allocate(rows * 8));
    for (unsigned op = 0; op < 5 + random() % 6; ++op) {
      const std::uint32_t hashes = make.allocate(rows * 4), offsets = make.allocate(rows / 8 + 64);
      const std::uint32_t hash_table = op % 2 == 0 ? make.allocate(rows * 12) : make.allocate(rows);
      rows = std::max<std::uint64_t>(1000, rows * (30 + random() % 90) / 100);
      std::vector<std::uint32_t> next;
      for (std::size_t column = 0; column < table.size(); ++column) {
        next.push_back(make.allocate(rows * (column % 3 == 0 ? 4 : 8)));
        if (random() % 3 == 0) next.push_back(make.allocate(rows / 8 + 64));  // which values there are
      }
      make.free(hashes);
      for (const std::uint32_t column : table) make.free(column);
      make.free(hash_table);
      make.free(offsets);
      if (next.size() > 14) {
        for (std::size_t i = 10; i < next.size(); ++i) make.free(next[i]);
        next.resize(10);
      }
      table = std::move(next);
    }
    for (const std::uint32_t column : table) make.free(column);
  }
  return make.finish();
}

inline History inference_server() {
  HistoryMaker make("inference server");
  std::mt19937 random(3);
  constexpr std::uint64_t cache_block = std::uint64_t{384} << 10;
  struct Request {
    std::vector<std::uint32_t> cache;
    unsigned left;
    std::uint32_t prompt;
  };
  std::vector<Request> running;
  for (int tick = 0; tick < 3000; ++tick) {
    if (running.size() < 64 && random() % 3 != 0) {
      const unsigned tokens = 16 + static_cast<unsigned>(std::exp2(4.0 + static_cast<double>(random() % 70) / 10.0));
      running.push_back({{}, 20 + static_cast<unsigned>(random()) % 300, make.allocate(tokens * std::uint64_t{4096})});
      for (unsigned i = 0; i < tokens / 256 + 1; ++i) running.back().cache.push_back(make.allocate(cache_block));
    }
    const std::uint32_t scratch = make.allocate((running.size() + 1) * ((32 + random() % 16) << 10));
    for (Request& request : running) {
      if (request.left % 16 == 0) request.cache.push_back(make.allocate(cache_block));
      --request.left;
    }
    make.free(scratch);
    std::erase_if(running, [&](const Request& request) {
      if (request.left != 0) return false;
      make.free(request.prompt);
      for (const std::uint32_t block : request.cache) make.free(block);
      return true;
    });
  }
  return make.finish();
}

}  // namespace streampool::bench
