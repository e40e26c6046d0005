#include "spec/theorems/prove.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "fmt/format.h"
#include "spec/theorems/certificate.hpp"
#include "spec/theorems/discharge.hpp"
#include "spec/theorems/dropped.hpp"
#include "spec/theorems/gallery.hpp"
#include "spec/theorems/overflow.hpp"
#include "spec/theorems/witness.hpp"

namespace streampool::theorems {
namespace {

constexpr unsigned other_seed = 7;
constexpr std::size_t search_depth = 6;  // moves of the search for a history when a proof fails

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Run {
 public:
  Run(const ProveOptions& options, const Progress& progress)
      : options_(options), progress_(progress), certificate_(options.emit) {}

  Report go() {
    const auto start = Clock::now();
    plan();
    for (const auto& task : tasks_) task();
    explain_failures();
    if (options_.theorem.empty()) {
      report_.missing = missing_obligations();
      std::ranges::copy(missing_profiles(options_.profiles), std::back_inserter(report_.missing));
    }
    report_.error = certificate_.finish();
    report_.seconds = since(start);
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool wanted(const std::string& theorem) const {
    return options_.theorem.empty() || options_.theorem == theorem;
  }

  void plan() {
    for (const Obligation& obligation : obligations()) {
      if (wanted(obligation.theorem)) tasks_.push_back([this, &obligation] { run_obligation(obligation); });
    }
    for (const Obligation& one : profile_obligations(options_.profiles)) {
      if (wanted(one.theorem)) tasks_.push_back([this, one] { run_obligation(one); });
    }
    if (wanted("PROFILE-SAFE") && !only_written()) {
      for (const ProfileRule& profile : options_.profiles) {
        if (!profile.unsafe_rule.empty()) tasks_.push_back([this, &profile] { run_unsafe(profile); });
      }
    }
    if (wanted("OVERFLOW")) {
      for (const OverflowObligation& one : overflow_obligations()) tasks_.push_back([this, one] { run_overflow(one); });
    }
    if (only_written()) return;
    if (wanted("UNSOUND")) {
      for (const Wrong& wrong : gallery()) tasks_.push_back([this, &wrong] { run_wrong(wrong); });
    }
    if (options_.quick) return;
    if (wanted("NOT-VACUOUS")) {
      for (const Transition& t : transitions()) tasks_.push_back([this, &t] { run_witness(t); });
    }
    if (wanted("GUARDS")) {
      for (const std::string& name : transitions_with_guards()) tasks_.push_back([this, name] { run_drops(name); });
    }
  }

  void add(Result result) {
    report_.results.push_back(std::move(result));
    ++done_;
    if (progress_) progress_(report_.results.back(), done_, std::max(done_, tasks_.size()));
  }

  // Everything but the files needs a solver.
  [[nodiscard]] bool only_written() const { return options_.solver == ProveOptions::Solver::file_only; }
  void add_written(const std::string& id, const std::string& theorem, const char* kind, const std::string& script) {
    certificate_.add(id, script, "unsat");
    add({.id = id, .theorem = theorem, .kind = kind, .expected = "written", .answer = "written", .ok = true});
  }

  // The finished text: a second seed must agree, and cvc5 where it was asked for.
  void confirm(Result& result, const std::string& script) {
    const std::string file = certificate_.add(result.id, script, result.expected);
    if (options_.second_seed && result.ok) {
      const Solved again = solve_with_z3(script, other_seed, options_.timeout, false);
      if (again.answer != Answer::unsat) {
        result.ok = false;
        result.note = fmt::format("another seed answers {}", to_string(again.answer));
      }
    }
    if (options_.solver == ProveOptions::Solver::cvc5) {
      const Solved second = solve_with_command(options_.cvc5_command, file, options_.timeout);
      result.second_answer = to_string(second.answer);
      result.seconds += second.seconds;
      const bool decided = second.answer == Answer::sat || second.answer == Answer::unsat;
      if (second.answer == Answer::error || (decided && result.second_answer != result.answer)) {
        result.ok = false;
        result.note = fmt::format("the solvers disagree: {} {}", result.second_answer, second.message);
      }
    }
  }

  void run_obligation(const Obligation& obligation) {
    if (only_written())
      return add_written(obligation.id, obligation.theorem, to_string(obligation.kind), write_out(obligation));
    const Discharged d = discharge(obligation, options_.timeout);
    Result r{.id = obligation.id,
             .theorem = obligation.theorem,
             .kind = to_string(obligation.kind),
             .expected = "unsat",
             .answer = to_string(d.answer),
             .ok = d.answer == Answer::unsat,
             .seconds = d.seconds,
             .note = d.message};
    confirm(r, d.script);
    add(std::move(r));
  }

  void run_overflow(const OverflowObligation& one) {
    if (only_written()) return add_written(one.id, "OVERFLOW", "overflow", one.script);
    const Solved s = solve_with_z3(one.script, 0, options_.timeout, false);
    Result r{.id = one.id,
             .theorem = "OVERFLOW",
             .kind = "overflow",
             .expected = "unsat",
             .answer = to_string(s.answer),
             .ok = s.answer == Answer::unsat,
             .seconds = s.seconds,
             .note = one.says};
    confirm(r, one.script);
    add(std::move(r));
  }

  void run_wrong(const Wrong& wrong) { run_refuted("unsound." + wrong.id, "UNSOUND", wrong); }

  void run_unsafe(const ProfileRule& profile) {
    const std::string id = "profile.UNSAFE." + profile.name;
    const auto wrong = std::ranges::find(gallery(), profile.unsafe_rule, &Wrong::id);
    if (wrong != gallery().end()) return run_refuted(id, "PROFILE-SAFE", *wrong);
    add({.id = id,
         .theorem = "PROFILE-SAFE",
         .kind = "gallery",
         .expected = "counterexample",
         .answer = "none",
         .note = "there is no unsound rule " + profile.unsafe_rule});
  }

  void run_refuted(const std::string& id, const std::string& theorem, const Wrong& wrong) {
    const auto start = Clock::now();
    const auto found = refute(wrong);
    Result r{.id = id,
             .theorem = theorem,
             .kind = "gallery",
             .expected = "counterexample",
             .answer = found ? "counterexample" : "none",
             .ok = found.has_value(),
             .seconds = since(start),
             .note = wrong.title};
    if (found) r.history = found->history;
    if (found) certificate_.add_history(r.id, found->history);
    add(std::move(r));
  }

  void run_witness(const Transition& t) {
    const auto start = Clock::now();
    const Witness w = witness_of(t);
    Result r{.id = "witness." + t.name,
             .theorem = "NOT-VACUOUS",
             .kind = "vacuity",
             .expected = "witness",
             .answer = w.found ? "witness" : "none",
             .ok = w.found,
             .seconds = since(start),
             .note = fmt::format("after {} calls", w.moves)};
    r.history = w.history;
    if (!w.history.empty()) certificate_.add_history(r.id, w.history);
    add(std::move(r));
  }

  void run_drops(const std::string& name) {
    for (Drop& drop : drop_each(name, options_.timeout)) {
      const bool broken = !drop.broken.empty();
      add({.id = fmt::format("dropped.{}.{}", name, drop.conjunct.index),
           .theorem = "GUARDS",
           .kind = "dropped",
           .expected = "fails",
           .answer = broken ? "fails" : "redundant",
           .ok = broken || !drop.note.empty(),
           .seconds = drop.seconds,
           .note = fmt::format("without {}: {}", drop.conjunct.text, broken ? drop.broken : drop.note)});
    }
  }

  // A proof that fails may have a run that shows why.
  void explain_failures() {
    const auto failed =
        std::ranges::find_if(report_.results, [](const Result& r) { return !r.ok && r.expected == "unsat"; });
    if (failed == report_.results.end()) return;
    if (options_.find_run) failed->history = options_.find_run();
    if (failed->history.empty()) {
      if (const auto found = search_own_rules(search_depth)) failed->history = found->history;
    }
    if (!failed->history.empty()) certificate_.add_history(failed->id, failed->history);
  }

  const ProveOptions& options_;
  const Progress& progress_;
  Certificate certificate_;
  Report report_;
  std::vector<std::function<void()>> tasks_;
  std::size_t done_ = 0;
};

}  // namespace

bool Report::ok() const {
  return error.empty() && missing.empty() && !results.empty() &&
         std::ranges::all_of(results, [](const Result& r) { return r.ok; });
}

Report prove(const ProveOptions& options, const Progress& progress) { return Run(options, progress).go(); }

std::vector<std::string> theorem_ids() {
  std::set<std::string> ids{"OVERFLOW", "UNSOUND", "NOT-VACUOUS", "GUARDS", "PROFILE-SAFE"};
  for (const Obligation& obligation : obligations()) ids.insert(obligation.theorem);
  return {ids.begin(), ids.end()};
}

}  // namespace streampool::theorems
