#include "spec/theorems/certificate.hpp"

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "fmt/format.h"
#include "spec/theorems/solver.hpp"

namespace streampool::theorems {
namespace {

// Takes any command that reads an SMT-LIB file; prints one line an obligation and fails if one is not as expected.
constexpr const char* script = R"SH(#!/bin/sh
# Usage: ./check.sh SOLVER [OPTIONS]     e.g. ./check.sh z3 -T:60    ./check.sh cvc5 --tlimit=60000
# One line an obligation: ok, undecided or WRONG, its file, what was expected and what was answered.
[ $# -gt 0 ] || { sed -n '2,3p' "$0"; exit 2; }
cd "$(dirname "$0")" || exit 2
sha256sum --quiet -c SHA256SUMS || { echo "files were changed"; exit 1; }
wrong=0 undecided=0 ok=0
while read -r expected file; do
  answer=$("$@" "$file" 2>&1 | head -n 1)
  case "$answer" in
    "$expected") ok=$((ok + 1)); word=ok ;;
    sat|unsat|*rror*) wrong=$((wrong + 1)); word=WRONG ;;
    *) undecided=$((undecided + 1)); word=undecided ;;
  esac
  echo "$word $file expected $expected answered $answer"
done < index.txt
echo "$ok as expected, $undecided undecided, $wrong wrong"
[ "$wrong" -eq 0 ]
)SH";

}  // namespace

std::string sha256(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

Certificate::Certificate(const std::string& folder) : folder_(folder), kept_(!folder.empty()) {
  std::error_code failed;
  if (!kept_) folder_ = std::filesystem::temp_directory_path(failed) / fmt::format("streampool-prove-{}", getpid());
  std::filesystem::create_directories(folder_, failed);
  if (failed) error_ = fmt::format("{}: {}", folder_, failed.message());
}

Certificate::~Certificate() {
  std::error_code failed;
  if (!kept_) std::filesystem::remove_all(folder_, failed);
}

void Certificate::write(const std::string& name, const std::string& text) {
  std::ofstream file(std::filesystem::path(folder_) / name, std::ios::binary);
  file << text;
  file.close();
  if (!file && error_.empty()) error_ = fmt::format("cannot write {}/{}", folder_, name);
}

std::string Certificate::add(const std::string& id, const std::string& text, const std::string& expected) {
  const std::string name = id + ".smt2";
  write(name, text);
  index_.push_back(fmt::format("{} {} {}", sha256(text), expected, name));
  return std::filesystem::path(folder_) / name;
}

void Certificate::add_history(const std::string& id, const std::string& text) {
  if (kept_) write(id + ".pool", text);
}

std::string Certificate::finish() {
  if (!kept_) return error_;
  std::string sums, index;
  for (const std::string& line : index_) {
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    sums += fmt::format("{}  {}\n", line.substr(0, first), line.substr(second + 1));
    index += line.substr(first + 1) + "\n";
  }
  write("SHA256SUMS", sums);
  write("index.txt", index);
  write("versions.txt", fmt::format("made with z3 {}\nobligations {}\n", z3_version(), index_.size()));
  write("check.sh", script);
  std::error_code failed;
  std::filesystem::permissions(
      std::filesystem::path(folder_) / "check.sh",
      std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
      std::filesystem::perm_options::add, failed);
  return error_;
}

}  // namespace streampool::theorems
