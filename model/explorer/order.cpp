// Theorems about schedules: program order against what a device can really do.
#include <algorithm>
#include <optional>

#include "fmt/format.h"
#include "model/explorer/schedules.hpp"
#include "model/explorer/theorems.hpp"
#include "model/history/print.hpp"
#include "model/machine/require.hpp"

namespace streampool::model::explorer {

using history::Op;

namespace {

struct Item {
  Stream stream;
  Position position;
};

// All interleavings of a program's calls with device steps; each state is shown once for each number of calls made.
class Schedules {
 public:
  Schedules(const Profile& profile, const Scope& scope) : words_(names_), start_(profile, {}) {
    for (const history::Call& call : words_.setup(scope, 0)) machine::require(start_.run(call).has_value());
  }

  template <class Visit>
  void each(std::span<const Move> program, Visit&& visit) {
    follow(program, start_, visit);
  }

  // The program's calls, one a line.
  std::string text(std::span<const Move> program) {
    std::string all;
    for (const Move& move : program) all += history::print(words_.call(move, std::uint64_t{2} << 20), names_) + "\n";
    return all;
  }

  Stream stream(const Move& move) { return start_.stream(words_.stream(move.stream)); }

 private:
  template <class Visit>
  void follow(std::span<const Move> rest, const machine::Runner& from, Visit& visit) {
    for (const Progress& progress : all_progress(from)) {
      visit(progress.runner, rest.size());
      if (rest.empty()) continue;
      machine::Runner next = progress.runner;
      if (next.run(words_.call(rest.front(), std::uint64_t{2} << 20))) follow(rest.subspan(1), next, visit);
    }
  }

  history::NameTable names_;
  Vocabulary words_;
  machine::Runner start_;
};

bool submits(Op op) { return op != Op::stream_sync && op != Op::event_sync && op != Op::gate_open; }

// The items of a program by move; nothing for moves that submit none.
std::vector<std::optional<Item>> items_of(Schedules& schedules, std::span<const Move> program) {
  std::vector<std::optional<Item>> items;
  Cut submitted;
  for (const Move& move : program) {
    items.emplace_back();
    if (!submits(move.op)) continue;
    const Stream s = schedules.stream(move);
    submitted.put(s, submitted.at(s) + 1);
    items.back() = Item{s, submitted.at(s)};
  }
  return items;
}

bool ended(const machine::Runner& runner, const Item& item) {
  return executed(runner).at(item.stream) >= item.position;
}

}  // namespace

Verdict check_order_exact(const Profile& profile, const Scope& scope) {
  Verdict verdict;
  Schedules schedules(profile, scope);
  each_program(scope, {}, [&](std::span<const Move> program) {
    ++verdict.programs;
    const auto items = items_of(schedules, program);
    const std::size_t n = program.size();
    std::vector<Cut> cuts(n);               // program order of each item, as it was submitted
    std::vector<char> overtakes(n * n, 0);  // [i * n + j]: in some schedule j had ended and i had not
    schedules.each(program, [&](const machine::Runner& runner, std::size_t rest) {
      ++verdict.histories;
      const std::size_t made = n - rest;
      if (made > 0 && items[made - 1])
        cuts[made - 1] = runner.machine().state().program.reach.get(items[made - 1]->stream);
      for (std::size_t j = 0; j < made; ++j) {
        if (!items[j] || !ended(runner, *items[j])) continue;
        for (std::size_t i = 0; i < n; ++i) {
          // An item that is not submitted yet has not ended.
          if (items[i] && (i >= made || !ended(runner, *items[i]))) overtakes[i * n + j] = 1;
        }
      }
    });
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        if (!items[i] || !items[j]) continue;
        const bool in_order = spec::contains<Concrete>(cuts[j], items[i]->stream, items[i]->position);
        if (in_order == (overtakes[i * n + j] != 0) && !verdict.counterexample) {
          verdict.counterexample = schedules.text(program);
          verdict.sentence = fmt::format("Call {} {} call {} by program order, but a schedule says otherwise.", j + 1,
                                         in_order ? "comes after" : "does not come after", i + 1);
        }
      }
    }
    return !verdict.counterexample;
  });
  return verdict;
}

Verdict check_program_sound(const Profile& profile, const Scope& scope) {
  Verdict verdict;
  Schedules schedules(profile, scope);
  each_program(scope, {}, [&](std::span<const Move> program) {
    ++verdict.programs;
    const auto items = items_of(schedules, program);
    schedules.each(program, [&](const machine::Runner& runner, std::size_t rest) {
      ++verdict.histories;
      const std::size_t made = program.size() - rest;
      for (std::size_t later = 0; later < made; ++later) {
        const bool frees = program[later].op == Op::free;
        if ((!frees && program[later].op != Op::launch) || !ended(runner, *items[later])) continue;
        for (std::size_t before = 0; before < later; ++before) {
          const bool mine = program[before].block == program[later].block &&
                            (program[before].op == Op::malloc || (frees && program[before].op == Op::launch));
          if (mine && !ended(runner, *items[before]) && !verdict.counterexample) {
            verdict.counterexample = schedules.text(program);
            verdict.sentence =
                fmt::format("The item of call {} had ended before that of call {}.", later + 1, before + 1);
          }
        }
      }
    });
    return !verdict.counterexample;
  });
  return verdict;
}

}  // namespace streampool::model::explorer
