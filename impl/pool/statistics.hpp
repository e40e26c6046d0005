// Statistics: a current value and its high watermark since the last reset, exact with many threads.
#pragma once

#include <algorithm>
#include <atomic>

#include "impl/pool/units.hpp"

namespace streampool::engine {

// For values that change seldom: every value that the current one ever takes is considered.
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

// For values that change at every call: one share a lock domain, so that counting writes no memory that others write.
// A share may count up to its allowance, and the allowances together never exceed the watermark. So no sum of shares
// ever does, and only a share that outgrows its allowance needs to look at the others.
struct Share {
  Bytes current = 0;
  Bytes allowance = 0;
  Bytes peak = 0;  // the most that it was seen to count

  // False: it does not fit; nothing changed.
  bool add(Bytes bytes) {
    if (bytes > allowance - current) return false;
    current += bytes;
    return true;
  }
  void subtract(Bytes bytes) { current -= bytes; }
};

// The watermark of a list of shares. Every call needs the locks of all shares.
class SharedHigh {
 public:
  template <class Shares>
  static Bytes sum(const Shares& shares) {
    Bytes total = 0;
    for (const Share* share : shares) total += share->current;
    return total;
  }
  // Counts `bytes` in `share` although its allowance is used up, and shares out anew what is left below the watermark.
  template <class Shares>
  void add(const Shares& shares, Share& share, Bytes bytes) {
    share.current += bytes;
    const Bytes total = sum(shares);
    high_ = std::max(high_, total);
    Bytes slack = high_ - total;
    // If each can have what it once had, none will ask again as long as all do what they did.
    Bytes wanted = 0;
    for (Share* each : shares) {
      each->peak = std::max(each->peak, each->current);
      wanted += each->peak - each->current;
    }
    const bool peaks = wanted <= slack;
    if (peaks) slack -= wanted;
    for (Share* each : shares) each->allowance = (peaks ? each->peak : each->current) + slack / shares.size();
  }
  // The watermark takes the current value.
  template <class Shares>
  void reset(const Shares& shares) {
    high_ = sum(shares);
    for (Share* each : shares) each->allowance = each->peak = each->current;
  }
  [[nodiscard]] Bytes high() const { return high_; }

 private:
  Bytes high_ = 0;
};

}  // namespace streampool::engine
