#include "conformance/cli/runtime_option.hpp"

#include <fmt/format.h>

#include <cmath>

#include "conformance/kit/locate.hpp"
#include "conformance/kit/nearest.hpp"
#include "conformance/mutants/catalogue.hpp"

namespace streampool::cli {
namespace {

std::string no_mutant(const std::string& name) {
  std::vector<std::string> names;
  for (const mutants::Mutant& one : mutants::catalogue) names.emplace_back(one.name);
  const std::string near = kit::nearest(name, names);
  return fmt::format("there is no mutant '{}'{}; `streampool mutants --list` names all {}", name,
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), names.size());
}

// Every name in the specification must be a runtime that is here: a typing error must not cost a started worker.
tl::expected<void, std::string> check_names(std::string specification) {
  for (const std::string_view prefix : {"trace:", "shadow:"}) {
    if (!specification.starts_with(prefix)) continue;
    std::string rest = specification.substr(prefix.size());
    if (prefix == "shadow:") {
      const std::size_t colon = rest.find(':');
      if (colon == std::string::npos)
        return tl::unexpected(fmt::format("'{}': shadow needs two runtimes, shadow:X:Y", specification));
      if (auto first = check_names(rest.substr(0, colon)); !first) return first;
      rest = rest.substr(colon + 1);
    }
    return check_names(rest);
  }
  const bool path = specification.find('/') != std::string::npos;
  constexpr std::string_view mutant = "mutant:";
  if (specification.starts_with(mutant)) {
    const std::string name = specification.substr(mutant.size());
    if (mutants::find_mutant(name) == nullptr) return tl::unexpected(no_mutant(name));
  }
  if (!path) specification = specification.substr(0, specification.find(':'));  // a variant follows
  const auto located = kit::locate_runtime(specification);
  if (!located) return tl::unexpected(located.error().message);
  std::error_code error;
  if (!std::filesystem::exists(*located, error))
    return tl::unexpected(fmt::format("there is no file {}", located->string()));
  return {};
}

}  // namespace

tl::expected<kit::WorkerSettings, std::string> worker_settings(const Arguments& arguments, const std::string& profile) {
  kit::WorkerSettings settings;
  settings.runtime = arguments.text("--runtime", "host");
  if (auto checked = check_names(settings.runtime); !checked) return tl::unexpected(checked.error());
  if (arguments.given("--library")) settings.options.emplace_back("library", arguments.text("--library"));
  if (arguments.given("--device"))
    settings.options.emplace_back("device", std::to_string(arguments.number("--device", 0)));
  for (const std::string& option : arguments.list("--option")) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) return tl::unexpected(fmt::format("--option '{}': expected KEY=VALUE", option));
    settings.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  settings.profile = profile;
  settings.undefined = arguments.flag("--undefined");
  settings.hang = std::chrono::milliseconds(std::llround(arguments.seconds("--hang", 10) * 1000));
  // Before that the watchdog has opened the gates behind which a call may be stuck.
  constexpr std::chrono::seconds shortest_hang{5};
  if (settings.hang < shortest_hang)
    return tl::unexpected(fmt::format("--hang: expected at least {} seconds", shortest_hang.count()));
  settings.memory_limit = arguments.number("--worker-memory", 0);
  return settings;
}

}  // namespace streampool::cli
