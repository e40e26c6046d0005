#include "conformance/generate/litmus_suite.hpp"

#include "conformance/suites/directed/directed.hpp"

namespace streampool::generate {

namespace {

// Nothing, everything, and some of it ended: enough to tell never, sometimes and always apart.
constexpr unsigned runs_of_a_test = 6;

// What a new pool has reserved is read: where no profile says it, memory might be short and the pool might have given
// back what is then taken again, which would explain any reuse.
std::string with_readings(std::string text) {
  constexpr std::string_view create = "\npool_create ";
  for (std::size_t at = text.find(create); at != std::string::npos; at = text.find(create, at + 1)) {
    const std::size_t name = at + create.size(), end = text.find('\n', name);
    const std::string pool = text.substr(name, text.find_first_of(" \n", name) - name);
    text.insert(end, "\npool_get " + pool + " reserved_mem_current");
  }
  return text;
}

}  // namespace

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
    const bool ends_pool = file.text.find("pool_destroy") != std::string_view::npos;
    if (ends_pool && !profile.destroy_with_live.binds()) {
      scenario.not_applicable = "A pool is destroyed with a free pending, and the profile does not say what that does.";
    }
    scenario.text = with_readings(suites::with_modest_thresholds(std::string(file.text)));
    scenario.runs = runs_of_a_test;
  }
  return all;
}

std::unique_ptr<kit::JobSource> litmus_source(const suites::SuiteOptions& options) {
  return suites::scenario_source(litmus_scenarios(options.profile), options);
}

}  // namespace streampool::generate
