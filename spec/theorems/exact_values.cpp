// EXACT-STEP for what is no step: what the program owes, what an observer may conclude, and the arithmetic of bytes.
// Each formula stands here a second time, from the clauses.
#include "spec/rules/observe.hpp"
#include "spec/rules/program.hpp"
#include "spec/rules/release.hpp"
#include "spec/rules/statistics.hpp"
#include "spec/theorems/theorems.hpp"

namespace streampool::theorems {
namespace {

Nat larger(const Nat& a, const Nat& b) { return choose(a <= b, b, a); }
Nat smaller(const Nat& a, const Nat& b) { return choose(a <= b, a, b); }
Nat less(const Nat& a, const Nat& b) { return choose(b <= a, Nat{minus(a.term, b.term)}, zero()); }
Nat n(const char* name) { return unknown<Nat>(std::string("asked.") + name); }

// PROGRAM-USE-BEFORE-ALLOC, PROGRAM-USE-AFTER-FREE.
Bool use_is_lawful(const World& w, const Stream& s, const Allocation& x) {
  const auto& row = w.state.allocations;
  return row.made(x) && !row.freed(x) && row.position(x) <= w.state.program.reach(s)(row.stream(x));
}
Bool uses_within(const World& w, const Allocation& x, const Cut& cut) {
  return every<Stream>([&](const Stream& t) { return w.state.allocations.uses(x)(t) <= cut(t); });
}

using Statement = std::function<Bool(const World&, const Arguments&)>;
const std::vector<std::pair<const char*, Statement>>& statements() {
  using W = const World&;
  using A = const Arguments&;
  static const std::vector<std::pair<const char*, Statement>> table = {
      {"OWED-USE", [](W w, A a) { return iff(spec::use_owed(w.state, a.s, a.x), use_is_lawful(w, a.s, a.x)); }},
      {"OWED-FREE",
       [](W w, A a) {
         return iff(spec::free_owed(w.state, a.s, a.x),
                    use_is_lawful(w, a.s, a.x) && uses_within(w, a.x, w.state.program.reach(a.s)));
       }},
      {"OWED-FREE-SYNC",
       [](W w, A a) {
         const auto& row = w.state.allocations;
         return iff(spec::free_sync_owed(w.state, a.x),
                    row.made(a.x) && !row.freed(a.x) && row.position(a.x) <= w.state.program.proved(row.stream(a.x)) &&
                        uses_within(w, a.x, w.state.program.proved));
       }},
      {"NOT-READY",
       [](W w, A a) {
         const auto& device = w.state.device;
         return iff(spec::stream_not_ready(w.state, a.s), device.executed(a.s) < submitted(w, a.s)) &&
                iff(spec::event_not_ready(w.state, a.e),
                    device.executed(device.recorded_on(a.e)) < device.recorded_at(a.e));
       }},
      {"CONCLUDED",
       [](W, A a) {
         const auto limit = unknown<Cut>("asked.limit"), cut = unknown<Cut>("asked.cut");
         const Bool inside = every<Stream>([&](const Stream& t) { return cut(t) <= limit(t); });
         return iff(spec::may_have_ended<L>(limit, a.s, n("position")), n("position") <= limit(a.s)) &&
                iff(spec::completion_possible<L>(limit, cut), inside) &&
                iff(spec::not_ready_possible<L>(limit, cut), !inside);
       }},
      {"WATERMARK",
       [](W, A a) {
         return spec::raise_watermark<L>(n("high"), n("current")) == larger(n("high"), n("current")) &&
                spec::reset_watermark<L>(n("current"), a.flag) == choose(a.flag, n("current"), zero());
       }},
      {"FLOOR",
       [](W, A a) {
         const Nat reserved = n("reserved"), used = n("used"), threshold = n("threshold"), slack = n("slack");
         const Nat kept = choose(a.flag, used + smaller(threshold, less(reserved, used)), smaller(threshold, reserved));
         return spec::release_floor<L>(threshold, reserved, used, a.flag, slack) == less(kept, slack) &&
                spec::trim_floor<L>(n("keep"), reserved) == smaller(n("keep"), reserved);
       }},
      {"REST",
       [](W, A) {
         const Nat target = n("target"), reserved = n("reserved"), touched = n("touched"), granule = n("granule");
         return spec::release_rest<L>(target, reserved, touched, granule) ==
                smaller(reserved, L::round_up(larger(target, touched), granule));
       }},
      {"CAPACITY",
       [](W, A) {
         const Nat touched = n("touched"), request = n("request"), granule = n("granule"), capacity = n("capacity"),
                   reserved = n("reserved"), granted = n("granted");
         return spec::capacity_of<L>(capacity, granule) == L::round_up(capacity, granule) &&
                iff(spec::must_serve<L>(touched, request, granule, capacity),
                    touched + L::round_up(request, granule) <= capacity) &&
                iff(spec::may_not_fit<L>(reserved, granted, request, granule, capacity),
                    capacity < L::round_up(reserved + granted + request, granule));
       }},
  };
  return table;
}

}  // namespace

void add_exact_values(std::vector<Consequence>& consequences) {
  for (const auto& [name, statement] : statements()) {
    consequences.push_back(
        {name, "EXACT-STEP", {}, [statement](const World& w) { return statement(w, arguments("")); }});
  }
}

}  // namespace streampool::theorems
