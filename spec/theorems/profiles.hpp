// PROFILE-SAFE, and MONOTONE for each profile.
//
// A profile leaves the rule of reuse as it is but for what the runtime takes as observed. Its rule permits nothing that
// the specification's does not, so REUSE-SAFE covers it; or the profile's file says that its rule is one of the unsound
// ones, and a run that shares memory is found.
#pragma once

#include <string>
#include <vector>

#include "spec/theorems/obligations.hpp"

namespace streampool::theorems {

// What a profile says about reuse. The caller reads the files: this folder knows none.
struct ProfileRule {
  std::string name;
  bool observes_syncs = true, observes_queries = true;
  bool only_with_opportunistic = false;  // what is observed counts only while that switch is on
  bool claims_monotone = false;          // switching on never takes away: then it must be proved
  std::string unsafe_rule{};             // id of the gallery; empty: the specification's rule
};

[[nodiscard]] std::vector<Obligation> profile_obligations(const std::vector<ProfileRule>& profiles);
// Of expected_profiles those that are not there, and those that nobody expects.
[[nodiscard]] std::vector<std::string> missing_profiles(const std::vector<ProfileRule>& profiles);

}  // namespace streampool::theorems
