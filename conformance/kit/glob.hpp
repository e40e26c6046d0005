// Names chosen by pattern: `*` stands for any text, `?` for one character.
#pragma once

#include <string_view>

namespace streampool::kit {

[[nodiscard]] bool matches(std::string_view glob, std::string_view text);

}  // namespace streampool::kit
