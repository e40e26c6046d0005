#include "conformance/suites/suite.hpp"

#include <algorithm>

#include "conformance/generate/exhaustive_suite.hpp"
#include "conformance/generate/litmus_suite.hpp"
#include "conformance/generate/random_suite.hpp"
#include "conformance/generate/threads_suite.hpp"
#include "conformance/kit/glob.hpp"
#include "conformance/suites/directed/directed.hpp"

namespace streampool::suites {
namespace {

// Each suite lives in its own folder and adds one line here.
constexpr Suite all_suites[] = {
    {"directed", "cases written by hand, for each clause those that tell right from wrong", directed_source,
     directed_scenarios},
    {"litmus", "minimal programs whose outcome the specification forbids or allows", generate::litmus_source,
     generate::litmus_scenarios},
    {"random", "seeded histories against the judge until the budget is spent", generate::random_source},
    {"threads", "several host threads at a time, judged for an order that explains all answers",
     generate::threads_source},
    {"exhaustive", "every small program, switch setting and device schedule that can matter",
     generate::exhaustive_source},
};

constexpr kit::JobKind all_job_kinds[] = {
    {"scenario", kit::run_scenario_job},
    {"random", generate::run_random_job},
    {"threads", generate::run_threads_job},
    {"exhaustive", generate::run_exhaustive_job},
};

class ScenarioSource final : public kit::JobSource {
 public:
  explicit ScenarioSource(std::vector<kit::Scenario> scenarios) : scenarios_(std::move(scenarios)) {}
  std::optional<kit::Job> next() override {
    if (next_ == scenarios_.size()) return std::nullopt;
    return kit::scenario_job(scenarios_[next_++]);
  }
  std::uint64_t total() const override { return scenarios_.size(); }

 private:
  std::vector<kit::Scenario> scenarios_;
  std::size_t next_ = 0;
};

}  // namespace

std::span<const Suite> suites() { return all_suites; }

const Suite* find_suite(std::string_view name) {
  const auto* found = std::ranges::find(all_suites, name, &Suite::name);
  return found == std::end(all_suites) ? nullptr : found;
}

std::span<const kit::JobKind> job_kinds() { return all_job_kinds; }

std::vector<kit::Scenario> filtered(std::vector<kit::Scenario> scenarios, std::string_view filter) {
  if (!filter.empty())
    std::erase_if(scenarios, [&](const kit::Scenario& scenario) { return !kit::matches(filter, scenario.name); });
  return scenarios;
}

std::unique_ptr<kit::JobSource> scenario_source(std::vector<kit::Scenario> scenarios, const SuiteOptions& options) {
  scenarios = filtered(std::move(scenarios), options.filter);
  std::vector<kit::Scenario> mine;
  for (std::size_t index = options.shard - 1; index < scenarios.size(); index += options.shards) {
    mine.push_back(std::move(scenarios[index]));
  }
  return std::make_unique<ScenarioSource>(std::move(mine));
}

}  // namespace streampool::suites
