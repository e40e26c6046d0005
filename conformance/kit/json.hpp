// Scenarios and results as JSON: between the kit and its workers, and in results.jsonl (docs/results-schema.md).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "conformance/kit/scenario.hpp"
#include "conformance/kit/verdict.hpp"

namespace streampool::kit {

[[nodiscard]] nlohmann::json ids(std::span<const spec::ClauseId> clauses);
[[nodiscard]] nlohmann::json to_json(const Scenario& scenario);
[[nodiscard]] nlohmann::json to_json(const CaseResult& result);

// The error says which field is missing or wrong. A clause id that this build does not know is an error.
[[nodiscard]] tl::expected<Scenario, std::string> scenario_from_json(const nlohmann::json& json);
[[nodiscard]] tl::expected<CaseResult, std::string> result_from_json(const nlohmann::json& json);

// One line; bytes that are no UTF-8 (a runtime may print anything) are replaced.
[[nodiscard]] std::string dump(const nlohmann::json& json);

}  // namespace streampool::kit
