#include "conformance/kit/session.hpp"

#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace streampool::kit {
namespace {

class Session {
 public:
  Session(const SessionSettings& settings, std::vector<std::unique_ptr<JobSource>> sources,
          const std::atomic<bool>& interrupted, const std::function<void(const CaseResult&)>& sink)
      : settings_(settings), sources_(std::move(sources)), interrupted_(interrupted), sink_(sink) {}

  SessionEnd run() {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, settings_.jobs); ++i) threads.emplace_back([this] { serve(); });
    threads.clear();  // joins
    end_.interrupted = interrupted_.load(std::memory_order_relaxed);
    return end_;
  }

 private:
  // One worker at a time, replaced whenever it cannot be trusted any more. It dies with this thread.
  void serve() {
    std::unique_ptr<Worker> worker;
    JobSource* source = nullptr;  // of the job
    while (const std::optional<Job> job = next(source)) {
      if (worker == nullptr || settings_.isolate_cases) {
        worker.reset();
        worker = start();
        if (worker == nullptr) return;
      }
      const JobOutcome outcome = run_job(*worker, *job);
      if (outcome.interrupted) return;
      report(outcome, *source);
      if (!outcome.alive) worker.reset();
    }
  }

  std::optional<Job> next(JobSource*& source) {
    const std::scoped_lock lock(mutex_);
    if (interrupted_.load(std::memory_order_relaxed) || !end_.broken.empty()) return std::nullopt;
    while (current_ < sources_.size()) {
      source = sources_[current_].get();
      if (auto job = source->next()) return job;
      ++current_;
    }
    return std::nullopt;
  }

  std::unique_ptr<Worker> start() {
    std::string why;
    try {
      auto worker = Worker::start(settings_.worker, interrupted_);
      if (worker) return std::move(*worker);
      why = worker.error();
    } catch (const std::system_error& error) {
      why = error.what();
    }
    const std::scoped_lock lock(mutex_);
    if (!interrupted_.load(std::memory_order_relaxed) && end_.broken.empty()) end_.broken = why;
    return nullptr;
  }

  void report(const JobOutcome& outcome, JobSource& source) {
    const std::scoped_lock lock(mutex_);
    for (const CaseResult& result : outcome.results) {
      source.learn(result);
      sink_(result);
    }
  }

  const SessionSettings& settings_;
  std::vector<std::unique_ptr<JobSource>> sources_;
  const std::atomic<bool>& interrupted_;
  const std::function<void(const CaseResult&)>& sink_;
  std::mutex mutex_;
  std::size_t current_ = 0;
  SessionEnd end_;
};

}  // namespace

SessionEnd run_session(const SessionSettings& settings, std::vector<std::unique_ptr<JobSource>> sources,
                       const std::atomic<bool>& interrupted, const std::function<void(const CaseResult&)>& sink) {
  return Session(settings, std::move(sources), interrupted, sink).run();
}

}  // namespace streampool::kit
