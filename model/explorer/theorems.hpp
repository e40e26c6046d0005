// Theorems of the model checked by exhaustion: every program of a scope, every device schedule, every outcome.
//
// Each answers what it went through and the first thing that contradicts it, as a history or a sentence. The scopes are
// the callers'; what is not in one is not said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/explorer/programs.hpp"
#include "model/profile/profile.hpp"

namespace streampool::model::explorer {

struct Verdict {
  std::uint64_t programs = 0;
  std::uint64_t histories = 0;  // or schedules: what was told apart
  std::optional<std::string> counterexample;
};

// MONITOR-SOUND: the judge accepts every history that a run of the machine can produce.
[[nodiscard]] Verdict check_monitor_sound(const Profile& profile, const Scope& scope, unsigned switches);

// MONITOR-TIGHT: every history of the scope that the judge accepts has a run of the machine.
[[nodiscard]] Verdict check_monitor_tight(const Profile& profile, const Scope& scope, unsigned switches);

// ORDER-EXACT: an item has always ended before another one exactly where program order says so. Scope without gates.
[[nodiscard]] Verdict check_order_exact(const Profile& profile, const Scope& scope);

// PROGRAM-SOUND: in every schedule, a use of a block ends after its allocation's item, and its free after every use.
[[nodiscard]] Verdict check_program_sound(const Profile& profile, const Scope& scope);

}  // namespace streampool::model::explorer
