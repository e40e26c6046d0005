#include "conformance/kit/job.hpp"

#include "conformance/kit/json.hpp"

namespace streampool::kit {

JobAnswer run_scenario_job(const nlohmann::json& parameters, const RunContext& context) {
  const auto scenario = scenario_from_json(parameters);
  if (!scenario) {
    CaseResult result;
    result.explanation = "The request is malformed: " + scenario.error();
    return {{std::move(result)}, true};
  }
  ScenarioRun run = run_scenario(*scenario, context);
  return {{std::move(run.result)}, run.clean};
}

Job scenario_job(const Scenario& scenario) {
  return {.name = scenario.name,
          .suite = scenario.suite,
          .aims = scenario.aims,
          .seed = scenario.seed,
          .kind = "scenario",
          .parameters = to_json(scenario)};
}

}  // namespace streampool::kit
