// Candidates of the minimiser on the runtime, one after another in a worker process of their own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "conformance/kit/verdict.hpp"
#include "conformance/kit/worker.hpp"
#include "conformance/minimize/shrink.hpp"
#include "model/profile/profile.hpp"

namespace streampool::minimize {

// How long a call may take before it counts as blocked or hung, and whether each candidate has a worker for itself.
struct Pace {
  unsigned patience = 0;  // as in kit::WorkerSettings
  std::chrono::milliseconds hang{0};
  bool fresh = false;
};

// Not thread safe. A worker that died is replaced.
class Bench {
 public:
  struct Limits {
    std::chrono::milliseconds time;
    std::uint64_t runs;
  };
  // All must outlive the bench. The time runs from here on.
  Bench(kit::WorkerSettings settings, const model::Profile& profile, const history::NameTable& names,
        const std::atomic<bool>& interrupted, Limits limits)
      : settings_(std::move(settings)), profile_(profile), names_(names), interrupted_(interrupted), limits_(limits) {}

  // From the next run on, in a new worker.
  void set(const Pace& pace);
  // Lines without their results. Nothing: they could not be run, or a limit is reached.
  [[nodiscard]] std::optional<kit::CaseResult> run(const Lines& lines);
  // The same once the limits are reached, too.
  [[nodiscard]] std::optional<kit::CaseResult> run_at_last(const Lines& lines);

  [[nodiscard]] bool spent() const;
  [[nodiscard]] std::chrono::milliseconds elapsed() const;
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  // Why no worker can be started; empty: one can.
  [[nodiscard]] const std::string& broken() const { return broken_; }
  // As the runtime told; the usual ones before its first run.
  [[nodiscard]] Sizes sizes() const { return sizes_; }

 private:
  [[nodiscard]] bool start();

  kit::WorkerSettings settings_;
  const model::Profile& profile_;
  const history::NameTable& names_;
  const std::atomic<bool>& interrupted_;
  const Limits limits_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool fresh_ = false;
  std::unique_ptr<kit::Worker> worker_;
  Sizes sizes_;
  std::uint64_t runs_ = 0;
  std::string broken_;
};

}  // namespace streampool::minimize
