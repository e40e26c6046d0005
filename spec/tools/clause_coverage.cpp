// clause_coverage [--cases FILE]... [--histories FOLDER]... [--sources FOLDER]...
//
// --cases FILE         the whole of the tests: lines "case clause clause ...", or JSON as `streampool list --json`
// prints it; - is standard
//                      input. Fails when a clause that binds has no test.
// --histories FOLDER   .pool files: each is a test of the clauses that it expects to be broken.
// --sources FOLDER     C++ files. Fails when no literal in any of them names a modelled clause.
// Always fails when a case names no clause or an unknown one.
// Exit 0: all well; 1: complaints, one a line; 2: usage, or a file that cannot be read.
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "spec/tools/coverage.hpp"

namespace {

namespace tools = streampool::spec::tools;

int usage() {
  std::cerr << "usage: clause_coverage [--cases FILE|-]... [--histories FOLDER]... [--sources FOLDER]...\n";
  return 2;
}

bool read_text(const std::string& path, std::string& text) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  text.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  return in.good() || in.eof();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<tools::CoverageCase> cases;
  std::vector<std::filesystem::path> folders;
  bool any_cases = false;
  bool any_histories = false;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) return usage();
    if (option == "--sources" || option == "--histories") {
      if (!std::filesystem::is_directory(argv[i + 1])) {
        std::cerr << argv[i + 1] << ": not a folder\n";
        return 2;
      }
      if (option == "--sources") {
        folders.emplace_back(argv[i + 1]);
      } else {
        const auto read = tools::cases_of_histories(argv[i + 1]);
        cases.insert(cases.end(), read.begin(), read.end());
        any_histories = true;
      }
    } else if (option == "--cases") {
      std::string text;
      const bool readable = read_text(argv[i + 1], text);
      auto read = tools::read_cases(text);
      if (!readable || !read) {
        std::cerr << argv[i + 1] << ": " << (readable ? read.error() : "cannot be read") << '\n';
        return 2;
      }
      cases.insert(cases.end(), read->begin(), read->end());
      any_cases = true;
    } else {
      return usage();
    }
  }
  if (!any_cases && !any_histories && folders.empty()) return usage();

  std::vector<std::string> complaints = tools::check_names(cases);
  const auto add = [&complaints](const std::vector<std::string>& more) {
    complaints.insert(complaints.end(), more.begin(), more.end());
  };
  if (any_cases) add(tools::check_tested(cases));
  if (!folders.empty()) add(tools::check_orphans(tools::clause_literals_below(folders)));
  for (const auto& complaint : complaints) std::cout << complaint << '\n';
  std::cout << cases.size() << " cases, " << complaints.size() << " complaints\n";
  return complaints.empty() ? 0 : 1;
}
