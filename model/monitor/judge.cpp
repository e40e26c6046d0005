#include "model/monitor/judge.hpp"

#include <algorithm>

#include "fmt/format.h"
#include "model/monitor/monitor.hpp"
#include "model/monitor/window.hpp"

namespace streampool::model {

using namespace spec::literals;
using history::LineKind;

// The states that explain what was seen so far: one, unless overlapping calls left several orders open.
struct Judge::Impl {
  Impl(const Profile& p, const history::NameTable& names, Environment environment)
      : states{Monitor(p, names, environment)} {}

  std::vector<Monitor> states;
  Window window;
  bool orders_dropped =
      false;  // some explaining states were not kept: a later failure of all that are left decides nothing
  std::uint64_t lines = 0, calls = 0;
  std::optional<Finding> finding;
  std::optional<std::vector<Quality>> certain;  // what was known when the first orders were dropped
  std::vector<history::Name> leaked;

  void judge(std::uint64_t number, const history::Line& line) {
    std::optional<Finding> first;
    std::vector<Monitor> alive;
    for (Monitor& state : states) {
      state.begin_line(number);
      state.call(line.call, line.result, line.thread);
      state.end_line();
      if (!state.verdicts().decided()) {
        if (states.size() > 1) alive.push_back(std::move(state));
      } else if (!first) {
        first = state.verdicts().finding();
      }
    }
    if (states.size() == 1) {
      finding = std::move(first);
    } else if (alive.empty()) {
      finding = orders_dropped ? undecided(number) : std::move(first);
    } else {
      states = std::move(alive);
    }
  }

  static Finding undecided(std::uint64_t number) {
    return {Finding::Kind::inconclusive, "THREAD-LINEARIZABLE"_clause, number,
            "Too many orders of overlapping calls to try them all."};
  }

  // What every order must admit: a recommendation that some order of the calls met is met.
  [[nodiscard]] const std::vector<Quality>& fewest_qualities() const {
    const auto count = [](const Monitor& state) { return state.verdicts().qualities().size(); };
    return std::ranges::min_element(states, {}, count)->verdicts().qualities();
  }

  void close_window(std::uint64_t number) {
    if (window.size() == 1 && window.single().kind == LineKind::call) {
      history::Line line = window.single();
      judge(line.number != 0 ? line.number : number, line);
      window.clear();
      return;
    }
    Window::Outcome outcome = window.explain(states, number);
    if (outcome.truncated && !orders_dropped) certain = fewest_qualities();
    orders_dropped |= outcome.truncated;
    if (outcome.states.empty()) {
      finding = orders_dropped ? undecided(number) : std::move(outcome.failure);
    } else {
      states = std::move(outcome.states);
    }
    window.clear();
  }
};

Judge::Judge(const Profile& profile, const history::NameTable& names, Environment environment)
    : impl_(std::make_unique<Impl>(profile, names, environment)) {}
Judge::Judge(const Judge& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Judge::~Judge() = default;

void Judge::set_strict(bool strict) {
  for (Monitor& state : impl_->states) state.set_strict(strict);
}

void Judge::apply(const history::Line& line) {
  Impl& self = *impl_;
  ++self.lines;
  if (self.finding) return;
  const std::uint64_t number = line.number != 0 ? line.number : self.lines;
  switch (line.kind) {
    case LineKind::profile:
    case LineKind::expect:
      return;
    case LineKind::device:
      for (Monitor& state : self.states) state.device(line.device);
      return;
    case LineKind::call:
      ++self.calls;
      if (self.window.open()) {
        self.window.point(line);
      } else {
        self.judge(number, line);
      }
      return;
    case LineKind::call_begin:
      ++self.calls;
      self.window.begin(line);
      return;
    case LineKind::call_return:
      self.window.end(line);
      if (!self.window.open()) self.close_window(number);
      return;
  }
}

void Judge::finish() {
  if (impl_->window.open() && !impl_->finding) {
    impl_->window.give_up_open_calls();
    impl_->close_window(impl_->lines);
  }
  if (impl_->finding) return;
  impl_->leaked = impl_->states.front().leaked();
  if (!impl_->leaked.empty()) impl_->states.front().verdicts().count("PROGRAM-LEAK"_clause);
}

const std::optional<Finding>& Judge::finding() const {
  return impl_->finding ? impl_->finding : impl_->states.front().verdicts().finding();
}
std::span<const Quality> Judge::qualities() const {
  return impl_->certain ? *impl_->certain : impl_->fewest_qualities();
}
std::span<const std::uint64_t> Judge::exercised() const { return impl_->states.front().verdicts().exercised(); }
std::span<const history::Name> Judge::leaked() const { return impl_->leaked; }
std::uint64_t Judge::calls() const { return impl_->calls; }
history::Name Judge::held_by(const history::Call& call, history::Thread thread) const {
  return impl_->states.front().holder(call, thread);
}
std::uint64_t Judge::items_behind_gates() const { return impl_->states.front().timeline().items_behind_gates(); }

}  // namespace streampool::model
