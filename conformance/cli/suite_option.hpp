// The option that names suites: one meaning for every command.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/cli/command.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::cli {

inline constexpr Option suites_option{"--suite", Option::Type::list, "NAMES",
                                      "Suites, separated by commas (default: all; `list` tells them)"};

[[nodiscard]] tl::expected<std::vector<const suites::Suite*>, std::string> chosen_suites(const Arguments& arguments);

}  // namespace streampool::cli
