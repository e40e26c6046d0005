// A current value and its high watermark since the last reset, exact with many threads: every value that the current
// one ever takes is considered.
#pragma once

#include <atomic>

#include "impl/pool/units.hpp"

namespace streampool::engine {

class Gauge {
 public:
  void add(Bytes bytes) { raise(current_.fetch_add(bytes) + bytes); }
  void subtract(Bytes bytes) { current_.fetch_sub(bytes); }
  [[nodiscard]] Bytes current() const { return current_.load(); }
  [[nodiscard]] Bytes high() const { return high_.load(); }
  // The watermark takes the current value.
  void reset_high() {
    high_.store(current_.load());
    raise(current_.load());  // what was added between the two
  }

 private:
  void raise(Bytes value) {
    Bytes high = high_.load(std::memory_order_relaxed);
    while (high < value && !high_.compare_exchange_weak(high, value)) {
    }
  }
  std::atomic<Bytes> current_{0};
  std::atomic<Bytes> high_{0};
};

}  // namespace streampool::engine
