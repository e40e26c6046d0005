// The concrete carrier: the rules of spec/rules on machine values.
//
// Streams and events are dense indices that are never given twice, so an object that gets a recycled handle value is a
// new index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/rules/logic.hpp"

namespace streampool::model {

enum class Stream : std::uint32_t {};
enum class Event : std::uint32_t {};

// Positions of an item in its stream count from 1; 0 means "none".
using Position = std::uint64_t;

// A set of items, closed under what comes before: for each stream how many of its items. Streams beyond the end are at
// 0.
class Cut {
 public:
  [[nodiscard]] Position at(Stream s) const {
    const auto index = static_cast<std::size_t>(s);
    return index < positions_.size() ? positions_[index] : 0;
  }
  void put(Stream s, Position n) {
    const auto index = static_cast<std::size_t>(s);
    if (index >= positions_.size()) positions_.resize(index + 1, 0);
    positions_[index] = n;
  }
  void join(const Cut& other) {
    if (other.positions_.size() > positions_.size()) positions_.resize(other.positions_.size(), 0);
    bool raised = false;
    for (std::size_t i = 0; i < other.positions_.size(); ++i) {
      raised |= other.positions_[i] > positions_[i];
      positions_[i] = std::max(positions_[i], other.positions_[i]);
    }
    revision_ += raised ? 1 : 0;
  }
  [[nodiscard]] bool within(const Cut& other) const {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (positions_[i] > other.at(static_cast<Stream>(i))) return false;
    }
    return true;
  }
  // Streams 0 … width()-1 may have a position above 0.
  [[nodiscard]] std::size_t width() const { return positions_.size(); }
  // Changes whenever a join raises an entry; `put` alone leaves it. Lets copies be shared while nothing but the own
  // entry moves.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

 private:
  std::vector<Position> positions_;
  std::uint64_t revision_ = 0;
};

// A total map over dense keys: what was never put is a default value.
template <class Key, class Value>
class DenseMap {
 public:
  [[nodiscard]] const Value& get(Key key) const {
    static const Value untouched{};
    const auto index = static_cast<std::size_t>(key);
    return index < values_.size() ? values_[index] : untouched;
  }
  Value& edit(Key key) {
    const auto index = static_cast<std::size_t>(key);
    if (index >= values_.size()) values_.resize(index + 1);
    return values_[index];
  }

 private:
  std::vector<Value> values_;
};

struct Concrete {
  using Bool = bool;
  using Nat = std::uint64_t;
  using Stream = model::Stream;
  using Event = model::Event;
  using Cut = model::Cut;
  template <class Key, class Value>
  using Map = DenseMap<Key, Value>;

  static Nat nat(std::uint64_t n) { return n; }
  static Bool boolean(bool b) { return b; }
  static Nat select(Bool condition, Nat yes, Nat no) { return condition ? yes : no; }
  // Stays at the largest multiple instead of wrapping.
  static Nat round_up(Nat n, Nat unit) {
    const Nat rest = n % unit;
    if (rest == 0) return n;
    return n - rest > UINT64_MAX - unit ? UINT64_MAX - UINT64_MAX % unit : n - rest + unit;
  }
  static Nat minus(Nat a, Nat b) { return a > b ? a - b : 0; }
  static Position at(const Cut& cut, Stream s) { return cut.at(s); }
  static void join(Cut& into, const Cut& from) { into.join(from); }

  template <class Key, class Value>
  static const Value& get(const DenseMap<Key, Value>& map, Key key) {
    return map.get(key);
  }
  template <class Key, class Value>
  static void put(DenseMap<Key, Value>& map, Key key, const Value& value) {
    map.edit(key) = value;
  }
  template <class Key>
  static void join_into(DenseMap<Key, Cut>& map, Key key, const Cut& cut) {
    map.edit(key).join(cut);
  }
  template <class Key>
  static void put_entry(DenseMap<Key, Cut>& map, Key key, Stream s, Nat n) {
    map.edit(key).put(s, n);
  }
};
static_assert(spec::Carrier<Concrete>);

}  // namespace streampool::model
