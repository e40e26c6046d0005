#include "conformance/report/archive.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <string_view>

namespace streampool::report {
namespace {

constexpr std::size_t block = 512;

// The header's fields by place and length, all text.
struct Field {
  std::size_t offset, length;
};
constexpr Field name_field{0, 100}, mode_field{100, 8}, owner_field{108, 8}, group_field{116, 8}, size_field{124, 12},
    time_field{136, 12}, sum_field{148, 8}, type_field{156, 1}, magic_field{257, 6}, version_field{263, 2},
    prefix_field{345, 155};

using Header = std::array<char, block>;

void put(Header& header, Field field, std::string_view text) {
  std::memcpy(header.data() + field.offset, text.data(), text.size());
}

std::string_view get(std::string_view header, Field field) {
  const std::string_view text = header.substr(field.offset, field.length);
  return text.substr(0, text.find('\0'));
}

// The sum over the header with the sum's own field as blanks.
unsigned checksum(std::string_view header) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < block; ++i) {
    const bool own = i >= sum_field.offset && i < sum_field.offset + sum_field.length;
    sum += own ? static_cast<unsigned>(' ') : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

std::optional<std::uint64_t> octal(std::string_view text) {
  std::uint64_t value = 0;
  bool any = false;
  for (const char c : text) {
    if (c == ' ') continue;
    if (c < '0' || c > '7' || value > (std::uint64_t{1} << 60)) return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

// A path as prefix and name; nothing where it does not fit.
std::optional<std::pair<std::string, std::string>> split(const std::string& path) {
  if (path.size() <= name_field.length) return std::pair{std::string(), path};
  const std::size_t slash = path.find('/', path.size() - name_field.length - 1);
  if (slash == std::string::npos || slash > prefix_field.length) return std::nullopt;
  return std::pair{path.substr(0, slash), path.substr(slash + 1)};
}

std::size_t padded(std::size_t size) { return (size + block - 1) / block * block; }

}  // namespace

tl::expected<std::string, std::string> pack(const Files& files) {
  std::string archive;
  for (const auto& [path, content] : files) {
    const auto parts = split(path);
    if (!parts) return tl::unexpected(fmt::format("the path {} is too long for an archive", path));
    Header header{};
    put(header, prefix_field, parts->first);
    put(header, name_field, parts->second);
    put(header, mode_field, "0000644");
    put(header, owner_field, "0000000");
    put(header, group_field, "0000000");
    put(header, size_field, fmt::format("{:011o}", content.size()));
    put(header, time_field, "00000000000");  // the same files give the same bytes
    put(header, type_field, "0");
    put(header, magic_field, std::string_view("ustar\0", 6));
    put(header, version_field, "00");
    put(header, sum_field, fmt::format("{:06o}\0 ", checksum({header.data(), block})));
    archive.append(header.data(), block);
    archive += content;
    archive.resize(padded(archive.size()), '\0');
  }
  archive.append(2 * block, '\0');
  return archive;
}

tl::expected<Files, std::string> unpack(const std::string& archive) {
  Files files;
  std::size_t at = 0;
  while (true) {
    if (at + block > archive.size()) return tl::unexpected(fmt::format("the archive is cut off at byte {}", at));
    const std::string_view header = std::string_view(archive).substr(at, block);
    if (header.find_first_not_of('\0') == std::string_view::npos) return files;
    const auto size = octal(get(header, size_field)), sum = octal(get(header, sum_field));
    if (!size || !sum || *sum != checksum(header))
      return tl::unexpected(fmt::format("byte {} is no header of a tar archive", at));
    const std::string_view type = get(header, type_field);
    if (!type.empty() && type != "0") return tl::unexpected(fmt::format("the entry at byte {} is no plain file", at));
    if (*size > archive.size() - at - block)
      return tl::unexpected(fmt::format("the archive is cut off in the file at byte {}", at));
    const std::string_view prefix = get(header, prefix_field), name = get(header, name_field);
    files[prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name)] = archive.substr(at + block, *size);
    at += block + padded(*size);
  }
}

}  // namespace streampool::report
