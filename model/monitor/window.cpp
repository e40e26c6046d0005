#include "model/monitor/window.hpp"

#include <algorithm>

#include "fmt/format.h"
#include "model/monitor/commute.hpp"

namespace streampool::model {

using namespace spec::literals;

namespace {

// Bounds of the search. Beyond them the window is followed instead (follow.cpp), and never a violation.
constexpr std::size_t max_entries = 64, max_states = 32;
constexpr std::uint64_t max_nodes = 20000;

}  // namespace

void Window::begin(const history::Line& line) {
  entries_.push_back({line, ++tick_, 0});
  ++open_;
}

void Window::point(const history::Line& line) {
  ++tick_;
  entries_.push_back({line, tick_, tick_});
}

void Window::end(const history::Line& line) {
  for (Entry& entry : entries_) {
    if (entry.end != 0 || entry.line.kind != history::LineKind::call_begin || entry.line.id != line.id) continue;
    entry.end = ++tick_;
    entry.line.kind = history::LineKind::call;
    entry.line.call = line.call;
    entry.line.result = line.result;
    entry.line.number = line.number;
    --open_;
    return;
  }
}

void Window::give_up_open_calls() {
  for (Entry& entry : entries_) {
    if (entry.end == 0) entry.end = no_position;
  }
  open_ = 0;
}

void Window::clear() {
  entries_.clear();
  open_ = 0;
}

struct Window::Search {
  const std::vector<Entry>& entries;
  const Commute& commute;
  Outcome& outcome;
  std::uint64_t line;
  std::uint64_t nodes = 0;
  std::vector<Finding> failures;

  bool spent() {
    if (nodes >= max_nodes || outcome.states.size() >= max_states) outcome.truncated = true;
    return outcome.truncated;
  }

  [[nodiscard]] bool stuck(std::size_t i) const {
    const auto& result = entries[i].line.result;
    return result && result->status == history::Status::timeout;
  }

  // Nothing that returned before this call began is left to do; for one that never returned, nothing that did return:
  // whatever might have freed it has not.
  [[nodiscard]] bool ready(std::size_t i, std::uint64_t done) const {
    for (std::size_t j = 0; j < entries.size(); ++j) {
      if ((done >> j & 1) != 0 || j == i) continue;
      if (entries[j].end < entries[i].begin) return false;
      if (stuck(i) && entries[j].end != no_position && !stuck(j)) return false;
    }
    return true;
  }

  // Every call that returned is done.
  [[nodiscard]] bool complete(std::uint64_t done) const {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if ((done >> i & 1) == 0 && entries[i].end != no_position) return false;
    }
    return true;
  }

  // `asleep`: calls that need not come next, for an order that differs only in what commutes was tried (sleep sets:
  // P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996).
  void run(const Monitor& state, std::uint64_t done, std::uint64_t asleep,
           const std::vector<std::optional<Timeline::Proof>>& captured) {
    if (spent()) return;
    ++nodes;
    if (complete(done)) {
      outcome.states.push_back(state);
      count_order(outcome.states.back());
      return;
    }
    for (std::size_t i = 0; i < entries.size() && !spent(); ++i) {
      if (((done | asleep) >> i & 1) != 0 || !ready(i, done)) continue;
      const history::Line& call = entries[i].line;
      Monitor next = state;
      if (!captured[i]) {
        // A synchronizing call has two points: it captures at the first and proves at the second.
        if (auto proof = next.capture(call.call, call.thread)) {
          auto taken = captured;
          taken[i] = std::move(proof);
          run(next, done, 0, taken);
          continue;
        }
      }
      if (!take_effect(next, call, line, captured[i])) {
        failures.push_back(*next.verdicts().finding());
      } else {
        run(next, done | std::uint64_t{1} << i, asleep & commute.with(i), captured);
      }
      asleep |= std::uint64_t{1} << i;
    }
  }
};

bool Window::take_effect(Monitor& state, const history::Line& call, std::uint64_t line,
                         const std::optional<Timeline::Proof>& captured) {
  state.begin_line(call.number != 0 ? call.number : line);
  state.set_overlapping(true);
  state.call(call.call, call.result, call.thread, captured);
  state.set_overlapping(false);
  state.end_line();
  return !state.verdicts().decided();
}

void Window::count_order(Monitor& state) {
  for (const spec::ClauseId clause :
       {"THREAD-LINEARIZABLE"_clause, "THREAD-DEADLOCK"_clause, "THREAD-PROOF-OVERLAP"_clause}) {
    state.verdicts().count(clause);
  }
}

Window::Outcome Window::explain(const std::vector<Monitor>& from, std::uint64_t line) const {
  Outcome outcome;
  const auto followed = [&] {
    outcome = {follow(from, line), {}, true};
    for (Monitor& state : outcome.states) count_order(state);
    return std::move(outcome);
  };
  if (entries_.size() > max_entries) return followed();
  std::vector<const history::Line*> calls;
  for (const Entry& entry : entries_) calls.push_back(&entry.line);
  const Commute commute(from.front(), calls);
  Search search{entries_, commute, outcome, line, 0, {}};
  const std::vector<std::optional<Timeline::Proof>> nothing(entries_.size());
  for (const Monitor& state : from) search.run(state, 0, 0, nothing);
  if (outcome.states.empty() && outcome.truncated) return followed();
  if (!outcome.states.empty() || search.failures.empty()) return outcome;
  // Every order breaks something. Where one of them is the program's fault, or got the program stuck, it may be the one
  // that took place: then nothing can be said of the runtime.
  const auto no_violation = std::ranges::max_element(search.failures, {}, [](const Finding& f) {
    return f.kind == Finding::Kind::program_fault ? 2 : f.kind == Finding::Kind::inconclusive ? 1 : 0;
  });
  if (no_violation->kind != Finding::Kind::violation) {
    outcome.failure = *no_violation;
    return outcome;
  }
  // The same clause in each is what was broken; else it is that no order fits.
  const Finding& first = search.failures.front();
  const bool same = std::ranges::all_of(search.failures, [&](const Finding& f) { return f.clause == first.clause; });
  outcome.failure = first;
  if (!same) {
    outcome.failure = {Finding::Kind::violation, "THREAD-LINEARIZABLE"_clause, line,
                       fmt::format("No order of {} overlapping calls explains their results; one of them breaks {}: {}",
                                   entries_.size(), spec::info(first.clause).id, first.explanation)};
  }
  return outcome;
}

}  // namespace streampool::model
