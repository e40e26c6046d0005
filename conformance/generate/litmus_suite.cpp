#include "conformance/generate/litmus_suite.hpp"

#include "conformance/suites/directed/directed.hpp"

namespace streampool::generate {

std::vector<kit::Scenario> litmus_scenarios(const model::Profile& profile) {
  std::vector<kit::Scenario> all;
  for (const LitmusFile& file : litmus_files()) {
    kit::Scenario& scenario = all.emplace_back();
    scenario.name = "litmus/" + std::string(file.name);
    scenario.suite = "litmus";
    const bool destroys = file.text.find("stream_destroy") != std::string_view::npos;
    if (destroys && profile.stream_destroy_waits.value) {
      scenario.not_applicable = "A stream is destroyed behind a closed gate, and the profile lets that wait.";
    }
    scenario.text = suites::with_modest_thresholds(std::string(file.text));
  }
  return all;
}

std::unique_ptr<kit::JobSource> litmus_source(const suites::SuiteOptions& options) {
  return suites::scenario_source(litmus_scenarios(options.profile), options);
}

}  // namespace streampool::generate
