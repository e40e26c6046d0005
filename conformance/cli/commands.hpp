// Every subcommand lives in a file of its own and offers one value; main.cpp lists them.
#pragma once

#include "conformance/cli/command.hpp"

namespace streampool::cli {

extern const Command run_command;
extern const Command judge_command;
extern const Command explain_command;
extern const Command replay_command;
extern const Command clauses_command;
extern const Command profiles_command;
extern const Command runtimes_command;
extern const Command list_command;
extern const Command doctor_command;
extern const Command report_command;
extern const Command package_command;
extern const Command verify_command;
extern const Command prove_command;
extern const Command minimize_command;
extern const Command mutants_command;
extern const Command fuzz_command;
extern const Command record_command;
extern const Command worker_command;

}  // namespace streampool::cli
