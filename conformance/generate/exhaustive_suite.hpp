// The suite `exhaustive`: every small program, with every setting of the three switches and, on a stepped runtime,
// every device schedule that can matter.
//
// What cannot matter is left out: a program without a malloc behind a free runs with one setting and one schedule, for
// nothing can be handed out again; and whether a pending free has ended is told apart only at a malloc, and only where
// reuse_allow_opportunistic is on. Jobs are ranges of programs with a common beginning, in a fixed order: a shard, or a
// filter on the names of jobs not yet done, resumes an interrupted run.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

#include "conformance/kit/job.hpp"
#include "conformance/suites/suite.hpp"
#include "model/explorer/programs.hpp"

namespace streampool::generate {

// What runs by default, within a minute; and what a budget of at least nightly_budget makes of it.
enum class Tier : std::uint8_t { quick, nightly };
inline constexpr std::chrono::minutes nightly_budget{30};

struct ExhaustiveJob {
  model::explorer::Scope scope;
  std::uint64_t first = 0, count = 1;  // of the beginnings, each some calls shorter than a program
};

struct ExhaustiveCounts {
  std::uint64_t programs = 0;  // different ones
  std::uint64_t runs = 0;      // programs × settings × schedules
  std::uint64_t calls = 0;
};

[[nodiscard]] std::unique_ptr<kit::JobSource> exhaustive_source(const suites::SuiteOptions& options);
[[nodiscard]] kit::JobAnswer run_exhaustive_job(const nlohmann::json& parameters, const kit::RunContext& context);
[[nodiscard]] kit::JobAnswer run_exhaustive(const ExhaustiveJob& job, const kit::RunContext& context,
                                            ExhaustiveCounts& counts);

}  // namespace streampool::generate
