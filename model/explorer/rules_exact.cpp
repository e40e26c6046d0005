// RULES-EXACT: random runs of the rules beside their naive twin.
//
// Where the two part, the run is made as short as it can be and written as a history.
#include <array>
#include <iterator>
#include <random>

#include "model/explorer/player.hpp"
#include "model/explorer/theorems.hpp"

namespace streampool::model::explorer {

namespace {

// How often each call is tried, in the order of Do; one row a kind of run.
struct Flavour {
  Beginning beginning;
  std::array<double, 26> weights;
};
// clang-format off
constexpr Flavour flavours[] = {
    // launch fill rec wait hold open begin end query sync eq es dsync malloc free fs plain trim sw thr ru rr cp dp rs re
    {{true, {true, false, false}}, {1, 1, 3, 3, 2, .3, 2, 2, 2, 1, 1, 1, .5, 6, 5, .3, .5, .5, .5, 0, 0, 0, .2, .2, 1, 1}},
    {{true, {true, true, false}}, {1, 1, 2, 2, 2, .3, 2, 2, 2, 1, 1, 1, .5, 6, 5, .3, .5, .5, 1, 0, 0, 0, .2, .2, .3, .3}},
    {{true, {true, false, false}}, {1, 3, 3, 3, 1, .3, 2, 2, 2, 2, 1, 1, .5, 4, 4, 1, .5, .3, .3, 0, 0, 0, .1, .1, .3, .3}},
    {{false, {true, true, true}}, {.5, .2, .5, .5, 1, .5, 2, 2, .5, 3, .2, .5, .5, 5, 5, 1, .5, 3, .3, 1.5, 1, 1, .7, .5, 0, 0}},
    {{true, {true, true, true}}, {.5, .2, .5, .5, .5, .5, 2, 2, .5, 1, .2, .5, .5, 5, 4, 1, .5, 2, 1, 1, 1.5, 1.5, .7, .5, 0, 0}},
    // An inserted wait is all that can order a reuse, and what it waits for is held; memory from outside the pools.
    {{true, {false, false, true}}, {.5, 1, .5, .5, 2, 0, 1, 1, .5, 3, .2, .3, .2, 6, 5, 1, 2, .2, 0, 0, 0, 0, .2, .1, 0, 0}},
    // Nothing orders a reuse but the stream itself, and streams come and go.
    {{true, {false, false, false}}, {.5, 0, .5, .5, .5, .2, 1, 1, .2, 1.5, 0, 0, 0, 6, 6, 2, .2, 0, .2, 0, 0, 0, .1, 0, 3, 1}},
};
// clang-format on

// Without any of its calls the run does not part the same way.
void shorten(Run& run, Parting& found, const Flavour& flavour) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = run.size(); i-- > 0;) {
      Run shorter = run;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      auto still = Player(flavour.beginning).play(shorter);
      if (!still || still->kind != found.kind || still->theorem != found.theorem) continue;
      run = std::move(shorter);
      found = std::move(*still);
      again = true;
    }
  }
}

}  // namespace

Verdict check_rules_exact(std::uint64_t runs, std::size_t length) {
  Verdict verdict;
  std::mt19937 random(20);
  std::optional<Parting> best;
  Run best_run;
  const Flavour* best_flavour = nullptr;
  for (; verdict.programs < runs; ++verdict.programs) {
    const Flavour& flavour = flavours[verdict.programs % std::size(flavours)];
    std::discrete_distribution<int> call(flavour.weights.begin(), flavour.weights.end());
    Run run(length);
    for (Choice& choice : run) {
      choice.call = static_cast<Do>(call(random));
      for (std::uint8_t& operand : choice.n) operand = static_cast<std::uint8_t>(random());
    }
    verdict.histories += length;
    auto found = Player(flavour.beginning).play(run);
    if (!found || (best && found->kind <= best->kind)) continue;
    best = std::move(found);
    best_run = std::move(run);
    best_flavour = &flavour;
    if (best->kind == Parting::Kind::seen) break;
  }
  if (best) {
    shorten(best_run, *best, *best_flavour);
    verdict.theorem = best->theorem;
    verdict.sentence = best->sentence;
    verdict.counterexample = best->history;
    verdict.visible = best->kind >= Parting::Kind::fault;
    verdict.vanished = best->kind == Parting::Kind::vanished;
  }
  return verdict;
}

}  // namespace streampool::model::explorer
