#include "conformance/suites/tests/twins.hpp"

#include "model/history/signature.hpp"

namespace streampool::suites::twins {

std::optional<Twin> find(std::string_view name) {
  const std::size_t colon = name.find(':');
  Twin twin;
  for (std::size_t i = 0; i < std::size(all); ++i) {
    if (all[i].name == name.substr(0, colon)) twin.fault = static_cast<Fault>(i + 1);
  }
  if (twin.fault == Fault::none) return std::nullopt;
  const bool wants_attribute =
      all[static_cast<std::size_t>(twin.fault) - 1].about.find("ATTRIBUTE") != std::string_view::npos;
  if (wants_attribute != (colon != std::string_view::npos)) return std::nullopt;
  if (wants_attribute) {
    const auto attribute = history::attribute_from(name.substr(colon + 1));
    if (!attribute) return std::nullopt;
    twin.attribute = *attribute;
  }
  return twin;
}

}  // namespace streampool::suites::twins
