#include "conformance/adapters/pipe/line.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace streampool::pipe {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::string_view nothing = "%";

void append_hex(std::string& word, std::uint8_t byte) {
  word += digits[byte >> 4];
  word += digits[byte & 15];
}

std::optional<std::uint8_t> hex_byte(std::string_view two) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(two.data(), two.data() + two.size(), value, 16);
  if (two.size() != 2 || error != std::errc{} || end != two.data() + two.size()) return std::nullopt;
  return static_cast<std::uint8_t>(value);
}

// Statuses in the words of histories, in the order of their numbers.
constexpr std::array<std::string_view, 9> status_words = {
    "ok",       "invalid_value", "out_of_memory", "not_supported", "not_ready", "invalid_handle", "not_permitted",
    "internal", "unknown"};

}  // namespace

std::string encode_text(std::string_view text) {
  if (text.empty()) return std::string(nothing);
  const bool has_a_meaning = text == "-" || text == "!";
  std::string word;
  for (const char character : text) {
    const auto byte = static_cast<std::uint8_t>(character);
    if (byte > ' ' && byte < 127 && character != '%' && !has_a_meaning) {
      word += character;
    } else {
      word += '%';
      append_hex(word, byte);
    }
  }
  return word;
}

std::optional<std::string> decode_text(std::string_view word) {
  if (word == nothing) return std::string();
  std::string text;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] != '%') {
      text += word[at];
      continue;
    }
    const auto byte = hex_byte(word.substr(at + 1, 2));
    if (!byte) return std::nullopt;
    text += static_cast<char>(*byte);
    at += 2;
  }
  return text;
}

std::string encode_bytes(std::span<const std::uint8_t> bytes) {
  std::string word = "x";
  word.reserve(1 + 2 * bytes.size());
  for (const std::uint8_t byte : bytes) append_hex(word, byte);
  return word;
}

std::optional<std::vector<std::uint8_t>> decode_bytes(std::string_view word) {
  if (!word.starts_with('x') || word.size() % 2 != 1) return std::nullopt;
  word.remove_prefix(1);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(word.size() / 2);
  for (; !word.empty(); word.remove_prefix(2)) {
    const auto byte = hex_byte(word.substr(0, 2));
    if (!byte) return std::nullopt;
    bytes.push_back(*byte);
  }
  return bytes;
}

std::optional<std::uint64_t> decode_number(std::string_view word) {
  const bool hex = word.starts_with("0x");
  if (hex) word.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, hex ? 16 : 10);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \r");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<Reply> parse_reply(std::string_view line) {
  const auto words = split_words(line);
  if (words.size() < 2) return std::nullopt;
  const auto id = decode_number(words[0]);
  const auto status = std::ranges::find(status_words, words[1]);
  if (!id || status == status_words.end()) return std::nullopt;
  Reply reply;
  reply.id = *id;
  reply.status = static_cast<streampool_status>(status - status_words.begin());
  std::size_t at = 2;
  for (; at < words.size() && words[at] != "!"; ++at) reply.outputs.emplace_back(words[at]);
  if (at == words.size()) return reply;
  if (++at == words.size()) return std::nullopt;
  const auto [end, error] = std::from_chars(words[at].data(), words[at].data() + words[at].size(), reply.code);
  if (error != std::errc{} || end != words[at].data() + words[at].size()) return std::nullopt;
  for (++at; at < words.size(); ++at) {
    if (!reply.text.empty()) reply.text += ' ';
    reply.text += words[at];
  }
  return reply;
}

}  // namespace streampool::pipe
