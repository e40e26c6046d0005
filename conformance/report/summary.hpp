// What an engineer reads first: the verdict, the counts, each failing clause with its text and the file to replay.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/report/totals.hpp"

namespace streampool::report {

[[nodiscard]] std::string summary(const Totals& totals, const RunInfo& info, const std::string& folder,
                                  bool interrupted);
[[nodiscard]] nlohmann::json summary_json(const Totals& totals, const RunInfo& info, const std::string& folder,
                                          bool interrupted);

}  // namespace streampool::report
