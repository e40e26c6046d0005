// Makes a failing history smaller: lines, then arguments, then streams and events, again and again until nothing more
// goes. An attribute goes back to its default where its set is a line that can go.
//
// It knows no runtime and no clause: `Fails` says whether a candidate still fails in the way that matters. So the same
// steps run against recorded answers (the judge alone) and on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "conformance/minimize/closed.hpp"

namespace streampool::minimize {

// Where the candidate fails, as much of it as is needed for that: what stands behind the failure is not. Else nothing.
using Fails = std::function<std::optional<Lines>(const Lines&)>;

// Fewer lines; the others stay as they are, so that recorded answers stay with their calls. `lines` must fail.
// `at_once`: how many are tried together at first; 0: half of them.
[[nodiscard]] Lines drop_lines(Lines lines, const Fails& fails, std::size_t at_once = 0);

// The lines about what the last one is about, and the calls that made what they name; where that does not fail, those
// about the same blocks, events and gates as these, too. Two candidates, and often much of what can go.
[[nodiscard]] Lines keep_related(Lines lines, const Fails& fails);

// The bytes that sizes are tried to become, smallest first.
struct Sizes {
  std::uint64_t alignment = 256, granule = std::uint64_t{2} << 20;
};
// All steps until none helps. `lines` must fail.
[[nodiscard]] Lines shrink(Lines lines, const Sizes& sizes, const Fails& fails);

}  // namespace streampool::minimize
