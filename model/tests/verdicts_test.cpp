// Judges every history under histories/ and compares with what the file says of itself:
//     # expect: conformant | inconclusive | malformed | violation CLAUSE | program_fault CLAUSE
//     # line: N
// CLAUSE may be a prefix, and several may be given with `|` between them. `# line:` is optional.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/monitor/judge_text.hpp"

namespace streampool::model {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Judgement expected(const std::string& path) {
  Judgement out{"conformant", {}, 0, {}};
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  std::istringstream words(line);
  std::string hash, word;
  words >> hash >> word >> out.kind >> out.clause;
  if (hash != "#" || word != "expect:") out.kind = "nothing: the second line must be `# expect: ...`";
  std::getline(file, line);
  if (line.starts_with("# line: ")) out.line = std::stoull(line.substr(8));
  return out;
}

bool clause_matches(std::string_view wanted, std::string_view got) {
  while (true) {
    const std::size_t bar = wanted.find('|');
    if (got.starts_with(wanted.substr(0, bar))) return true;
    if (bar == std::string_view::npos) return false;
    wanted.remove_prefix(bar + 1);
  }
}

std::vector<std::string> all_histories() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HISTORIES)) {
    if (entry.path().extension() == ".pool") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Verdicts : public testing::TestWithParam<std::string> {};

TEST_P(Verdicts, AsTheFileSays) {
  const Judgement want = expected(GetParam());
  const Judgement got = judge_text(text_of(GetParam()));
  EXPECT_EQ(got.kind, want.kind) << got.clause << " at line " << got.line << ": " << got.explanation;
  if (got.kind != want.kind) return;
  EXPECT_TRUE(clause_matches(want.clause, got.clause))
      << "expected " << want.clause << ", found " << got.clause << ": " << got.explanation;
  if (want.line != 0) {
    EXPECT_EQ(got.line, want.line) << got.explanation;
  }
}

// A test's name: the path below histories/, with the characters that GoogleTest takes.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).lexically_relative(HISTORIES).replace_extension().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Histories, Verdicts, testing::ValuesIn(all_histories()), test_name);

}  // namespace
}  // namespace streampool::model
