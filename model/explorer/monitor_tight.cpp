#include <algorithm>
#include <map>

#include "fmt/format.h"
#include "model/explorer/schedules.hpp"
#include "model/explorer/theorems.hpp"
#include "model/history/print.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::model::explorer {

using history::Call;
using history::Line;
using history::Op;
using history::Result;

namespace {

constexpr std::uint64_t block_size = std::uint64_t{2} << 20;

// Walks over histories with the judge and, beside it, every machine that can have made the history so far. Device steps
// are not shown: the judge sees no more than of a runtime in real time.
class Tight {
 public:
  Tight(const Profile& profile, const Scope& scope, unsigned switches)
      : words_(names_),
        judge_(profile, names_, {.memory = machine::Settings{}.memory, .granule = block_size}),
        scope_(scope) {
    machines_.emplace_back(
        profile, machine::Settings{.policy = machine::Policy::random, .granule = block_size, .choices = &choices_});
    for (const Call& call : words_.setup(scope, switches)) show(judge_, call, *machines_.front().run(call));
  }

  Verdict run() {
    each_program(scope_, {}, [&](std::span<const Move> program) {
      ++verdict_.programs;
      const std::size_t lines = lines_.size();
      follow(program, machines_, judge_, {});
      lines_.resize(lines);
      return !verdict_.counterexample;
    });
    return verdict_;
  }

 private:
  using Machines = std::vector<machine::Runner>;

  bool show(Judge& judge, const Call& call, const Result& result) {
    Line& line = lines_.emplace_back();
    line.call = call;
    line.result = result;
    judge.apply(line);
    return !judge.finding();
  }

  void contradict(bool accepted) {
    verdict_.counterexample = history::print(lines_, names_);
    verdict_.sentence = accepted ? "The judge accepts what no machine does." : "The judge refuses what a machine does.";
  }

  // `addresses`: every address that a block of this history has had.
  void follow(std::span<const Move> program, const Machines& machines, const Judge& judge,
              std::vector<std::uint64_t> addresses) {
    if (verdict_.counterexample) return;
    if (program.empty()) {
      ++verdict_.histories;
      return;
    }
    const Call call = words_.call(program.front(), block_size);
    // Machines that answer alike, by answer.
    std::map<std::uint64_t, Machines> answers;
    Result plain;
    for (const machine::Runner& before : machines) {
      if (call.op != Op::malloc) {
        machine::Runner after = before;
        if (const auto result = after.run(call)) {
          plain = *result;
          answers[0].push_back(std::move(after));
        }
        continue;
      }
      for (const Progress& progress : all_progress(before)) {
        choices_ = {};
        do {
          choices_.restart();
          machine::Runner after = progress.runner;
          const auto result = after.run(call);
          answers[*result->value].push_back(std::move(after));
        } while (choices_.advance());
      }
    }
    if (call.op != Op::malloc) return settle(program, call, plain, answers[0], judge, addresses);
    std::vector<std::uint64_t> candidates = addresses;
    for (const auto& [address, same] : answers) candidates.push_back(address);
    std::ranges::sort(candidates);
    candidates.erase(std::ranges::unique(candidates).begin(), candidates.end());
    for (const std::uint64_t address : candidates) {
      Result result;
      result.value = address;
      auto had = addresses;
      had.push_back(address);
      settle(program, call, result, answers[address], judge, had);
    }
  }

  void settle(std::span<const Move> program, const Call& call, const Result& result, const Machines& machines,
              const Judge& judge, const std::vector<std::uint64_t>& addresses) {
    if (verdict_.counterexample) return;
    Judge judged = judge;
    const std::size_t lines = lines_.size();
    const bool accepted = show(judged, call, result);
    if (accepted == machines.empty()) contradict(accepted);
    if (accepted && !machines.empty()) follow(program.subspan(1), machines, judged, addresses);
    lines_.resize(lines);
  }

  history::NameTable names_;
  Vocabulary words_;
  machine::Choices choices_;
  Machines machines_;
  Judge judge_;
  const Scope scope_;
  std::vector<Line> lines_;
  Verdict verdict_;
};

}  // namespace

Verdict check_monitor_tight(const Profile& profile, const Scope& scope, unsigned switches) {
  return Tight(profile, scope, switches).run();
}

}  // namespace streampool::model::explorer
