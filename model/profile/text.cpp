#include "model/profile/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "model/history/signature.hpp"
#include "model/history/text.hpp"

namespace streampool::model {
namespace {

// The enumerators' texts, in the order of their declarations.
template <class Enum>
constexpr std::array<std::string_view, 0> names{};
template <>
constexpr std::array<std::string_view, 4> names<Mark>{"documented", "measured", "assumed", "not stated"};
template <>
constexpr std::array<std::string_view, 3> names<SwitchOtherValues>{"invalid_value", "nonzero_is_one", "lowest_bit"};
template <>
constexpr std::array<std::string_view, 2> names<UsedDropsAt>{"call", "completion"};
template <>
constexpr std::array<std::string_view, 2> names<WatermarkReset>{"current", "zero"};
template <>
constexpr std::array<std::string_view, 2> names<ThresholdCompares>{"reserved", "idle"};
template <>
constexpr std::array<std::string_view, 2> names<ThresholdRange>{"any", "at_most_pool_size"};
template <>
constexpr std::array<std::string_view, 2> names<ReleaseRest>{"should", "must"};
template <>
constexpr std::array<std::string_view, 2> names<TrimRefusal>{"never", "outside_used_and_pool_size"};
template <>
constexpr std::array<std::string_view, 4> names<PressureRelease>{"none", "own", "any", "any_on_plain_malloc"};
template <>
constexpr std::array<std::string_view, 3> names<DestroyWithLive>{"deferred", "refused", "immediate"};
template <>
constexpr std::array<std::string_view, 3> names<Output>{"null", "unchanged", "either"};
template <>
constexpr std::array<std::string_view, 2> names<Fragmentation>{"pinned_granules", "not_promised"};
template <>
constexpr std::array<std::string_view, 4> names<ReleaseCall>{"stream_sync", "event_sync", "device_sync", "free"};
template <>
constexpr std::array<std::string_view, 3> names<ObservingCall>{"sync", "query", "only_with_opportunistic"};

template <class T>
inline constexpr bool is_set = false;
template <class Enum>
inline constexpr bool is_set<Set<Enum>> = true;

template <class Enum>
struct SetMember;
template <class Enum>
struct SetMember<Set<Enum>> {
  using type = Enum;
};

std::string choices(std::span<const std::string_view> texts) { return fmt::format("`{}`", fmt::join(texts, "`, `")); }

constexpr std::string_view multiple_prefix = "next multiple of ";
constexpr std::string_view declared_prefix = "declared, default ";

std::optional<std::uint64_t> size_after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const auto size = history::text::parse_size(text.substr(prefix.size()));
  if (!size || *size == 0) return std::nullopt;
  return size;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kib = 1024;
  if (bytes == std::numeric_limits<std::uint64_t>::max()) return "max";
  if (bytes == 0 || bytes % kib != 0) return std::to_string(bytes);
  if (bytes % (kib * kib) != 0) return fmt::format("{}KiB", bytes / kib);
  return fmt::format("{}MiB", bytes / kib / kib);
}

// The value types that are not enumerators or sets: print, read, and say what is read.
std::string print(bool value) { return value ? "true" : "false"; }
std::string print(const Bytes& value) { return size_text(value.count); }
std::string print(const SwitchDefaults& value) {
  return fmt::format("{:d}, {:d}, {:d}", value.follow_event_dependencies, value.allow_opportunistic,
                     value.allow_internal_dependencies);
}
std::string print(const Granted& value) {
  if (value.kind == Granted::Kind::next_multiple)
    return fmt::format("{}{}", multiple_prefix, size_text(value.multiple));
  return value.kind == Granted::Kind::equal ? "equal" : "any";
}
std::string print(const Granule& value) {
  if (value.kind == Granule::Kind::none) return "none";
  return fmt::format("{}{}", value.kind == Granule::Kind::declared ? declared_prefix : "", size_text(value.bytes));
}
std::string print(const Slack& value) {
  if (value.kind == Slack::Kind::bytes) return size_text(value.bytes);
  return value.kind == Slack::Kind::granule ? "one granule" : "one block";
}
std::string print(const StatusRule& value) {
  if (value.kind == StatusRule::Kind::exact) return std::string(history::to_text(value.status));
  return value.kind == StatusRule::Kind::any_error ? "an error" : "not detected";
}

bool read(std::string_view text, bool& value) {
  value = text == "true";
  return value || text == "false";
}
bool read(std::string_view text, Bytes& value) {
  const auto size = history::text::parse_size(text);
  value.count = size.value_or(0);
  return size.has_value();
}
bool read(std::string_view text, SwitchDefaults& value) {
  const auto is_switch = [&](std::size_t at) { return text[at] == '0' || text[at] == '1'; };
  if (text.size() != 7 || text.substr(1, 2) != ", " || text.substr(4, 2) != ", ") return false;
  if (!is_switch(0) || !is_switch(3) || !is_switch(6)) return false;
  value = {text[0] == '1', text[3] == '1', text[6] == '1'};
  return true;
}
bool read(std::string_view text, Granted& value) {
  if (const auto multiple = size_after(text, multiple_prefix)) {
    value = {Granted::Kind::next_multiple, *multiple};
    return true;
  }
  value = {text == "equal" ? Granted::Kind::equal : Granted::Kind::any, 0};
  return text == "equal" || text == "any";
}
bool read(std::string_view text, Granule& value) {
  value = {};
  if (text == "none") return true;
  const auto declared = size_after(text, declared_prefix);
  const auto fixed = size_after(text, "");
  if (declared) value = {Granule::Kind::declared, *declared};
  if (fixed) value = {Granule::Kind::fixed, *fixed};
  return declared || fixed;
}
bool read(std::string_view text, Slack& value) {
  const auto size = history::text::parse_size(text);
  value = {Slack::Kind::bytes, size.value_or(0)};
  if (text == "one granule") value.kind = Slack::Kind::granule;
  if (text == "one block") value.kind = Slack::Kind::block;
  return size || value.kind != Slack::Kind::bytes;
}
bool read(std::string_view text, StatusRule& value) {
  value = {};
  if (text == "not detected") return true;
  if (text == "an error") {
    value.kind = StatusRule::Kind::any_error;
    return true;
  }
  const auto status = history::status_from(text);
  if (status) value = {StatusRule::Kind::exact, *status};
  return status.has_value();
}

std::string accepts(const bool*) { return "`true` or `false`"; }
std::string accepts(const Bytes*) { return "a size in bytes such as 256, \"2MiB\" or \"max\""; }
std::string accepts(const SwitchDefaults*) { return "three switches such as [1, 1, 0]"; }
std::string accepts(const Granted*) { return "`equal`, `any` or `next multiple of SIZE`"; }
std::string accepts(const Granule*) { return "a size above 0, `declared, default SIZE` or `none`"; }
std::string accepts(const Slack*) { return "a size, `one granule` or `one block`"; }
std::string accepts(const StatusRule*) {
  return "a status such as `ok` or `invalid_value`, `an error` or `not detected`";
}

}  // namespace

template <class T>
std::string to_text(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(names<T>[static_cast<std::size_t>(value)]);
  } else if constexpr (is_set<T>) {
    std::vector<std::string_view> members;
    using Enum = typename SetMember<T>::type;
    for (std::size_t i = 0; i < names<Enum>.size(); ++i) {
      if (value.contains(static_cast<Enum>(i))) members.push_back(names<Enum>[i]);
    }
    return members.empty() ? "none" : fmt::format("{}", fmt::join(members, ", "));
  } else {
    return print(value);
  }
}

template <class T>
std::optional<T> from_text(std::string_view text) {
  if constexpr (std::is_enum_v<T>) {
    const auto found = std::ranges::find(names<T>, text);
    if (found == names<T>.end()) return std::nullopt;
    return static_cast<T>(found - names<T>.begin());
  } else if constexpr (is_set<T>) {
    T result;
    if (text == "none") return result;
    while (true) {
      const std::size_t comma = text.find(", ");
      const auto member = from_text<typename SetMember<T>::type>(text.substr(0, comma));
      if (!member) return std::nullopt;
      result.insert(*member);
      if (comma == std::string_view::npos) return result;
      text.remove_prefix(comma + 2);
    }
  } else {
    T result{};
    if (!read(text, result)) return std::nullopt;
    return result;
  }
}

template <class T>
std::string forms() {
  if constexpr (std::is_enum_v<T>) {
    return "one of " + choices(names<T>);
  } else if constexpr (is_set<T>) {
    return "a list of " + choices(names<typename SetMember<T>::type>);
  } else {
    return accepts(static_cast<const T*>(nullptr));
  }
}

#define STREAMPOOL_PROFILE_VALUE(T)                              \
  template std::string to_text<T>(const T&);                     \
  template std::optional<T> from_text<T>(std::string_view text); \
  template std::string forms<T>();
STREAMPOOL_PROFILE_VALUE(Mark)
STREAMPOOL_PROFILE_VALUE(bool)
STREAMPOOL_PROFILE_VALUE(Bytes)
STREAMPOOL_PROFILE_VALUE(SwitchDefaults)
STREAMPOOL_PROFILE_VALUE(SwitchOtherValues)
STREAMPOOL_PROFILE_VALUE(Granted)
STREAMPOOL_PROFILE_VALUE(Granule)
STREAMPOOL_PROFILE_VALUE(UsedDropsAt)
STREAMPOOL_PROFILE_VALUE(WatermarkReset)
STREAMPOOL_PROFILE_VALUE(ThresholdCompares)
STREAMPOOL_PROFILE_VALUE(ThresholdRange)
STREAMPOOL_PROFILE_VALUE(ReleaseRest)
STREAMPOOL_PROFILE_VALUE(TrimRefusal)
STREAMPOOL_PROFILE_VALUE(PressureRelease)
STREAMPOOL_PROFILE_VALUE(DestroyWithLive)
STREAMPOOL_PROFILE_VALUE(Output)
STREAMPOOL_PROFILE_VALUE(Fragmentation)
STREAMPOOL_PROFILE_VALUE(Slack)
STREAMPOOL_PROFILE_VALUE(Set<ReleaseCall>)
STREAMPOOL_PROFILE_VALUE(Set<ObservingCall>)
STREAMPOOL_PROFILE_VALUE(StatusRule)
#undef STREAMPOOL_PROFILE_VALUE

}  // namespace streampool::model
