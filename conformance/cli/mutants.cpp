// streampool mutants: how strong the kit is. Every faulty variant of the engine against the suites.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/interrupt.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/cli/suite_option.hpp"
#include "conformance/kit/glob.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/kit/locate.hpp"
#include "conformance/mutants/coverage.hpp"
#include "conformance/mutants/matrix.hpp"
#include "conformance/mutants/reduced.hpp"

namespace streampool::cli {
namespace {

using mutants::Hit;
using mutants::Mutant;
using mutants::Reduced;
using mutants::Reduction;
using mutants::Row;

std::string others(const Row& row) {
  std::vector<std::string> list;
  for (const Hit& hit : row.others) list.push_back(hit.what);
  return fmt::format("{}", fmt::join(list, " "));
}

std::string outcome(const Row& row) {
  if (!row.broken.empty()) return "could not be run: " + row.broken;
  if (!row.kill) return fmt::format("SURVIVED {} cases, {:.1f} s", row.cases, row.seconds);
  return fmt::format("{:7.3f} s  {}  {}", row.kill->seconds, row.kill->what, row.kill->name);
}

void print_row(const Row& row) {
  fmt::print("{:30} {}\n", row.mutant->name, outcome(row));
  if (!row.kill) {
    fmt::print("{:30}   {}: {}\n", "", row.mutant->clause, row.mutant->text);
    if (!row.mutant->model.empty()) fmt::print("{:30}   modelled on {}\n", "", row.mutant->model);
  }
  if (!row.others.empty()) fmt::print("{:30}   beside it, not counted: {}\n", "", others(row));
  std::fflush(stdout);
}

nlohmann::json to_json(const Hit& hit) {
  return {{"suite", hit.suite}, {"case", hit.name}, {"what", hit.what}, {"seconds", hit.seconds}};
}

nlohmann::json to_json(const Row& row) {
  nlohmann::json json{{"mutant", row.mutant->name},    {"clause", row.mutant->clause}, {"model", row.mutant->model},
                      {"text", row.mutant->text},      {"cases", row.cases},           {"seconds", row.seconds},
                      {"killed", row.kill.has_value()}};
  if (row.kill) json["kill"] = to_json(*row.kill);
  if (!row.broken.empty()) json["broken"] = row.broken;
  json["others"] = nlohmann::json::array();
  for (const Hit& hit : row.others) json["others"].push_back(to_json(hit));
  return json;
}

void print_reduction(const Reduction& reduction) {
  fmt::print("{:30} {:32}", reduction.mutant->name, reduction.mutant->clause);
  for (const Reduced& one : reduction.found) {
    fmt::print(" {} {}{}", one.suite, one.calls, reduction.within_twice_the_shortest(one) ? "" : "!");
  }
  fmt::print("{}\n", reduction.broken.empty() ? "" : " could not be run: " + reduction.broken);
  for (const Reduced& one : reduction.found) {
    if (!one.why_not.empty()) fmt::print("{:30}   {}: {}\n", "", one.name, one.why_not);
  }
  std::fflush(stdout);
}

nlohmann::json to_json(const Reduced& one) {
  return {{"suite", one.suite},    {"case", one.name}, {"clause", one.clause},   {"calls_before", one.calls_before},
          {"calls", one.calls},    {"runs", one.runs}, {"seconds", one.seconds}, {"history", one.history},
          {"why_not", one.why_not}};
}

// Is each failure at most twice as long as the shortest of its mutant?
bool print_reductions(const std::vector<Reduction>& all, bool json) {
  std::uint64_t failures = 0, small = 0, broken = 0;
  double longest = 0;
  nlohmann::json list = nlohmann::json::array();
  for (const Reduction& reduction : all) {
    broken += reduction.broken.empty() ? 0 : 1;
    nlohmann::json found = nlohmann::json::array();
    for (const Reduced& one : reduction.found) {
      ++failures;
      small += reduction.within_twice_the_shortest(one) ? 1 : 0;
      longest = std::max(longest, one.seconds);
      found.push_back(to_json(one));
    }
    list.push_back({{"mutant", reduction.mutant->name},
                    {"clause", reduction.mutant->clause},
                    {"shortest", reduction.shortest()},
                    {"broken", reduction.broken},
                    {"found", std::move(found)}});
  }
  if (json) {
    fmt::print("{}\n", kit::dump({{"mutants", std::move(list)}, {"failures", failures}, {"within_twice", small}}));
  } else {
    fmt::print("\n{} of {} failures have at most twice the calls of the shortest of their mutant; longest {:.1f} s\n",
               small, failures, longest);
  }
  return broken == 0 && small == failures;
}

// What is to be done with the mutants, checked before anything runs.
struct Plan {
  std::vector<const Mutant*> chosen;
  mutants::MatrixSettings settings;
  std::set<std::string> ignored;  // cases that the engine without a fault fails, too
  unsigned jobs = 1;              // mutants at a time
  bool json = false;
};

// `work` on all chosen mutants. `sink` gets what it gives from one thread at a time, in the order in which they are
// done.
template <class Work, class Sink>
void for_each(const Plan& plan, const std::atomic<bool>& interrupted, Work work, Sink sink) {
  std::mutex mutex;
  std::size_t next = 0;
  const auto serve = [&] {
    while (!interrupted.load()) {
      const Mutant* mutant = nullptr;
      {
        const std::lock_guard lock(mutex);
        if (next == plan.chosen.size()) return;
        mutant = plan.chosen[next++];
      }
      auto done = work(*mutant, plan.settings, plan.ignored, interrupted);
      const std::lock_guard lock(mutex);
      sink(std::move(done));
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < plan.jobs; ++i) threads.emplace_back(serve);
}

void print_missing(std::string_view what, const std::vector<spec::ClauseId>& clauses) {
  if (clauses.empty()) return;
  fmt::print("  no {}:", what);
  for (const spec::ClauseId clause : clauses) fmt::print(" {}", spec::info(clause).id);
  fmt::print("\n");
}

void print_coverage(const mutants::Coverage& covered) {
  const std::size_t all = covered.breakable.size();
  fmt::print("{} clauses that a runtime can break: {} with a case of their own, {} with a mutant\n", all,
             all - covered.without_case.size(), all - covered.without_mutant.size());
  print_missing("case", covered.without_case);
  print_missing("mutant", covered.without_mutant);
}

void print_summary(const std::vector<Row>& rows, const std::set<std::string>& ignored,
                   const mutants::Coverage& covered) {
  std::vector<double> times;
  for (const Row& row : rows) {
    if (row.kill) times.push_back(row.kill->seconds);
  }
  std::ranges::sort(times);
  fmt::print("\n{} of {} killed by their own clause", times.size(), rows.size());
  if (!times.empty()) fmt::print("; median {:.3f} s, longest {:.3f} s", times[times.size() / 2], times.back());
  fmt::print("\n");
  if (!ignored.empty()) {
    fmt::print("{} cases count for nothing, for the engine without a fault fails them too: {}\n", ignored.size(),
               fmt::join(ignored, ", "));
  }
  print_coverage(covered);
}

void print_json(const std::vector<Row>& rows, const std::set<std::string>& ignored, const mutants::Coverage& covered) {
  nlohmann::json json{{"mutants", nlohmann::json::array()}, {"ignored_cases", ignored}};
  std::uint64_t killed = 0;
  for (const Row& row : rows) {
    json["mutants"].push_back(to_json(row));
    killed += row.kill ? 1 : 0;
  }
  json["killed"] = killed;
  json["clauses"] = {{"breakable", covered.breakable.size()},
                     {"without_case", kit::ids(covered.without_case)},
                     {"without_mutant", kit::ids(covered.without_mutant)}};
  fmt::print("{}\n", kit::dump(json));
}

int list(const Arguments& arguments, const std::vector<const Mutant*>& chosen) {
  nlohmann::json all = nlohmann::json::array();
  for (const Mutant* one : chosen) {
    all.push_back({{"mutant", one->name}, {"clause", one->clause}, {"text", one->text}, {"model", one->model}});
    if (!arguments.json()) fmt::print("{:<32} {:<32} {}\n", one->name, one->clause, one->text);
  }
  if (arguments.json()) fmt::print("{}\n", kit::dump(all));
  return exit_ok;
}

int kill_all(const Plan& plan, const std::atomic<bool>& interrupted) {
  std::vector<Row> rows;
  for_each(plan, interrupted, mutants::run_mutant, [&](Row row) {
    if (!plan.json) print_row(row);
    rows.push_back(std::move(row));
  });
  const mutants::Coverage covered = mutants::coverage(plan.settings.profile, plan.settings.suites);
  if (plan.json) {
    print_json(rows, plan.ignored, covered);
  } else {
    print_summary(rows, plan.ignored, covered);
  }
  if (interrupted.load()) return exit_interrupted;
  const bool all =
      rows.size() == plan.chosen.size() && std::ranges::all_of(rows, [](const Row& r) { return r.kill.has_value(); });
  return all ? exit_ok : exit_finding;
}

int reduce_all(const Plan& plan, const std::atomic<bool>& interrupted) {
  std::vector<Reduction> all;
  for_each(plan, interrupted, mutants::reduce, [&](Reduction reduction) {
    if (!plan.json) print_reduction(reduction);
    all.push_back(std::move(reduction));
  });
  const bool small = print_reductions(all, plan.json);
  if (interrupted.load()) return exit_interrupted;
  return small && all.size() == plan.chosen.size() ? exit_ok : exit_finding;
}

int run(const Arguments& arguments) {
  if (const auto located = kit::locate_runtime("mutant"); !located)
    return usage_error(arguments, located.error().message);
  const std::string profile_name = arguments.text("--profile", "strict");
  const auto profile = load_profile(profile_name);
  if (!profile) return usage_error(arguments, profile.error());
  auto suites = chosen_suites(arguments);
  if (!suites) return usage_error(arguments, suites.error());
  const std::string filter = arguments.text("--filter", "*");
  std::vector<const Mutant*> chosen;
  for (const Mutant& mutant : mutants::catalogue) {
    if (kit::matches(filter, mutant.name)) chosen.push_back(&mutant);
  }
  if (chosen.empty())
    return usage_error(arguments, fmt::format("no mutant matches '{}'; `mutants --list` names them", filter));
  if (arguments.flag("--list")) return list(arguments, chosen);

  Plan plan{.chosen = std::move(chosen),
            .settings = {.worker = {},
                         .profile = *profile,
                         .suites = std::move(*suites),
                         .seed = arguments.number("--seed", 1),
                         .budget = std::chrono::milliseconds(std::llround(arguments.seconds("--budget", 30) * 1000))},
            .ignored = {},
            .jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(arguments.number("--jobs", 1), 1, 64)),
            .json = arguments.json()};
  plan.settings.worker.profile = profile_name;
  // One second: the engine's own calls take far less, and faults that block come in dozens of cases.
  plan.settings.worker.patience = 50;
  // Time for the watchdog to open some gates, should one of them be what a call waits for.
  plan.settings.worker.hang = std::chrono::seconds(4);
  const std::atomic<bool>& interrupted = interruption();
  auto ignored = mutants::failures_without_fault(plan.settings, interrupted);
  if (!ignored) return usage_error(arguments, ignored.error());
  plan.ignored = std::move(*ignored);
  return arguments.flag("--minimize") ? reduce_all(plan, interrupted) : kill_all(plan, interrupted);
}

constexpr Option options[] = {
    profile_option,
    suites_option,
    {"--filter", Option::Type::text, "GLOB", "Only mutants whose name matches, as 'trim_*'"},
    {"--list", Option::Type::flag, "", "Only name them: each is a runtime `mutant:NAME`"},
    {"--minimize", Option::Type::flag, "",
     "Minimise what each suite finds first: none over twice the calls of the shortest"},
    {"--budget", Option::Type::seconds, "SECONDS", "Time for one mutant (default 30)"},
    {"--seed", Option::Type::number, "N", "Seed of everything random (default 1)"},
    {"--jobs", Option::Type::number, "N", "Mutants at a time (default 1)"},
};

}  // namespace

const Command mutants_command{
    .name = "mutants",
    .summary = "Run the suites on faulty variants of the engine: which is found by which clause's case",
    .example = "  streampool mutants\n  streampool mutants --filter 'trim_*' --suite directed --budget 10\n",
    .options = options,
    .exits = "0 all killed by their own clause, 1 not, 2 usage error, 130 interrupted",
    .run = run,
};

}  // namespace streampool::cli
