// Free ranges of an address space, in whole numbers of whatever the caller counts. Merges neighbours. Not thread safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace streampool::engine {

class RangeSet {
 public:
  RangeSet(std::uint64_t start, std::uint64_t size) { give(start, size); }

  // Exactly this range, if it is free.
  bool take_at(std::uint64_t start, std::uint64_t size);
  // Any range of that size. Where there is room, leaves `spacing` free after the range before, so that both may grow.
  std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t spacing = 0);
  void give(std::uint64_t start, std::uint64_t size);

  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& ranges() const { return ranges_; }  // start → size

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;
};

}  // namespace streampool::engine
