// The lexical layer of the grammar: characters, numbers, words with their columns. Internal to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace streampool::history::text {

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] bool is_name(std::string_view word);  // [A-Za-z_][A-Za-z0-9_.-]*
[[nodiscard]] bool is_mark(std::string_view word);  // [A-Za-z0-9_.-]+: labels, threads, call ids, clauses

// The offset of the first byte that is not UTF-8 (overlong forms and surrogates are not), or npos.
[[nodiscard]] std::size_t first_bad_utf8(std::string_view line);

// INT: decimal or 0x hex below 2^64. SIZE: INT with an optional unit, or `max` (2^64-1). None for anything else,
// a value of 2^64 or more included.
[[nodiscard]] std::optional<std::uint64_t> parse_int(std::string_view word);
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view word);
// HEX: hex digits, with or without 0x. ADDRESS: with 0x.
[[nodiscard]] std::optional<std::uint64_t> parse_hex(std::string_view word);
[[nodiscard]] std::optional<std::uint64_t> parse_address(std::string_view word);
// An even, non-zero number of hex digits.
[[nodiscard]] bool parse_bytes(std::string_view digits, std::vector<std::uint8_t>& bytes);

// What stands there, for a message: quoted, shortened, with every byte outside printable ASCII escaped.
[[nodiscard]] std::string quoted(std::string_view word);

// Walks the words of one line. Columns count bytes from 1.
class Cursor {
 public:
  explicit Cursor(std::string_view line)
      : begin_(line.data()), at_(line.data()), stop_(line.data()), end_(line.data() + line.size()) {
    find_word();
  }

  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] std::size_t column() const { return static_cast<std::size_t>(at_ - begin_) + 1; }
  [[nodiscard]] char front() const { return *at_; }  // not at the end
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  // The word that begins here, up to the next blank; empty at the end.
  [[nodiscard]] std::string_view word() const { return {at_, static_cast<std::size_t>(stop_ - at_)}; }
  // The same, but the characters ( ) , [ ] are words of their own.
  [[nodiscard]] std::string_view piece() const;
  // Goes on behind so many bytes, which must not reach beyond the word.
  void skip(std::size_t bytes) {
    at_ += bytes;
    find_word();
  }

 private:
  void find_word() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    stop_ = at_;
    while (stop_ != end_ && !is_blank(*stop_)) ++stop_;
  }
  const char *begin_, *at_, *stop_, *end_;
};

}  // namespace streampool::history::text
