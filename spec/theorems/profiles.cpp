#include "spec/theorems/profiles.hpp"

#include <algorithm>
#include <iterator>

#include "spec/theorems/expected.hpp"
#include "spec/theorems/unsound/rules.hpp"

namespace streampool::theorems {
namespace {

using Switches = spec::Switches<L>;
using Explanations = spec::Explanations<L>;

Switches any_switches(const std::string& name) {
  return {unknown<Bool>(name + ".follow"), unknown<Bool>(name + ".opportunistic"), unknown<Bool>(name + ".internal")};
}

// One malloc of one byte, in any world: everything that was proved, by which kind of call.
struct Asked {
  World world = any_world();
  Stream s = unknown<Stream>("asked.s");
  Cut reach = unknown<Cut>("asked.reach"), by_syncs = unknown<Cut>("proved_by.syncs"),
      by_queries = unknown<Cut>("proved_by.queries");
  Allocation y = unknown<Allocation>("asked.y");

  [[nodiscard]] Explanations specified(const Switches& on) const { return explained(on, joined(by_syncs, by_queries)); }

  [[nodiscard]] Explanations by(const ProfileRule& profile, const Switches& on) const {
    const Cut seen = joined(profile.observes_syncs ? by_syncs : Cut{}, profile.observes_queries ? by_queries : Cut{});
    const Bool counts = profile.only_with_opportunistic ? on.allow_opportunistic : L::boolean(true);
    const Cut observed([=](const Stream& t) { return choose(counts, seen(t), zero()); });
    if (profile.unsafe_rule != "safe_streams") return explained(on, observed);
    State state = world.state;
    state.observed = observed;
    return unsound::SafeStreams<L>{}(state, s, reach, on, y);
  }

 private:
  static Cut joined(const Cut& a, const Cut& b) {
    return Cut([=](const Stream& t) { return choose(a(t) <= b(t), b(t), a(t)); });
  }
  [[nodiscard]] Explanations explained(const Switches& on, const Cut& observed) const {
    State state = world.state;
    state.observed = observed;
    return spec::ReuseRule<L>{}(state, s, reach, on, y);
  }
};

Obligation obligation(const std::string& id, const char* theorem, const std::function<Bool()>& goal) {
  return {id, theorem, Kind::use, [goal](bool) {
            const Definitions definitions;
            const Bool stated = goal();
            std::vector<Term> assertions = definitions.axioms();
            assertions.push_back(negate(stated.term));
            return assertions;
          }};
}

// Whatever the profile permits, the specification permits; and where the profile adds no edge, neither does it.
Bool is_covered(const ProfileRule& profile) {
  const Asked ask;
  const Switches on = any_switches("on");
  const Explanations own = ask.by(profile, on), specified = ask.specified(on);
  return implies(own.any(), specified.any()) && implies(own.ordered(), specified.ordered());
}

Bool is_monotone(const ProfileRule& profile) {
  const Asked ask;
  const Switches fewer = any_switches("fewer"), more = any_switches("more");
  const Bool only_on = implies(fewer.follow_event_dependencies, more.follow_event_dependencies) &&
                       implies(fewer.allow_opportunistic, more.allow_opportunistic) &&
                       implies(fewer.allow_internal_dependencies, more.allow_internal_dependencies);
  return implies(only_on, implies(ask.by(profile, fewer).any(), ask.by(profile, more).any()));
}

}  // namespace

std::vector<Obligation> profile_obligations(const std::vector<ProfileRule>& profiles) {
  std::vector<Obligation> all;
  for (const ProfileRule& profile : profiles) {
    if (profile.unsafe_rule.empty()) {
      all.push_back(
          obligation("profile.SAFE." + profile.name, "PROFILE-SAFE", [profile] { return is_covered(profile); }));
    }
    if (profile.claims_monotone) {
      all.push_back(
          obligation("profile.MONOTONE." + profile.name, "MONOTONE", [profile] { return is_monotone(profile); }));
    }
  }
  return all;
}

std::vector<std::string> missing_profiles(const std::vector<ProfileRule>& profiles) {
  std::vector<std::string> missing;
  for (const ExpectedProfile& expected : expected_profiles) {
    const auto it = std::ranges::find(profiles, expected.name, &ProfileRule::name);
    if (it == profiles.end()) {
      missing.push_back(std::string("profile.SAFE.").append(expected.name));
    } else if (it->unsafe_rule.empty() != expected.safe || it->claims_monotone != expected.monotone) {
      missing.push_back(std::string("profile.").append(expected.name) + ": not the expected status");
    }
  }
  for (const ProfileRule& profile : profiles) {
    if (std::ranges::find(expected_profiles, profile.name, &ExpectedProfile::name) == std::end(expected_profiles)) {
      missing.push_back("the list of expected profiles lacks " + profile.name);
    }
  }
  return missing;
}

}  // namespace streampool::theorems
