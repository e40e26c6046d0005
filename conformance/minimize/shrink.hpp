// Makes a failing history smaller: lines, then arguments, then streams and events, again and again until nothing more
// goes. An attribute goes back to its default where its set is a line that can go.
//
// It knows no runtime and no clause: `Fails` says whether a candidate still fails in the way that matters. So the same
// steps run against recorded answers (the judge alone) and on a device.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/history/history.hpp"

namespace streampool::minimize {

using Lines = std::vector<history::Line>;
using Fails = std::function<bool(const Lines&)>;

// Every name that is used was made before, every `return` has its `call` and every `call` its `return`; what breaks
// this is left out, and so are expectations and the preamble.
[[nodiscard]] Lines closed(const Lines& lines);

// Fewer lines; the others stay as they are, so that recorded answers stay with their calls. `lines` must fail.
[[nodiscard]] Lines drop_lines(Lines lines, const Fails& fails);

// The bytes that sizes are tried to become, smallest first.
struct Sizes {
  std::uint64_t alignment = 256, granule = std::uint64_t{2} << 20;
};
// All steps until none helps. `lines` must fail.
[[nodiscard]] Lines shrink(Lines lines, const Sizes& sizes, const Fails& fails);

}  // namespace streampool::minimize
