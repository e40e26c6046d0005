// The words of the engine as types: stream, position, address, and the unit in which memory is counted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace streampool::engine {

using Bytes = std::uint64_t;

enum class Address : std::uint64_t { null = 0 };

// Memory inside the pool is counted in units: the alignment of every allocation.
using Units = std::uint32_t;
inline constexpr Bytes unit_bytes = 256;

// A stream's dense index. Two indices are no real streams: memory of `settled` is free for everybody; memory of
// `completed` was freed on streams that no longer exist and whose items have in fact completed, though nobody proved
// it.
enum class StreamIndex : std::uint32_t { settled = 0, completed = 1 };
inline constexpr StreamIndex first_stream{2};

// Points of a stream, counted upwards. `all` stands for "everything submitted so far".
enum class Position : std::uint64_t { none = 0, all = ~std::uint64_t{0} };

constexpr std::uint64_t raw(Position p) { return static_cast<std::uint64_t>(p); }
constexpr std::uint32_t raw(StreamIndex s) { return static_cast<std::uint32_t>(s); }
constexpr std::uint64_t raw(Address a) { return static_cast<std::uint64_t>(a); }
constexpr Position after(Position p) { return p == Position::all ? p : Position{raw(p) + 1}; }

// One point of one stream.
struct Point {
  StreamIndex stream{};
  Position at{};
  bool operator==(const Point&) const = default;
};

// A block's index in its arena's table; 0 is no block.
using BlockId = std::uint32_t;

}  // namespace streampool::engine
