#include "spec/theorems/discharge.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>

#include "fmt/format.h"
#include "spec/theorems/ground.hpp"

namespace streampool::theorems {
namespace {
constexpr std::size_t most_instances = 20000;  // a round; more would not be solved anyway

// Obligations that three rounds of instances do not decide.
constexpr int usual_rounds = 3;
struct Deep {
  std::string_view id;
  int rounds;
};
constexpr Deep deep[] = {
    {"step.REASON.malloc", 4},
};

std::vector<std::string> comments_of(const Obligation& obligation) {
  return {fmt::format("streampool: {} of theorem {}", obligation.id, obligation.theorem),
          "the denied goal under its hypotheses: unsat means proved"};
}

}  // namespace

Discharged discharge(const std::vector<Term>& assertions, const std::vector<std::string>& comments, double timeout,
                     int rounds) {
  const auto start = std::chrono::steady_clock::now();
  Discharged result;
  Grounder grounder(assertions);
  // Hardly any obligation is decided without a single instance, so the first look is behind the first round.
  for (int round = 0; round < rounds; ++round) {
    const bool grew = grounder.round(most_instances);
    if (!grew && round > 0) break;
    result.rounds = round + 1;
    result.script = to_smtlib(grounder.assertions(), comments, "unsat").text;
    const Solved solved = solve_with_z3(result.script, 0, timeout, false);
    result.answer = solved.answer;
    result.message = solved.message;
    if (solved.answer != Answer::sat) break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Discharged discharge(const Obligation& obligation, double timeout) {
  const std::vector<std::string> comments = comments_of(obligation);
  double spent = 0;
  if (obligation.kind == Kind::step) {
    Discharged light = discharge(obligation.assertions(true), comments, timeout, 2);
    if (light.answer == Answer::unsat) return light;
    spent = light.seconds;
  }
  Discharged full = discharge(obligation.assertions(false), comments, timeout);
  full.seconds += spent;
  return full;
}

std::string write_out(const Obligation& obligation) {
  Grounder grounder(obligation.assertions(false));
  const auto known = std::ranges::find(deep, std::string_view(obligation.id), &Deep::id);
  const int rounds = known == std::end(deep) ? usual_rounds : known->rounds;
  for (int round = 0; round < rounds; ++round) {
    if (!grounder.round(most_instances)) break;
  }
  return to_smtlib(grounder.assertions(), comments_of(obligation), "unsat").text;
}

}  // namespace streampool::theorems
