// The groups of the runtime ABI as data: which bit, which entries, and which operations of a history need which group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/history/history.hpp"

namespace streampool::kit {

struct Entry {
  std::string_view name;
  std::size_t offset;  // bytes from the start of the table
};

struct Group {
  std::uint64_t bit;
  std::string_view name;
  std::span<const Entry> entries;
};

// In the order of the bits. Bit 0 stands for the entries every runtime has (open .. last_error).
[[nodiscard]] std::span<const Group> groups();
[[nodiscard]] const Group& context_group();

// The capability bits that carrying out this call needs.
[[nodiscard]] std::uint64_t groups_needed(const history::Call& call);
// "event, gate" for a set of bits.
[[nodiscard]] std::string group_names(std::uint64_t bits);

}  // namespace streampool::kit
