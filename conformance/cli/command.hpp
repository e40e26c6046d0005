// The command line as data: every subcommand is one value of the table in main.cpp; parse.cpp is the only place that
// knows the library behind it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace streampool::cli {

// Exit codes of every command.
inline constexpr int exit_ok = 0;
inline constexpr int exit_finding = 1;  // not conformant, a violation, a failure
inline constexpr int exit_usage = 2;    // usage, load or input error
inline constexpr int exit_inconclusive = 3;
inline constexpr int exit_interrupted = 130;

struct Option {
  enum class Type : std::uint8_t { flag, text, list, number, seconds, shard, bytes };
  std::string_view name;  // "--runtime"
  Type type = Type::text;
  std::string_view value;  // how the value is called in the help
  std::string_view help;
};

struct Positional {
  std::string_view name, help;
  std::size_t minimum = 0, maximum = 0;
};

// What was given, checked against the table: a number is a number. Asking for an option that the command lacks ends the
// program.
class Arguments {
 public:
  [[nodiscard]] bool flag(std::string_view name) const { return values_.contains(name); }
  [[nodiscard]] bool given(std::string_view name) const { return values_.contains(name); }
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise = "") const;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;  // repeated or separated by commas
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise) const;
  [[nodiscard]] double seconds(std::string_view name, double otherwise) const;
  [[nodiscard]] std::pair<unsigned, unsigned> shard(std::string_view name) const;  // 1/1 where not given
  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }
  // What stands behind `--`.
  [[nodiscard]] const std::vector<std::string>& rest() const { return rest_; }
  [[nodiscard]] bool json() const { return flag("--json"); }

 private:
  friend struct Parser;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> positionals_, rest_;
};

struct Command {
  std::string_view name;
  std::string_view summary;         // one line, for the list of commands
  std::string_view example;         // lines that can be typed
  std::span<const Option> options;  // `--json` and `--help` are every command's
  Positional positional = {};
  std::string_view exits = "0";  // for the help: what each exit code means
  int (*run)(const Arguments&) = nullptr;
  bool takes_rest = false;  // everything behind `--` belongs to another program
  bool hidden = false;
};

// Runs the command line; `--help`, usage errors and "did you mean" are dealt with here. Returns the exit code.
[[nodiscard]] int run_command_line(std::span<const Command> commands, int argc, char** argv);

// One line on standard error, as JSON on standard output too where asked for. Returns exit_usage.
int usage_error(const Arguments& arguments, const std::string& message);

}  // namespace streampool::cli
