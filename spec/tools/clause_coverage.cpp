// clause_coverage [--cases FILE]... [--histories FOLDER]... [--sources FOLDER]...: fails when a clause has no test, a
// test names no clause or an unknown one, or an id is used nowhere in the sources. FILE holds lines "case clause clause
// ...", or what `streampool list --json` prints; - is standard input. A history (.pool) is a test of the clauses that
// it expects to be broken. Exit 0: all well; 1: complaints, one a line; 2: usage, or a file that cannot be read.
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
        any_cases = true;
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
  if (!any_cases && folders.empty()) return usage();

  std::vector<std::string> complaints;
  if (any_cases) complaints = tools::check_cases(cases);
  if (!folders.empty()) {
    const auto orphans = tools::check_orphans(tools::clause_literals_below(folders));
    complaints.insert(complaints.end(), orphans.begin(), orphans.end());
  }
  for (const auto& complaint : complaints) std::cout << complaint << '\n';
  if (any_cases) std::cout << cases.size() << " cases, ";
  std::cout << complaints.size() << " complaints\n";
  return complaints.empty() ? 0 : 1;
}
