// Records of results.jsonl: docs/results-schema.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/verdict.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::report {

[[nodiscard]] nlohmann::json to_json(const RunInfo& info);
[[nodiscard]] RunInfo info_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json record(const kit::CaseResult& result, const RunInfo& info);

struct Recorded {
  std::vector<kit::CaseResult> results;
  std::vector<RunInfo> infos;  // one a result
};
// The error names the line.
[[nodiscard]] tl::expected<Recorded, std::string> read_records(const std::string& text);

}  // namespace streampool::report
