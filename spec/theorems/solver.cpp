#include "spec/theorems/solver.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <z3++.h>

#include <chrono>
#include <vector>

#include "fmt/format.h"

extern char** environ;

namespace streampool::theorems {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void read_model(const z3::model& model, Solved& result) {
  for (unsigned i = 0; i < model.num_consts(); ++i) {
    const z3::func_decl function = model.get_const_decl(i);
    const z3::expr value = model.get_const_interp(function);
    std::int64_t number = 0;
    if (value.is_bool()) {
      result.constants[function.name().str()] = value.is_true() ? 1 : 0;
    } else if (value.is_numeral_i64(number)) {
      result.constants[function.name().str()] = number;
    }
  }
}

}  // namespace

const char* to_string(Answer answer) {
  switch (answer) {
    case Answer::unsat:
      return "unsat";
    case Answer::sat:
      return "sat";
    case Answer::unknown:
      return "unknown";
    case Answer::error:
      return "error";
  }
  return "error";
}

Solved solve_with_z3(const std::string& script, unsigned seed, double timeout, bool want_model) {
  const auto start = Clock::now();
  Solved result;
  try {
    z3::context context;
    z3::solver solver(context);
    z3::params parameters(context);
    parameters.set("timeout", static_cast<unsigned>(timeout * 1000));
    parameters.set("random_seed", seed);
    solver.set(parameters);
    solver.from_string(script.c_str());
    switch (solver.check()) {
      case z3::unsat:
        result.answer = Answer::unsat;
        break;
      case z3::sat:
        result.answer = Answer::sat;
        if (want_model) read_model(solver.get_model(), result);
        break;
      case z3::unknown:
        result.answer = Answer::unknown;
        result.message = solver.reason_unknown();
        break;
    }
  } catch (const z3::exception& e) {
    result.answer = Answer::error;
    result.message = e.msg();
  }
  result.seconds = since(start);
  return result;
}

Solved solve_with_command(const std::string& command, const std::string& file, double timeout) {
  const auto start = Clock::now();
  Solved result;
  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0) {
    result.message = "no pipe";
    return result;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO);
  const std::string line = command + " '" + file + "'";
  std::vector<std::string> words{"sh", "-c", "exec " + line};
  std::vector<char*> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  if (failed != 0) {
    close(out[0]);
    result.message = "cannot start " + command;
    return result;
  }
  std::string text;
  bool late = false;
  for (char buffer[4096];;) {
    pollfd waiting{.fd = out[0], .events = POLLIN, .revents = 0};
    const int left = static_cast<int>((timeout - since(start)) * 1000);
    if (left <= 0 || poll(&waiting, 1, left) <= 0) {
      late = true;
      kill(child, SIGKILL);
      break;
    }
    const ssize_t got = read(out[0], buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(out[0]);
  waitpid(child, nullptr, 0);
  result.seconds = since(start);
  const std::string first = text.substr(0, text.find('\n'));
  if (first == "unsat")
    result.answer = Answer::unsat;
  else if (first == "sat")
    result.answer = Answer::sat;
  else if (late || first == "unknown" || first.find("timeout") != std::string::npos)
    result.answer = Answer::unknown;
  else
    result.message = first;
  return result;
}

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

}  // namespace streampool::theorems
