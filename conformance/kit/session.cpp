#include "conformance/kit/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace streampool::kit {
namespace {

std::chrono::milliseconds after_some_hangs(std::chrono::milliseconds hang) {
  return std::min(hang, std::max(hang / 10, std::chrono::milliseconds(1'000)));
}

// The record of a suite that was broken off.
CaseResult broken_off(const CaseResult& last, unsigned hangs) {
  CaseResult result;
  result.suite = last.suite;
  result.name = last.suite + "/broken_off";
  result.verdict = Verdict::inconclusive;
  result.explanation = fmt::format("{} cases in a row hung, all in {}: the other cases of this suite were not run.",
                                   hangs, last.shape.empty() ? "a call" : last.shape);
  return result;
}

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
      JobOutcome outcome = run_job(*worker, *job);
      if (outcome.interrupted) return;
      report(std::move(outcome.results), worker->hang(), *source);
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
    WorkerSettings settings = settings_.worker;
    {
      const std::scoped_lock lock(mutex_);
      if (hangs_ >= settings_.hangs_in_full) settings.hang = after_some_hangs(settings.hang);
    }
    try {
      auto worker = Worker::start(settings, interrupted_);
      if (worker) return std::move(*worker);
      why = worker.error();
    } catch (const std::system_error& error) {
      why = error.what();
    }
    const std::scoped_lock lock(mutex_);
    if (!interrupted_.load(std::memory_order_relaxed) && end_.broken.empty()) end_.broken = why;
    return nullptr;
  }

  void report(std::vector<CaseResult> results, std::chrono::milliseconds hang, JobSource& source) {
    const std::scoped_lock lock(mutex_);
    const auto started = std::chrono::steady_clock::now();
    for (CaseResult& result : results) {
      if (result.verdict == Verdict::timeout && hang < settings_.worker.hang) {
        result.explanation +=
            fmt::format(" It had less time than others, for {} cases hung before.", settings_.hangs_in_full);
      }
      source.learn(result);
      sink_(result);
      count_hangs(result, source);
    }
    source.lost(std::chrono::steady_clock::now() - started);
  }

  void count_hangs(const CaseResult& result, const JobSource& source) {
    const bool hung = result.verdict == Verdict::timeout;
    hangs_ += hung ? 1 : 0;
    const std::string kind = hung ? result.suite + kind_of(result) : std::string();
    row_ = hung && kind == row_kind_ ? row_ + 1 : 1;
    row_kind_ = kind;
    if (!hung || row_ != settings_.hangs_in_a_row || current_ == sources_.size() || sources_[current_].get() != &source)
      return;
    ++current_;
    sink_(broken_off(result, row_));
  }

  const SessionSettings& settings_;
  std::vector<std::unique_ptr<JobSource>> sources_;
  const std::atomic<bool>& interrupted_;
  const std::function<void(const CaseResult&)>& sink_;
  std::mutex mutex_;
  std::size_t current_ = 0;
  unsigned hangs_ = 0, row_ = 0;  // in all; of one suite and kind in a row
  std::string row_kind_;
  SessionEnd end_;
};

}  // namespace

SessionEnd run_session(const SessionSettings& settings, std::vector<std::unique_ptr<JobSource>> sources,
                       const std::atomic<bool>& interrupted, const std::function<void(const CaseResult&)>& sink) {
  return Session(settings, std::move(sources), interrupted, sink).run();
}

}  // namespace streampool::kit
