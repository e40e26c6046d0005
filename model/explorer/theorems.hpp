// Theorems of the model checked by exhaustion: every program of a scope, every device schedule, every outcome.
//
// Each answers what it went through and the first thing that contradicts it. The scopes are the callers'; what is not
// in one is not said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/explorer/programs.hpp"
#include "model/profile/profile.hpp"

namespace streampool::model::explorer {

struct Verdict {
  std::uint64_t programs = 0;
  std::uint64_t histories = 0;                // or schedules: what was told apart
  std::optional<std::string> counterexample;  // a history, or the calls of a program
  std::string sentence{};                     // what it shows
  // Of check_rules_exact: the theorem that breaks; whether the last line shows it to an observer; or whether it is a
  // permitted outcome that is gone. Neither: only the device knows.
  std::string theorem{};
  bool visible = false, vanished = false;
};

// MONITOR-SOUND: the judge accepts every history that a run of the machine can produce.
[[nodiscard]] Verdict check_monitor_sound(const Profile& profile, const Scope& scope, unsigned switches);

// MONITOR-TIGHT: every history of the scope that the judge accepts has a run of the machine.
[[nodiscard]] Verdict check_monitor_tight(const Profile& profile, const Scope& scope, unsigned switches);

// ORDER-EXACT: an item has always ended before another one exactly where program order says so. Scope without gates.
[[nodiscard]] Verdict check_order_exact(const Profile& profile, const Scope& scope);

// RULES-EXACT: in random runs of so many calls, the same ones every time, the rules permit what their naive twin
// (twin.hpp) permits, and the attributes of pools read the same.
[[nodiscard]] Verdict check_rules_exact(std::uint64_t runs, std::size_t length);
inline constexpr std::uint64_t proved_runs = 28000;  // that `streampool prove` makes
inline constexpr std::size_t proved_length = 20;

// PROGRAM-SOUND: in every schedule, a use of a block ends after its allocation's item, and its free after every use.
[[nodiscard]] Verdict check_program_sound(const Profile& profile, const Scope& scope);

}  // namespace streampool::model::explorer
