// The minimised form of a failure: the same clause broken (or the same crash or hang) by as few calls as can be found.
//
// First against the recorded answers, with the judge alone; then by running candidates again on the runtime, in a
// worker process of their own. There a call that does not return is given up soon; whether what is left fails when it
// has all the time that a run gives, too, is seen at the end, in a new process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "conformance/kit/verdict.hpp"
#include "conformance/kit/worker.hpp"
#include "model/profile/profile.hpp"

namespace streampool::minimize {

// What must happen again: the verdict, and for a violation its clause.
struct Failure {
  kit::Verdict verdict = kit::Verdict::fail;
  std::optional<spec::ClauseId> clause;
  [[nodiscard]] bool same(const kit::CaseResult& result) const {
    return result.verdict == verdict && result.clause == clause;
  }
};

struct Settings {
  kit::WorkerSettings worker;
  const model::Profile& profile;
  std::chrono::milliseconds budget{10'000};  // after it the smallest so far is the answer
  std::uint64_t most_runs = 3000;            // on the runtime
  // Nothing: what the history's own answers break, or else whatever fails.
  std::optional<Failure> failure = {};
};

struct Minimised {
  kit::CaseResult result;  // of the smallest history that fails; its `history` has the results
  std::uint64_t calls_before = 0;
  std::uint64_t runs = 0;  // on the runtime
  bool complete = true;    // false: the budget was spent before nothing more went
};

// `text` is a whole history. The error says why there is nothing to minimise: it is malformed, it does not fail on this
// runtime (in the way asked for), or the runtime cannot be run.
[[nodiscard]] tl::expected<Minimised, std::string> minimise(const std::string& text, const Settings& settings,
                                                            const std::atomic<bool>& interrupted);

}  // namespace streampool::minimize
