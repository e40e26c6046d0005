// The suite `threads`: seeded histories in which two to four host threads make calls at the same time.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "conformance/generate/seeded.hpp"
#include "conformance/kit/job.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::generate {

[[nodiscard]] std::unique_ptr<kit::JobSource> threads_source(const suites::SuiteOptions& options);
[[nodiscard]] kit::JobAnswer run_threads_job(const nlohmann::json& parameters, const kit::RunContext& context);
[[nodiscard]] kit::JobAnswer run_threads(const SeededJob& job, const kit::RunContext& context);

}  // namespace streampool::generate
