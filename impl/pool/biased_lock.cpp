#include "impl/pool/biased_lock.hpp"

#include <cstdio>
#include <cstdlib>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace streampool::engine {

#if defined(__linux__)
namespace {
bool membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }
}  // namespace

bool ProcessBarrier::available() {
  static const bool registered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return registered;
}
void ProcessBarrier::run() {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // The registration was lost, as in a process that somebody forked by other means than fork(2).
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  std::fputs("streampool: the system took its memory barrier back\n", stderr);
  std::abort();
}
#else
bool ProcessBarrier::available() { return false; }
void ProcessBarrier::run() { std::abort(); }
#endif

void BiasedLock::lock_among_others(std::uint32_t me) noexcept {
  others_.lock();
  if (const std::uint32_t owner = owner_.load(std::memory_order_relaxed); owner != 0) {
    owner_.store(0, std::memory_order_release);
    ProcessBarrier::run();
    while (inside_[owner % slots].load(std::memory_order_acquire)) std::this_thread::yield();
  }
  held_by_owner_ = nullptr;
  streak_ = last_ == me ? streak_ + 1 : 0;
  handovers_ += last_ == me ? 0 : 1;
  last_ = me;
}

void BiasedLock::favour() noexcept {
  streak_ = 0;
  if (!ProcessBarrier::available()) return;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (owners_[slot] != 0 && owners_[slot] != last_) continue;
    owners_[slot] = last_;
    owner_.store(last_ * slots + slot, std::memory_order_release);
    return;
  }
}

}  // namespace streampool::engine
