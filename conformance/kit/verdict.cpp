#include "conformance/kit/verdict.hpp"

#include <algorithm>
#include <array>

namespace streampool::kit {
namespace {

constexpr std::array<std::string_view, verdict_count> names = {
    "pass",   "fail",         "quality", "not_exercised", "not_applicable", "not_supported",
    "waived", "inconclusive", "crash",   "timeout",       "internal_error"};

}  // namespace

std::string_view name(Verdict verdict) { return names[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> find_verdict(std::string_view name) {
  const auto* found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Verdict>(found - names.begin());
}

}  // namespace streampool::kit
