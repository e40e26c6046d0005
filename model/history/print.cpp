#include "model/history/print.hpp"

#include <array>
#include <charconv>
#include <limits>

#include "model/history/signature.hpp"

namespace streampool::history {
namespace {

constexpr std::uint64_t max_value = std::numeric_limits<std::uint64_t>::max();

void number(std::uint64_t value, std::string& out, int base = 10) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  out.append(digits.data(), end);
}

void hex(std::uint64_t value, std::string& out) {
  out += "0x";
  number(value, out, 16);
}

void size(std::uint64_t bytes, std::string& out) {
  if (bytes == max_value) {
    out += "max";
    return;
  }
  struct Unit {
    unsigned shift;
    std::string_view name;
  };
  constexpr std::array<Unit, 3> units{{{30, "GiB"}, {20, "MiB"}, {10, "KiB"}}};
  for (const Unit& unit : units) {
    if (bytes == 0 || (bytes & ((std::uint64_t{1} << unit.shift) - 1)) != 0) continue;
    number(bytes >> unit.shift, out);
    out += unit.name;
    return;
  }
  number(bytes, out);
}

void device(Device device, std::string& out) {
  out += 'd';
  number(static_cast<std::uint32_t>(device), out);
}

void attribute(Attribute attribute, std::string& out) {
  const std::string_view name = to_text(attribute);
  out += name;
  if (!name.empty()) return;
  out += "attr:";
  number(static_cast<std::uint64_t>(attribute), out);
}

void pointer(const Pointer& pointer, const NameTable& names, std::string& out) {
  switch (pointer.kind) {
    case Pointer::Kind::null:
      out += "null";
      return;
    case Pointer::Kind::absolute:
      out += '@';
      hex(pointer.value, out);
      return;
    case Pointer::Kind::named:
      break;
  }
  out += names.text(pointer.name);
  if (pointer.value == 0) return;
  out += '+';
  size(pointer.value, out);
}

void value(const AttributeValue& value, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (value.kind) {
    case AttributeValue::Kind::integer:
      number(value.integer, out);
      return;
    case AttributeValue::Kind::max:
      out += "max";
      return;
    case AttributeValue::Kind::null:
      out += "null";
      return;
    case AttributeValue::Kind::raw:
      break;
  }
  out += "raw:";
  for (const std::uint8_t byte : value.raw) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
}

// Writes a parameter with the blank before it; nothing where it is absent.
void parameter(const Parameter& shape, const Call& call, const NameTable& names, std::string& out) {
  const bool absent = (shape.field == Field::device && !call.device) || (shape.field == Field::width && !call.width) ||
                      (shape.field == Field::size && !call.size);
  if (absent && !shape.required) return;
  if (shape.field == Field::pointers) {
    for (const Pointer& each : call.pointers) pointer(each, names, out += ' ');
    return;
  }
  out += ' ';
  if (!shape.key.empty()) out.append(shape.key) += '=';
  switch (shape.field) {
    case Field::pool_or_current:
      out += call.pool == Name::none ? "current" : names.text(call.pool);
      return;
    case Field::pointer:
      pointer(call.pointer, names, out);
      return;
    case Field::device:
      device(call.device.value_or(Device{0}), out);
      return;
    case Field::stream_kind:
      out += to_text(call.stream_kind);
      return;
    case Field::fail_kind:
      out += to_text(call.fail_kind);
      return;
    case Field::attribute:
      attribute(call.attribute, out);
      return;
    case Field::value:
      value(call.value, out);
      return;
    case Field::width:
      number(call.width.value_or(0), out);
      return;
    case Field::count:
      number(call.size.value_or(0), out);
      return;
    case Field::size:
      size(call.size.value_or(0), out);
      return;
    case Field::byte:
      out += "0x";
      if (call.byte < 16) out += '0';
      number(call.byte, out, 16);
      return;
    default:
      out += names.text(*name_in(call, shape.field));
      return;
  }
}

void expect(const Expect& expect, const NameTable& names, std::string& out) {
  out.append("expect ").append(to_text(expect.kind));
  switch (expect.kind) {
    case Expect::Kind::overlap:
      out.append("(").append(names.text(expect.first)).append(",").append(names.text(expect.second)).append(") ");
      out += to_text(expect.verdict);
      return;
    case Expect::Kind::status:
      out.append(" ").append(expect.label).append(" ").append(to_text(expect.status));
      return;
    case Expect::Kind::attribute:
      out.append("(").append(names.text(expect.pool)).append(",");
      attribute(expect.attribute, out);
      size(expect.low, out += ") in ");
      size(expect.high, out += "..");
      return;
    case Expect::Kind::violation:
    case Expect::Kind::program_fault:
      out.append(" ").append(expect.clause);
      return;
  }
}

void device_line(const DeviceLine& line, std::string& out) {
  device(line.device, out += "device ");
  if (line.memory) size(*line.memory, out += " memory=");
  if (line.granularity) size(*line.granularity, out += " granularity=");
  if (line.alignment) size(*line.alignment, out += " alignment=");
  if (line.taken) size(*line.taken, out += " taken=");
}

}  // namespace

void print(const Call& call, const NameTable& names, std::string& out) {
  const Signature& shape = signature(call.op);
  out += shape.name;
  for (const Parameter& each : shape.parameters()) parameter(each, call, names, out);
}

void print(const Result& result, Op op, const NameTable& names, std::string& out) {
  out += to_text(result.status);
  if (result.value) {
    out += ' ';
    if (signature(op).output != Output::address) {
      number(*result.value, out);
    } else if (*result.value == 0) {
      out += "null";
    } else {
      hex(*result.value, out);
    }
  }
  if (result.total) number(*result.total, out += ' ');
  if (result.unwritten) out += " unwritten";
  if (result.out) {
    out += " out=";
    switch (*result.out) {
      case Result::Out::null:
        out += "null";
        break;
      case Result::Out::unchanged:
        out += "unchanged";
        break;
      case Result::Out::address:
        hex(result.out_address, out);
        break;
    }
  }
  if (result.handle) hex(*result.handle, out += " handle=");
  if (result.native) number(*result.native, out += " native=");
  if (result.wrote) number(*result.wrote, out += " wrote=");
  if (result.blocked != Name::none) out.append(" blocked=").append(names.text(result.blocked));
}

void print(const Line& line, const NameTable& names, std::string& out) {
  if (!line.label.empty()) out.append("@").append(line.label).append(" ");
  if (line.thread != Thread::main) out.append("[").append(names.thread(line.thread)).append("] ");
  switch (line.kind) {
    case LineKind::profile:
      out.append("profile ").append(line.profile.name);
      return;
    case LineKind::device:
      device_line(line.device, out);
      return;
    case LineKind::expect:
      expect(line.expect, names, out);
      return;
    case LineKind::call:
      print(line.call, names, out);
      break;
    case LineKind::call_begin:
      out.append("call ").append(names.id(line.id)).append(" ");
      print(line.call, names, out);
      return;
    case LineKind::call_return:
      out.append("return ").append(names.id(line.id));
      break;
  }
  if (line.result) print(*line.result, line.call.op, names, out += " -> ");
}

std::string print(const Line& line, const NameTable& names) {
  std::string out;
  print(line, names, out);
  return out;
}

std::string print(const Call& call, const NameTable& names) {
  std::string out;
  print(call, names, out);
  return out;
}

std::string print(std::span<const Line> lines, const NameTable& names) {
  std::string out(header_line);
  out += '\n';
  for (const Line& line : lines) {
    print(line, names, out);
    out += '\n';
  }
  return out;
}

}  // namespace streampool::history
