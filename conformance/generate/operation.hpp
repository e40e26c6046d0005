// A random history as data: operations with relative operands.
//
// An operand is a number that is taken modulo whatever there is to choose from when the operation is reached ("the k-th
// live allocation"). So every sequence of operations is a history, and so is every subsequence: a failing one shrinks
// by leaving operations out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace streampool::generate {

enum class Kind : std::uint8_t {
  stream_create,
  stream_destroy,
  event_create,
  event_destroy,
  gate_hold,
  gate_open,
  record,
  wait,
  order,
  chain,
  stream_sync,
  event_sync,
  device_sync,
  stream_query,
  event_query,
  step,
  pool_create,
  pool_destroy,
  pool_default,
  set_current,
  get_current,
  set_switch,
  set_threshold,
  reset_high,
  get_attribute,
  trim,
  malloc,
  malloc_current,
  free,
  free_elsewhere,
  free_sync,
  plain_malloc,
  plain_free,
  fill,
  check,
  launch,
  memory_info,
  fault,
  limit,
  // Situations: several calls that belong together.
  reuse_attempt,
  overlapped_sync,
  demand,
  too_big,
  stream_rebirth,
  // Misuse: only where the profile names a status.
  zero_size,
  overflow,
  free_null,
  double_free,
  interior,
  foreign,
  dead_stream,
  dead_event,
  dead_pool,
  destroy_default,
  unknown_attribute,
  null_value,
  read_only,
  nonzero_watermark,
  other_switch_value,
};

struct Operation {
  Kind kind = Kind::malloc;
  std::uint32_t a = 0, b = 0, c = 0;
  bool operator==(const Operation&) const = default;
};

struct KindInfo {
  Kind kind;
  std::string_view name;
  unsigned weight;  // how often, of the sum of all
};

// Every kind once, in the order of the enumeration. Allocation and order make most of a history; what makes rare shapes
// (holding gates, chains of events, flips of switches, frees elsewhere) is much more frequent than in a program.
inline constexpr std::array kinds{
    KindInfo{Kind::stream_create, "stream_create", 10},
    KindInfo{Kind::stream_destroy, "stream_destroy", 4},
    KindInfo{Kind::event_create, "event_create", 8},
    KindInfo{Kind::event_destroy, "event_destroy", 4},
    KindInfo{Kind::gate_hold, "gate_hold", 22},
    KindInfo{Kind::gate_open, "gate_open", 14},
    KindInfo{Kind::record, "record", 36},
    KindInfo{Kind::wait, "wait", 30},
    KindInfo{Kind::order, "order", 26},
    KindInfo{Kind::chain, "chain", 10},
    KindInfo{Kind::stream_sync, "stream_sync", 10},
    KindInfo{Kind::event_sync, "event_sync", 8},
    KindInfo{Kind::device_sync, "device_sync", 3},
    KindInfo{Kind::stream_query, "stream_query", 14},
    KindInfo{Kind::event_query, "event_query", 12},
    KindInfo{Kind::step, "step", 70},
    KindInfo{Kind::pool_create, "pool_create", 6},
    KindInfo{Kind::pool_destroy, "pool_destroy", 3},
    KindInfo{Kind::pool_default, "pool_default", 2},
    KindInfo{Kind::set_current, "set_current", 3},
    KindInfo{Kind::get_current, "get_current", 3},
    KindInfo{Kind::set_switch, "set_switch", 18},
    KindInfo{Kind::set_threshold, "set_threshold", 12},
    KindInfo{Kind::reset_high, "reset_high", 6},
    KindInfo{Kind::get_attribute, "get_attribute", 50},
    KindInfo{Kind::trim, "trim", 9},
    KindInfo{Kind::malloc, "malloc", 170},
    KindInfo{Kind::malloc_current, "malloc_current", 12},
    KindInfo{Kind::free, "free", 85},
    KindInfo{Kind::free_elsewhere, "free_elsewhere", 60},
    KindInfo{Kind::free_sync, "free_sync", 6},
    KindInfo{Kind::plain_malloc, "plain_malloc", 6},
    KindInfo{Kind::plain_free, "plain_free", 5},
    KindInfo{Kind::fill, "fill", 36},
    KindInfo{Kind::check, "check", 22},
    KindInfo{Kind::launch, "launch", 16},
    KindInfo{Kind::memory_info, "memory_info", 3},
    KindInfo{Kind::fault, "fault", 2},
    KindInfo{Kind::limit, "limit", 1},
    KindInfo{Kind::reuse_attempt, "reuse_attempt", 24},
    KindInfo{Kind::overlapped_sync, "overlapped_sync", 2},
    KindInfo{Kind::demand, "demand", 4},
    KindInfo{Kind::too_big, "too_big", 4},
    KindInfo{Kind::stream_rebirth, "stream_rebirth", 4},
    KindInfo{Kind::zero_size, "zero_size", 2},
    KindInfo{Kind::overflow, "overflow", 2},
    KindInfo{Kind::free_null, "free_null", 2},
    KindInfo{Kind::double_free, "double_free", 4},
    KindInfo{Kind::interior, "interior", 3},
    KindInfo{Kind::foreign, "foreign", 2},
    KindInfo{Kind::dead_stream, "dead_stream", 4},
    KindInfo{Kind::dead_event, "dead_event", 3},
    KindInfo{Kind::dead_pool, "dead_pool", 4},
    KindInfo{Kind::destroy_default, "destroy_default", 1},
    KindInfo{Kind::unknown_attribute, "unknown_attribute", 2},
    KindInfo{Kind::null_value, "null_value", 2},
    KindInfo{Kind::read_only, "read_only", 2},
    KindInfo{Kind::nonzero_watermark, "nonzero_watermark", 2},
    KindInfo{Kind::other_switch_value, "other_switch_value", 2},
};

inline constexpr std::size_t kind_count = kinds.size();
static_assert(static_cast<std::size_t>(kinds.back().kind) + 1 == kind_count);

inline constexpr unsigned total_weight = [] {
  unsigned sum = 0;
  for (const KindInfo& info : kinds) sum += info.weight;
  return sum;
}();

// The same numbers on every machine from the same seed (splitmix64, public domain, S. Vigna).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// The kind that a number below total_weight stands for.
[[nodiscard]] Kind kind_at(unsigned number);

[[nodiscard]] inline Operation draw(Random& random) {
  const std::uint64_t kind = random.next(), operands = random.next();
  return {kind_at(static_cast<unsigned>(kind >> 32) % total_weight), static_cast<std::uint32_t>(kind),
          static_cast<std::uint32_t>(operands), static_cast<std::uint32_t>(operands >> 32)};
}

}  // namespace streampool::generate
