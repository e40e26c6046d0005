// A map from addresses to values by half-open ranges, the concrete form of "for every byte of a range".
//
// Ranges never overlap. Neighbours are not merged: callers give each allocation its own value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/container/btree_map.h"

namespace streampool::model {

template <class Value>
class RangeMap {
 public:
  struct Range {
    std::uint64_t begin, end;  // bytes, [begin, end)
  };

  // Calls f(Range, Value&) for every stored range that meets [begin, end), cut to it, in order of address.
  template <class F>
  void for_each(std::uint64_t begin, std::uint64_t end, F&& f) {
    for (auto it = first(begin); it != ranges_.end() && it->first < end; ++it) {
      f(Range{std::max(begin, it->first), std::min(end, it->second.end)}, it->second.value);
    }
  }

  // Some stored range meets [begin, end).
  [[nodiscard]] bool meets(std::uint64_t begin, std::uint64_t end) {
    const auto it = first(begin);
    return it != ranges_.end() && it->first < end;
  }

  // Everything in [begin, end) holds `value` from now on; what a stored range has outside stays.
  void assign(std::uint64_t begin, std::uint64_t end, const Value& value) {
    const auto exact = ranges_.find(begin);
    if (exact != ranges_.end() && exact->second.end == end) {
      exact->second.value = value;
      return;
    }
    erase(begin, end);
    ranges_.emplace(begin, Entry{end, value});
  }

  void erase(std::uint64_t begin, std::uint64_t end) {
    auto it = first(begin);
    while (it != ranges_.end() && it->first < end) {
      const std::uint64_t old_begin = it->first;
      const Entry old = it->second;
      it = ranges_.erase(it);
      if (old_begin < begin) ranges_.emplace(old_begin, Entry{begin, old.value});
      if (old.end > end) {
        ranges_.emplace(end, old);
        return;
      }
      if (old_begin < begin) it = first(begin);
    }
  }

  [[nodiscard]] std::size_t size() const { return ranges_.size(); }

 private:
  struct Entry {
    std::uint64_t end;
    Value value;
  };

  // The first range that ends behind `begin`.
  auto first(std::uint64_t begin) {
    auto it = ranges_.upper_bound(begin);
    if (it != ranges_.begin()) {
      const auto before = std::prev(it);
      if (before->second.end > begin) return before;
    }
    return it;
  }

  absl::btree_map<std::uint64_t, Entry> ranges_;
};

}  // namespace streampool::model
