// Profiles from their files: the built-in ones by name, others by path.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/profile/profile.hpp"

namespace streampool::model {

// The names of the built-in profiles, `strict` first.
std::vector<std::string_view> builtin_profiles();

// Reads a profile. `name` is a built-in name, or else a path. The error is one line for the user: "FILE:LINE:COLUMN:
// what was expected".
tl::expected<Profile, std::string> load_profile(std::string_view name);

// Reads a profile from its text; `file` stands in errors and gives no name to the profile.
tl::expected<Profile, std::string> parse_profile(std::string_view text, std::string_view file);

// The profile as the text of a file that reads back equal.
std::string print_profile(const Profile& profile);

// The rule of spec/theorems/unsound that decides about reuse in the runtime that the built-in profile describes, as its
// file says (`unsafe_reuse`); empty: the specification's rule. The judge holds every runtime to the specification's;
// `streampool prove` shows a run in which the unsafe one shares memory.
[[nodiscard]] std::string unsafe_reuse(std::string_view builtin);

}  // namespace streampool::model
