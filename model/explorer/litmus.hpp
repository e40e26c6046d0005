// Litmus tests: small programs with `expect overlap(x, y) forbidden|allowed|required`, and what the model says of each.
//
// forbidden: in no schedule and no outcome do the two share a byte; required: they always do; allowed: both are seen.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/explorer/programs.hpp"
#include "model/history/history.hpp"
#include "model/profile/profile.hpp"

namespace streampool::model::explorer {

using Overlap = history::Expect::Verdict;

// The verdict over every device schedule and every outcome of the machine. Nothing: the two were never both handed out.
// Calls of thread main only.
[[nodiscard]] std::optional<Overlap> overlap_of(const Profile& profile, std::span<const history::Line> lines,
                                                history::Name first, history::Name second);

// Does the program keep its obligations (chapter PROGRAM)?
[[nodiscard]] bool keeps_obligations(const Profile& profile, const history::NameTable& names,
                                     std::span<const history::Line> lines);

struct Litmus {
  std::string name;  // the switches that are on, and the calls
  std::string text;  // the file
  Overlap verdict{};
};

// The minimal tests of a scope: the last call allocates, one block was freed before; without any one of the calls
// between, the verdict is another one or the program is at fault; and some single flip of a switch, or else some order,
// decides the verdict.
[[nodiscard]] std::vector<Litmus> synthesize(const Profile& profile, const Scope& scope);

}  // namespace streampool::model::explorer
