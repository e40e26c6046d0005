#include "spec/theorems/symbolic.hpp"

namespace streampool::theorems {
namespace {
Definitions*& in_force() {
  static Definitions* current = nullptr;
  return current;
}
}  // namespace

Definitions::Definitions() : outer_(in_force()) { in_force() = this; }
Definitions::~Definitions() { in_force() = outer_; }
void Definitions::add(const Bool& axiom) {
  if (in_force() != nullptr) in_force()->axioms_.push_back(axiom.term);
}
void Definitions::add_count(const Map<Value<Sort::address>, Nat>& count) {
  if (in_force() != nullptr) in_force()->last_count_ = count;
}
Map<Value<Sort::address>, Nat> Definitions::last_count() {
  return in_force() != nullptr ? in_force()->last_count_ : Map<Value<Sort::address>, Nat>{};
}

Nat Symbolic::round_up(const Nat& n, const Nat& unit) {
  if (unit.term == literal(Sort::natural, 1)) return n;
  const auto rounded = unknown<Map<Nat, Map<Nat, Nat>>>("round_up");
  static const Term bounds = for_all(Sort::natural, [&](Term value) {
    return for_all(Sort::natural, [&](Term step) {
      const Nat v{value}, u{step};
      return implies(nat(1) <= u, v <= rounded(v)(u) && rounded(v)(u) < v + u).term;
    });
  });
  Definitions::add({bounds});
  return rounded(n)(unit);
}

Bool Symbolic::inside(const Address& a, const Address& base, const Nat& size) {
  return {all_of({less_equal(base.term, a.term), negate(less_equal(plus(base.term, size.term), a.term))})};
}

Symbolic::Cut Symbolic::join_of(const Map<Stream, Cut>& cuts, const StreamSet& set) {
  return join_over<Sort::stream>([&](const Stream& u) { return set(u); }, [&](const Stream& u) { return cuts(u); });
}

}  // namespace streampool::theorems
