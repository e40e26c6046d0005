// The suite `litmus`: the files of spec/litmus as cases. What is forbidden must not be seen; whether what is allowed
// was seen is reported.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/kit/job.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::generate {

struct LitmusFile {
  std::string_view name;  // "reuse/f_malloc1_free1_malloc2"
  std::string_view text;
};
[[nodiscard]] std::span<const LitmusFile> litmus_files();

[[nodiscard]] std::unique_ptr<kit::JobSource> litmus_source(const suites::SuiteOptions& options);
[[nodiscard]] std::vector<kit::Scenario> litmus_scenarios(const model::Profile& profile);

}  // namespace streampool::generate
