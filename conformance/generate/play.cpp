#include "conformance/generate/play.hpp"

#include "conformance/kit/scenario.hpp"

namespace streampool::generate {

Player::Player(kit::LiveRun& run, const Setting& setting, history::NameTable& names)
    : run_(run), writer_(setting, names) {}

bool Player::begin() {
  writer_.begin();
  return drain();
}

bool Player::play(const Operation& operation) {
  writer_.write(operation);
  return drain();
}

bool Player::drain() {
  while (auto line = writer_.next(run_.judge())) {
    switch (run_.apply(std::move(*line))) {
      case kit::LiveRun::Step::ran:
        // A call aside has an answer only at its return.
        if (run_.lines().back().result) writer_.observe(run_.lines().back());
        break;
      case kit::LiveRun::Step::skipped:
        return true;  // a call before it failed: the rest of the operation makes no sense
      case kit::LiveRun::Step::decided:
        return false;
    }
  }
  return true;
}

Setting setting_of(const kit::Target& target, const model::Profile& profile) {
  const kit::Quantities known = kit::quantities(profile, target.description());
  return {profile, target.capabilities(), known.granule};
}

}  // namespace streampool::generate
