#include "conformance/kit/verdict.hpp"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "model/history/reader.hpp"
#include "model/history/signature.hpp"

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

std::string shape_of(const CaseResult& result) {
  history::NameTable table;
  const auto lines = history::read_text(result.history, table);
  if (!lines || lines->empty()) return "";
  return std::string(history::to_text(lines->back().call.op));
}

std::string kind_of(const CaseResult& result) {
  return fmt::format("{} {} {}", name(result.verdict), result.clause ? spec::info(*result.clause).id : "-",
                     result.shape);
}

}  // namespace streampool::kit
