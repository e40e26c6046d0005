#include "conformance/cli/suite_option.hpp"

#include <fmt/format.h>

#include "conformance/kit/nearest.hpp"

namespace streampool::cli {

tl::expected<std::vector<const suites::Suite*>, std::string> chosen_suites(const Arguments& arguments) {
  std::vector<const suites::Suite*> chosen;
  std::vector<std::string> names;
  for (const suites::Suite& suite : suites::suites()) names.emplace_back(suite.name);
  for (const std::string& name : arguments.list("--suite")) {
    const suites::Suite* suite = suites::find_suite(name);
    if (suite == nullptr) {
      const std::string near = kit::nearest(name, names);
      return tl::unexpected(fmt::format("there is no suite '{}' in this build{}. Suites: {}", name,
                                        near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                                        fmt::join(names, ", ")));
    }
    chosen.push_back(suite);
  }
  if (chosen.empty()) {
    for (const suites::Suite& suite : suites::suites()) {
      if (suite.by_default) chosen.push_back(&suite);
    }
  }
  return chosen;
}

}  // namespace streampool::cli
