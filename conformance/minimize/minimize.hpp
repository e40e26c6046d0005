// The minimised form of a failure: the same clause broken (or the same crash) by as few calls as can be found.
//
// First against the recorded answers, with the judge alone; then by running candidates again on the runtime, in a
// worker process of their own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "conformance/kit/verdict.hpp"
#include "conformance/kit/worker.hpp"
#include "model/profile/profile.hpp"

namespace streampool::minimize {

struct Settings {
  kit::WorkerSettings worker;
  const model::Profile& profile;
  std::chrono::milliseconds budget{10'000};  // after it the smallest so far is the answer
  std::uint64_t most_runs = 3000;            // on the runtime
};

struct Minimised {
  kit::CaseResult result;  // of the smallest history that fails; its `history` has the results
  std::uint64_t calls_before = 0;
  std::uint64_t runs = 0;  // on the runtime
  bool complete = true;    // false: the budget was spent before nothing more went
};

// `text` is a whole history. The error says why there is nothing to minimise: it is malformed, it does not fail on this
// runtime, or the runtime cannot be run.
[[nodiscard]] tl::expected<Minimised, std::string> minimise(const std::string& text, const Settings& settings,
                                                            const std::atomic<bool>& interrupted);

}  // namespace streampool::minimize
