// Proves one theorem over rules that somebody changed: the program is compiled against a copy of spec/rules with one
// edit. Usage: changed_rule THEOREM HISTORY-FILE. Succeeds when the theorem breaks; a run that shows it goes to the
// file.
#include <fstream>

#include "fmt/format.h"
#include "spec/theorems/prove.hpp"

int main(int argc, char** argv) {
  using namespace streampool::theorems;
  if (argc != 3) return 2;
  ProveOptions options;
  options.theorem = argv[1];
  options.second_seed = false;
  options.quick = true;
  const Report report = prove(options);
  for (const Result& r : report.results) {
    if (r.ok) continue;
    fmt::print("{} breaks: {} answers {}\n", r.theorem, r.id, r.answer);
    if (!r.history.empty()) std::ofstream(argv[2]) << r.history;
  }
  return report.ok() ? 1 : 0;
}
