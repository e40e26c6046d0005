// Which clauses the tests and the model leave out, and which ids they name that do not exist.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace streampool::spec::tools {

// A test and the clauses that it names.
struct CoverageCase {
  std::string name;
  std::vector<std::string> clauses;
};

// Reads lines "case clause clause ...", with # comments; or JSON: a list of objects, or one object a line, with "case"
// (or "name") and "clauses". The error is one line for the user.
tl::expected<std::vector<CoverageCase>, std::string> read_cases(const std::string& text);

// The clauses that a history expects to be broken: its lines "expect violation CLAUSE" and "expect program_fault
// CLAUSE", or the comment
// "# expect: violation CLAUSE" at its head, of alternatives ("A|B") the first. A history that expects none is no case:
// it shows what is permitted.
std::vector<std::string> expected_clauses(const std::string& text);
// One case for each .pool file below the folder that expects a clause.
std::vector<CoverageCase> cases_of_histories(const std::filesystem::path& folder);

// Every clause and family literal ("ID"_clause, "ID"_family) in the C++ files below the folders.
std::vector<std::string> clause_literals(std::string_view text);
std::vector<std::string> clause_literals_below(const std::vector<std::filesystem::path>& folders);

// One line a complaint, none when all is well: a case without a clause, or one that names an unknown clause. The first
// words of clauses (a family's name) are known, but test none.
std::vector<std::string> check_names(const std::vector<CoverageCase>& cases);

// One line for each modelled must, must-not or error clause that no case names.
std::vector<std::string> check_tested(const std::vector<CoverageCase>& cases);

// One line for each modelled clause that no literal names: nothing in the model looks at it.
std::vector<std::string> check_orphans(const std::vector<std::string>& literals);

}  // namespace streampool::spec::tools
