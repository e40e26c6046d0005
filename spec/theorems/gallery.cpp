#include "spec/theorems/gallery.hpp"

#include <algorithm>

#include "spec/theorems/unsound/rules.hpp"

namespace streampool::theorems {
namespace {

// The malloc of transitions.cpp with another rule; what history remembers is the same.
template <class MakeRule>
std::function<Stepped(const World&, const Arguments&)> malloc_with(const MakeRule& make_rule) {
  return [=](const World& w, const Arguments& a) {
    Stepped own = transition("malloc").step(w, a);
    State state = w.state;
    own.guard = spec::malloc(state, a.s, spec::Grant<L>{a.x, a.p, {a.base, a.size}, a.waits}, make_rule(w, a));
    own.after.state = state;
    L::put(own.after.history.cut, a.s, submitted(w, a.s) + one(), state.runtime.reach(a.s));
    return own;
  };
}

// The moves that a counterexample needs; fewer moves are searched faster.
std::vector<Move> only(std::vector<Move> all, const std::vector<std::string>& names) {
  std::erase_if(all, [&](const Move& move) { return std::ranges::find(names, move.name) == names.end(); });
  return all;
}

template <class Rule>
std::function<std::vector<Move>()> with_rule(const std::vector<std::string>& names) {
  return [=] { return only(moves(malloc_with([](const World&, const Arguments&) { return Rule{}; })), names); };
}

// The first allocation that had any byte of y's: what a block keeps that is never relabelled. The scope has two earlier
// owners at most.
struct FirstOwner {
  World world;
  Allocation operator()(const Allocation& y) const {
    const auto& row = world.state.allocations;
    Allocation first = y;
    for (std::uint64_t i = 1; i <= 2; ++i) {
      const Allocation x{literal(Sort::allocation, i)};
      const Bool same_byte = row.made(x) && row.freed(x) && row.base(x) == row.base(y);
      first = choose(same_byte && world.history.age(x) < world.history.age(first), x, first);
    }
    return first;
  }
};

// Streams 1 and 3 have one handle; 3 is created when 1 has been destroyed.
struct SharedHandle {
  Stream operator()(const Stream& s) const {
    return choose(s == Stream{literal(Sort::stream, 3)}, Stream{literal(Sort::stream, 1)}, s);
  }
};
std::vector<Move> recycling_moves() {
  auto all = only(
      moves(malloc_with([](const World&, const Arguments&) { return unsound::RecycledCounter<L, SharedHandle>{}; })),
      {"malloc", "free", "hold"});
  const Gate second{literal(Sort::gate, 2)};  // stands for "has been recycled"
  const auto recycled = [=](const World& w) { return w.state.device.gate_made(second); };
  for (Move& move : all) {
    move.step = [step = move.step, recycled](const World& w, const Arguments& a) {
      Stepped r = step(w, a);
      const Bool alive =
          choose(recycled(w), !(a.s == Stream{literal(Sort::stream, 1)}), !(a.s == Stream{literal(Sort::stream, 3)}));
      r.owed = r.owed && alive;
      return r;
    };
  }
  all.push_back({"recycle", [=](const World& w, const Arguments&) {
                   Stepped r{.guard = !recycled(w), .owed = L::boolean(true), .after = w, .inductions = {}};
                   L::put(r.after.state.device.gate_made, second, L::boolean(true));
                   return r;
                 }});
  return all;
}

}  // namespace

const std::vector<Wrong>& gallery() {
  static const std::vector<Wrong> all = {
      {"safe_streams",
       "a set of safe streams in place of positions",
       {},
       7,
       with_rule<unsound::SafeStreams<L>>({"malloc", "free", "record", "wait", "hold"})},
      {"allocating_stream_label",
       "a freed block is labelled with the stream that allocated it",
       {},
       6,
       with_rule<unsound::AllocatingStreamLabel<L>>({"malloc", "free", "record", "wait", "hold"})},
      {"old_position",
       "a block that is reused and freed again keeps the position of its first free",
       {.streams = 2, .events = 1, .allocations = 3, .addresses = 1},
       8,
       [] {
         auto calls = only(moves(malloc_with([](const World& w, const Arguments&) {
                             return unsound::OldPosition<L, FirstOwner>{{w}};
                           })),
                           {"malloc", "free", "hold"});
         calls.push_back({"set_internal", transition("set_internal").step});
         return calls;
       }},
      {"recycled_counter",
       "a counter restarts when a stream's handle is given again",
       {.streams = 3, .events = 1, .allocations = 2, .addresses = 1},
       6,
       recycling_moves},
      {"unchecked_opportunistic",
       "opportunistic reuse without a completion check",
       {},
       5,
       with_rule<unsound::UncheckedOpportunistic<L>>({"malloc", "free", "hold"}),
       true},
      {"off_by_one",
       "a free counts as ordered when the record came right before it",
       {},
       7,
       with_rule<unsound::OffByOne<L>>({"malloc", "free", "record", "wait", "hold"})},
      {"any_sync",
       "any synchronizing call makes every earlier free reusable",
       {},
       7,
       with_rule<unsound::AnySyncProvesAll<L>>({"malloc", "free", "hold", "record", "sync"})},
  };
  return all;
}

std::optional<Counterexample> refute(const Wrong& wrong) {
  return find_counterexample(wrong.moves(), wrong.clocks_deceived ? memory_is_shared : memory_is_promised_twice,
                             wrong.scope, wrong.depth, wrong.title, wrong.clocks_deceived);
}

std::optional<Counterexample> search_own_rules(std::size_t depth) {
  const char* const title = "the rules of this build";
  const auto all = only(moves(transition("malloc").step), {"malloc", "free", "record", "wait", "hold"});
  if (auto found = find_counterexample(all, memory_is_promised_twice, {}, depth, title, false)) return found;
  // Where the clocks themselves are wrong, only what the device does shows it.
  return find_counterexample(all, memory_is_shared, {}, depth, title, true);
}

}  // namespace streampool::theorems
