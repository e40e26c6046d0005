#include "model/history/input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "model/history/signature.hpp"

namespace streampool::history {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;

std::string_view without_carriage_return(std::string_view line) {
  return !line.empty() && line.back() == '\r' ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

Source source_from_text(std::string_view text) {
  return [text](char* buffer, std::size_t size) mutable {
    const std::size_t count = std::min(size, text.size());
    std::copy_n(text.data(), count, buffer);
    text.remove_prefix(count);
    return static_cast<std::ptrdiff_t>(count);
  };
}

Source source_from_stream(std::istream& stream) {
  return [&stream](char* buffer, std::size_t size) -> std::ptrdiff_t {
    if (stream.eof()) return 0;
    stream.read(buffer, static_cast<std::streamsize>(size));
    return stream.bad() ? -EIO : stream.gcount();
  };
}

Source source_from_descriptor(int descriptor, bool close_at_end) {
  const auto close_it = [](const int* held) {
    ::close(*held);
    delete held;
  };
  std::shared_ptr<int> owner;
  if (close_at_end) owner = std::shared_ptr<int>(new int(descriptor), close_it);
  return [descriptor, owner](char* buffer, std::size_t size) -> std::ptrdiff_t {
    for (;;) {
      const ssize_t count = ::read(descriptor, buffer, size);
      if (count >= 0) return count;
      if (errno != EINTR) return -errno;
    }
  };
}

tl::expected<Source, int> source_from_path(const std::string& path) {
  if (path == "-") return source_from_descriptor(STDIN_FILENO);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected(errno);
  return source_from_descriptor(descriptor, true);
}

LineBuffer::LineBuffer(Source source) : source_(std::move(source)), buffer_(block_bytes) {}

bool LineBuffer::refill() {
  if (at_end_) return false;
  if (begin_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < block_bytes) buffer_.resize(buffer_.size() * 2);
  const std::ptrdiff_t count = source_(buffer_.data() + end_, block_bytes);
  if (count > 0) {
    end_ += static_cast<std::size_t>(count);
    return true;
  }
  at_end_ = true;
  error_ = static_cast<int>(-count);
  return false;
}

LineBuffer::Got LineBuffer::next(std::string_view& line) {
  if (last_ != Got::line) return last_;
  std::size_t scanned = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_;
    const std::size_t held = end_ - begin_;
    const void* newline = std::memchr(from + scanned, '\n', held - scanned);
    if (newline != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - from);
      begin_ += length + 1;
      line = without_carriage_return({from, length});
      return last_ = line.size() > max_line_bytes ? Got::too_long : Got::line;
    }
    if (held > max_line_bytes + 1) return last_ = Got::too_long;  // one more byte may be the CR of a CR LF
    scanned = held;
    if (refill()) continue;
    if (error_ != 0) return last_ = Got::failed;
    if (held == 0) return last_ = Got::end;
    line = without_carriage_return({buffer_.data() + begin_, held});
    begin_ = end_;
    return last_ = line.size() > max_line_bytes ? Got::too_long : Got::line;
  }
}

}  // namespace streampool::history
