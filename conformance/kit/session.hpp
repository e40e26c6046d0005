// A run: the jobs of several suites over several workers. Results come one by one, in the order in which they are done.
//
// A hang costs WorkerSettings::hang. So that a runtime that hangs everywhere comes to an end, too, cases get a tenth of
// it (and a second at least) once some have hung in full, and a suite ends when many of its cases in a row hung at the
// same kind of call. Both is said in the results.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/kit/job.hpp"
#include "conformance/kit/worker.hpp"

namespace streampool::kit {

struct SessionSettings {
  WorkerSettings worker;
  unsigned jobs = 1;           // worker processes at a time
  bool isolate_cases = false;  // a new worker for each job
  unsigned hangs_in_full = 3, hangs_in_a_row = 20;
};

struct SessionEnd {
  bool interrupted = false;
  std::string broken;  // why no more workers could be started; empty: all jobs were done
};

// `sink` is called from one thread at a time. Raising `interrupted` ends the run soon, with the workers killed.
[[nodiscard]] SessionEnd run_session(const SessionSettings& settings, std::vector<std::unique_ptr<JobSource>> sources,
                                     const std::atomic<bool>& interrupted,
                                     const std::function<void(const CaseResult&)>& sink);

}  // namespace streampool::kit
