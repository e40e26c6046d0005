// Plays operations against a target: each becomes lines, each line is run, judged and learned from.
#pragma once

#include <cstdint>
#include <span>

#include "conformance/generate/operation.hpp"
#include "conformance/generate/writer.hpp"
#include "conformance/kit/live_run.hpp"

namespace streampool::generate {

class Player {
 public:
  // `run` is fresh; all must outlive the player.
  Player(kit::LiveRun& run, const Setting& setting, history::NameTable& names);

  // Both answer whether the history goes on: false once there is a finding.
  bool begin();
  bool play(const Operation& operation);

  [[nodiscard]] const Shapes& shapes() const { return writer_.shapes(); }

 private:
  bool drain();

  kit::LiveRun& run_;
  Writer writer_;
};

// How a target is set: its capabilities and granule under a profile.
[[nodiscard]] Setting setting_of(const kit::Target& target, const model::Profile& profile);

}  // namespace streampool::generate
