#include "conformance/kit/watchdog.hpp"

#include <algorithm>
#include <utility>

namespace streampool::kit {

using history::Name;

Watchdog::Watchdog(Limits limits) : limits_(limits), thread_([this] { loop(); }) {}

Watchdog::~Watchdog() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  stopping_.notify_all();
  thread_.join();
}

void Watchdog::watch(Target* target, std::function<void(Name)> tell) {
  const std::scoped_lock lock(mutex_);
  target_ = target;
  tell_ = std::move(tell);
}

std::uint64_t Watchdog::enter(Name held) {
  held_.store(held, std::memory_order_relaxed);
  const std::uint64_t entered = progress_.fetch_add(1, std::memory_order_acq_rel) + 1;
  in_flight_.fetch_add(1, std::memory_order_release);
  return entered;
}

Name Watchdog::leave(std::uint64_t entered) {
  const bool opened = opened_at_.load(std::memory_order_acquire) >= entered;
  in_flight_.fetch_sub(1, std::memory_order_release);
  progress_.fetch_add(1, std::memory_order_acq_rel);
  return opened ? opened_.load(std::memory_order_relaxed) : Name::none;
}

void Watchdog::loop() {
  std::unique_lock lock(mutex_);
  std::uint64_t seen = 0;
  unsigned idle = 0;
  bool stuck = false;  // and told so
  while (!stopping_.wait_for(lock, limits_.tick, [this] { return stop_; })) {
    const std::uint64_t progress = progress_.load(std::memory_order_acquire);
    const bool calls = in_flight_.load(std::memory_order_acquire) != 0;
    if (target_ != nullptr && !calls && limits_.journal != nullptr) limits_.journal->tick();
    if (target_ == nullptr || !calls || progress != seen) {
      seen = progress;
      idle = 0;
      stuck = false;
      continue;
    }
    const bool expected = held_.load(std::memory_order_relaxed) != Name::none;
    if (++idle < (expected ? limits_.held : limits_.unexpected)) continue;
    if (stuck) continue;
    stuck = !open_one(*target_);
    if (stuck && tell_) tell_(Name::none);
    idle -= std::min(idle, limits_.held);  // the next gate, if this was not the one, follows soon
  }
}

bool Watchdog::open_one(Target& target) {
  const std::vector<Name> closed = target.closed_gates();
  if (closed.empty()) return false;
  const Name held = held_.load(std::memory_order_relaxed);
  const Name gate = std::ranges::find(closed, held) != closed.end() ? held : closed.front();
  opened_.store(gate, std::memory_order_relaxed);
  opened_at_.store(progress_.load(std::memory_order_acquire), std::memory_order_release);
  if (tell_) tell_(gate);
  target.open_gate(gate);
  return true;
}

}  // namespace streampool::kit
