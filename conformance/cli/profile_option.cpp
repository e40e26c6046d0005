#include "conformance/cli/profile_option.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "conformance/kit/nearest.hpp"

namespace streampool::cli {

tl::expected<model::Profile, std::string> load_profile(const std::string& name) {
  auto profile = model::load_profile(name);
  if (profile) return profile;
  std::error_code error;
  if (name.find('/') != std::string::npos || std::filesystem::exists(name, error)) return profile;
  std::vector<std::string> names;
  for (const std::string_view builtin : model::builtin_profiles()) names.emplace_back(builtin);
  const std::string near = kit::nearest(name, names);
  return tl::unexpected(
      fmt::format("there is no profile '{}'{}. Built in: {}. A profile of one's own is given by path.", name,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(names, ", ")));
}

}  // namespace streampool::cli
