#include "spec/tools/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "spec/clauses.hpp"

namespace streampool::spec::tools {
namespace {

using nlohmann::json;

bool needs_a_test(const ClauseInfo& clause) {
  return clause.status == ClauseStatus::modelled &&
         (clause.kind == Kind::must || clause.kind == Kind::must_not || clause.kind == Kind::error);
}

// Expectations may name clauses by their first words: ATTR-READBACK, ALLOC-FREE.
bool begins_a_clause(const std::string& id) {
  return std::ranges::any_of(
      clauses(), [&](const ClauseInfo& clause) { return clause.id.starts_with(id.ends_with('-') ? id : id + "-"); });
}

std::optional<CoverageCase> case_of(const json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto name = object.contains("case") ? object.find("case") : object.find("name");
  const auto clauses = object.find("clauses");
  if (name == object.end() || !name->is_string() || clauses == object.end() || !clauses->is_array())
    return std::nullopt;
  CoverageCase result{.name = *name, .clauses = {}};
  for (const auto& clause : *clauses) {
    if (!clause.is_string()) return std::nullopt;
    result.clauses.push_back(clause);
  }
  return result;
}

// `streampool list --json` groups the cases by suite.
bool add_json(const json& node, std::vector<CoverageCase>& cases) {
  if (node.is_array()) return std::ranges::all_of(node, [&](const json& entry) { return add_json(entry, cases); });
  if (node.is_object() && node.contains("suite") && node.contains("cases")) return add_json(node["cases"], cases);
  auto found = case_of(node);
  if (!found) return false;
  cases.push_back(std::move(*found));
  return true;
}

bool add_json(const std::string& text, std::vector<CoverageCase>& cases) {
  const json document = json::parse(text, nullptr, false);
  return !document.is_discarded() && add_json(document, cases);
}

void add_words(const std::string& line, std::vector<CoverageCase>& cases) {
  std::istringstream words(line.substr(0, line.find('#')));
  CoverageCase result;
  if (!(words >> result.name)) return;
  result.clauses.assign(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  cases.push_back(std::move(result));
}

bool is_id(char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; }

bool is_source(const std::filesystem::path& file) { return file.extension() == ".hpp" || file.extension() == ".cpp"; }

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

tl::expected<std::vector<CoverageCase>, std::string> read_cases(const std::string& text) {
  std::vector<CoverageCase> cases;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '[') {
    if (!add_json(text, cases)) return tl::unexpected<std::string>("the list of cases is not what is expected");
    return cases;
  }
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.starts_with('{')) {
      if (!add_json(line, cases))
        return tl::unexpected(fmt::format("line {}: expected an object with case and clauses", number));
    } else {
      add_words(line, cases);
    }
  }
  return cases;
}

std::vector<std::string> expected_clauses(const std::string& text) {
  static const std::regex expectation(R"(^\s*(?:# expect:|expect) (?:violation|program_fault) ([A-Z_-]+))");
  std::vector<std::string> result;
  std::istringstream lines(text);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, expectation)) result.push_back(found[1]);
  }
  return result;
}

std::vector<CoverageCase> cases_of_histories(const std::filesystem::path& folder) {
  std::vector<CoverageCase> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".pool") continue;
    auto expected = expected_clauses(read_file(entry.path()));
    if (!expected.empty()) cases.push_back({.name = entry.path().string(), .clauses = std::move(expected)});
  }
  return cases;
}

std::vector<std::string> clause_literals(std::string_view text) {
  std::vector<std::string> result;
  for (const std::string_view suffix : {"\"_clause", "\"_family"}) {
    for (std::size_t at = text.find(suffix); at != std::string_view::npos; at = text.find(suffix, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && is_id(text[begin - 1])) --begin;
      if (begin > 0 && text[begin - 1] == '"') result.emplace_back(text.substr(begin, at - begin));
    }
  }
  return result;
}

std::vector<std::string> clause_literals_below(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> result;
  for (const auto& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      std::ranges::move(clause_literals(read_file(entry.path())), std::back_inserter(result));
    }
  }
  return result;
}

std::vector<std::string> check_names(const std::vector<CoverageCase>& cases) {
  std::vector<std::string> complaints;
  for (const auto& entry : cases) {
    if (entry.clauses.empty()) complaints.push_back(fmt::format("case {} names no clause", entry.name));
    for (const auto& id : entry.clauses) {
      if (find_clause(id) || begins_a_clause(id)) continue;
      complaints.push_back(fmt::format("case {} names an unknown clause: {}", entry.name, id));
    }
  }
  return complaints;
}

std::vector<std::string> check_tested(const std::vector<CoverageCase>& cases) {
  std::set<std::string_view> tested;
  for (const auto& entry : cases) tested.insert(entry.clauses.begin(), entry.clauses.end());
  std::vector<std::string> complaints;
  for (const auto& clause : clauses()) {
    if (needs_a_test(clause) && !tested.contains(clause.id)) {
      complaints.push_back(fmt::format("clause {} ({}) has no test", clause.id, name(clause.kind)));
    }
  }
  return complaints;
}

std::vector<std::string> check_orphans(const std::vector<std::string>& literals) {
  const std::set<std::string_view> named(literals.begin(), literals.end());
  std::vector<std::string> complaints;
  for (const auto& clause : clauses()) {
    if (clause.status != ClauseStatus::modelled || named.contains(clause.id)) continue;
    if (!clause.family.empty() && named.contains(clause.family)) continue;
    complaints.push_back(fmt::format("clause {} ({}) is an orphan: nothing looks at it", clause.id, name(clause.kind)));
  }
  return complaints;
}

}  // namespace streampool::spec::tools
