// "Did you mean": the nearest of the words that would have been right.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace streampool::kit {

// Empty where none is near enough to be a typing error.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace streampool::kit
