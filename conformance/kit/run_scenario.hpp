// Runs one scenario on a target in this process and gives the verdict.
#pragma once

#include "conformance/kit/journal.hpp"
#include "conformance/kit/scenario.hpp"
#include "conformance/kit/target.hpp"
#include "conformance/kit/verdict.hpp"
#include "conformance/kit/watchdog.hpp"
#include "model/profile/profile.hpp"

namespace streampool::kit {

struct RunContext {
  Target& target;  // opened afresh for the scenario and closed after it
  const model::Profile& profile;
  Watchdog& watchdog;
  Journal* journal = nullptr;  // may be null
  bool undefined = false;      // run undefined misuse too
};

// `clean` tells whether the target could be closed: if not, this process must not run anything more.
struct ScenarioRun {
  CaseResult result;
  bool clean = true;
};
[[nodiscard]] ScenarioRun run_scenario(const Scenario& scenario, const RunContext& context);

}  // namespace streampool::kit
