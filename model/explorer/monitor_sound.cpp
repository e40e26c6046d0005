#include <array>

#include "model/explorer/schedules.hpp"
#include "model/explorer/theorems.hpp"
#include "model/history/print.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::model::explorer {

using history::Call;
using history::Line;
using history::Op;

namespace {

constexpr std::uint64_t block_size = std::uint64_t{2} << 20;  // a granule: a block is taken as a whole or not at all

class Sound {
 public:
  Sound(const Profile& profile, const Scope& scope, unsigned switches)
      : words_(names_),
        runner_(profile, {.policy = machine::Policy::random, .granule = block_size, .choices = &choices_}),
        judge_(profile, names_, {.memory = machine::Settings{}.memory, .granule = block_size}),
        scope_(scope) {
    for (const Call& call : words_.setup(scope, switches)) observe(runner_, judge_, call);
  }

  Verdict run() {
    each_program(scope_, {}, [&](std::span<const Move> program) {
      ++verdict_.programs;
      const std::size_t lines = lines_.size();
      follow(program, runner_, judge_);
      lines_.resize(lines);
      return !verdict_.counterexample;
    });
    return verdict_;
  }

 private:
  // Runs the call and shows it to the judge. False: it never returns, or the judge objects.
  bool observe(machine::Runner& runner, Judge& judge, const Call& call) {
    const auto result = runner.run(call);
    if (!result) return false;
    Line& line = lines_.emplace_back();
    line.call = call;
    line.result = *result;
    judge.apply(line);
    if (!judge.finding()) return true;
    if (!verdict_.counterexample) {
      verdict_.counterexample = text();
      verdict_.sentence = "The judge refuses what a machine does: " + judge.finding()->explanation;
    }
    return false;
  }

  [[nodiscard]] std::string text() const { return history::print(lines_, names_); }

  void follow(std::span<const Move> program, const machine::Runner& runner, const Judge& judge) {
    if (verdict_.counterexample) return;
    if (program.empty()) return finish(runner, judge);
    const Call call = words_.call(program.front(), block_size);
    const std::size_t lines = lines_.size();
    if (call.op != Op::malloc) {
      machine::Runner next = runner;
      Judge judged = judge;
      if (observe(next, judged, call)) follow(program.subspan(1), next, judged);
      lines_.resize(lines);
      return;
    }
    for (const Progress& progress : all_progress(runner)) {
      choices_ = {};
      do {
        choices_.restart();
        machine::Runner next = runner;
        Judge judged = judge;
        bool good = true;
        for (const Stream s : progress.steps) {
          Call step;
          step.op = Op::step;
          step.stream = words_.stream(static_cast<unsigned>(s) - 2);  // behind none and the legacy stream
          good = good && observe(next, judged, step);
        }
        good = good && observe(next, judged, call);
        const machine::Choices taken = choices_;  // those of this call, whatever later calls choose
        if (good) follow(program.subspan(1), next, judged);
        choices_ = taken;
        lines_.resize(lines);
      } while (!verdict_.counterexample && choices_.advance());
    }
  }

  // What there is to read at the end.
  void finish(const machine::Runner& runner, const Judge& judge) {
    ++verdict_.histories;
    machine::Runner last = runner;
    Judge judged = judge;
    const std::size_t lines = lines_.size();
    const auto read = [&] {
      for (int attribute = 1; attribute <= 8; ++attribute) {
        Call call;
        call.op = Op::pool_get;
        call.pool = words_.pool();
        call.attribute = static_cast<history::Attribute>(attribute);
        observe(last, judged, call);
      }
    };
    read();
    for (unsigned gate = 0; gate < scope_.gates; ++gate) {
      Call call;
      call.op = Op::gate_open;
      call.gate = words_.gate(gate);
      observe(last, judged, call);
    }
    Call sync;
    sync.op = Op::device_sync;
    observe(last, judged, sync);
    Call trim;
    trim.op = Op::pool_trim;
    trim.pool = words_.pool();
    trim.size = 0;
    observe(last, judged, trim);
    read();
    lines_.resize(lines);
  }

  history::NameTable names_;
  Vocabulary words_;
  machine::Choices choices_;
  machine::Runner runner_;
  Judge judge_;
  const Scope scope_;
  std::vector<Line> lines_;
  Verdict verdict_;
};

}  // namespace

Verdict check_monitor_sound(const Profile& profile, const Scope& scope, unsigned switches) {
  return Sound(profile, scope, switches).run();
}

}  // namespace streampool::model::explorer
