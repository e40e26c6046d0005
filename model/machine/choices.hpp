// Every way in which a call can turn out: the choices of a random machine, enumerated instead of drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace streampool::model::machine {

// Run the same thing again and again, `restart` before each time, while `advance` finds a sequence of choices that was
// not tried yet. Depth first, the first choice last.
class Choices {
 public:
  std::uint64_t next(std::uint64_t below) {
    if (at_ == trail_.size()) trail_.emplace_back(0, below);
    return trail_[at_++].first;
  }
  void restart() { at_ = 0; }
  bool advance() {
    trail_.resize(at_);
    while (!trail_.empty() && ++trail_.back().first == trail_.back().second) trail_.pop_back();
    return !trail_.empty();
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> trail_;  // taken, of how many
  std::size_t at_ = 0;
};

}  // namespace streampool::model::machine
