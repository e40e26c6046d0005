// Work for a worker process. A suite (parent's side) makes jobs; a job kind (worker's side) knows how to do them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/kit/run_scenario.hpp"
#include "conformance/kit/verdict.hpp"

namespace streampool::kit {

// One request to a worker. What is known of it before it runs stands in the result if the worker dies over it.
struct Job {
  std::string name, suite;
  std::vector<spec::ClauseId> aims;
  std::uint64_t seed = 0;
  std::string kind;           // of the table of job kinds
  nlohmann::json parameters;  // as the kind expects
};

// Gives the jobs of a suite one after another. Called under a lock: cheap, or it holds up every worker.
class JobSource {
 public:
  JobSource() = default;
  JobSource(const JobSource&) = delete;
  JobSource& operator=(const JobSource&) = delete;
  virtual ~JobSource() = default;
  [[nodiscard]] virtual std::optional<Job> next() = 0;
  // What came of a job that it gave. Under the same lock.
  virtual void learn(const CaseResult& /*result*/) {}
  // Time that nothing was run in, for a failure was looked into. A budget does not count it. Under the same lock.
  virtual void lost(std::chrono::nanoseconds /*time*/) {}
  // How many there will be in all; 0: not known.
  [[nodiscard]] virtual std::uint64_t total() const { return 0; }
};

// A job that has a great many cases (a seed range) may give a result for each, or one for all.
struct JobAnswer {
  std::vector<CaseResult> results;
  bool clean = true;  // false: the worker is to be replaced
};

struct JobKind {
  std::string_view name;
  JobAnswer (*run)(const nlohmann::json& parameters, const RunContext& context);
};

// The kind "scenario": parameters are to_json(Scenario).
[[nodiscard]] JobAnswer run_scenario_job(const nlohmann::json& parameters, const RunContext& context);
[[nodiscard]] Job scenario_job(const Scenario& scenario);

}  // namespace streampool::kit
