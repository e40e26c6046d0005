// streampool prove: the theorems about the rules.
#include "spec/theorems/prove.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/explored.hpp"
#include "model/profile/load.hpp"

namespace streampool::cli {
namespace {

using theorems::ProveOptions;
using theorems::Report;
using theorems::Result;

constexpr Option options[] = {
    {"--theorem", Option::Type::text, "T", "only this theorem, e.g. REUSE-SAFE"},
    {"--solver", Option::Type::text, "S",
     "z3; cvc5: the files go through cvc5 as well; FILE-ONLY: they are written, cvc5 is not asked"},
    {"--emit", Option::Type::text, "DIR",
     "write a certificate folder: files, hashes, versions, and a script for other solvers"},
    {"--timeout", Option::Type::seconds, "TIME", "for one question to a solver (60 s)"},
    {"--quick", Option::Type::flag, "", "without dropped guards and witnesses"},
};

nlohmann::json to_json(const Result& r) {
  nlohmann::json json{{"id", r.id},         {"theorem", r.theorem}, {"kind", r.kind},       {"expected", r.expected},
                      {"answer", r.answer}, {"ok", r.ok},           {"seconds", r.seconds}, {"note", r.note}};
  if (!r.history.empty()) json["history"] = r.history;
  if (!r.second_answer.empty()) json["cvc5"] = r.second_answer;
  return json;
}

void print_failure(const Result& r) {
  fmt::print("FAILED {}: theorem {}, expected {}, answered {}. {}\n", r.id, r.theorem, r.expected, r.answer, r.note);
  if (!r.history.empty()) fmt::print("A run that shows it:\n{}", r.history);
}

// `shown`: what the run that was found contradicts; nothing where there is none.
std::set<std::string> broken_theorems(const Report& report, const std::string& shown) {
  std::set<std::string> broken;
  if (!shown.empty()) broken.insert(shown);
  for (const Result& r : report.results) {
    if (!r.ok) broken.insert(r.theorem);
  }
  return broken;
}

theorems::ProfileRule rule_of(std::string_view name) {
  const auto profile = model::load_profile(name);
  const auto& observing = profile->observing_calls.value;
  using enum model::ObservingCall;
  return {.name = profile->name,
          .observes_syncs = observing.contains(sync),
          .observes_queries = observing.contains(query),
          .only_with_opportunistic = observing.contains(only_with_opportunistic),
          .claims_monotone =
              profile->switch_on_monotone.mark != model::Mark::not_stated && profile->switch_on_monotone.value,
          .unsafe_rule = model::unsafe_reuse(name)};
}

// The explorer's theorems, each a result of its own; the first that is asked for a run keeps it for the proofs that
// fail.
class Explorations {
 public:
  Explorations(const ProveOptions& wanted, theorems::Progress progress)
      : options_(wanted), progress_(std::move(progress)) {}

  void add_to(Report& report) {
    for (const Explored& one : explored_theorems()) {
      if (!options_.theorem.empty() && options_.theorem != one.theorem) continue;
      const auto start = std::chrono::steady_clock::now();
      const auto& verdict = answer(one);
      const bool stands = !verdict.counterexample;
      Result r{.id = one.id,
               .theorem = one.theorem,
               .kind = "explored",
               .expected = "none",
               .answer = stands ? "none" : "counterexample",
               .ok = stands,
               .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
               .note = note(one, verdict),
               .history = verdict.counterexample.value_or("")};
      if (!options_.emit.empty() && !r.history.empty()) {
        std::ofstream(std::filesystem::path(options_.emit) / (one.id + ".pool")) << r.history;
      }
      report.seconds += r.seconds;
      report.results.push_back(std::move(r));
      progress_(report.results.back(), report.results.size(), report.results.size());
    }
  }

  // For the obligations that fail: a run that an observer of it can reject.
  std::string find_run() { return answer(explored_theorems().front()).counterexample.value_or(""); }
  // The theorem that the run contradicts; nothing where none was looked for or found.
  std::string shown() const {
    const auto found = known_.find(explored_theorems().front().id);
    return found == known_.end() ? std::string() : found->second.theorem;
  }

 private:
  using Verdict = model::explorer::Verdict;

  static std::string note(const Explored& one, const Verdict& v) {
    const std::string scope = fmt::format("{} ({} programs, {} histories)", one.scope, v.programs, v.histories);
    if (!v.counterexample) return scope;
    return v.theorem.empty() ? fmt::format("{}. {}", v.sentence, scope)
                             : fmt::format("{} (theorem {}). {}", v.sentence, v.theorem, scope);
  }

  const Verdict& answer(const Explored& one) {
    const auto [it, added] = known_.try_emplace(one.id);
    if (added) it->second = run_explored(one);
    return it->second;
  }

  const ProveOptions& options_;
  theorems::Progress progress_;
  std::map<std::string, Verdict> known_;
};

void print_table(const Report& report, const std::string& shown) {
  struct Sum {
    std::size_t all = 0, ok = 0, second = 0;
    double seconds = 0, slowest = 0;
  };
  std::map<std::string, Sum> sums;
  std::size_t asked = 0, answered = 0;
  for (const Result& r : report.results) {
    Sum& sum = sums[r.theorem];
    ++sum.all;
    sum.ok += r.ok ? 1 : 0;
    sum.seconds += r.seconds;
    sum.slowest = std::max(sum.slowest, r.seconds);
    asked += r.second_answer.empty() ? 0 : 1;
    answered += r.second_answer == r.answer ? 1 : 0;
  }
  fmt::print("{:<18} {:>11} {:>8} {:>10} {:>10}\n", "theorem", "obligations", "ok", "seconds", "slowest");
  for (const auto& [theorem, sum] : sums) {
    fmt::print("{:<18} {:>11} {:>8} {:>10.2f} {:>10.2f}\n", theorem, sum.all, sum.ok, sum.seconds, sum.slowest);
  }
  if (asked > 0) fmt::print("cvc5 gave the same answer to {} of {} files\n", answered, asked);
  for (const std::string& id : report.missing) fmt::print("MISSING {}\n", id);
  if (!report.error.empty()) fmt::print("certificate: {}\n", report.error);
  for (const Result& r : report.results) {
    if (r.kind == "explored") fmt::print("{}: {}\n", r.id, r.note);
  }
  if (const auto broken = broken_theorems(report, shown); !broken.empty())
    fmt::print("BROKEN {}\n", fmt::join(broken, ", "));
  const auto ok = static_cast<std::size_t>(std::ranges::count_if(report.results, [](const Result& r) { return r.ok; }));
  fmt::print("{} of {} as expected, {:.1f} s\n", ok, report.results.size(), report.seconds);
}

int run(const Arguments& arguments) {
  ProveOptions prove;
  prove.theorem = arguments.text("--theorem");
  prove.emit = arguments.text("--emit");
  prove.timeout = arguments.seconds("--timeout", prove.timeout);
  prove.quick = arguments.flag("--quick");
  const std::string solver = arguments.text("--solver", "z3");
  if (solver == "cvc5") {
    prove.solver = ProveOptions::Solver::cvc5;
  } else if (solver == "FILE-ONLY") {
    prove.solver = ProveOptions::Solver::file_only;
    if (prove.emit.empty()) return usage_error(arguments, "--solver FILE-ONLY needs --emit DIR");
  } else if (solver != "z3") {
    return usage_error(arguments, fmt::format("there is no solver '{}': z3, cvc5 or FILE-ONLY", solver));
  }
  std::set<std::string> ids;
  for (const std::string& id : theorems::theorem_ids()) ids.insert(id);
  for (const Explored& one : explored_theorems()) ids.insert(one.theorem);
  if (!prove.theorem.empty() && !ids.contains(prove.theorem)) {
    return usage_error(arguments,
                       fmt::format("there is no theorem '{}'; there are {}", prove.theorem, fmt::join(ids, ", ")));
  }
  for (const std::string_view name : model::builtin_profiles()) prove.profiles.push_back(rule_of(name));
  const bool quiet = arguments.json();
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const theorems::Progress progress = [&](const Result& r, std::size_t done, std::size_t total) {
    if (terminal) fmt::print(stderr, "\r\033[K{}/{} {}", done, total, r.id);
    if (!terminal && (done % 200 == 0 || r.kind == "explored")) fmt::print(stderr, "{}/{} {}\n", done, total, r.id);
  };
  Explorations explorations(prove, progress);
  prove.find_run = [&] { return explorations.find_run(); };
  Report report = theorems::prove(prove, progress);
  if (prove.solver != ProveOptions::Solver::file_only) explorations.add_to(report);
  if (terminal) fmt::print(stderr, "\r\033[K");
  if (quiet) {
    nlohmann::json json{
        {"ok", report.ok()}, {"seconds", report.seconds}, {"missing", report.missing}, {"error", report.error}};
    json["broken"] = broken_theorems(report, explorations.shown());
    for (const Result& r : report.results) json["results"].push_back(to_json(r));
    fmt::print("{}\n", json.dump());
  } else {
    for (const Result& r : report.results) {
      if (!r.ok) print_failure(r);
    }
    print_table(report, explorations.shown());
  }
  return report.ok() ? exit_ok : exit_finding;
}

}  // namespace

const Command prove_command{
    .name = "prove",
    .summary = "Prove the theorems about the rules, refute the rules known to be unsound",
    .example = "  streampool prove --theorem REUSE-SAFE\n  streampool prove --solver cvc5 --emit certificate\n",
    .options = options,
    .positional = {},
    .exits = "0 all as expected, 1 not, 2 usage error",
    .run = run,
};

}  // namespace streampool::cli
