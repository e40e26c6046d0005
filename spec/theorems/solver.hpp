// The solvers. Both read the same text: what is answered is what is written out.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace streampool::theorems {

enum class Answer : std::uint8_t { unsat, sat, unknown, error };
[[nodiscard]] const char* to_string(Answer answer);

struct Solved {
  Answer answer = Answer::error;
  double seconds = 0;
  std::string message;                            // of an error
  std::map<std::string, std::int64_t> constants;  // of a model: functions without arguments; truth values are 0 and 1
};

// In this process. `timeout` in seconds.
[[nodiscard]] Solved solve_with_z3(const std::string& script, unsigned seed, double timeout, bool want_model);
// Runs `command FILE`; the first line that it prints is the answer.
[[nodiscard]] Solved solve_with_command(const std::string& command, const std::string& file, double timeout);
[[nodiscard]] std::string z3_version();

}  // namespace streampool::theorems
