// The texts of the built-in profiles (spec/profiles/*.toml), compiled in so that the program needs no data files.
#pragma once

#include <span>
#include <string_view>

namespace streampool::model {

struct BuiltinProfile {
  std::string_view name, text;
};

std::span<const BuiltinProfile> builtin_profile_texts();

}  // namespace streampool::model
