// The cases that must have come to a good end in every submission under a built-in profile:
// conformance/mustpass/README.md. Constant data: any thread may use it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "conformance/kit/verdict.hpp"

namespace streampool::mustpass {

struct MustPass {
  std::string_view suite, name;
};

// Nothing where the profile is not one of the kit's own.
[[nodiscard]] std::optional<std::vector<MustPass>> must_pass(std::string_view profile);

// Does this end count? What a runtime lacks, or never does where it may, is no failure, and a waiver has an owner.
[[nodiscard]] bool is_good_end(kit::Verdict verdict, bool strict);

}  // namespace streampool::mustpass
