// How parameter values are written: one short text each, the same in profile files, in `profiles` and in reports.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/profile/values.hpp"

namespace streampool::model {

// to_text prints a value; from_text reads it back, or gives nothing; forms<T>() says what from_text accepts, for
// messages.
template <class T>
std::string to_text(const T& value);
template <class T>
std::optional<T> from_text(std::string_view text);
template <class T>
std::string forms();

}  // namespace streampool::model
