// The histories of model/tests/histories, built in. Each says of itself what the judge must say of it (`# expect:`).
#pragma once

#include <span>
#include <string_view>

namespace streampool::cli {

struct KnownHistory {
  std::string_view name;  // its path below model/tests/histories
  std::string_view text;
};
[[nodiscard]] std::span<const KnownHistory> known_histories();

}  // namespace streampool::cli
