// The one table of operations: what each call of a history takes, which name it makes, uses or ends, and what it
// answers.
//
// Reader, printer, generator and minimiser all walk this table; none of them has a list of operations of its own.
// Constant data: any thread may read it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/history/history.hpp"

namespace streampool::history {

// The member of Call that a parameter fills, and with it how the parameter is written.
enum class Field : std::uint8_t {
  stream,          // Call::stream: a created stream, `legacy` or `per_thread`
  created_stream,  // Call::stream: a created stream only
  event,
  gate,
  pool,             // Call::event, gate, pool
  pool_or_current,  // Call::pool, Name::none is `current`
  allocation,       // Call::allocation
  pointer,
  pointers,  // Call::pointer; Call::pointers takes the rest of the call
  device,    // Call::device
  stream_kind,
  fail_kind,
  attribute,
  value,
  width,  // Call::width, an INT
  size,   // Call::size, a SIZE
  count,  // Call::size, an INT
  byte,
};

// What the call does with the name in that parameter. `ends`: the object is dead once the call has succeeded.
enum class Use : std::uint8_t { plain, defines, uses, ends };

struct Parameter {
  Field field = Field::stream;
  Use use = Use::plain;
  bool required = true;
  std::string_view key{};  // written `key=…`, in any order behind the positional ones; empty: positional
};

// What the call answers beside its status.
enum class Output : std::uint8_t {
  none,
  address,          // Result::value, written in hex or `null`
  attribute_value,  // Result::value and wrote
  bytes,            // Result::value and total
  handle,           // Result::handle
};

struct Signature {
  Op op{};
  std::string_view name;
  Output output = Output::none;
  std::uint8_t count = 0;
  std::array<Parameter, 4> storage{};
  [[nodiscard]] constexpr std::span<const Parameter> parameters() const { return {storage.data(), count}; }
};

[[nodiscard]] const Signature& signature(Op op);
[[nodiscard]] std::span<const Signature, op_count> signatures();
[[nodiscard]] const Signature* find_signature(std::string_view name);  // null where there is none

// The kind of name that a field holds; none for fields that hold no name.
[[nodiscard]] std::optional<NameKind> name_kind(Field field);
// The name that a call defines and its kind, or Name::none.
struct Definition {
  Name name = Name::none;
  NameKind kind = NameKind::stream;
};
[[nodiscard]] Definition definition(const Call& call);
// The member of a call that holds the name of such a field (the pointer's name for `pointer`). Null for other fields.
[[nodiscard]] Name* name_in(Call& call, Field field);
[[nodiscard]] const Name* name_in(const Call& call, Field field);

// The words of the grammar, indexed by the enumerations' values.
[[nodiscard]] std::string_view to_text(Op op);
[[nodiscard]] std::string_view to_text(Status status);
[[nodiscard]] std::string_view to_text(NameKind kind);
[[nodiscard]] std::string_view to_text(StreamKind kind);
[[nodiscard]] std::string_view to_text(FailKind kind);
[[nodiscard]] std::string_view to_text(Expect::Verdict verdict);
[[nodiscard]] std::string_view to_text(Expect::Kind kind);
[[nodiscard]] std::string_view to_text(Attribute attribute);  // empty where only `attr:INT` says it

[[nodiscard]] std::optional<Status> status_from(std::string_view text);
[[nodiscard]] std::optional<StreamKind> stream_kind_from(std::string_view text);
[[nodiscard]] std::optional<FailKind> fail_kind_from(std::string_view text);
[[nodiscard]] std::optional<Expect::Verdict> verdict_from(std::string_view text);
[[nodiscard]] std::optional<Expect::Kind> expect_kind_from(std::string_view text);
[[nodiscard]] std::optional<Attribute> attribute_from(std::string_view text);  // the eight names only

// Words that stand for something else where a name could stand, so that no call may define them.
[[nodiscard]] bool is_reserved(std::string_view text);

inline constexpr std::string_view header_line = "streampool-history 1";
inline constexpr std::size_t max_line_bytes = std::size_t{1} << 20;

}  // namespace streampool::history
