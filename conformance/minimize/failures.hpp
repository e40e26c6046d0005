// The failures of a run, minimised as they come: of each clause and shape the first, as long as there is time.
#pragma once

#include <atomic>
#include <chrono>
#include <set>
#include <string>

#include "conformance/minimize/minimize.hpp"

namespace streampool::minimize {

// Not thread safe.
class Failures {
 public:
  struct Limits {
    std::chrono::milliseconds one{5'000};   // for one failure
    std::chrono::milliseconds all{20'000};  // for the whole run
  };
  // Everything must outlive the object.
  Failures(kit::WorkerSettings worker, const model::Profile& profile, const std::atomic<bool>& interrupted)
      : Failures(std::move(worker), profile, interrupted, Limits{}) {}
  Failures(kit::WorkerSettings worker, const model::Profile& profile, const std::atomic<bool>& interrupted,
           const Limits& limits)
      : worker_(std::move(worker)), profile_(profile), interrupted_(interrupted), limits_(limits) {}

  // Replaces the history of a failure (with its line and explanation) by the minimised one. Leaves the result as it is
  // where it is no violation, where one of its kind was minimised before, or where it does not fail again.
  void minimise(kit::CaseResult& result);

 private:
  const kit::WorkerSettings worker_;
  const model::Profile& profile_;
  const std::atomic<bool>& interrupted_;
  const Limits limits_;
  std::chrono::steady_clock::duration spent_{};
  std::set<std::string> seen_;  // kinds
};

}  // namespace streampool::minimize
