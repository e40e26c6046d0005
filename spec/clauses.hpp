// The clauses of the specification, as values of the program.
//
// The text lives in spec/clauses/*.toml; a generator turns it into the tables behind this header at build time. A
// clause is named by a literal that the compiler checks: `"REUSE-UNSAFE"_clause`. An id that does not exist does not
// compile. Everything here is constant data: any thread may use it at any time.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "spec/clause_ids.hpp"  // generated

namespace streampool::spec {

// What a runtime that breaks the clause has done (spec/README.md).
enum class Kind : std::uint8_t { must, must_not, may, should, parameter, error };
enum class ClauseStatus : std::uint8_t { modelled, not_yet_modelled };

// A clause, by its place in the order of the chapters. Stable within one build only: files and reports carry the id's
// text.
struct ClauseId {
  std::uint16_t index = 0;
  auto operator<=>(const ClauseId&) const = default;
};

// What one vendor's public document says about a clause, in our own words.
struct ClauseSource {
  std::string_view vendor;    // "cuda", "hip" or "ascend"
  std::string_view document;  // its title and place
  std::string_view address;   // where it is published
  std::string_view says;
};

struct ClauseInfo {
  std::string_view id;
  std::string_view chapter;  // the file's name without ".toml"
  std::string_view text;
  Kind kind = Kind::must;
  ClauseStatus status = ClauseStatus::modelled;
  std::string_view family;  // the id without the attribute's name; empty for a clause of no family
  std::span<const std::string_view> attributes;
  std::span<const std::string_view> parameters;  // profile parameters that the clause depends on
  std::string_view rule;                         // where in spec/rules or model; empty: nothing to compute
  std::string_view theorem;                      // name of the theorem; empty: none
  std::span<const ClauseSource> sources;
};

struct ChapterInfo {
  std::string_view name, prefix, title, about;
};

// A clause that stands once for each of several attributes: `"ATTR-READBACK"_family`.
struct ClauseFamily {
  std::uint16_t index = 0;
  auto operator<=>(const ClauseFamily&) const = default;
};

inline constexpr std::size_t clause_count = detail::clause_ids.size();

const ClauseInfo& info(ClauseId clause);
std::span<const ClauseInfo> clauses();  // all, in the order of ClauseId
std::span<const ChapterInfo> chapters();
std::string_view name(Kind kind);  // as written in the clause files: "must-not"
std::string_view name(ClauseStatus status);

// The clause with this id, at run time: for ids that come from files.
std::optional<ClauseId> find_clause(std::string_view id);

namespace detail {

// Never defined as constexpr: reaching one of these while a literal is evaluated is the compile error.
inline void unknown_clause_id() {}
inline void unknown_clause_family() {}

template <std::size_t Size>
constexpr std::optional<std::uint16_t> position(const std::array<std::string_view, Size>& names,
                                                std::string_view name) {
  for (std::size_t i = 0; i < Size; ++i) {
    if (names[i] == name) return static_cast<std::uint16_t>(i);
  }
  return std::nullopt;
}

}  // namespace detail

inline namespace literals {

consteval ClauseId operator""_clause(const char* text, std::size_t size) {
  const auto found = detail::position(detail::clause_ids, std::string_view(text, size));
  if (!found) detail::unknown_clause_id();
  return ClauseId{*found};
}

consteval ClauseFamily operator""_family(const char* text, std::size_t size) {
  const auto found = detail::position(detail::family_ids, std::string_view(text, size));
  if (!found) detail::unknown_clause_family();
  return ClauseFamily{*found};
}

}  // namespace literals

// The family's clause for the attribute with the vendors' number 1 to 8; nothing for an attribute that the family
// leaves out.
constexpr std::optional<ClauseId> find_attribute_clause(ClauseFamily family, int attribute) {
  if (attribute < 1 || attribute > 8) return std::nullopt;
  const std::uint16_t member = detail::family_members[family.index][static_cast<std::size_t>(attribute - 1)];
  if (member == detail::no_member) return std::nullopt;
  return ClauseId{member};
}

// The same where the caller knows that the family covers the attribute; ends the program if it does not.
ClauseId attribute_clause(ClauseFamily family, int attribute);

}  // namespace streampool::spec

template <>
struct std::hash<streampool::spec::ClauseId> {
  std::size_t operator()(streampool::spec::ClauseId clause) const noexcept { return clause.index; }
};
