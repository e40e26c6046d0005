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
  const Nat rounded{apply(Sort::natural, "round_up", {n.term, unit.term})};
  Definitions::add(n <= rounded && rounded < n + unit);
  return rounded;
}

Bool Symbolic::inside(const Address& a, const Address& base, const Nat& size) {
  return {all_of({less_equal(base.term, a.term), negate(less_equal(plus(base.term, size.term), a.term))})};
}

Symbolic::Cut Symbolic::join_of(const Map<Stream, Cut>& cuts, const StreamSet& set) {
  return join_over<Sort::stream>([&](const Stream& u) { return set(u); }, [&](const Stream& u) { return cuts(u); });
}

}  // namespace streampool::theorems
