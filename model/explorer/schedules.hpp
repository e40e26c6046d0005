// Everything that the device may have done by now.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "model/machine/runner.hpp"

namespace streampool::model::explorer {

// Scopes have fewer: the legacy stream and a few more.
inline constexpr std::size_t most_streams = 8;

inline bool same(const Cut& a, const Cut& b) { return a.within(b) && b.within(a); }

inline const Cut& executed(const machine::Runner& runner) { return runner.machine().state().device.executed; }

// A machine after some further device steps, and on which streams they were.
struct Progress {
  machine::Runner runner;
  std::vector<Stream> steps;
};

// The machine after every set of further items that can have ended, each once; first none.
inline std::vector<Progress> all_progress(const machine::Runner& from) {
  std::vector<Progress> found{{from, {}}};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const Cut reached = executed(found[at].runner);
    for (std::size_t i = 1; i < most_streams; ++i) {
      const auto s = static_cast<Stream>(i);
      if (!found[at].runner.machine().ready(s)) continue;
      Cut next = reached;
      next.put(s, reached.at(s) + 1);
      if (std::ranges::any_of(found, [&](const Progress& other) { return same(executed(other.runner), next); })) {
        continue;
      }
      Progress further = found[at];
      further.runner.machine().step(s);
      further.steps.push_back(s);
      found.push_back(std::move(further));
    }
  }
  return found;
}

}  // namespace streampool::model::explorer
