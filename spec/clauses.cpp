#include "spec/clauses.hpp"

#include <cstdlib>

namespace streampool::spec {

std::string_view name(Kind kind) {
  static constexpr std::array<std::string_view, 6> names{"must", "must-not", "may", "should", "parameter", "error"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(ClauseStatus status) {
  return status == ClauseStatus::modelled ? "modelled" : "not yet modelled";
}

const ClauseInfo& info(ClauseId clause) { return clauses()[clause.index]; }

std::optional<ClauseId> find_clause(std::string_view id) {
  const auto found = detail::position(detail::clause_ids, id);
  if (!found) return std::nullopt;
  return ClauseId{*found};
}

ClauseId attribute_clause(ClauseFamily family, int attribute) {
  const auto found = find_attribute_clause(family, attribute);
  if (!found) std::abort();
  return *found;
}

}  // namespace streampool::spec
