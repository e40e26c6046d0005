// A lock for critical sections of some ten instructions. Gives the processor away when its holder seems to be stopped.
#pragma once

#include <atomic>
#include <thread>

namespace streampool::engine {

class SpinLock {
 public:
  void lock() noexcept {
    while (held_.exchange(true, std::memory_order_acquire)) wait();
  }
  bool try_lock() noexcept { return !held_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  void wait() const noexcept {
    for (int spins = 0; held_.load(std::memory_order_relaxed); ++spins) {
      if (spins < patience) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      } else {
        std::this_thread::yield();
      }
    }
  }
  static constexpr int patience = 128;
  std::atomic<bool> held_{false};
};

}  // namespace streampool::engine
