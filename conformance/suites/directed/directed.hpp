// The directed suite: every case of the chapters.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/suites/directed/case.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::suites {

// One file a chapter.
[[nodiscard]] std::span<const Case> order_cases();
[[nodiscard]] std::span<const Case> order_content_cases();
[[nodiscard]] std::span<const Case> allocation_cases();
[[nodiscard]] std::span<const Case> reuse_cases();
[[nodiscard]] std::span<const Case> reuse_pool_cases();
[[nodiscard]] std::span<const Case> reuse_policy_cases();
[[nodiscard]] std::span<const Case> attribute_cases();
[[nodiscard]] std::span<const Case> attribute_matrix();  // made from a table: each attribute against each rule
[[nodiscard]] std::span<const Case> statistics_cases();
[[nodiscard]] std::span<const Case> release_cases();
[[nodiscard]] std::span<const Case> lifecycle_cases();
[[nodiscard]] std::span<const Case> asynchrony_cases();
[[nodiscard]] std::span<const Case> capacity_cases();
[[nodiscard]] std::span<const Case> thread_cases();
[[nodiscard]] std::span<const Case> device_cases();
[[nodiscard]] std::span<const Case> many_cases();
[[nodiscard]] std::span<const Case> program_cases();
[[nodiscard]] std::span<const Case> reported_cases();

// All cases in the order of the chapters.
[[nodiscard]] std::vector<const Case*> directed_cases();
[[nodiscard]] kit::Scenario directed_scenario(const Case& one, const model::Profile& profile);
// All cases as scenarios under that profile.
[[nodiscard]] std::vector<kit::Scenario> directed_scenarios(const model::Profile& profile);

// The text with the pool's size for "keep everything" in place of the largest threshold: a runtime that refuses that
// one breaks clauses of its own, and would be judged for nothing else.
[[nodiscard]] std::string with_modest_thresholds(std::string text);

[[nodiscard]] std::unique_ptr<kit::JobSource> directed_source(const SuiteOptions& options);

}  // namespace streampool::suites
