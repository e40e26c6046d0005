// generate_clauses CLAUSES_DIR OUT_DIR [REFERENCE_DIR]: writes spec/clause_ids.hpp and spec/clause_table.cpp below
// OUT_DIR, and the reference pages. Exit 1 with one located line when a clause file is wrong.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "spec/tools/emit.hpp"

namespace {

bool write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return true;
  std::cerr << path.string() << ": cannot be written\n";
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::cerr << "usage: generate_clauses CLAUSES_DIR OUT_DIR [REFERENCE_DIR]\n";
    return 2;
  }
  namespace tools = streampool::spec::tools;
  const auto specification = tools::read_specification(argv[1]);
  if (!specification) {
    std::cerr << specification.error() << '\n';
    return 1;
  }
  const std::filesystem::path out = argv[2];
  bool written = write_file(out / "spec/clause_ids.hpp", tools::emit_ids(*specification)) &&
                 write_file(out / "spec/clause_table.cpp", tools::emit_table(*specification));
  if (argc == 4) {
    for (const auto& [name, text] : tools::emit_reference(*specification)) {
      written = written && write_file(std::filesystem::path(argv[3]) / name, text);
    }
  }
  return written ? 0 : 1;
}
