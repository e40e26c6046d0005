// The host threads of a history: each `[thread]` is a real thread, so that thread-bound state (last error, the
// per-thread stream) is what the history says. Owned and driven by one thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include "model/history/history.hpp"

namespace streampool::kit {

class CallThreads {
 public:
  CallThreads();
  CallThreads(const CallThreads&) = delete;
  CallThreads& operator=(const CallThreads&) = delete;
  ~CallThreads();  // waits for everything that was started

  // Runs `work` on that thread, behind what was started on it before.
  void start(history::Thread thread, std::function<void()> work);
  // Returns once everything that was started on that thread is done.
  void wait(history::Thread thread);
  // The same for at most `limit`; false where something is not done by then.
  [[nodiscard]] bool wait_for(history::Thread thread, std::chrono::milliseconds limit);

 private:
  class Worker;
  std::map<history::Thread, std::unique_ptr<Worker>> workers_;
};

}  // namespace streampool::kit
