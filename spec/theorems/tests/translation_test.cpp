// The symbolic carrier says what the machine's carrier does, both ways, in a small scope.
//
// Random steps of the whole rule text run on both carriers side by side, on the symbolic one with literal arguments.
// Fresh functions (joins, counts) make it more than constant folding: the solver is asked whether the formulas of a
// step allow anything but the machine's guard and the machine's state. If not, every machine step satisfies the
// formulas, and every solution of the formulas is that step.
#include <gtest/gtest.h>

#include <random>

#include "model/machine/values.hpp"
#include "spec/rules/attributes.hpp"
#include "spec/rules/pool.hpp"
#include "spec/rules/program.hpp"
#include "spec/theorems/bounded.hpp"
#include "spec/theorems/smtlib.hpp"
#include "spec/theorems/solver.hpp"

namespace streampool::theorems {
namespace {

using Concrete = model::machine::Values;

constexpr std::uint64_t streams = 3, events = 2, allocations = 4, addresses = 4, pools = 2, gates = 1;

// One step, by numbers.
struct Op {
  unsigned kind;
  std::uint64_t s, e, x, p, base, size, amount;
  std::vector<std::uint64_t> waits;  // by stream
};
constexpr unsigned kinds = 22;

// How a carrier makes its values of numbers.
struct FromConcrete {
  using L = Concrete;
  static L::Stream stream(std::uint64_t n) { return static_cast<L::Stream>(n); }
  static L::Event event(std::uint64_t n) { return static_cast<L::Event>(n); }
  static L::Allocation allocation(std::uint64_t n) { return static_cast<L::Allocation>(n); }
  static L::Pool pool(std::uint64_t n) { return static_cast<L::Pool>(n); }
  static L::Gate gate(std::uint64_t n) { return static_cast<L::Gate>(n); }
  static L::Address address(std::uint64_t n) { return n; }
};
struct FromSymbolic {
  using L = Symbolic;
  static L::Stream stream(std::uint64_t n) { return {literal(Sort::stream, n)}; }
  static L::Event event(std::uint64_t n) { return {literal(Sort::event, n)}; }
  static L::Allocation allocation(std::uint64_t n) { return {literal(Sort::allocation, n)}; }
  static L::Pool pool(std::uint64_t n) { return {literal(Sort::pool, n)}; }
  static L::Gate gate(std::uint64_t n) { return {literal(Sort::gate, n)}; }
  static L::Address address(std::uint64_t n) { return {literal(Sort::address, n)}; }
};

template <class From, class C = typename From::L>
typename C::Bool apply_step(spec::State<C>& t, const Op& o) {
  const auto s = From::stream(o.s);
  const auto e = From::event(o.e);
  const auto x = From::allocation(o.x);
  const auto p = From::pool(o.p);
  const auto g = From::gate(1);
  const spec::Range<C> range{From::address(o.base), C::nat(o.size)};
  const auto yes = C::boolean(true);
  const auto flag = C::boolean(o.amount % 2 == 1);
  switch (o.kind) {
    case 0:
    case 1:
    case 2: {
      typename C::Cut waits{};
      for (std::uint64_t i = 1; i <= streams; ++i) {
        if (o.waits[i - 1] > 0) C::put(waits, From::stream(i), C::nat(o.waits[i - 1]));
      }
      return spec::malloc(t, s, spec::Grant<C>{x, p, range, waits});
    }
    case 3:
    case 4:
      return spec::free(t, s, x);
    case 5:
      return spec::free_sync(t, x);
    case 6:
      return spec::record(t, e, s), yes;
    case 7:
      return spec::wait(t, s, e), yes;
    case 8:
      return spec::start(t.device, t.runtime, s);
    case 9:
      return spec::finish(t.device, s);
    case 10:
      return spec::prove_stream(t, s);
    case 11:
      return spec::prove_event(t, e);
    case 12:
      return spec::prove_device(t);
    case 13:
      return spec::observe(t), yes;
    case 14:
      return spec::reserve(t, p, range, C::nat(1));
    case 15:
      return spec::unmap(t, p, range);
    case 16:
      return spec::trim(t, p, range, C::nat(o.amount));
    case 17:
      return spec::release(t, p, range, yes, flag, C::nat(0));
    case 18:
      return spec::settle(t, x);
    case 19:
      return spec::hold(t, s, g);
    case 20:
      return spec::set_allow_opportunistic(t.pools, p, flag), spec::set_allow_internal_dependencies(t.pools, p, flag),
             yes;
    default:
      return spec::plain_malloc(t, x, range);
  }
}

template <class From, class C = typename From::L>
spec::State<C> fresh_state() {
  spec::State<C> t;
  for (std::uint64_t p = 1; p <= pools; ++p) {
    spec::create<C>(t.pools, From::pool(p), {C::boolean(true), C::boolean(p == 1), C::boolean(p == 2)}, C::nat(0),
                    C::nat(0));
  }
  spec::make_gate(t.device, From::gate(1));
  return t;
}

// Calls f(symbolic term, number) for every scalar of the two states in the scope.
template <class F>
void for_each_scalar(const spec::State<Symbolic>& a, const spec::State<Concrete>& b, const F& f) {
  const auto nat = [&](const Nat& x, std::uint64_t y) { f(x.term, y); };
  const auto flag = [&](const Bool& x, bool y) { f(x.term, y ? 1 : 0); };
  const auto cut = [&](const Cut& x, const Concrete::Cut& y) {
    for (std::uint64_t i = 1; i <= streams; ++i) nat(x(FromSymbolic::stream(i)), y.at(FromConcrete::stream(i)));
  };
  for (std::uint64_t i = 1; i <= streams; ++i) {
    const auto s = FromSymbolic::stream(i);
    const auto c = FromConcrete::stream(i);
    cut(a.program.reach(s), b.program.reach.get(c));
    cut(a.runtime.reach(s), b.runtime.reach.get(c));
  }
  cut(a.program.proved, b.program.proved);
  cut(a.runtime.proved, b.runtime.proved);
  cut(a.observed, b.observed);
  cut(a.device.started, b.device.started);
  cut(a.device.executed, b.device.executed);
  for (std::uint64_t i = 1; i <= events; ++i) {
    cut(a.runtime.captured(FromSymbolic::event(i)), b.runtime.captured.get(FromConcrete::event(i)));
    nat(a.device.recorded_at(FromSymbolic::event(i)), b.device.recorded_at.get(FromConcrete::event(i)));
  }
  for (std::uint64_t i = 1; i <= allocations; ++i) {
    const auto x = FromSymbolic::allocation(i);
    const auto y = FromConcrete::allocation(i);
    flag(a.allocations.made(x), b.allocations.made.get(y));
    flag(a.allocations.freed(x), b.allocations.freed.get(y));
    flag(a.allocations.counted(x), b.allocations.counted.get(y));
    flag(a.allocations.free_synchronous(x), b.allocations.free_synchronous.get(y));
    nat(a.allocations.position(x), b.allocations.position.get(y));
    nat(a.allocations.free_position(x), b.allocations.free_position.get(y));
    cut(a.allocations.free_cut(x), b.allocations.free_cut.get(y));
  }
  for (std::uint64_t i = 1; i <= pools; ++i) {
    const auto p = FromSymbolic::pool(i);
    const auto q = FromConcrete::pool(i);
    nat(a.pools.reserved(p), b.pools.reserved.get(q));
    nat(a.pools.reserved_high(p), b.pools.reserved_high.get(q));
    nat(a.pools.used(p), b.pools.used.get(q));
    nat(a.pools.used_high(p), b.pools.used_high.get(q));
    cut(a.pools.released(p), b.pools.released.get(q));
  }
  for (std::uint64_t i = 0; i < addresses; ++i) {
    f(a.newest(FromSymbolic::address(i)).term, static_cast<std::uint64_t>(b.newest.get(i)));
    f(a.backed(FromSymbolic::address(i)).term, static_cast<std::uint64_t>(b.backed.get(i)));
  }
}

std::vector<std::vector<Term>> scope() {
  std::vector<std::vector<Term>> values(sort_count);
  const auto fill = [&](Sort sort, std::uint64_t from, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) values[static_cast<std::size_t>(sort)].push_back(literal(sort, from + i));
  };
  fill(Sort::stream, 0, streams + 1);
  fill(Sort::address, 0, addresses);
  return values;
}

Term is(Term term, std::uint64_t number) { return equal(term, literal(term->sort, number)); }

class Translation : public testing::TestWithParam<unsigned> {};
TEST_P(Translation, BothCarriersTakeTheSameSteps) {
  std::mt19937 random(GetParam());
  const auto pick = [&](std::uint64_t from, std::uint64_t to) {
    return std::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  auto concrete = fresh_state<FromConcrete>();
  auto symbolic = fresh_state<FromSymbolic>();
  std::vector<Term> known;  // definitions of all steps so far
  unsigned taken = 0;
  for (int i = 0; i < 60; ++i) {
    Op o{static_cast<unsigned>(pick(0, kinds - 1)),
         pick(1, streams),
         pick(1, events),
         pick(1, allocations),
         pick(1, pools),
         pick(0, addresses - 1),
         1,
         pick(0, 4),
         {}};
    o.size = pick(1, addresses - o.base);
    for (std::uint64_t s = 0; s < streams; ++s) o.waits.push_back(pick(0, 2));
    if (i < 2)
      o = {14, 1, 1,        1, static_cast<std::uint64_t>(i + 1), i == 0 ? 0U : 2U,
           2,  0, {0, 0, 0}};  // both pools have memory
    auto concrete_after = concrete;
    const bool guard = apply_step<FromConcrete>(concrete_after, o);
    const Definitions definitions;
    auto symbolic_after = symbolic;
    const Bool symbolic_guard = apply_step<FromSymbolic>(symbolic_after, o);
    std::vector<Term> asked = known;
    for (const Term axiom : definitions.axioms()) asked.push_back(expand(axiom, scope()));
    std::vector<Term> differences{negate(is(expand(symbolic_guard.term, scope()), guard ? 1 : 0))};
    if (guard) {
      for_each_scalar(symbolic_after, concrete_after, [&](Term term, std::uint64_t number) {
        differences.push_back(negate(is(expand(term, scope()), number)));
      });
    }
    std::vector<Term> consistent = asked;
    asked.push_back(any_of(differences));
    ASSERT_EQ(solve_with_z3(to_smtlib(asked, {}, "unsat").text, 0, 60, false).answer, Answer::unsat)
        << "step " << i << ", kind " << o.kind;
    if (!guard) continue;
    ++taken;
    // The machine's values are a solution, so nothing was shown of nothing.
    ASSERT_EQ(solve_with_z3(to_smtlib(consistent, {}, "sat").text, 0, 60, false).answer, Answer::sat);
    known = consistent;
    concrete = std::move(concrete_after);
    symbolic = symbolic_after;
  }
  EXPECT_GT(taken, 10U);
}
INSTANTIATE_TEST_SUITE_P(, Translation, testing::Range(1U, 7U));

}  // namespace
}  // namespace streampool::theorems
