#include "conformance/report/page.hpp"

#include <nlohmann/json.hpp>

#include "conformance/kit/json.hpp"
#include "conformance/report/folder.hpp"
#include "conformance/report/record.hpp"

namespace streampool::report {

// page.html, compiled in (page_template.cpp.in).
extern const char* const page_template;

namespace {

using nlohmann::json;

constexpr std::string_view place_of_data = "@DATA@";

json clause_rows(const Totals& totals) {
  json rows = json::array();
  for (std::size_t index = 0; index < spec::clause_count; ++index) {
    const spec::ClauseInfo& clause = spec::clauses()[index];
    const ClauseTotal& total = totals.clauses()[index];
    rows.push_back({{"id", clause.id},
                    {"kind", spec::name(clause.kind)},
                    {"chapter", clause.chapter},
                    {"status", spec::name(clause.status)},
                    {"text", clause.text},
                    {"exercised", total.exercised},
                    {"cases", total.cases},
                    {"more_cases", total.more_cases},
                    {"failed", total.failed},
                    {"qualities", total.qualities}});
  }
  return rows;
}

json case_rows(std::span<const kit::CaseResult> results, const std::filesystem::path& folder) {
  json rows = json::array();
  for (const kit::CaseResult& result : results) {
    json row = kit::to_json(result);
    row.erase("counts");  // added up in the clause table
    if (!result.history.empty() && result.history_of.empty()) {
      if (const auto text = read_file(folder / result.history)) row["history_text"] = *text;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

json outcome_rows(const Totals& totals) {
  json rows = json::array();
  for (const auto& [what, outcome] : totals.outcomes()) {
    rows.push_back({{"what", what}, {"word", outcome.word()}, {"seen", outcome.seen}, {"decided", outcome.decided}});
  }
  return rows;
}

// Nothing in a script element may look like its end.
std::string embedded(const json& data) {
  std::string out;
  for (const char c : kit::dump(data)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string page(std::span<const kit::CaseResult> results, const Totals& totals, const RunInfo& info,
                 const std::filesystem::path& folder, bool interrupted) {
  const json data = {{"run", to_json(info)},
                     {"verdict", name(totals.conformance(info.strict))},
                     {"interrupted", interrupted},
                     {"clauses", clause_rows(totals)},
                     {"cases", case_rows(results, folder)},
                     {"outcomes", outcome_rows(totals)}};
  std::string text = page_template;
  text.replace(text.find(place_of_data), place_of_data.size(), embedded(data));
  return text;
}

}  // namespace streampool::report
