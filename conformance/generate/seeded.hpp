// Suites whose cases are histories made from seeds, until a budget is spent.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "conformance/generate/operation.hpp"
#include "conformance/kit/job.hpp"
#include "conformance/kit/live_run.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::generate {

struct Seeded {
  std::string_view suite;  // also the kind of its jobs
  std::uint64_t histories_of_a_job;
  std::chrono::milliseconds budget;  // by default
};

// Jobs `SUITE/SEED` with seeds that follow from the run's, until the time is over or failures teach nothing new. A
// filter that is such a name is that one history.
[[nodiscard]] std::unique_ptr<kit::JobSource> seeded_source(const Seeded& seeded, const suites::SuiteOptions& options);

struct SeededJob {
  std::uint64_t seed = 1;  // of its first history; the others count up from it
  std::uint64_t histories = 1;
};
[[nodiscard]] SeededJob seeded_job(const nlohmann::json& parameters);

// Plays one history on a fresh run. Its end, finding or not, is the caller's.
using Play = std::function<void(kit::LiveRun& run, history::NameTable& names, std::uint64_t seed)>;

// Ends with the first history in which something is found; but one that could not be decided, for its calls overlap in
// too many ways, is counted and left.
[[nodiscard]] kit::JobAnswer run_seeded(const Seeded& seeded, const SeededJob& job, const kit::RunContext& context,
                                        const Play& play);

}  // namespace streampool::generate
