// Text that is put together piece by piece.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace streampool::spec::tools {

using Text = fmt::memory_buffer;

template <class... Args>
void append(Text& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

}  // namespace streampool::spec::tools
