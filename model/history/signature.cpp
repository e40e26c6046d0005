#include "model/history/signature.hpp"

#include <algorithm>
#include <initializer_list>

namespace streampool::history {
namespace {

constexpr Signature make(Op op, std::string_view name, Output output, std::initializer_list<Parameter> parameters) {
  Signature result{.op = op, .name = name, .output = output};
  for (const Parameter& parameter : parameters) result.storage[result.count++] = parameter;
  return result;
}

constexpr Parameter required(Field field, Use use = Use::plain) { return {.field = field, .use = use}; }
constexpr Parameter optional(Field field) { return {.field = field, .required = false}; }
constexpr Parameter keyed(Field field, std::string_view key) { return {.field = field, .required = false, .key = key}; }

constexpr Parameter stream = required(Field::stream, Use::uses);
constexpr Parameter event = required(Field::event, Use::uses);
constexpr Parameter gate = required(Field::gate, Use::uses);
constexpr Parameter pool = required(Field::pool, Use::uses);
constexpr Parameter pointer = required(Field::pointer, Use::uses);
constexpr Parameter freed = required(Field::pointer, Use::ends);
constexpr Parameter device = optional(Field::device);

using enum Output;
constexpr std::array<Signature, op_count> table{
    make(Op::stream_create, "stream_create", handle,
         {required(Field::created_stream, Use::defines), required(Field::stream_kind), device}),
    make(Op::stream_destroy, "stream_destroy", none, {required(Field::created_stream, Use::ends)}),
    make(Op::stream_sync, "stream_sync", none, {stream}),
    make(Op::stream_query, "stream_query", none, {stream}),
    make(Op::device_sync, "device_sync", none, {device}),
    make(Op::event_create, "event_create", handle, {required(Field::event, Use::defines)}),
    make(Op::event_destroy, "event_destroy", none, {required(Field::event, Use::ends)}),
    make(Op::event_record, "event_record", none, {event, stream}),
    make(Op::stream_wait_event, "stream_wait_event", none, {stream, event}),
    make(Op::event_sync, "event_sync", none, {event}),
    make(Op::event_query, "event_query", none, {event}),
    make(Op::gate_create, "gate_create", handle, {required(Field::gate, Use::defines)}),
    make(Op::gate_hold, "gate_hold", none, {stream, gate}),
    make(Op::gate_open, "gate_open", none, {gate}),
    make(Op::gate_destroy, "gate_destroy", none, {required(Field::gate, Use::ends)}),
    make(Op::step, "step", none, {stream}),
    make(Op::pool_create, "pool_create", handle,
         {required(Field::pool, Use::defines), keyed(Field::size, "max_size"), keyed(Field::device, "device")}),
    make(Op::pool_default, "pool_default", handle, {required(Field::pool, Use::defines), device}),
    make(Op::pool_destroy, "pool_destroy", none, {required(Field::pool, Use::ends)}),
    make(Op::pool_trim, "pool_trim", none, {pool, required(Field::size)}),
    make(Op::pool_set_current, "pool_set_current", none, {pool, device}),
    make(Op::pool_get_current, "pool_get_current", handle, {device}),
    make(Op::pool_set, "pool_set", none, {pool, required(Field::attribute), required(Field::value)}),
    make(Op::pool_get, "pool_get", attribute_value, {pool, required(Field::attribute), keyed(Field::width, "width")}),
    make(Op::malloc, "malloc", address,
         {required(Field::allocation, Use::defines), required(Field::size), required(Field::pool_or_current, Use::uses),
          stream}),
    make(Op::free, "free", none, {freed, stream}),
    make(Op::free_sync, "free_sync", none, {freed}),
    make(Op::plain_malloc, "plain_malloc", address,
         {required(Field::allocation, Use::defines), required(Field::size), device}),
    make(Op::plain_free, "plain_free", none, {freed}),
    make(Op::fill, "fill", none, {stream, pointer, required(Field::byte), optional(Field::size)}),
    make(Op::check, "check", none, {stream, pointer, required(Field::byte), optional(Field::size)}),
    make(Op::launch, "launch", none, {stream, {.field = Field::pointers, .use = Use::uses, .required = false}}),
    make(Op::memory_info, "memory_info", bytes, {device}),
    make(Op::limit, "limit", none, {required(Field::device), required(Field::size)}),
    make(Op::fail, "fail", none, {required(Field::fail_kind), required(Field::count)}),
};

consteval bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].op != static_cast<Op>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "signature() indexes the table by Op");

// Look-up of an operation by its name, once a line: a hash of three characters and the length, probed linearly.
constexpr std::size_t name_slots = 128;
constexpr std::size_t slot_of(std::string_view name) {
  const auto at = [&name](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
  return (name.size() * 7 + at(0) * 13 + at(name.size() / 2) * 29 + at(name.size() - 1) * 3) % name_slots;
}
constexpr auto name_index = [] {
  std::array<std::uint8_t, name_slots> index{};  // position + 1; 0 is empty
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::size_t slot = slot_of(table[i].name);
    while (index[slot] != 0) slot = (slot + 1) % name_slots;
    index[slot] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}();

constexpr std::array<std::string_view, 12> statuses{"ok",        "invalid_value",  "out_of_memory", "not_supported",
                                                    "not_ready", "invalid_handle", "not_permitted", "mismatch",
                                                    "internal",  "unknown",        "crash",         "timeout"};
constexpr std::array<std::string_view, 5> name_kinds{"stream", "event", "gate", "pool", "allocation"};
constexpr std::array<std::string_view, 2> stream_kinds{"blocking", "nonblocking"};
constexpr std::array<std::string_view, 3> fail_kinds{"reserve", "map", "submit"};
constexpr std::array<std::string_view, 3> verdicts{"forbidden", "allowed", "required"};
constexpr std::array<std::string_view, 5> expect_kinds{"overlap", "status", "attribute", "violation", "program_fault"};
constexpr std::array<std::string_view, 9> attributes{"",
                                                     "reuse_follow_event_dependencies",
                                                     "reuse_allow_opportunistic",
                                                     "reuse_allow_internal_dependencies",
                                                     "release_threshold",
                                                     "reserved_mem_current",
                                                     "reserved_mem_high",
                                                     "used_mem_current",
                                                     "used_mem_high"};
constexpr std::array<std::string_view, 4> reserved_words{"legacy", "per_thread", "null", "current"};

template <typename Value, std::size_t size>
std::optional<Value> find_in(const std::array<std::string_view, size>& words, std::string_view text) {
  for (std::size_t i = 0; i < size; ++i) {
    if (words[i] == text) return static_cast<Value>(i);
  }
  return std::nullopt;
}

template <typename CallType>
auto name_member(CallType& call, Field field) -> decltype(&call.stream) {
  switch (field) {
    case Field::stream:
    case Field::created_stream:
      return &call.stream;
    case Field::event:
      return &call.event;
    case Field::gate:
      return &call.gate;
    case Field::pool:
    case Field::pool_or_current:
      return &call.pool;
    case Field::allocation:
      return &call.allocation;
    case Field::pointer:
      return &call.pointer.name;
    default:
      return nullptr;
  }
}

}  // namespace

const Signature& signature(Op op) { return table[static_cast<std::size_t>(op)]; }
std::span<const Signature, op_count> signatures() { return table; }

const Signature* find_signature(std::string_view name) {
  if (name.empty()) return nullptr;
  for (std::size_t slot = slot_of(name); name_index[slot] != 0; slot = (slot + 1) % name_slots) {
    const Signature& candidate = table[name_index[slot] - 1u];
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

std::optional<NameKind> name_kind(Field field) {
  switch (field) {
    case Field::stream:
    case Field::created_stream:
      return NameKind::stream;
    case Field::event:
      return NameKind::event;
    case Field::gate:
      return NameKind::gate;
    case Field::pool:
    case Field::pool_or_current:
      return NameKind::pool;
    case Field::allocation:
    case Field::pointer:
    case Field::pointers:
      return NameKind::allocation;
    default:
      return std::nullopt;
  }
}

Name* name_in(Call& call, Field field) { return name_member(call, field); }
const Name* name_in(const Call& call, Field field) { return name_member(call, field); }

Definition definition(const Call& call) {
  const Signature& shape = signature(call.op);
  if (shape.count == 0 || shape.storage[0].use != Use::defines) return {};  // a new name always stands first
  const Field field = shape.storage[0].field;
  return {*name_in(call, field), *name_kind(field)};
}

std::string_view to_text(Op op) { return signature(op).name; }
std::string_view to_text(Status status) { return statuses[static_cast<std::size_t>(status)]; }
std::string_view to_text(NameKind kind) { return name_kinds[static_cast<std::size_t>(kind)]; }
std::string_view to_text(StreamKind kind) { return stream_kinds[static_cast<std::size_t>(kind)]; }
std::string_view to_text(FailKind kind) { return fail_kinds[static_cast<std::size_t>(kind)]; }
std::string_view to_text(Expect::Verdict verdict) { return verdicts[static_cast<std::size_t>(verdict)]; }
std::string_view to_text(Expect::Kind kind) { return expect_kinds[static_cast<std::size_t>(kind)]; }
std::string_view to_text(Attribute attribute) {
  const auto number = static_cast<std::uint64_t>(attribute);
  return number < attributes.size() ? attributes[number] : std::string_view{};
}

std::optional<Status> status_from(std::string_view text) { return find_in<Status>(statuses, text); }
std::optional<StreamKind> stream_kind_from(std::string_view text) { return find_in<StreamKind>(stream_kinds, text); }
std::optional<FailKind> fail_kind_from(std::string_view text) { return find_in<FailKind>(fail_kinds, text); }
std::optional<Expect::Verdict> verdict_from(std::string_view text) { return find_in<Expect::Verdict>(verdicts, text); }
std::optional<Expect::Kind> expect_kind_from(std::string_view text) {
  return find_in<Expect::Kind>(expect_kinds, text);
}
std::optional<Attribute> attribute_from(std::string_view text) {
  return text.empty() ? std::nullopt : find_in<Attribute>(attributes, text);
}

bool is_reserved(std::string_view text) {
  return std::find(reserved_words.begin(), reserved_words.end(), text) != reserved_words.end();
}

}  // namespace streampool::history
