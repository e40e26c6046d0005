// Where two profiles differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/profile/profile.hpp"

namespace streampool::model {

// One parameter of one profile, as text.
struct ParameterText {
  std::string_view name, meaning;
  std::string value;  // "-" where it is not stated
  std::string mark, source;
};

struct Difference {
  ParameterText first, second;
};

// All parameters, in the order of the struct.
std::vector<ParameterText> list(const Parameters& parameters);

// The parameters whose value or mark differs; the sources are not compared.
std::vector<Difference> diff(const Parameters& first, const Parameters& second);

}  // namespace streampool::model
