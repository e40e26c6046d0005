// The carrier of the machine: the rules of the whole machine (spec/rules/state.hpp) on machine values.
//
// Scalars and cuts are those of the concrete carrier; maps over items and addresses are added. Everything is a value:
// copying a state copies the machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/values/concrete.hpp"
#include "spec/rules/logic.hpp"

namespace streampool::model::machine {

// Identities, given once; 0 is none.
enum class Allocation : std::uint32_t {};
enum class Pool : std::uint32_t {};
enum class Gate : std::uint32_t {};
// What a caller holds; a value that is given back may come again for something else.
enum class Handle : std::uint32_t {};

// A total map over dense keys. Flags are kept as bytes, so that an entry has an address.
template <class Key, class Value>
class Map {
  static constexpr bool flag = std::is_same_v<Value, bool>;
  using Stored = std::conditional_t<flag, char, Value>;

 public:
  using Read = std::conditional_t<flag, bool, const Value&>;
  [[nodiscard]] Read get(Key key) const {
    static const Stored untouched{};
    const auto index = static_cast<std::size_t>(key);
    if constexpr (flag) {
      return index < values_.size() && values_[index] != 0;
    } else {
      return index < values_.size() ? values_[index] : untouched;
    }
  }
  Stored& edit(Key key) {
    const auto index = static_cast<std::size_t>(key);
    if (index >= values_.size()) values_.resize(index + 1);
    return values_[index];
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }  // keys from here on are untouched

 private:
  std::vector<Stored> values_;
};

inline bool untouched(const Cut& cut) { return cut.width() == 0; }
inline bool untouched(Gate gate) { return gate == Gate{}; }

// A total map over items. Most items hold nothing, so only the others are kept, by position.
template <class Value>
class ItemMap {
 public:
  [[nodiscard]] const Value& get(Stream s, Position n) const {
    static const Value none{};
    const auto index = static_cast<std::size_t>(s);
    if (index >= streams_.size()) return none;
    const auto& entries = streams_[index];
    const auto it = std::lower_bound(entries.begin(), entries.end(), n, before);
    return it != entries.end() && it->first == n ? it->second : none;
  }
  Value& edit(Stream s, Position n) {
    const auto index = static_cast<std::size_t>(s);
    if (index >= streams_.size()) streams_.resize(index + 1);
    auto& entries = streams_[index];
    if (entries.empty() || entries.back().first < n) return entries.emplace_back(n, Value{}).second;
    const auto it = std::lower_bound(entries.begin(), entries.end(), n, before);
    if (it != entries.end() && it->first == n) return it->second;
    return entries.emplace(it, n, Value{})->second;
  }
  // Nobody asks about these again: item n of s and those before it have ended.
  void forget(Stream s, Position n) {
    const auto index = static_cast<std::size_t>(s);
    if (index >= streams_.size() || streams_[index].empty() || streams_[index].front().first > n) return;
    auto& entries = streams_[index];
    entries.erase(entries.begin(), std::lower_bound(entries.begin(), entries.end(), n + 1, before));
  }

 private:
  using Entry = std::pair<Position, Value>;
  static bool before(const Entry& entry, Position n) { return entry.first < n; }
  std::vector<std::vector<Entry>> streams_;
};

// A total map over addresses, by ranges of equal value.
template <class Value>
class AddressMap {
 public:
  // Calls f(begin, end, value) for every maximal piece of [begin, end), bytes without an entry included, in order,
  // until it answers false. Answers whether all were visited.
  template <class F>
  bool visit(std::uint64_t begin, std::uint64_t end, F&& f) const {
    auto it = ranges_.upper_bound(begin);
    if (it != ranges_.begin() && std::prev(it)->second.first > begin) --it;
    while (begin < end) {
      if (it == ranges_.end() || it->first >= end) return f(begin, end, Value{});
      if (it->first > begin && !f(begin, it->first, Value{})) return false;
      begin = std::max(begin, it->first);
      const std::uint64_t stop = std::min(end, it->second.first);
      if (!f(begin, stop, it->second.second)) return false;
      begin = stop;
      ++it;
    }
    return true;
  }
  // … for every entry of the whole map.
  template <class F>
  void visit_entries(F&& f) const {
    for (const auto& [begin, entry] : ranges_) f(begin, entry.first, entry.second);
  }
  [[nodiscard]] Value get(std::uint64_t address) const {
    auto it = ranges_.upper_bound(address);
    if (it == ranges_.begin()) return Value{};
    --it;
    return it->second.first > address ? it->second.second : Value{};
  }
  void assign(std::uint64_t begin, std::uint64_t end, const Value& value) {
    if (begin >= end) return;
    auto it = ranges_.lower_bound(begin);
    if (it != ranges_.begin()) {
      const auto before = std::prev(it);
      const auto [stop, old] = before->second;
      if (stop >= begin && old == value) {
        begin = before->first;
        end = std::max(end, stop);
        it = before;
      } else if (stop > begin) {
        before->second.first = begin;
        if (stop > end) {
          it = ranges_.emplace(end, std::pair{stop, old}).first;
        }
      }
    }
    while (it != ranges_.end() && it->first <= end) {
      const std::uint64_t start = it->first;
      const auto [stop, old] = it->second;
      if (start == end && old != value) break;
      it = ranges_.erase(it);
      if (old == value) {
        end = std::max(end, stop);
      } else if (stop > end) {
        it = ranges_.emplace(end, std::pair{stop, old}).first;
        break;
      }
    }
    if (value != Value{}) ranges_.emplace(begin, std::pair{end, value});
  }

 private:
  absl::btree_map<std::uint64_t, std::pair<std::uint64_t, Value>> ranges_;  // begin -> end, value
};

struct Values : Concrete {
  using Address = std::uint64_t;
  using Allocation = machine::Allocation;
  using Pool = machine::Pool;
  using Gate = machine::Gate;
  using Handle = machine::Handle;
  using StreamSet = std::vector<Stream>;
  template <class Key, class Value>
  using Map = machine::Map<Key, Value>;
  template <class Value>
  using ItemMap = machine::ItemMap<Value>;
  template <class Value>
  using AddressMap = machine::AddressMap<Value>;

  template <class Identity>
  static Identity none() {
    return Identity{};
  }

  static void put(Cut& cut, Stream s, Nat n) { cut.put(s, n); }
  static Bool covers(const Cut& outer, const Cut& inner) { return inner.within(outer); }
  static Cut diagonal(const Map<Stream, Cut>& map) {
    Cut cut;
    for (std::size_t i = map.size(); i-- > 0;) {
      const auto s = static_cast<Stream>(i);
      if (const Position n = map.get(s).at(s); n > 0) cut.put(s, n);
    }
    return cut;
  }
  static Cut diagonal_of(const Map<Stream, Cut>& map, const StreamSet& set) {
    Cut cut;
    for (const Stream s : set) {
      if (const Position n = map.get(s).at(s); n > 0) cut.put(s, n);
    }
    return cut;
  }
  static Cut join_of(const Map<Stream, Cut>& map, const StreamSet& set) {
    Cut cut;
    for (const Stream s : set) cut.join(map.get(s));
    return cut;
  }

  template <class Key, class Value>
  static typename Map<Key, Value>::Read get(const Map<Key, Value>& map, Key key) {
    return map.get(key);
  }
  template <class Key, class Value>
  static void put(Map<Key, Value>& map, Key key, const std::type_identity_t<Value>& value) {
    map.edit(key) = value;
  }
  template <class Key>
  static void join_into(Map<Key, Cut>& map, Key key, const Cut& cut) {
    map.edit(key).join(cut);
  }
  template <class Key>
  static void put_entry(Map<Key, Cut>& map, Key key, Stream s, Nat n) {
    map.edit(key).put(s, n);
  }

  template <class Value>
  static const Value& get(const ItemMap<Value>& items, Stream s, Nat n) {
    return items.get(s, n);
  }
  template <class Value>
  static void put(ItemMap<Value>& items, Stream s, Nat n, const Value& value) {
    if (!untouched(value) || !untouched(items.get(s, n))) items.edit(s, n) = value;
  }
  static void join_into(ItemMap<Cut>& items, Stream s, Nat n, const Cut& cut) {
    if (!untouched(cut)) items.edit(s, n).join(cut);
  }

  template <class Value>
  static Value get(const AddressMap<Value>& bytes, Address a) {
    return bytes.get(a);
  }
  template <class Value>
  static void assign(AddressMap<Value>& bytes, Address a, Nat n, const Value& value) {
    bytes.assign(a, a + n, value);
  }
  template <class Value, class Predicate>
  static Bool all_in(const AddressMap<Value>& bytes, Address a, Nat n, Predicate&& holds) {
    return bytes.visit(a, a + n, [&](Address, Address, const Value& value) { return holds(value); });
  }
  template <class Value, class Predicate>
  static Nat count_in(const AddressMap<Value>& bytes, Address a, Nat n, Predicate&& holds) {
    Nat count = 0;
    bytes.visit(a, a + n, [&](Address begin, Address end, const Value& value) {
      if (holds(value)) count += end - begin;
      return true;
    });
    return count;
  }
  template <class Value, class Predicate>
  static Cut join_in(const AddressMap<Value>& bytes, Address a, Nat n, Predicate&& holds, const Map<Value, Cut>& cuts) {
    Cut joined;
    bytes.visit(a, a + n, [&](Address, Address, const Value& value) {
      if (holds(value)) joined.join(cuts.get(value));
      return true;
    });
    return joined;
  }
};
static_assert(spec::MachineCarrier<Values>);

}  // namespace streampool::model::machine
