// Overlapping calls: the search for an order of their points that respects real time (clause THREAD-LINEARIZABLE).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/monitor/monitor.hpp"

namespace streampool::model {

class Window {
 public:
  void begin(const history::Line& line);
  void end(const history::Line& line);
  void point(const history::Line& line);  // a whole call while others are open
  [[nodiscard]] bool open() const { return open_ > 0; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // No call that is open will return: each may have taken effect or not, and answered anything.
  void give_up_open_calls();
  // The only call, as if it had been one line.
  [[nodiscard]] const history::Line& single() const { return entries_.front().line; }
  void clear();

  struct Outcome {
    std::vector<Monitor> states;     // after each order that explains the calls
    std::optional<Finding> failure;  // where there is none
    bool truncated = false;          // not all orders were tried or kept
  };
  Outcome explain(const std::vector<Monitor>& from, std::uint64_t line) const;

 private:
  struct Entry {
    history::Line line;  // call and result
    std::uint64_t begin = 0, end = 0;
  };
  struct Search;
  struct Follow;
  // States after orders that explain the calls, found without a search; none says nothing.
  std::vector<Monitor> follow(const std::vector<Monitor>& from, std::uint64_t line) const;
  // One call of the window in one state. False: it broke something, the state has the finding.
  static bool take_effect(Monitor& state, const history::Line& call, std::uint64_t line,
                          const std::optional<Timeline::Proof>& captured);
  static void count_order(Monitor& state);

  std::vector<Entry> entries_;
  std::uint64_t tick_ = 0;
  std::size_t open_ = 0;
};

}  // namespace streampool::model
