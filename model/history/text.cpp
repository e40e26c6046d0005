#include "model/history/text.hpp"

#include <array>
#include <cstring>
#include <limits>

namespace streampool::history::text {
namespace {

constexpr std::uint64_t max_value = std::numeric_limits<std::uint64_t>::max();

enum : std::uint8_t { letter = 1, digit = 2, name_other = 4 };  // letter includes `_`
constexpr auto classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = letter;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = letter;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = digit;
  table['_'] = letter;
  table['.'] = table['-'] = name_other;
  return table;
}();
constexpr std::uint8_t class_of(char c) { return classes[static_cast<unsigned char>(c)]; }

// The value of a hex digit, or not_hex.
constexpr std::uint8_t not_hex = 255;
constexpr auto hex_values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(not_hex);
  for (std::uint8_t i = 0; i < 10; ++i) table[static_cast<std::size_t>('0' + i)] = i;
  for (std::uint8_t i = 0; i < 6; ++i) {
    table[static_cast<std::size_t>('a' + i)] = table[static_cast<std::size_t>('A' + i)] =
        static_cast<std::uint8_t>(10 + i);
  }
  return table;
}();

constexpr bool has_hex_prefix(std::string_view word) { return word.starts_with("0x") || word.starts_with("0X"); }

// Reads digits at the front and takes them off; none when there is no digit or the value does not fit.
template <std::uint64_t base>
std::optional<std::uint64_t> take_digits(std::string_view& word) {
  constexpr std::size_t always_fits = base == 16 ? 16 : 19;  // that many digits need no check
  std::uint64_t value = 0;
  std::size_t used = 0;
  for (; used < word.size(); ++used) {
    const auto digit_value = static_cast<std::uint64_t>(hex_values[static_cast<unsigned char>(word[used])]);
    if (digit_value >= base) break;
    if (used >= always_fits && value > (max_value - digit_value) / base) return std::nullopt;
    value = value * base + digit_value;
  }
  if (used == 0) return std::nullopt;
  word.remove_prefix(used);
  return value;
}

std::optional<std::uint64_t> take_int(std::string_view& word) {
  if (!has_hex_prefix(word)) return take_digits<10>(word);
  word.remove_prefix(2);
  return take_digits<16>(word);
}

std::optional<std::uint64_t> whole(std::optional<std::uint64_t> value, std::string_view rest) {
  return rest.empty() ? value : std::nullopt;
}

struct Unit {
  std::string_view name;
  unsigned shift;
};
constexpr std::array<Unit, 4> units{{{"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};

// How many continuation bytes follow this first byte, and the range of the first of them; count 0 is no first byte.
struct Lead {
  unsigned count = 0;
  unsigned char low = 0x80, high = 0xBF;
};
constexpr Lead lead_of(unsigned char c) {
  if (c >= 0xC2 && c <= 0xDF) return {1};
  if (c == 0xE0) return {2, 0xA0, 0xBF};  // no overlong forms
  if (c == 0xED) return {2, 0x80, 0x9F};  // no surrogates
  if (c >= 0xE1 && c <= 0xEF) return {2};
  if (c == 0xF0) return {3, 0x90, 0xBF};
  if (c >= 0xF1 && c <= 0xF3) return {3};
  if (c == 0xF4) return {3, 0x80, 0x8F};  // up to U+10FFFF
  return {};
}

std::size_t ascii_prefix(std::string_view line, std::size_t from) {
  constexpr std::uint64_t high_bits = 0x8080808080808080u;
  std::uint64_t word = 0;
  for (; from + sizeof word <= line.size(); from += sizeof word) {
    std::memcpy(&word, line.data() + from, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  while (from < line.size() && static_cast<unsigned char>(line[from]) < 0x80) ++from;
  return from;
}

}  // namespace

bool is_name(std::string_view word) { return !word.empty() && class_of(word[0]) == letter && is_mark(word); }

bool is_mark(std::string_view word) {
  for (const char c : word) {
    if (class_of(c) == 0) return false;
  }
  return !word.empty();
}

std::size_t first_bad_utf8(std::string_view line) {
  std::size_t at = ascii_prefix(line, 0);
  while (at < line.size()) {
    const Lead lead = lead_of(static_cast<unsigned char>(line[at]));
    if (lead.count == 0 || line.size() - at <= lead.count) return at;
    for (std::size_t i = 1; i <= lead.count; ++i) {
      const auto c = static_cast<unsigned char>(line[at + i]);
      if (c < (i == 1 ? lead.low : 0x80) || c > (i == 1 ? lead.high : 0xBF)) return at;
    }
    at = ascii_prefix(line, at + lead.count + 1);
  }
  return std::string_view::npos;
}

std::optional<std::uint64_t> parse_int(std::string_view word) {
  const auto value = take_int(word);
  return whole(value, word);
}

std::optional<std::uint64_t> parse_size(std::string_view word) {
  if (word == "max") return max_value;
  const auto value = take_int(word);
  if (!value || word.empty()) return value;
  for (const Unit& unit : units) {
    if (unit.name != word) continue;
    return *value > max_value >> unit.shift ? std::nullopt : std::optional(*value << unit.shift);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_hex(std::string_view word) {
  if (has_hex_prefix(word)) word.remove_prefix(2);
  const auto value = take_digits<16>(word);
  return whole(value, word);
}

std::optional<std::uint64_t> parse_address(std::string_view word) {
  return has_hex_prefix(word) ? parse_hex(word) : std::nullopt;
}

bool parse_bytes(std::string_view digits, std::vector<std::uint8_t>& bytes) {
  bytes.clear();
  if (digits.empty() || digits.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::uint8_t high = hex_values[static_cast<unsigned char>(digits[i])];
    const std::uint8_t low = hex_values[static_cast<unsigned char>(digits[i + 1])];
    if (high == not_hex || low == not_hex) return false;
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return true;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t shown = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "'";
  for (const char c : word.substr(0, shown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  if (word.size() > shown) out += "...";
  return out + "'";
}

std::string_view Cursor::piece() const {
  constexpr std::string_view marks = "(),[]";
  const std::string_view all = word();
  const std::size_t mark = all.find_first_of(marks);
  if (mark == std::string_view::npos) return all;
  return all.substr(0, mark == 0 ? 1 : mark);
}

}  // namespace streampool::history::text
