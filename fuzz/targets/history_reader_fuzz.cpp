// Any bytes: the reader answers, and what it reads comes back unchanged after printing.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/history/print.hpp"
#include "model/history/reader.hpp"

namespace {

using namespace streampool::history;

[[noreturn]] void fail(const char* why, const std::string& detail) {
  std::fprintf(stderr, "%s\n%s\n", why, detail.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  NameTable names;
  const auto lines = read_text({reinterpret_cast<const char*>(data), size}, names);
  if (!lines) {
    if (lines.error().message.empty() || lines.error().line == 0 || lines.error().column == 0) {
      fail("an error without its place or reason", to_text(lines.error()));
    }
    return 0;
  }
  const std::string printed = print(*lines, names);
  const auto again = read_text(printed, names);
  if (!again) fail("printed text that is refused", to_text(again.error()) + "\n" + printed);
  if (again->size() != lines->size()) fail("lines lost in printing", printed);
  for (std::size_t i = 0; i < lines->size(); ++i) {
    if (!same((*lines)[i], (*again)[i])) fail("a line changed in printing", print((*lines)[i], names));
  }
  if (print(*again, names) != printed) fail("printing is not stable", printed);
  return 0;
}
