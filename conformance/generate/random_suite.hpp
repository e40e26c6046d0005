// The suite `random`: seeded histories against the judge, until the budget is spent.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/generate/operation.hpp"
#include "conformance/generate/shapes.hpp"
#include "conformance/kit/job.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::generate {

// What a job of the kind "random" is to do.
struct RandomJob {
  std::uint64_t seed = 1;  // of its first history; the others follow from it
  std::uint64_t histories = 1;
  std::uint64_t operations = 300;    // of each history
  std::optional<Kind> without = {};  // operations of this kind are left out: to look behind a finding
};

[[nodiscard]] std::unique_ptr<kit::JobSource> random_source(const suites::SuiteOptions& options);
[[nodiscard]] kit::JobAnswer run_random_job(const nlohmann::json& parameters, const kit::RunContext& context);

// One job in this process; the shapes of all its histories are added to `shapes`.
[[nodiscard]] kit::JobAnswer run_random(const RandomJob& job, const kit::RunContext& context, Shapes& shapes);

}  // namespace streampool::generate
