// report.html: one static file that works offline. The data stands in it as a block of JSON; page.html draws it.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "conformance/kit/verdict.hpp"
#include "conformance/report/totals.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::report {

// Histories are read from `folder`.
[[nodiscard]] std::string page(std::span<const kit::CaseResult> results, const Totals& totals, const RunInfo& info,
                               const std::filesystem::path& folder, bool interrupted);

}  // namespace streampool::report
