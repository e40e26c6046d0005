// Bytes as operations of a random history: four bytes each, the kind and three operands. Every sequence of bytes is a
// history, and so is every subsequence of whole operations; a rest below four bytes says nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/generate/operation.hpp"

namespace streampool::fuzz {

inline constexpr std::size_t operation_bytes = 4;
inline constexpr std::size_t most_operations = 400;

inline std::vector<generate::Operation> decode(const std::uint8_t* data, std::size_t size) {
  std::vector<generate::Operation> operations;
  for (std::size_t at = 0; at + operation_bytes <= size && operations.size() < most_operations; at += operation_bytes) {
    const generate::Kind kind = generate::kinds[data[at] % generate::kind_count].kind;
    // A call of a second thread is given time to err, a thousand times what a whole input takes.
    if (kind == generate::Kind::overlapped_sync) continue;
    operations.push_back({kind, data[at + 1], data[at + 2], data[at + 3]});
  }
  return operations;
}

}  // namespace streampool::fuzz
