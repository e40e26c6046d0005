// streampool: the command.
#include "conformance/cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace streampool::cli;
  const Command commands[] = {
      run_command,      judge_command,    explain_command, replay_command, list_command,    clauses_command,
      profiles_command, runtimes_command, doctor_command,  report_command, package_command, verify_command,
      prove_command,    minimize_command, mutants_command, fuzz_command,   record_command,  worker_command,
  };
  return run_command_line(commands, argc, argv);
}
