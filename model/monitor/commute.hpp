// Which overlapping calls may change places without making a difference to anything that is judged (partial-order
// reduction for the search of window.hpp). Where that is not certain, they may not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/monitor/monitor.hpp"

namespace streampool::model {

class Commute {
 public:
  // `calls`, at most 64, are judged from `state` on, in some order.
  Commute(const Monitor& state, std::span<const history::Line* const> calls);

  // Bit j: calls i and j commute.
  [[nodiscard]] std::uint64_t with(std::size_t i) const { return with_[i]; }

 private:
  // What a call touches. Calls of which it is not known touch everything.
  struct Footprint {
    bool everything = true;
    history::Name stream = history::Name::none, event = history::Name::none, pool = history::Name::none;
    bool allocates = false, frees = false;
    bool gives_back = false;           // what no pool owns any more may explain any allocation
    std::uint64_t begin = 0, end = 0;  // memory
  };
  [[nodiscard]] Footprint footprint(const Monitor& state, std::span<const history::Line* const> calls,
                                    const history::Line& line) const;
  static bool memory_of(const Monitor& state, std::span<const history::Line* const> calls, history::Name block,
                        Footprint& print);
  static bool commute(const Footprint& a, const Footprint& b);

  bool ample_ = false;  // no request can come near a limit, whichever order they come in
  std::vector<std::uint64_t> with_;
};

}  // namespace streampool::model
