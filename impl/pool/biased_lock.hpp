// A lock for critical sections of some ten instructions that nearly always the same thread takes: that thread takes it
// without an atomic exchange. Another one may come at any time; it then makes the system run a barrier on all threads
// of the process, which costs a microsecond or so, and both go on with a plain spin lock until one of them has been
// alone for long enough again.
//
// Works as a spin lock where the system has no such barrier.
#pragma once

#include <array>
#include <atomic>
#include <thread>

#include "impl/pool/spin_lock.hpp"

namespace streampool::engine {

// membarrier(2) of Linux. Thread safe.
class ProcessBarrier {
 public:
  [[nodiscard]] static bool available();
  // When it returns, every thread of the process has passed a full memory barrier since the call. Needs available().
  static void run();
};

class BiasedLock {
 public:
  void lock() noexcept {
    const std::uint32_t me = this_thread();
    const std::uint32_t owner = owner_.load(std::memory_order_relaxed);
    if (owner / slots == me) {
      std::atomic<bool>& inside = inside_[owner % slots];
      inside.store(true, std::memory_order_relaxed);
      // The processor may still delay this store behind the next load; the barrier of whoever takes the lock away
      // makes up for it.
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (owner_.load(std::memory_order_acquire) == owner) {
        held_by_owner_ = &inside;
        return;
      }
      inside.store(false, std::memory_order_release);
    }
    lock_among_others(me);
  }
  void unlock() noexcept {
    if (held_by_owner_ != nullptr) {
      held_by_owner_->store(false, std::memory_order_release);
    } else {
      if (streak_ >= patience) favour();
      others_.unlock();
    }
  }
  // How often another thread took it than before. For its holder.
  [[nodiscard]] std::uint64_t handovers() const { return handovers_; }
  // Does some thread take it without an exchange now? For tests.
  [[nodiscard]] bool biased() const { return owner_.load(std::memory_order_relaxed) != 0; }

  static constexpr std::uint32_t patience = 1024;  // so often in a row makes a thread the owner
  static constexpr std::uint32_t slots = 4;        // so many threads may become owners in all

 private:
  // Counts from 1.
  static std::uint32_t this_thread() {
    static std::atomic<std::uint32_t> last{0};
    static thread_local std::uint32_t mine = 0;
    if (mine == 0) mine = last.fetch_add(1, std::memory_order_relaxed) + 1;
    return mine;
  }
  void lock_among_others(std::uint32_t me) noexcept;
  void favour() noexcept;

  std::atomic<std::uint32_t> owner_{0};  // thread · slots + slot; 0: nobody
  // Each owner has a flag of its own: one that was stopped halfway may set and clear it long after another thread has
  // become the owner.
  std::array<std::atomic<bool>, slots> inside_{};
  SpinLock others_;
  // Of the holder:
  std::atomic<bool>* held_by_owner_ = nullptr;  // its flag, if it is the owner
  std::uint32_t last_ = 0, streak_ = 0;         // who came last through `others_`, and how often in a row
  std::uint64_t handovers_ = 0;
  std::array<std::uint32_t, slots> owners_{};  // threads that have a slot
};

}  // namespace streampool::engine
