// What `minimize` and `fuzz` share: a minimised failure on the screen, and the profile that a history names.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "conformance/cli/command.hpp"
#include "conformance/minimize/minimize.hpp"

namespace streampool::cli {

void print_minimised(const Arguments& arguments, const minimize::Minimised& done);

// The profile that the history names, or strict. The error is the reader's.
[[nodiscard]] tl::expected<std::string, std::string> profile_named_in(const std::string& text);

}  // namespace streampool::cli
