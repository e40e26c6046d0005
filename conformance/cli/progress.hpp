// How far a run is: one line that is rewritten on a terminal, and a line a remarkable case, of each clause a few.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "conformance/kit/verdict.hpp"

namespace streampool::cli {

class Progress {
 public:
  // `total` 0: not known. `quiet`: nothing is shown (standard output belongs to JSON).
  Progress(std::uint64_t total, bool quiet);
  void add(const kit::CaseResult& result);
  void finish();  // the terminal's line is left clean

 private:
  void draw();

  std::uint64_t total_, done_ = 0, bad_ = 0;
  std::map<std::string, std::uint64_t> shown_;  // remarkable cases by clause
  bool quiet_, terminal_;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace streampool::cli
