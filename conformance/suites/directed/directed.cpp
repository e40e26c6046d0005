#include "conformance/suites/directed/directed.hpp"

#include <fmt/format.h>

#include "conformance/kit/glob.hpp"

namespace streampool::suites {
namespace {

constexpr std::span<const Case> (*chapters[])() = {
    order_cases,      allocation_cases, reuse_cases,   reuse_policy_cases, attribute_cases,
    attribute_matrix, statistics_cases, release_cases, lifecycle_cases,    asynchrony_cases,
    capacity_cases,   thread_cases,     program_cases, reported_cases,
};

// Does the profile say what the runtime must answer?
bool has_status(const model::Parameter<model::StatusRule>& rule) {
  return rule.binds() && rule.value.kind != model::StatusRule::Kind::not_detected;
}

}  // namespace

std::vector<const Case*> directed_cases() {
  std::vector<const Case*> list;
  for (const auto chapter : chapters) {
    for (const Case& one : chapter()) list.push_back(&one);
  }
  return list;
}

kit::Scenario directed_scenario(const Case& one, const model::Profile& profile) {
  const auto aims = one.aims.list();
  kit::Scenario made;
  made.name = one.name;
  made.suite = "directed";
  made.aims.assign(aims.begin(), aims.end());
  made.text = fmt::format("{}{}", one.setup, one.text);
  made.undefined = one.misuse != nullptr && !has_status(profile.*one.misuse);
  if (one.applies != nullptr && !one.applies(profile)) {
    made.not_applicable = fmt::format("The profile {} rules it out.", profile.name);
  }
  return made;
}

std::vector<kit::Scenario> directed_scenarios(const model::Profile& profile) {
  std::vector<kit::Scenario> scenarios;
  for (const Case* one : directed_cases()) scenarios.push_back(directed_scenario(*one, profile));
  return scenarios;
}

std::unique_ptr<kit::JobSource> directed_source(const SuiteOptions& options) {
  return scenario_source(directed_scenarios(options.profile), options);
}

std::vector<std::string> directed_list(const SuiteOptions& options) {
  std::vector<std::string> names;
  for (const kit::Scenario& one : directed_scenarios(options.profile)) {
    if (options.filter.empty() || kit::matches(options.filter, one.name)) names.push_back(one.name);
  }
  return names;
}

}  // namespace streampool::suites
