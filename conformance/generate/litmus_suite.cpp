#include "conformance/generate/litmus_suite.hpp"

namespace streampool::generate {

namespace {

std::vector<kit::Scenario> scenarios() {
  std::vector<kit::Scenario> all;
  for (const LitmusFile& file : litmus_files()) {
    kit::Scenario& scenario = all.emplace_back();
    scenario.name = "litmus/" + std::string(file.name);
    scenario.suite = "litmus";
    scenario.text = file.text;
  }
  return all;
}

}  // namespace

std::unique_ptr<kit::JobSource> litmus_source(const suites::SuiteOptions& options) {
  return suites::scenario_source(scenarios(), options);
}

std::vector<std::string> litmus_list(const suites::SuiteOptions&) {
  std::vector<std::string> names;
  for (const kit::Scenario& scenario : scenarios()) names.push_back(scenario.name);
  return names;
}

}  // namespace streampool::generate
