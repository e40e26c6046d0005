// Calls and results of a line, read along the signature table. Internal to the reader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/history/words.hpp"

namespace streampool::history {

class Calls : public Words {
 public:
  using Words::Words;

  // Calls ----------------------------------------------------------------------------------------------------------
  bool parameter(const Spot& spot, const Parameter& shape, Call& call) {
    const std::string_view expected = expected_for(shape.field);
    if (shape.use == Use::defines) return new_name(spot, *name_kind(shape.field), *name_in(call, shape.field));
    switch (shape.field) {
      case Field::stream:
        return stream(spot, call.stream);
      case Field::created_stream:
        return known_name(spot, NameKind::stream, expected, call.stream);
      case Field::event:
        return known_name(spot, NameKind::event, expected, call.event);
      case Field::gate:
        return known_name(spot, NameKind::gate, expected, call.gate);
      case Field::pool:
        return known_name(spot, NameKind::pool, expected, call.pool);
      case Field::pool_or_current:
        return spot.word == "current" || known_name(spot, NameKind::pool, expected, call.pool);
      case Field::allocation:
        return known_name(spot, NameKind::allocation, expected, call.allocation);
      case Field::pointer:
        return pointer(spot, call.pointer);
      case Field::pointers:
        return pointer(spot, call.pointers.emplace_back());
      case Field::device:
        return device(spot, call.device);
      case Field::stream_kind:
        return take(spot, stream_kind_from(spot.word), expected, call.stream_kind);
      case Field::fail_kind:
        return take(spot, fail_kind_from(spot.word), expected, call.fail_kind);
      case Field::attribute:
        return attribute(spot, call.attribute);
      case Field::value:
        return value(spot, call.value);
      case Field::width:
        return number_into(spot, text::parse_int(spot.word), expected, call.width);
      case Field::count:
        return number_into(spot, text::parse_int(spot.word), expected, call.size);
      case Field::size:
        return number_into(spot, text::parse_size(spot.word), expected, call.size);
      case Field::byte:
        return byte(spot, call.byte);
    }
    return false;
  }

  static bool at_call_end(const Cursor& at) { return at.done() || (at.front() == '-' && at.word() == "->"); }

  bool call(Cursor& at, const Signature& shape, Call& out) {
    out.op = shape.op;
    at.skip(shape.name.size());
    const auto parameters = shape.parameters();
    std::size_t next = 0;
    for (; next < parameters.size() && parameters[next].key.empty(); ++next) {
      const Parameter& wanted = parameters[next];
      const bool many = wanted.field == Field::pointers;
      do {
        if (at_call_end(at)) {
          if (wanted.required) return fail(at, expected_for(wanted.field));
          break;
        }
        const Spot spot{at.word(), at.column()};
        if (!parameter(spot, wanted, out)) return false;
        at.skip(spot.word.size());
      } while (many);
    }
    return keys(at, parameters.subspan(next), out);
  }

  bool keys(Cursor& at, std::span<const Parameter> known, Call& out) {
    unsigned seen = 0;
    while (!at_call_end(at)) {
      const Spot spot{at.word(), at.column()};
      const std::size_t equals = spot.word.find('=');
      std::size_t which = 0;
      while (which < known.size() && known[which].key != spot.word.substr(0, equals)) ++which;
      if (which == known.size() || equals == std::string_view::npos) return fail(at, after_call(known));
      if ((seen >> which & 1u) != 0) return fail_because(spot, "each key once", "which was given before");
      seen |= 1u << which;
      if (!parameter(spot.from(equals + 1), known[which], out)) return false;
      at.skip(spot.word.size());
    }
    return true;
  }

  static std::string after_call(std::span<const Parameter> keys) {
    std::string expected;
    for (const Parameter& key : keys) expected.append("'").append(key.key).append("=', ");
    return expected + "'->' or the end of the line";
  }

  // Results --------------------------------------------------------------------------------------------------------
  bool once(const Spot& spot, bool given) {
    return !given || fail_because(spot, "each item of a result once", "which is one too many");
  }
  bool belongs(const Spot& spot, bool allowed, Op op) {
    return allowed || fail(spot, std::string("an item that ").append(to_text(op)).append(" may answer"));
  }

  bool result(Cursor& at, Op op, Result& out) {
    const Spot first{at.word(), at.column()};
    if (!take(first, status_from(first.word), "a status", out.status)) return false;
    at.skip(first.word.size());
    while (!at.done()) {
      const Spot spot{at.word(), at.column()};
      if (!result_item(spot, op, out)) return false;
      at.skip(spot.word.size());
    }
    return true;
  }

  bool result_item(const Spot& spot, Op op, Result& out) {
    const Output output = signature(op).output;
    const std::size_t equals = spot.word.find('=');
    if (equals == std::string_view::npos) {
      if (spot.word != "unwritten") return result_value(spot, op, out);
      if (!belongs(spot, output != Output::none, op) || !once(spot, out.unwritten)) return false;
      out.unwritten = true;
      return true;
    }
    const std::string_view key = spot.word.substr(0, equals);
    const Spot item = spot.from(equals + 1);
    if (key == "out") {
      return belongs(spot, output != Output::none, op) && once(spot, out.out.has_value()) && out_item(item, out);
    }
    if (key == "handle") {
      return belongs(spot, output == Output::handle, op) && once(spot, out.handle.has_value()) &&
             number_into(item, text::parse_hex(item.word), "a hex handle", out.handle);
    }
    if (key == "native") {
      return once(spot, out.native.has_value()) &&
             number_into(item, text::parse_int(item.word), "a number", out.native);
    }
    if (key == "wrote") {
      return belongs(spot, output == Output::attribute_value, op) && once(spot, out.wrote.has_value()) &&
             number_into(item, text::parse_int(item.word), "a number of bytes", out.wrote);
    }
    if (key == "blocked") {
      return once(spot, out.blocked != Name::none) && known_name(item, NameKind::gate, "a gate", out.blocked);
    }
    return fail(spot, "a result item");
  }

  bool out_item(const Spot& spot, Result& out) {
    if (spot.word == "null" || spot.word == "unchanged") {
      out.out = spot.word == "null" ? Result::Out::null : Result::Out::unchanged;
      return true;
    }
    out.out = Result::Out::address;
    return take(spot, text::parse_address(spot.word), "'null', 'unchanged' or an address 0x...", out.out_address);
  }

  bool result_value(const Spot& spot, Op op, Result& out) {
    switch (signature(op).output) {
      case Output::address:
        if (!once(spot, out.value.has_value())) return false;
        if (spot.word == "null") {
          out.value = 0;
          return true;
        }
        return number_into(spot, text::parse_address(spot.word), "an address 0x..., 'null' or a result item",
                           out.value);
      case Output::attribute_value:
        return once(spot, out.value.has_value()) &&
               number_into(spot, read_value(spot.word), "a number, 'max', 'raw:' and at most 8 bytes, or a result item",
                           out.value);
      case Output::bytes:
        return once(spot, out.total.has_value()) &&
               number_into(spot, text::parse_int(spot.word), "a number or a result item",
                           out.value ? out.total : out.value);
      case Output::none:
      case Output::handle:
        break;
    }
    return fail(spot, std::string("an item that ").append(to_text(op)).append(" may answer"));
  }

  static std::optional<std::uint64_t> read_value(std::string_view word) {
    constexpr std::string_view prefix = "raw:";
    if (!word.starts_with(prefix)) return word == "max" ? text::parse_size(word) : text::parse_int(word);
    std::vector<std::uint8_t> bytes;
    if (!text::parse_bytes(word.substr(prefix.size()), bytes) || bytes.size() > sizeof(std::uint64_t))
      return std::nullopt;
    std::uint64_t whole = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) whole = whole << 8 | bytes[i];
    return whole;
  }
};

}  // namespace streampool::history
