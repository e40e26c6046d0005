// Profiles as they are named on the command line and in histories.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "model/profile/load.hpp"

namespace streampool::cli {

// As model::load_profile, with "did you mean" for a name that is near one of the built-in ones.
[[nodiscard]] tl::expected<model::Profile, std::string> load_profile(const std::string& name);

}  // namespace streampool::cli
