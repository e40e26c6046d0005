// Words of a line against what is known there: the errors with their places, names, devices, numbers. Internal to the
// reader.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "model/history/reader.hpp"
#include "model/history/scope.hpp"
#include "model/history/signature.hpp"
#include "model/history/text.hpp"

namespace streampool::history {

using text::Cursor;

// A word and where it stands, so that a part of a word can be at fault.
struct Spot {
  std::string_view word;
  std::size_t column = 1;
  [[nodiscard]] Spot from(std::size_t offset) const { return {word.substr(offset), column + offset}; }
};

// What a message says was expected where such a field should stand, indexed by Field.
inline constexpr std::array<std::string_view, static_cast<std::size_t>(Field::byte) + 1> expected_texts{
    "a stream",
    "a stream that was created",
    "an event",
    "a gate",
    "a pool",
    "a pool or 'current'",
    "an allocation",
    "an allocation, 'null' or an address '@0x...'",
    "an allocation, 'null' or an address '@0x...'",
    "a device",
    "'blocking' or 'nonblocking'",
    "'reserve', 'map' or 'submit'",
    "an attribute or 'attr:' and a number",
    "a number, 'max', 'null' or 'raw:' and hex bytes",
    "a number",
    "a size",
    "a number",
    "a byte (0 to 255)",
};
[[nodiscard]] constexpr std::string_view expected_for(Field field) {
  return expected_texts[static_cast<std::size_t>(field)];
}

// Every function that answers bool answers false after it has filled `error`, so that they chain with `&&` and `||`.
class Words {
 public:
  explicit Words(NameTable& table) : names(table) {}

  NameTable& names;
  Scope scope;
  std::uint64_t number = 0;  // of the line that is read
  Error error{};
  bool failed = false;

  // Errors ---------------------------------------------------------------------------------------------------------
  bool fail(std::size_t column, std::string_view expected, std::string_view found) {
    failed = true;
    error = {number, column, std::string("expected ").append(expected).append(", found ").append(found)};
    return false;
  }
  bool fail(const Spot& spot, std::string_view expected) {
    return fail(spot.column, expected, spot.word.empty() ? "the end of the line" : text::quoted(spot.word));
  }
  bool fail(const Cursor& at, std::string_view expected) { return fail({at.word(), at.column()}, expected); }
  bool fail_because(const Spot& spot, std::string_view expected, std::string_view why) {
    return fail(spot.column, expected, text::quoted(spot.word).append(", ").append(why));
  }

  // Words ----------------------------------------------------------------------------------------------------------
  template <typename Value>
  bool take(const Spot& spot, const std::optional<Value>& value, std::string_view expected, Value& out) {
    if (!value) return fail(spot, expected);
    out = *value;
    return true;
  }

  bool new_name(const Spot& spot, NameKind kind, Name& out) {
    if (!text::is_name(spot.word)) return fail(spot, std::string("a new name for ").append(article(kind)));
    if (is_reserved(spot.word)) return fail_because(spot, "a new name", "which is reserved");
    out = names.intern(spot.word);
    switch (scope.state(out)) {
      case Scope::State::free:
        return true;
      case Scope::State::pending:
        return fail_because(spot, "a new name", "which an open call defines");
      case Scope::State::defined:
        break;
    }
    return fail_because(spot, "a new name",
                        std::string("which is ").append(article(scope.kind(out))).append(" already"));
  }

  static std::string article(NameKind kind) {
    const bool vowel = kind == NameKind::event || kind == NameKind::allocation;
    return std::string(vowel ? "an " : "a ").append(to_text(kind));
  }

  bool known_name(const Spot& spot, NameKind kind, std::string_view expected, Name& out) {
    const std::optional<Name> name = names.find(spot.word);
    const Scope::State state = name ? scope.state(*name) : Scope::State::free;
    if (state == Scope::State::free) {
      return text::is_name(spot.word) ? fail_because(spot, expected, "which is not defined") : fail(spot, expected);
    }
    if (state == Scope::State::pending) return fail_because(spot, expected, "whose call has not returned");
    if (scope.kind(*name) != kind) return fail_because(spot, expected, "which is " + article(scope.kind(*name)));
    out = *name;
    return true;
  }

  bool stream(const Spot& spot, Name& out) {
    if (spot.word == "legacy" || spot.word == "per_thread") {
      out = spot.word == "legacy" ? Name::legacy : Name::per_thread;
      return true;
    }
    return known_name(spot, NameKind::stream, expected_for(Field::stream), out);
  }

  bool pointer(const Spot& spot, Pointer& out) {
    constexpr std::string_view expected = "an allocation, 'null' or an address '@0x...'";
    out = Pointer{};
    if (spot.word == "null") return true;
    if (spot.word.starts_with('@')) {
      out.kind = Pointer::Kind::absolute;
      return take(spot.from(1), text::parse_hex(spot.word.substr(1)), "a hex address", out.value);
    }
    out.kind = Pointer::Kind::named;
    const std::size_t plus = spot.word.find('+');
    if (!known_name({spot.word.substr(0, plus), spot.column}, NameKind::allocation, expected, out.name)) return false;
    if (plus == std::string_view::npos) return true;
    const Spot offset = spot.from(plus + 1);
    return take(offset, text::parse_size(offset.word), "an offset in bytes", out.value);
  }

  static std::optional<Device> device_number(std::string_view word) {
    if (word.size() < 2 || word[0] != 'd' || word[1] == 'x') return std::nullopt;
    const std::string_view digits = word.substr(1);
    if (digits.size() > 1 && digits[0] == '0') return std::nullopt;  // d01 would be a second name of d1
    const auto index = text::parse_int(digits);
    if (!index || *index > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<Device>(*index);
  }

  bool device(const Spot& spot, std::optional<Device>& out) {
    out = device_number(spot.word);
    if (!out) return fail(spot, expected_for(Field::device));
    return scope.has_device(*out) || fail_because(spot, expected_for(Field::device), "which no device line declares");
  }

  bool attribute(const Spot& spot, Attribute& out) {
    constexpr std::string_view prefix = "attr:";
    if (!spot.word.starts_with(prefix)) {
      return take(spot, attribute_from(spot.word), expected_for(Field::attribute), out);
    }
    std::uint64_t id = 0;
    const Spot digits = spot.from(prefix.size());
    if (!take(digits, text::parse_int(digits.word), "an attribute number", id)) return false;
    out = static_cast<Attribute>(id);
    return true;
  }

  bool value(const Spot& spot, AttributeValue& out) {
    constexpr std::string_view prefix = "raw:";
    if (spot.word.starts_with(prefix)) {
      out.kind = AttributeValue::Kind::raw;
      const Spot bytes = spot.from(prefix.size());
      return text::parse_bytes(bytes.word, out.raw) || fail(bytes, "an even number of hex digits");
    }
    if (spot.word == "null") {
      out.kind = AttributeValue::Kind::null;
      return true;
    }
    out.kind = spot.word == "max" ? AttributeValue::Kind::max : AttributeValue::Kind::integer;
    return take(spot, text::parse_size(spot.word), expected_for(Field::value), out.integer);
  }

  bool number_into(const Spot& spot, std::optional<std::uint64_t> parsed, std::string_view expected,
                   std::optional<std::uint64_t>& out) {
    out = parsed;
    return out || fail(spot, expected);
  }

  bool byte(const Spot& spot, std::uint8_t& out) {
    const auto parsed = text::parse_int(spot.word);
    if (!parsed || *parsed > 255) return fail(spot, expected_for(Field::byte));
    out = static_cast<std::uint8_t>(*parsed);
    return true;
  }
};

}  // namespace streampool::history
