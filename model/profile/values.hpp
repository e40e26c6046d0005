// The kinds of value that a profile's parameters take. Plain data; how they are written as text is in text.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>

#include "model/history/history.hpp"

namespace streampool::model {

// How well a value is known, and so what a runtime that differs from it has done.
enum class Mark : std::uint8_t {
  documented,  // the vendor promises it: binds
  measured,    // seen where the source says: binds
  assumed,     // a guess that only reports use: does not bind
  not_stated,  // the vendor's documents are silent: anything is accepted
};

template <class T>
struct Parameter {
  T value{};
  Mark mark = Mark::not_stated;
  std::string source{};  // document or place, as text; may be empty for values that are not stated

  // Whether a runtime that differs breaks a clause. Where it does not bind, any behaviour is accepted and only
  // reported.
  [[nodiscard]] bool binds() const { return mark == Mark::documented || mark == Mark::measured; }
  bool operator==(const Parameter&) const = default;
};

// A number of bytes; `max` is 2^64-1.
struct Bytes {
  std::uint64_t count = 0;
  bool operator==(const Bytes&) const = default;
};

// The defaults of attributes 1, 2 and 3.
struct SwitchDefaults {
  bool follow_event_dependencies = true;
  bool allow_opportunistic = true;
  bool allow_internal_dependencies = true;
  bool operator==(const SwitchDefaults&) const = default;
};

// What setting a switch to a value other than 0 and 1 does.
enum class SwitchOtherValues : std::uint8_t { invalid_value, nonzero_is_one, lowest_bit };

// The most that `used` counts for a request.
struct Granted {
  enum class Kind : std::uint8_t { equal, next_multiple, any };
  Kind kind = Kind::any;
  std::uint64_t multiple = 0;  // bytes; kind next_multiple

  // Bytes; 2^64-1 where nothing bounds it.
  [[nodiscard]] std::uint64_t maximum(std::uint64_t size) const {
    constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
    if (kind == Kind::equal) return size;
    if (kind == Kind::any || size > unbounded - multiple + 1) return unbounded;
    return (size + multiple - 1) / multiple * multiple;
  }
  bool operator==(const Granted&) const = default;
};

// The unit in which a pool reserves memory, or in which its maximum size is counted.
struct Granule {
  enum class Kind : std::uint8_t {
    declared,  // what the runtime says of itself; `bytes` where it says nothing
    fixed,     // `bytes`
    none,      // there is no unit
  };
  Kind kind = Kind::none;
  std::uint64_t bytes = 0;

  // The unit in bytes, at least 1. `reported` is what the runtime declares, 0 for nothing.
  [[nodiscard]] std::uint64_t unit(std::uint64_t reported) const {
    if (kind == Kind::none) return 1;
    return kind == Kind::declared && reported != 0 ? reported : bytes;
  }
  bool operator==(const Granule&) const = default;
};

// When a pending free stops counting as used.
enum class UsedDropsAt : std::uint8_t { call, completion };
// What resetting a high watermark stores.
enum class WatermarkReset : std::uint8_t { current, zero };
// What the release threshold, or a trim's target, is compared with.
enum class ThresholdCompares : std::uint8_t { reserved, idle };
// Which thresholds are lawful. The pool's size is its max_size rounded, or the device's memory where that is 0.
enum class ThresholdRange : std::uint8_t { any, at_most_pool_size };
// Whether giving back all that may be given back is only a matter of quality.
enum class ReleaseRest : std::uint8_t { should, must };
// Targets that a trim refuses.
enum class TrimRefusal : std::uint8_t { never, outside_used_and_pool_size };
// Whose idle memory a request that does not fit may take back.
enum class PressureRelease : std::uint8_t { none, own, any, any_on_plain_malloc };
enum class DestroyWithLive : std::uint8_t { deferred, refused, immediate };
// What a call leaves in its output pointer.
enum class Output : std::uint8_t { null, unchanged, either };
enum class Fragmentation : std::uint8_t { pinned_granules, not_promised };

// How much below the floor a release may leave reserved.
struct Slack {
  enum class Kind : std::uint8_t { bytes, granule, block };  // block: the largest allocation of the pool so far
  Kind kind = Kind::bytes;
  std::uint64_t bytes = 0;  // kind bytes
  bool operator==(const Slack&) const = default;
};

// The calls at which idle memory above the threshold is given back.
enum class ReleaseCall : std::uint8_t { stream_sync, event_sync, device_sync, free };
// The calls after which a proved free is observed. With `only_with_opportunistic` the runtime makes use of it only
// while reuse_allow_opportunistic is on.
enum class ObservingCall : std::uint8_t { sync, query, only_with_opportunistic };

// A set of enumerators.
template <class Enum>
class Set {
 public:
  constexpr Set() = default;
  constexpr Set(std::initializer_list<Enum> members) {
    for (const Enum member : members) insert(member);
  }
  constexpr void insert(Enum member) { bits_ |= bit(member); }
  [[nodiscard]] constexpr bool contains(Enum member) const { return (bits_ & bit(member)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const Set&) const = default;

 private:
  static constexpr std::uint32_t bit(Enum member) { return 1U << static_cast<unsigned>(member); }
  std::uint32_t bits_ = 0;
};

// The status that a call must answer with.
struct StatusRule {
  enum class Kind : std::uint8_t {
    exact,         // `status`
    any_error,     // any status but ok, not_ready, crash and timeout
    not_detected,  // the runtime does not look: the misuse is the program's fault and its effect is not judged
  };
  Kind kind = Kind::not_detected;
  history::Status status = history::Status::ok;  // kind exact

  [[nodiscard]] bool allows(history::Status seen) const {
    using enum history::Status;
    if (kind == Kind::exact) return seen == status;
    if (kind == Kind::not_detected) return true;
    return seen != ok && seen != not_ready && seen != crash && seen != timeout;
  }
  bool operator==(const StatusRule&) const = default;
};

}  // namespace streampool::model
