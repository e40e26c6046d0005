// changed_rule THEOREM HISTORY: proves one theorem over rules that somebody changed (the program is compiled against
// the copy), and looks for a run that shows the change; it goes to the file. Exit 0: the theorem breaks. The last line
// says what the run shows: seen, vanished or nothing.
#include <fstream>
#include <string>

#include "fmt/format.h"
#include "model/explorer/theorems.hpp"
#include "spec/theorems/discharge.hpp"

namespace {

constexpr double timeout = 20;  // seconds for a question to the solver

bool breaks(const std::string& theorem) {
  using namespace streampool::theorems;
  for (const Obligation& obligation : obligations()) {
    if (obligation.theorem != theorem) continue;
    const Discharged d = discharge(obligation, timeout);
    if (d.answer == Answer::unsat) continue;
    fmt::print("{} breaks: {} answers {}\n", theorem, obligation.id, to_string(d.answer));
    return true;
  }
  fmt::print("{} stands\n", theorem);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const bool broken = breaks(argv[1]);
  using namespace streampool::model::explorer;
  const Verdict run = check_rules_exact(proved_runs, proved_length);
  if (run.counterexample) {
    std::ofstream(argv[2]) << *run.counterexample;
    fmt::print("{} ({})\n", run.sentence, run.theorem);
  }
  fmt::print("{}\n", !run.counterexample ? "nothing" : run.visible ? "seen" : run.vanished ? "vanished" : "nothing");
  return broken ? 0 : 1;
}
