#include "impl/pool/range_set.hpp"

#include <iterator>

namespace streampool::engine {

bool RangeSet::take_at(std::uint64_t start, std::uint64_t size) {
  auto it = ranges_.upper_bound(start);
  if (it == ranges_.begin()) return false;
  --it;
  const std::uint64_t end = it->first + it->second;
  if (start + size > end) return false;
  if (start + size < end) ranges_.emplace(start + size, end - start - size);
  if (it->first < start) {
    it->second = start - it->first;
  } else {
    ranges_.erase(it);
  }
  return true;
}

std::optional<std::uint64_t> RangeSet::take(std::uint64_t size, std::uint64_t spacing) {
  std::optional<std::uint64_t> tight;
  for (const auto& [start, room] : ranges_) {
    if (room < size) continue;
    if (room >= size + 2 * spacing) {
      const std::uint64_t at = start == 0 ? 0 : start + spacing;
      take_at(at, size);
      return at;
    }
    if (!tight) tight = start;
  }
  if (tight) take_at(*tight, size);
  return tight;
}

void RangeSet::give(std::uint64_t start, std::uint64_t size) {
  if (size == 0) return;
  auto next = ranges_.lower_bound(start);
  if (next != ranges_.end() && next->first == start + size) {
    size += next->second;
    next = ranges_.erase(next);
  }
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += size;
      return;
    }
  }
  ranges_.emplace_hint(next, start, size);
}

}  // namespace streampool::engine
