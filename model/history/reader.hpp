// Text to lines: the whole grammar of histories, checked, as a stream in bounded memory.
//
// Decided where the grammar leaves room:
//   - Columns count bytes from 1. A message says "expected …, found …".
//   - Blank lines and lines of only a comment are skipped. A last line without a line end is a line.
//   - Words are separated by blanks; `expect` takes blanks around its parentheses, commas and `..`.
//   - THREAD, LABEL and ID are [A-Za-z0-9_.-]+. A label is given once; `expect status` names the label of an earlier
//   call.
//   - `legacy`, `per_thread`, `null` and `current` cannot be defined. Hex INTs take no unit `B` (0x1B is 27).
//   - VALUE takes the units of SIZE. A raw result of pool_get has at most 8 bytes, the lowest first.
//   - While a call is open its thread makes no other call, and the name that it defines is taken. An id may be used
//   again
//     once it has returned. A `return` without a thread is one of the thread that called. A call without a return is
//     one that had not returned when recording stopped.
//   - Names a call uses must be defined at its `call` line. Devices other than d0 must be declared by a `device` line.
//   - At most one `profile` line, and one `device` line a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/history/history.hpp"
#include "model/history/input.hpp"

namespace streampool::history {

struct Error {
  std::uint64_t line = 0;    // from 1
  std::uint64_t column = 0;  // from 1
  std::string message;       // "expected …, found …"
  bool operator==(const Error&) const = default;
};
[[nodiscard]] std::string to_text(const Error& error);  // "line 3, column 7: expected …, found …"

// Reads one history. Memory: one line of at most 1 MiB, the names, the labels, and the calls that are open.
// Movable, not thread safe. `names` must outlive the reader and may be shared by several readers, one after another.
class Reader {
 public:
  Reader(Source source, NameTable& names);
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  // The next line that says something; false at the end of the file. Reuses the memory of `line`, whose content is
  // unspecified after an error. After an error or the end the same answer is given again.
  tl::expected<bool, Error> next(Line& line);
  tl::expected<std::optional<Line>, Error> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whole histories, for those that are known to be small.
[[nodiscard]] tl::expected<std::vector<Line>, Error> read_text(std::string_view text, NameTable& names);
[[nodiscard]] tl::expected<std::vector<Line>, Error> read_file(const std::string& path, NameTable& names);  // "-" too
// The profile that the history names; "strict" where it names none.
[[nodiscard]] std::string named_profile(std::span<const Line> lines);
// A reader over a path, or "-" for the standard input. A file that cannot be opened is an error of line 0.
[[nodiscard]] tl::expected<Reader, Error> open_history(const std::string& path, NameTable& names);

}  // namespace streampool::history
