// The symbolic carrier: the rules of spec/rules on terms.
//
// A map is a function from terms to terms. An arbitrary state has uninterpreted functions in it, an update wraps the
// function in a choice, a join in a maximum; so nothing that is written out contains an array or a lambda. Results are
// remembered per key, because bounded unrolling asks the same map many times.
//
// Operations that speak of a whole range, or of all streams of a set, are given by what defines them: a fresh function
// and its axioms, which collect in the Definitions in force.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/rules/logic.hpp"
#include "spec/theorems/term.hpp"

namespace streampool::theorems {

template <Sort S>
struct Value {
  Term term = literal(S, 0);
  static constexpr Sort sort = S;
};
template <Sort S>
Value<Sort::boolean> operator==(const Value<S>& a, const Value<S>& b) {
  return {equal(a.term, b.term)};
}

using Bool = Value<Sort::boolean>;
using Nat = Value<Sort::natural>;
inline Bool operator&&(const Bool& a, const Bool& b) { return {all_of({a.term, b.term})}; }
inline Bool operator||(const Bool& a, const Bool& b) { return {any_of({a.term, b.term})}; }
inline Bool operator!(const Bool& a) { return {negate(a.term)}; }
inline Nat operator+(const Nat& a, const Nat& b) { return {plus(a.term, b.term)}; }
inline Bool operator<=(const Nat& a, const Nat& b) { return {less_equal(a.term, b.term)}; }
inline Bool operator<(const Nat& a, const Nat& b) { return {negate(less_equal(b.term, a.term))}; }
inline Bool implies(const Bool& a, const Bool& b) { return {implies(a.term, b.term)}; }
inline Bool iff(const Bool& a, const Bool& b) { return {equal(a.term, b.term)}; }

template <Sort S>
Value<S> choose(const Bool& condition, const Value<S>& yes, const Value<S>& no) {
  return {choose(condition.term, yes.term, no.term)};
}

// A total function, shared by its copies.
template <class Key, class Result>
class Map {
 public:
  Map() : Map([](const Key&) { return Result{}; }) {}
  explicit Map(std::function<Result(const Key&)> function) : table_(std::make_shared<Table>(std::move(function))) {}

  Result operator()(const Key& key) const {
    if (const auto it = table_->known.find(key.term); it != table_->known.end()) return it->second;
    const std::shared_ptr<Table> table = table_;
    return table->known.emplace(key.term, table->function(key)).first->second;
  }
  // Is it the same function object? (Not: does it agree everywhere.)
  [[nodiscard]] bool is(const Map& other) const { return table_ == other.table_; }

 private:
  struct Table {
    explicit Table(std::function<Result(const Key&)> f) : function(std::move(f)) {}
    std::function<Result(const Key&)> function;
    TermMap<Result> known;
  };
  std::shared_ptr<Table> table_;
};

template <class Key, class Result>
Map<Key, Result> choose(const Bool& condition, const Map<Key, Result>& yes, const Map<Key, Result>& no) {
  if (yes.is(no)) return yes;
  return Map<Key, Result>([=](const Key& key) { return choose(condition, yes(key), no(key)); });
}

// A map that nothing is known about: an uninterpreted function with one argument a key, in order.
template <class Result>
struct Unknown {
  static Result make(const std::string& name, const std::vector<Term>& keys) {
    return {application(Result::sort, name, keys)};
  }
};
template <class Key, class Result>
struct Unknown<Map<Key, Result>> {
  static Map<Key, Result> make(const std::string& name, const std::vector<Term>& keys) {
    return Map<Key, Result>([=](const Key& key) {
      std::vector<Term> longer = keys;
      longer.push_back(key.term);
      return Unknown<Result>::make(name, longer);
    });
  }
};
template <class T>
T unknown(const std::string& name) {
  return Unknown<T>::make(name, {});
}

// Axioms of the fresh functions that rules brought in while it lives.
class Definitions {
 public:
  Definitions();
  ~Definitions();
  Definitions(const Definitions&) = delete;
  Definitions& operator=(const Definitions&) = delete;
  static void add(const Bool& axiom);
  // The function behind a count_in, for proofs by induction over addresses.
  static void add_count(const Map<Value<Sort::address>, Nat>& count);
  [[nodiscard]] static Map<Value<Sort::address>, Nat> last_count();
  [[nodiscard]] const std::vector<Term>& axioms() const { return axioms_; }

 private:
  std::vector<Term> axioms_;
  Map<Value<Sort::address>, Nat> last_count_;
  Definitions* outer_;
};

struct Symbolic {
  using Bool = theorems::Bool;
  using Nat = theorems::Nat;
  using Stream = Value<Sort::stream>;
  using Event = Value<Sort::event>;
  using Address = Value<Sort::address>;
  using Allocation = Value<Sort::allocation>;
  using Pool = Value<Sort::pool>;
  using Gate = Value<Sort::gate>;
  using Handle = Value<Sort::handle>;
  template <class Key, class Result>
  using Map = theorems::Map<Key, Result>;
  using Cut = Map<Stream, Nat>;
  using StreamSet = Map<Stream, Bool>;
  template <class Result>
  using ItemMap = Map<Stream, Map<Nat, Result>>;
  template <class Result>
  using AddressMap = Map<Address, Result>;

  static Nat nat(std::uint64_t n) { return {literal(Sort::natural, n)}; }
  static Bool boolean(bool b) { return {truth(b)}; }
  static Nat select(const Bool& condition, const Nat& yes, const Nat& no) { return choose(condition, yes, no); }
  // Known only by its bounds: no less than n, and less than one unit more. (That it is a multiple matters to no theorem
  // over integers; overflow.cpp proves it on 64-bit vectors.)
  static Nat round_up(const Nat& n, const Nat& unit);
  static Nat minus(const Nat& a, const Nat& b) { return choose(b <= a, Nat{theorems::minus(a.term, b.term)}, nat(0)); }
  template <class T>
  static T none() {
    return T{};
  }

  static Nat at(const Cut& cut, const Stream& s) { return cut(s); }
  template <class Key, class Result>
  static Result get(const Map<Key, Result>& map, const Key& key) {
    return map(key);
  }
  template <class Key, class Result>
  static void put(Map<Key, Result>& map, const Key& key, const std::type_identity_t<Result>& value) {
    map = Map<Key, Result>([old = map, key, value](const Key& k) { return choose(k == key, value, old(k)); });
  }
  static void join(Cut& into, const Cut& from) {
    into = Cut([a = into, b = from](const Stream& t) { return spec::maximum<Symbolic>(a(t), b(t)); });
  }
  template <class Key>
  static void join_into(Map<Key, Cut>& map, const Key& key, const Cut& cut) {
    Cut joined = map(key);
    join(joined, cut);
    put(map, key, joined);
  }
  template <class Key>
  static void put_entry(Map<Key, Cut>& map, const Key& key, const Stream& t, const Nat& n) {
    Cut changed = map(key);
    put(changed, t, n);
    put(map, key, changed);
  }
  template <class Result>
  static Result get(const ItemMap<Result>& map, const Stream& s, const Nat& n) {
    return map(s)(n);
  }
  template <class Result>
  static void put(ItemMap<Result>& map, const Stream& s, const Nat& n, const std::type_identity_t<Result>& value) {
    Map<Nat, Result> row = map(s);
    put(row, n, value);
    put(map, s, row);
  }
  static void join_into(ItemMap<Cut>& map, const Stream& s, const Nat& n, const Cut& cut) {
    Cut joined = map(s)(n);
    join(joined, cut);
    put(map, s, n, joined);
  }
  static Bool covers(const Cut& big, const Cut& small) {
    return {for_all(Sort::stream, [&](Term t) { return (small(Stream{t}) <= big(Stream{t})).term; })};
  }
  static Cut diagonal(const Map<Stream, Cut>& cuts) {
    return Cut([=](const Stream& s) { return cuts(s)(s); });
  }
  static Cut diagonal_of(const Map<Stream, Cut>& cuts, const StreamSet& set) {
    return Cut([=](const Stream& s) { return choose(set(s), cuts(s)(s), nat(0)); });
  }
  static Cut join_of(const Map<Stream, Cut>& cuts, const StreamSet& set);

  static Bool inside(const Address& a, const Address& base, const Nat& size);
  template <class Result>
  static void assign(AddressMap<Result>& map, const Address& base, const Nat& size,
                     const std::type_identity_t<Result>& value) {
    map = AddressMap<Result>(
        [old = map, base, size, value](const Address& a) { return choose(inside(a, base, size), value, old(a)); });
  }
  template <class Result, class Predicate>
  static Bool all_in(const AddressMap<Result>& map, const Address& base, const Nat& size, const Predicate& predicate) {
    return {for_all(Sort::address,
                    [&](Term a) { return implies(inside(Address{a}, base, size), predicate(map(Address{a}))).term; })};
  }
  template <class Predicate>
  static Cut join_in(const AddressMap<Allocation>& map, const Address& base, const Nat& size,
                     const Predicate& predicate, const Map<Allocation, Cut>& cuts) {
    return join_over<Sort::address>([&](const Address& a) { return inside(a, base, size) && predicate(map(a)); },
                                    [&](const Address& a) { return cuts(map(a)); });
  }
  // For how many bytes? Counted by a function with `count(base) = 0` that rises by one behind each such byte.
  template <class Predicate>
  static Nat count_in(const AddressMap<Allocation>& map, const Address& base, const Nat& size,
                      const Predicate& predicate) {
    const auto count = unknown<Map<Address, Nat>>(fresh_name("count"));
    Definitions::add_count(count);
    Definitions::add(count(base) == nat(0));
    Definitions::add(Bool{for_all(Sort::address, [&](Term t) {
      const Address a{t};
      const Nat more = choose(predicate(map(a)), nat(1), nat(0));
      return implies(inside(a, base, size), count(after(a, nat(1))) == count(a) + more).term;
    })});
    return count(after(base, size));
  }
  static Address after(const Address& a, const Nat& bytes) { return {plus(a.term, bytes.term)}; }

 private:
  // The join of cut(k) over the keys that `chosen` holds for: each entry is 0 or taken at some such key, and no less
  // than any.
  template <Sort S, class Chosen, class CutOf>
  static Cut join_over(const Chosen& chosen, const CutOf& cut_of) {
    const auto joined = unknown<Cut>(fresh_name("joined"));
    const auto taken_at = unknown<Map<Stream, Value<S>>>(fresh_name("taken_at"));
    Definitions::add(Bool{for_all(Sort::stream, [&](Term term) {
      const Stream t{term};
      const Value<S> key = taken_at(t);
      return (joined(t) == nat(0) || (chosen(key) && joined(t) == cut_of(key)(t))).term;
    })});
    Definitions::add(Bool{for_all(S, [&](Term key) {
      return for_all(Sort::stream, [&](Term t) {
        return implies(chosen(Value<S>{key}), cut_of(Value<S>{key})(Stream{t}) <= joined(Stream{t})).term;
      });
    })});
    return joined;
  }
};
static_assert(spec::MachineCarrier<Symbolic>);

}  // namespace streampool::theorems
