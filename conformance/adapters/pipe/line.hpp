// The words of the pipe protocol (docs/pipe-protocol.md): how numbers, texts and bytes are written, and a reply taken
// apart. Pure functions; nothing here touches a pipe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::pipe {

// A text as one word: blanks, control characters, '%' and bytes above 126 as %XX; the empty text is "%".
[[nodiscard]] std::string encode_text(std::string_view text);
[[nodiscard]] std::optional<std::string> decode_text(std::string_view word);

// Bytes in memory order: x and two hexadecimal digits for each.
[[nodiscard]] std::string encode_bytes(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::optional<std::vector<std::uint8_t>> decode_bytes(std::string_view word);

// Decimal, or hexadecimal after 0x, below 2^64.
[[nodiscard]] std::optional<std::uint64_t> decode_number(std::string_view word);

[[nodiscard]] std::vector<std::string_view> split_words(std::string_view line);

// ID STATUS { OUTPUT } [ "!" CODE { WORD } ]
struct Reply {
  std::uint64_t id = 0;
  streampool_status status = STREAMPOOL_OK;
  std::vector<std::string> outputs;  // "-" where the call wrote nothing
  std::int64_t code = 0;             // the runtime's own, behind the "!"
  std::string text;
};
[[nodiscard]] std::optional<Reply> parse_reply(std::string_view line);

}  // namespace streampool::pipe
