// streampool list: what a run would do.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/cli/suite_option.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/suites/suite.hpp"
#include "model/profile/load.hpp"

namespace streampool::cli {
namespace {

bool must_pass(const kit::Scenario& scenario) { return scenario.not_applicable.empty() && !scenario.undefined; }

// conformance/mustpass/cases.txt, as the suites are now.
int list_must_pass(const Arguments& arguments) {
  const auto profiles = model::builtin_profiles();
  std::vector<std::string> order;  // as the suites have it
  std::map<std::string, std::vector<std::string_view>> under;
  for (const std::string_view name : profiles) {
    const auto profile = model::load_profile(name);
    if (!profile) return usage_error(arguments, profile.error());
    for (const suites::Suite& suite : suites::suites()) {
      if (suite.scenarios == nullptr) continue;
      for (const kit::Scenario& one : suite.scenarios(*profile)) {
        const auto [found, fresh] = under.try_emplace(fmt::format("{} {}", suite.name, one.name));
        if (fresh) order.push_back(found->first);
        if (must_pass(one)) found->second.push_back(name);
      }
    }
  }
  nlohmann::json all = nlohmann::json::array();
  if (!arguments.json()) fmt::print("# Made by `streampool list --must-pass`: see README.md here.\n");
  for (const std::string& one : order) {
    const auto& names = under[one];
    if (names.empty()) continue;
    if (arguments.json()) {
      const std::size_t blank = one.find(' ');
      all.push_back({{"suite", one.substr(0, blank)}, {"case", one.substr(blank + 1)}, {"profiles", names}});
    } else {
      fmt::print("{} {}\n", one, names.size() == profiles.size() ? "all" : fmt::format("{}", fmt::join(names, " ")));
    }
  }
  if (arguments.json()) fmt::print("{}\n", all.dump());
  return exit_ok;
}

nlohmann::json listed(const kit::Scenario& one) {
  nlohmann::json object = {{"case", one.name}, {"clauses", kit::ids(one.aims)}, {"must_pass", must_pass(one)}};
  if (!one.not_applicable.empty()) object["not_applicable"] = one.not_applicable;
  if (one.undefined) object["undefined"] = true;
  return object;
}

int run(const Arguments& arguments) {
  if (arguments.flag("--must-pass")) return list_must_pass(arguments);
  const auto profile = load_profile(arguments.text("--profile", "strict"));
  if (!profile) return usage_error(arguments, profile.error());
  const auto chosen = chosen_suites(arguments);
  if (!chosen) return usage_error(arguments, chosen.error());
  const std::string filter = arguments.text("--filter");
  nlohmann::json all = nlohmann::json::array();
  std::size_t found = 0;
  for (const suites::Suite* suite : *chosen) {
    std::vector<kit::Scenario> cases;
    if (suite->scenarios != nullptr) cases = suites::filtered(suite->scenarios(*profile), filter);
    found += cases.size();
    if (arguments.json()) {
      nlohmann::json list = nlohmann::json::array();
      for (const kit::Scenario& one : cases) list.push_back(listed(one));
      all.push_back({{"suite", suite->name}, {"about", suite->about}, {"cases", std::move(list)}});
      continue;
    }
    if (!filter.empty() && cases.empty()) continue;
    fmt::print("{}: {}{}\n", suite->name, suite->about,
               suite->scenarios == nullptr ? " (made up as the run goes)" : fmt::format(" ({} cases)", cases.size()));
    for (const kit::Scenario& one : cases) fmt::print("  {}\n", one.name);
  }
  if (!filter.empty() && found == 0)
    return usage_error(arguments, fmt::format("no case matches '{}' in the suites that were looked at", filter));
  if (arguments.json()) fmt::print("{}\n", all.dump());
  return exit_ok;
}

constexpr Option options[] = {
    profile_option,
    {"--suite", Option::Type::list, "NAMES", "Only these suites"},
    {"--filter", Option::Type::text, "GLOB", "Only cases whose name matches"},
    {"--must-pass", Option::Type::flag, "", "The cases that must pass under each built-in profile"},
};

}  // namespace

const Command list_command{
    .name = "list",
    .summary = "Suites and their cases",
    .example = "  streampool list --suite directed --filter 'release/*'\n  streampool list --json --profile cuda-13\n",
    .options = options,
    .exits = "0, or 2 where nothing matches",
    .run = run,
};

}  // namespace streampool::cli
