// The failures of a run, minimised as they come: of each suite, clause and shape the first, and a few more while there
// is time for them. Those that come to the same calls on the same objects tell one story.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <string>

#include "conformance/minimize/minimize.hpp"

namespace streampool::minimize {

// Not thread safe.
class Failures {
 public:
  struct Limits {
    std::chrono::milliseconds one{5'000};   // for one failure; twice that for a hang
    std::chrono::milliseconds all{30'000};  // for the whole run; a third of it for those that are not the first
    unsigned of_a_kind = 5;                 // failures of one clause and shape; the others stay as they are
  };
  // Everything must outlive the object.
  Failures(kit::WorkerSettings worker, const model::Profile& profile, const std::atomic<bool>& interrupted)
      : Failures(std::move(worker), profile, interrupted, Limits{}) {}
  Failures(kit::WorkerSettings worker, const model::Profile& profile, const std::atomic<bool>& interrupted,
           const Limits& limits)
      : worker_(std::move(worker)), profile_(profile), interrupted_(interrupted), limits_(limits) {}

  // Replaces the history of a failure (with its line and explanation) by the minimised one. Where that has the form of
  // the first of its kind, and where there is no more time but that one was minimised, `history_of` names its case. A
  // failure for which no order of overlapping calls fits becomes one of the clause that its explanation names, where
  // the same calls made again break that. Leaves the result as it is where it is no failure of the runtime, where there
  // is no time, or where it does not fail again in the same way.
  void minimise(kit::CaseResult& result);

 private:
  const kit::WorkerSettings worker_;
  const model::Profile& profile_;
  const std::atomic<bool>& interrupted_;
  const Limits limits_;
  std::chrono::steady_clock::duration spent_{};
  struct Story {
    unsigned cases = 0;
    std::string name, form;  // of the first, if that was minimised
  };
  std::map<std::string, Story> stories_;  // by suite and kind
};

}  // namespace streampool::minimize
