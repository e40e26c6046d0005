// What the theorems talk about: the machine's state, history variables beside it, and its steps.
//
// History variables record what the state has forgotten (the cut of every item, who came first). No rule reads them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spec/rules/names.hpp"
#include "spec/rules/state.hpp"
#include "spec/theorems/symbolic.hpp"

namespace streampool::theorems {

using L = Symbolic;
using State = spec::State<L>;
using Stream = L::Stream;
using Event = L::Event;
using Address = L::Address;
using Allocation = L::Allocation;
using Pool = L::Pool;
using Gate = L::Gate;
using Handle = L::Handle;
using Cut = L::Cut;

struct History {
  L::ItemMap<Cut> cut;       // of every item, in runtime order
  L::ItemMap<Nat> stamp;     // when it was submitted: its place among all items
  Nat stamps;                // items so far
  Map<Allocation, Nat> age;  // when an allocation was made: its place among all
  Nat ages;
  L::ItemMap<Allocation> touched;  // the allocation that an item uses; none for other items
  // Sums over addresses: the bytes below an address that a pool backs, that it counts as used.
  Map<Pool, Map<Address, Nat>> backed_below, counted_below;
};

struct World {
  State state;
  spec::Names<L, Stream> streams;
  spec::Names<L, Event> events;
  History history;
};

// What a step is called with. One constant a field; in the bounded encoding one for each step.
struct Arguments {
  Stream s;
  Event e;
  Allocation x;
  Pool p;
  Gate g;
  Handle h;
  Address base;
  Nat size, amount;
  Bool flag, flag2;
  spec::Switches<L> switches;
  Cut waits;
};
[[nodiscard]] Arguments arguments(const std::string& suffix);

// Holds for every address from `from` to `to`, both included: proved by induction, then used for the step.
struct Induction {
  std::string name;
  Address from, to;
  std::function<Bool(const Address&)> holds;
};

struct Stepped {
  Bool guard;  // the runtime's rules
  Bool owed;   // premises: the program's obligations, and that ranges are not empty and do not wrap
  World after;
  std::vector<Induction> inductions;
};

struct Transition {
  std::string name;
  std::function<Stepped(const World&, const Arguments&)> step;
};

[[nodiscard]] const std::vector<Transition>& transitions();
[[nodiscard]] const Transition& transition(const std::string& name);
[[nodiscard]] World any_world();
[[nodiscard]] World initial_world();

// The number of addresses: no range reaches behind it.
[[nodiscard]] Address top();
// Profile parameters, arbitrary in every theorem.
struct Parameters {
  Nat unit;   // max_size_unit
  Nat slack;  // release_slack
  Bool compares_idle;
  Bool reset_takes_current;
};
[[nodiscard]] Parameters parameters();

// Abbreviations.
inline Nat submitted(const World& w, const Stream& s) { return spec::submitted(w.state.runtime, s); }
inline Bool covers_address(const World& w, const Allocation& x, const Address& a) {
  const auto& row = w.state.allocations;
  return row.made(x) && L::inside(a, row.base(x), row.size(x));
}
inline Bool is_none(const Allocation& x) { return x == Allocation{}; }
inline Bool is_none(const Pool& p) { return p == Pool{}; }
inline Nat one() { return L::nat(1); }
inline Nat zero() { return L::nat(0); }

}  // namespace streampool::theorems
