// The history: the one line format of scenarios, litmus tests, counterexamples and recorded runs, as values.
//
// A `Line` is one line of a `.pool` file, parsed and with its names resolved. Everything that reads or writes histories
// (judge, kit, generators, minimiser, prover) works on these values; text exists only in reader.hpp and print.hpp.
// The values are plain data: copying is cheap and any thread may hold its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace streampool::history {

// A name of the file, interned: an index into a NameTable. `legacy` and `per_thread` have reserved indices, because
// they may stand wherever a stream may.
enum class Name : std::uint32_t { none = 0, legacy = 1, per_thread = 2 };

enum class NameKind : std::uint8_t { stream, event, gate, pool, allocation };

enum class Thread : std::uint32_t { main = 0 };  // index into the NameTable's thread names
enum class Device : std::uint32_t {};

enum class Op : std::uint8_t {
  stream_create,
  stream_destroy,
  stream_sync,
  stream_query,
  device_sync,
  event_create,
  event_destroy,
  event_record,
  stream_wait_event,
  event_sync,
  event_query,
  gate_create,
  gate_hold,
  gate_open,
  gate_destroy,
  step,
  pool_create,
  pool_default,
  pool_destroy,
  pool_trim,
  pool_set_current,
  pool_get_current,
  pool_set,
  pool_get,
  malloc,
  free,
  free_sync,
  plain_malloc,
  plain_free,
  fill,
  check,
  launch,
  memory_info,
  limit,
  fail,
};
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::fail) + 1;

enum class StreamKind : std::uint8_t { blocking, nonblocking };
enum class FailKind : std::uint8_t { reserve, map, submit };

// The eight modelled attributes carry the vendors' numbers; every other id is an Attribute too (`attr:INT`).
enum class Attribute : std::int64_t {
  reuse_follow_event_dependencies = 1,
  reuse_allow_opportunistic = 2,
  reuse_allow_internal_dependencies = 3,
  release_threshold = 4,
  reserved_mem_current = 5,
  reserved_mem_high = 6,
  used_mem_current = 7,
  used_mem_high = 8,
};

// PTR of the grammar: a name with an offset, null, or an absolute address.
struct Pointer {
  enum class Kind : std::uint8_t { null, named, absolute };
  Kind kind = Kind::null;
  Name name = Name::none;
  std::uint64_t value = 0;  // named: offset in bytes; absolute: the address
  bool operator==(const Pointer&) const = default;
};

// VALUE of the grammar. `max` is kept apart from 2^64-1 so that printing gives back what was written.
struct AttributeValue {
  enum class Kind : std::uint8_t { integer, max, null, raw };
  Kind kind = Kind::integer;
  std::uint64_t integer = 0;      // kinds integer and max (then 2^64-1)
  std::vector<std::uint8_t> raw;  // kind raw
  bool operator==(const AttributeValue&) const = default;
};

// One call. Which fields an operation uses is said by the signature table (signature.hpp); the others keep their
// defaults, so that two calls compare equal exactly when they print the same.
struct Call {
  Op op = Op::stream_create;
  Name stream = Name::none;
  Name event = Name::none;
  Name gate = Name::none;
  Name pool = Name::none;         // malloc: Name::none means `current`
  Name allocation = Name::none;   // malloc, plain_malloc: the name being defined
  Pointer pointer;                // free, free_sync, plain_free, fill, check
  std::vector<Pointer> pointers;  // launch
  std::optional<Device> device;   // as written; absent means d0
  StreamKind stream_kind = StreamKind::blocking;
  FailKind fail_kind = FailKind::reserve;
  Attribute attribute{0};
  AttributeValue value;                // pool_set
  std::optional<std::uint64_t> width;  // pool_get
  std::optional<std::uint64_t>
      size;  // bytes: malloc, plain_malloc, trim, fill, check, limit, pool_create's max_size; fail: the count
  std::uint8_t byte = 0;  // fill, check
  bool operator==(const Call&) const = default;
};

enum class Status : std::uint8_t {
  ok,
  invalid_value,
  out_of_memory,
  not_supported,
  not_ready,
  invalid_handle,
  not_permitted,
  mismatch,
  internal,
  unknown,
  crash,
  timeout,
};

// What a call was observed to do. An absent field was not looked at.
struct Result {
  enum class Out : std::uint8_t { null, unchanged, address };
  Status status = Status::ok;
  // The number after the status. Written in hex where it is an address (malloc, plain_malloc), else decimal.
  // malloc and plain_malloc: the address (0 is `null`); pool_get: the value; memory_info: free bytes.
  std::optional<std::uint64_t> value;
  bool unwritten = false;               // the call returned ok but did not write its output
  std::optional<Out> out;               // what a failed call left in its output pointer
  std::uint64_t out_address = 0;        // when out is address
  std::optional<std::uint64_t> handle;  // the handle value that a creating call gave
  std::optional<std::uint64_t> native;  // the runtime's own code, as an unsigned 64-bit number
  std::optional<std::uint64_t> wrote;   // bytes written by pool_get
  Name blocked = Name::none;            // the gate that the watchdog opened to free this call
  std::optional<std::uint64_t> total;   // memory_info: total bytes, the second number
  bool operator==(const Result&) const = default;
};

struct Profile {
  std::string name;
  bool operator==(const Profile&) const = default;
};
struct DeviceLine {
  Device device{};
  std::optional<std::uint64_t> memory;       // bytes
  std::optional<std::uint64_t> granularity;  // bytes
  std::optional<std::uint64_t> alignment;    // bytes; said where it is more than the profile's
  std::optional<std::uint64_t> taken;        // bytes that were not free before the first call; said where there are any
  bool operator==(const DeviceLine&) const = default;
};

struct Expect {
  enum class Kind : std::uint8_t { overlap, status, attribute, violation, program_fault };
  enum class Verdict : std::uint8_t { forbidden, allowed, required };
  Kind kind = Kind::overlap;
  Name first = Name::none, second = Name::none;  // overlap
  Verdict verdict = Verdict::forbidden;          // overlap
  std::string label;                             // status
  Status status = Status::ok;                    // status
  Name pool = Name::none;                        // attribute
  Attribute attribute{0};                        // attribute
  std::uint64_t low = 0, high = 0;               // attribute, inclusive
  std::string clause;                            // violation, program_fault
  bool operator==(const Expect&) const = default;
};

enum class LineKind : std::uint8_t {
  profile,
  device,
  expect,
  call,         // `call [-> result]`: one point in time
  call_begin,   // `call ID call`
  call_return,  // `return ID -> result`
};

struct Line {
  LineKind kind = LineKind::call;
  std::uint64_t number = 0;  // 1-based line of the file; 0 for a line that was made, not read
  std::string label;         // `@label`, without the @; empty when there is none
  Thread thread = Thread::main;
  std::uint32_t id = 0;          // call_begin, call_return: index into the NameTable's call ids
  Call call;                     // call, call_begin; for call_return the call that it ends
  std::optional<Result> result;  // call, call_return
  Profile profile;
  DeviceLine device;
  Expect expect;
};

// Do two lines say the same? The line number is not part of what a line says.
[[nodiscard]] bool same(const Line& a, const Line& b);
// Back to a default Line, keeping the memory of its strings and vectors.
void reset(Line& line);

// The strings behind Name, Thread and call ids. Grows only; a Name stays valid for the table's life, and so does the
// text behind it. A copy is independent. Not thread safe.
class NameTable {
 public:
  NameTable();
  // The index of a string, new or known.
  Name intern(std::string_view text) { return static_cast<Name>(names_.intern(text)); }
  [[nodiscard]] std::optional<Name> find(std::string_view text) const {
    const std::uint32_t index = names_.find(text);
    return index == Strings::absent ? std::nullopt : std::optional(static_cast<Name>(index));
  }
  [[nodiscard]] std::string_view text(Name name) const { return names_.text(static_cast<std::uint32_t>(name)); }
  Thread intern_thread(std::string_view text) { return static_cast<Thread>(threads_.intern(text)); }
  [[nodiscard]] std::string_view thread(Thread thread) const {
    return threads_.text(static_cast<std::uint32_t>(thread));
  }
  std::uint32_t intern_id(std::string_view text) { return ids_.intern(text); }
  [[nodiscard]] std::string_view id(std::uint32_t id) const { return ids_.text(id); }
  [[nodiscard]] std::size_t size() const { return names_.size(); }  // names interned so far, the reserved ones included

 private:
  // Strings numbered from 0: an open-addressing hash table over texts that never move.
  class Strings {
   public:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};
    Strings() = default;
    Strings(const Strings& other);
    Strings(Strings&&) = default;
    Strings& operator=(const Strings& other) { return *this = Strings(other); }
    Strings& operator=(Strings&&) = default;
    ~Strings() = default;

    std::uint32_t intern(std::string_view text);
    [[nodiscard]] std::uint32_t find(std::string_view text) const;
    [[nodiscard]] std::string_view text(std::uint32_t index) const {
      return {entries_[index].begin, entries_[index].length};
    }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

   private:
    struct Entry {
      const char* begin = nullptr;
      std::uint32_t length = 0;
    };
    // The hash stands in the slot, so that a miss costs no look at the entry.
    struct Slot {
      std::uint32_t hash = 0;
      std::uint32_t next_index = 0;  // index + 1; 0 is empty
    };
    // The slot of the text, or the empty slot where it belongs. Needs at least one empty slot.
    [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
    void grow();

    std::vector<Entry> entries_;
    std::vector<Slot> slots_;                      // the size is a power of two
    std::vector<std::shared_ptr<char[]>> chunks_;  // shared with copies, which never write into them
    char* free_ = nullptr;                         // the rest of the newest chunk
    std::size_t free_bytes_ = 0;
  };
  Strings names_, threads_, ids_;
};

}  // namespace streampool::history
