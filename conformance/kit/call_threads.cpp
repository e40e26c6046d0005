#include "conformance/kit/call_threads.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace streampool::kit {

class CallThreads::Worker {
 public:
  Worker() : thread_([this](const std::stop_token& stop) { loop(stop); }) {}

  void start(std::function<void()> work) {
    {
      const std::scoped_lock lock(mutex_);
      queue_.push_back(std::move(work));
    }
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.empty(); });
  }

  bool wait_for(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [this] { return queue_.empty(); });
  }

 private:
  void loop(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !queue_.empty(); })) {
      std::function<void()>& work = queue_.front();  // stays in the queue until it is done: `wait` looks at the queue
      lock.unlock();
      work();
      lock.lock();
      queue_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> queue_;
  std::jthread thread_;  // last: it uses the others
};

CallThreads::CallThreads() = default;
CallThreads::~CallThreads() = default;

void CallThreads::start(history::Thread thread, std::function<void()> work) {
  std::unique_ptr<Worker>& worker = workers_[thread];
  if (worker == nullptr) worker = std::make_unique<Worker>();
  worker->start(std::move(work));
}

void CallThreads::wait(history::Thread thread) {
  if (const auto found = workers_.find(thread); found != workers_.end()) found->second->wait();
}

bool CallThreads::wait_for(history::Thread thread, std::chrono::milliseconds limit) {
  const auto found = workers_.find(thread);
  return found == workers_.end() || found->second->wait_for(limit);
}

}  // namespace streampool::kit
