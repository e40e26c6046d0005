// streampool: the command.
#include "conformance/cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace streampool::cli;
  const Command commands[] = {
      run_command,     list_command,  // the main job
      judge_command,   record_command,   explain_command,  replay_command, minimize_command, fuzz_command,  // histories
      clauses_command, profiles_command, runtimes_command, doctor_command,                                  // look up
      report_command,  package_command,  verify_command,                                                    // hand in
      prove_command,   mutants_command,                                                                     // strength
      worker_command,
  };
  return run_command_line(commands, argc, argv);
}
