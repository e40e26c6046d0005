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
    const std::size_t before = run_.lines().size();
    const kit::LiveRun::Step step = run_.apply(std::move(*line));
    // A call aside has an answer only at its return, which may come before the line that was to be run.
    for (std::size_t i = before; i < run_.lines().size(); ++i) {
      if (run_.lines()[i].result) writer_.observe(run_.lines()[i]);
    }
    switch (step) {
      case kit::LiveRun::Step::ran:
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
  return {profile, target.capabilities(), known.granule, known.everything()};
}

}  // namespace streampool::generate
