// The certificate folder: every obligation as a file, their hashes, the versions, and a script that asks any solver.
#pragma once

#include <string>
#include <vector>

namespace streampool::theorems {

class Certificate {
 public:
  // Where files go; empty: a temporary folder that is removed in the end (a solver outside the process needs files).
  explicit Certificate(const std::string& folder);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  // Returns the file.
  std::string add(const std::string& id, const std::string& script, const std::string& expected);
  void add_history(const std::string& id, const std::string& text);
  // Writes index, versions and script. Returns what went wrong; empty: nothing.
  [[nodiscard]] std::string finish();

 private:
  void write(const std::string& name, const std::string& text);

  std::string folder_;
  bool kept_;
  std::vector<std::string> index_;  // "sha256  expected  file"
  std::string error_;
};

[[nodiscard]] std::string sha256(const std::string& text);  // in hex

}  // namespace streampool::theorems
