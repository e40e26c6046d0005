// Bytes in, lines out, in bounded memory: the layer below the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace streampool::history {

// Fills at most `size` bytes. Returns how many, 0 at the end, or a negative errno.
using Source = std::function<std::ptrdiff_t(char* buffer, std::size_t size)>;

[[nodiscard]] Source source_from_text(std::string_view text);   // the text must outlive the source
[[nodiscard]] Source source_from_stream(std::istream& stream);  // the stream must outlive the source
[[nodiscard]] Source source_from_descriptor(int descriptor, bool close_at_end = false);
// A path, or "-" for the standard input. The error is an errno.
[[nodiscard]] tl::expected<Source, int> source_from_path(const std::string& path);

// Cuts a source into lines without their line ends (LF or CR LF). Never holds more than one line of at most
// `max_line_bytes` and one block read ahead. Not thread safe.
class LineBuffer {
 public:
  enum class Got : std::uint8_t { line, end, too_long, failed };

  explicit LineBuffer(Source source);
  // `line` stays valid until the next call. After any answer but `line` the same answer is given again.
  Got next(std::string_view& line);
  [[nodiscard]] int error() const { return error_; }  // the errno behind `failed`

 private:
  // Reads one more block behind what is there. False at the end or on an error.
  bool refill();

  Source source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // bytes not yet handed out
  bool at_end_ = false;
  Got last_ = Got::line;
  int error_ = 0;
};

}  // namespace streampool::history
