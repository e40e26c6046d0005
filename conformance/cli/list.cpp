// streampool list: what a run would do.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::cli {
namespace {

int run(const Arguments& arguments) {
  const auto profile = load_profile(arguments.text("--profile", "strict"));
  if (!profile) return usage_error(arguments, profile.error());
  const std::vector<std::string> wanted = arguments.list("--suite");
  for (const std::string& name : wanted) {
    if (suites::find_suite(name) == nullptr)
      return usage_error(arguments, fmt::format("there is no suite '{}' in this build", name));
  }
  const kit::Description nothing_known;
  const suites::SuiteOptions options{
      .profile = *profile, .description = nothing_known, .filter = arguments.text("--filter")};
  nlohmann::json all = nlohmann::json::array();
  for (const suites::Suite& suite : suites::suites()) {
    if (!wanted.empty() && std::ranges::find(wanted, suite.name) == wanted.end()) continue;
    const std::vector<std::string> cases = suite.list == nullptr ? std::vector<std::string>{} : suite.list(options);
    if (arguments.json()) {
      all.push_back({{"suite", suite.name}, {"about", suite.about}, {"cases", cases}});
      continue;
    }
    fmt::print("{}: {}{}\n", suite.name, suite.about,
               suite.list == nullptr ? " (made up as the run goes)" : fmt::format(" ({} cases)", cases.size()));
    for (const std::string& name : cases) fmt::print("  {}\n", name);
  }
  if (arguments.json()) fmt::print("{}\n", all.dump());
  return exit_ok;
}

constexpr Option options[] = {
    profile_option,
    {"--suite", Option::Type::list, "NAMES", "Only these suites"},
    {"--filter", Option::Type::text, "GLOB", "Only cases whose name matches"},
};

}  // namespace

const Command list_command{
    .name = "list",
    .summary = "Suites and their cases",
    .example = "  streampool list --suite directed --filter 'release/*'\n",
    .options = options,
    .run = run,
};

}  // namespace streampool::cli
