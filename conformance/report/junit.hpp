// junit.xml: one testcase a case, for the dashboards that read it.
#pragma once

#include <span>
#include <string>

#include "conformance/kit/verdict.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::report {

[[nodiscard]] std::string junit(std::span<const kit::CaseResult> results, const RunInfo& info);

}  // namespace streampool::report
