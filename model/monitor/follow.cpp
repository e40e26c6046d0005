// Windows too large to search. They are followed in the order of time with a few states: each call takes effect when it
// returns, and before that only where it must, to explain the call that returns. An order that is found so explains the
// calls as well as any; that none is found says nothing.
#include <algorithm>
#include <utility>

#include "model/monitor/window.hpp"

namespace streampool::model {

namespace {

constexpr std::size_t max_followed = 8;  // states kept
constexpr std::size_t max_ahead = 3;     // calls that take effect before they return, to explain one that does
constexpr std::size_t max_trials = 256;  // for one return

}  // namespace

struct Window::Follow {
  struct Pending {
    std::size_t entry;
    std::optional<Timeline::Proof> captured;  // at its beginning; a capture at its effect is the other choice
  };
  struct State {
    Monitor monitor;
    std::vector<Pending> pending;  // begun, not in effect
  };

  const std::vector<Entry>& entries;
  std::uint64_t line;
  std::vector<State> states;

  void begin(std::size_t entry) {
    const history::Line& call = entries[entry].line;
    for (State& state : states) state.pending.push_back({entry, state.monitor.capture(call.call, call.thread)});
  }

  void effect(std::size_t entry) {
    std::vector<State> next;
    for (State& state : states) {
      if (std::ranges::find(state.pending, entry, &Pending::entry) == state.pending.end()) {
        keep(next, std::move(state));
        continue;
      }
      std::size_t trials = max_trials;
      for (std::size_t ahead = 0; ahead <= max_ahead && trials > 0; ++ahead) {
        const std::size_t before = next.size();
        explain(state, entry, ahead, next, trials);
        if (next.size() > before) break;
      }
    }
    states = std::move(next);
  }

 private:
  static void keep(std::vector<State>& list, State state) {
    if (list.size() < max_followed) list.push_back(std::move(state));
  }

  // Adds what `state` becomes when exactly `ahead` other calls take effect before the entry does.
  void explain(const State& state, std::size_t entry, std::size_t ahead, std::vector<State>& found,
               std::size_t& trials) const {
    for (std::size_t k = 0; k < state.pending.size() && trials > 0; ++k) {
      if ((state.pending[k].entry == entry) != (ahead == 0)) continue;
      for (State& after : take(state, k, trials)) {
        if (ahead == 0) {
          keep(found, std::move(after));
        } else {
          explain(after, entry, ahead - 1, found, trials);
        }
      }
    }
  }

  // The call takes effect now: with what it captured at its beginning, and with what it captures now where that is
  // more.
  std::vector<State> take(const State& state, std::size_t k, std::size_t& trials) const {
    const Pending& pending = state.pending[k];
    const history::Line& call = entries[pending.entry].line;
    std::vector<State> result;
    const auto attempt = [&](const std::optional<Timeline::Proof>& captured) {
      if (trials == 0) return;
      --trials;
      State next = state;
      next.pending.erase(next.pending.begin() + static_cast<std::ptrdiff_t>(k));
      if (take_effect(next.monitor, call, line, captured)) result.push_back(std::move(next));
    };
    attempt(pending.captured);
    if (pending.captured) {
      Monitor probe = state.monitor;
      const auto now = probe.capture(call.call, call.thread);
      if (now && !now->within(*pending.captured)) attempt(now);
    }
    return result;
  }
};

std::vector<Monitor> Window::follow(const std::vector<Monitor>& from, std::uint64_t line) const {
  struct Moment {
    std::uint64_t time;
    bool returns;
    std::size_t entry;
  };
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    moments.push_back({entries_[i].begin, false, i});
    if (entries_[i].end != no_position) moments.push_back({entries_[i].end, true, i});
  }
  std::ranges::sort(moments, {}, [](const Moment& m) { return std::pair{m.time, m.returns}; });

  Follow follow{entries_, line, {}};
  for (const Monitor& state : from) {
    if (follow.states.size() < max_followed) follow.states.push_back({state, {}});
  }
  for (const Moment& moment : moments) {
    if (moment.returns) {
      follow.effect(moment.entry);
    } else {
      follow.begin(moment.entry);
    }
  }
  std::vector<Monitor> result;
  for (Follow::State& state : follow.states) result.push_back(std::move(state.monitor));
  return result;
}

}  // namespace streampool::model
