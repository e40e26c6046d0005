// The address map against an array of bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "model/machine/values.hpp"

namespace streampool::model::machine {
namespace {

RC_GTEST_PROP(AddressMap, HoldsWhatAnArrayHolds, ()) {
  constexpr std::uint64_t size = 32;
  AddressMap<int> map;
  std::array<int, size> bytes{};
  const auto count = *rc::gen::inRange(0, 40);
  for (int i = 0; i < count; ++i) {
    const auto begin = *rc::gen::inRange<std::uint64_t>(0, size);
    const auto end = *rc::gen::inRange<std::uint64_t>(begin, size + 1);
    const int value = *rc::gen::inRange(0, 4);
    map.assign(begin, end, value);
    for (std::uint64_t at = begin; at < end; ++at) bytes[at] = value;
    std::array<int, size> seen{};
    std::uint64_t next = 0;
    map.visit(0, size, [&](std::uint64_t from, std::uint64_t to, int piece) {
      RC_ASSERT(from == next && to > from);
      next = to;
      for (std::uint64_t at = from; at < to; ++at) seen[at] = piece;
      return true;
    });
    RC_ASSERT(next == size);
    RC_ASSERT(seen == bytes);
    for (std::uint64_t at = 0; at < size; ++at) RC_ASSERT(map.get(at) == bytes[at]);
    // Neighbours of one value are one entry, and nothing is kept for untouched bytes.
    std::uint64_t last_end = size + 1;
    int last_value = 0;
    map.visit_entries([&](std::uint64_t from, std::uint64_t to, int piece) {
      RC_ASSERT(piece != 0);
      RC_ASSERT(!(from == last_end && piece == last_value));
      last_end = to;
      last_value = piece;
    });
  }
}

}  // namespace
}  // namespace streampool::model::machine
