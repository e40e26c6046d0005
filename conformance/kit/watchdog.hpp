// Opens gates for calls that do not return, so that nothing hangs behind a gate of the kit's own (clause
// ASYNC-BLOCKED).
//
// Time is counted in ticks that the watchdog's own thread really got, not by the clock: on a machine that stands still
// nobody is accused of blocking. A call that hangs without any closed gate is the worker pool's business
// (worker_pool.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "conformance/kit/journal.hpp"
#include "conformance/kit/target.hpp"

namespace streampool::kit {

class Watchdog {
 public:
  struct Limits {
    std::chrono::milliseconds tick{20};
    unsigned held = 10;          // ticks until a gate is opened for a call that must wait for it
    unsigned unexpected = 150;   // ticks for a call that nothing should hold (WorkerSettings::patience)
    Journal* journal = nullptr;  // ticked while no call is under way: the kit may judge for long, nobody hangs then
  };

  Watchdog() : Watchdog(Limits{}) {}
  explicit Watchdog(Limits limits);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  // Whose gates are to be opened; null before the target goes. Not while a call is under way. `tell` is called on the
  // watchdog's thread with each gate that is opened, and with Name::none once nothing moves and none is left.
  void watch(Target* target, std::function<void(history::Name)> tell = {});

  // A call begins; `held` is the gate that it is known to wait for, or Name::none. Any thread.
  [[nodiscard]] std::uint64_t enter(history::Name held);
  // The call has returned. The gate that was opened for it meanwhile, or Name::none.
  [[nodiscard]] history::Name leave(std::uint64_t entered);

 private:
  void loop();
  // False: none was closed.
  [[nodiscard]] bool open_one(Target& target);

  const Limits limits_;
  std::atomic<std::uint64_t> progress_{0};
  std::atomic<int> in_flight_{0};
  std::atomic<history::Name> held_{history::Name::none};
  std::atomic<history::Name> opened_{history::Name::none};
  std::atomic<std::uint64_t> opened_at_{0};  // the progress when it was opened

  std::mutex mutex_;  // guards what follows
  std::condition_variable stopping_;
  Target* target_ = nullptr;
  std::function<void(history::Name)> tell_;  // may be empty
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace streampool::kit
