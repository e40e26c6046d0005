#include "model/explorer/litmus.hpp"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "model/explorer/schedules.hpp"
#include "model/history/print.hpp"
#include "model/history/signature.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::model::explorer {

using history::Call;
using history::Line;
using history::LineKind;
using history::Name;
using history::Op;

namespace {

constexpr std::uint64_t block_size = std::uint64_t{2} << 20;
constexpr unsigned settings = 8;

class Outcomes {
 public:
  Outcomes(const Profile& profile, Name first, Name second)
      : first_(first),
        second_(second),
        start_(profile, {.policy = machine::Policy::random, .granule = block_size, .choices = &choices_}) {}

  void follow(std::span<const Line> lines) { follow(lines, start_, {}); }
  bool seen = false, unseen = false;

 private:
  struct Range {
    std::uint64_t begin = 0, size = 0;
  };
  struct Ranges {
    Range first, second;
  };

  void follow(std::span<const Line> lines, const machine::Runner& from, Ranges ranges) {
    if (seen && unseen) return;
    while (!lines.empty() && lines.front().kind != LineKind::call) lines = lines.subspan(1);
    if (lines.empty()) return conclude(ranges);
    const Call& call = lines.front().call;
    if (call.op != Op::malloc && call.op != Op::plain_malloc) {
      machine::Runner next = from;
      if (next.run(call)) follow(lines.subspan(1), next, ranges);
      return;
    }
    for (const Progress& progress : all_progress(from)) {
      choices_ = {};
      do {
        choices_.restart();
        machine::Runner next = progress.runner;
        const auto result = next.run(call);
        const machine::Choices taken = choices_;
        Ranges now = ranges;
        if (call.allocation == first_) now.first = {result->value.value_or(0), *call.size};
        if (call.allocation == second_) now.second = {result->value.value_or(0), *call.size};
        follow(lines.subspan(1), next, now);
        choices_ = taken;
      } while (choices_.advance());
    }
  }

  void conclude(const Ranges& ranges) {
    const auto& [a, b] = ranges;
    if (a.begin == 0 || b.begin == 0) return;
    (a.begin < b.begin + b.size && b.begin < a.begin + a.size ? seen : unseen) = true;
  }

  const Name first_, second_;
  machine::Choices choices_;
  const machine::Runner start_;
};

std::vector<Line> lines_of(std::span<const Call> calls) {
  std::vector<Line> lines;
  for (const Call& call : calls) lines.emplace_back().call = call;
  return lines;
}

// One program under all settings of the switches.
class Candidate {
 public:
  Candidate(const Profile& profile, const Scope& scope, std::span<const Move> program)
      : profile_(profile), scope_(scope), words_(names_), program_(program.begin(), program.end()) {
    const auto freed = std::ranges::find(program_, Op::free, &Move::op);
    first_ = words_.block(freed->block);
    second_ = words_.block(program_.back().block);
  }

  void collect(std::vector<Litmus>& into) {
    std::array<std::optional<Overlap>, settings> verdicts;
    for (unsigned s = 0; s < settings; ++s) verdicts[s] = verdict(program_, s);
    for (unsigned s = 0; s < settings; ++s) {
      if (!verdicts[s] || !decides(verdicts, s) || !minimal(s, *verdicts[s])) continue;
      into.push_back({name(s), text(s, *verdicts[s]), *verdicts[s]});
    }
  }

 private:
  // A flip of one switch decides; where there are orders in the program, those do, and the least setting will do.
  bool decides(const std::array<std::optional<Overlap>, settings>& verdicts, unsigned s) const {
    for (unsigned bit = 1; bit < settings; bit <<= 1U) {
      if (verdicts[s ^ bit] != verdicts[s]) return true;
    }
    return s == 0 && program_.size() > 3;
  }
  bool minimal(unsigned s, Overlap whole) {
    for (std::size_t i = 0; i + 1 < program_.size(); ++i) {
      if (program_[i].op == Op::malloc || program_[i].op == Op::free) continue;
      Program less = program_;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      const auto lines = lines_of(calls(less, s));
      if (keeps_obligations(profile_, names_, lines) && verdict(less, s) == whole) return false;
    }
    return true;
  }
  std::optional<Overlap> verdict(const Program& program, unsigned s) {
    return overlap_of(profile_, lines_of(calls(program, s)), first_, second_);
  }

  // Without the names that the program does not use and the settings that are defaults.
  std::vector<Call> calls(const Program& program, unsigned s) {
    std::vector<Call> used;
    for (Call& call : words_.setup(scope_, s)) {
      bool wanted = true;
      if (call.op == Op::stream_create) {
        wanted =
            std::ranges::any_of(program_, [&](const Move& move) { return words_.stream(move.stream) == call.stream; });
      }
      if (call.op == Op::event_create) {
        wanted = std::ranges::any_of(program_, [&](const Move& move) {
          return (move.op == Op::event_record || move.op == Op::stream_wait_event || move.op == Op::event_sync) &&
                 words_.event(move.event) == call.event;
        });
      }
      if (call.op == Op::gate_create) {
        wanted = std::ranges::any_of(program_, [&](const Move& move) {
          return move.op == Op::gate_hold && words_.gate(move.gate) == call.gate;
        });
      }
      if (call.op == Op::pool_set && call.value.integer == 1) wanted = false;
      if (wanted) used.push_back(std::move(call));
    }
    for (const Move& move : program) used.push_back(words_.call(move, block_size));
    return used;
  }

  [[nodiscard]] std::string name(unsigned s) const {
    std::string all;
    for (unsigned bit = 0; bit < 3; ++bit) {
      if ((s >> bit & 1U) != 0) all += "foi"[bit];
    }
    if (all.empty()) all = "none";
    for (const Move& move : program_) {
      std::string_view word = history::to_text(move.op);
      if (word.starts_with("stream_wait")) word = "wait";
      if (const auto cut = word.find('_'); cut != std::string_view::npos) {
        word = word.starts_with("event_sync") ? "esync" : word.substr(cut + 1);
      }
      all += fmt::format("_{}", word);
      const bool event = move.op == Op::event_record || move.op == Op::stream_wait_event || move.op == Op::event_sync;
      if (move.op != Op::event_sync && move.op != Op::gate_open) all += fmt::format("{}", move.stream + 1);
      if (event && scope_.events > 1) all += static_cast<char>('a' + move.event);
    }
    return all;
  }

  std::string text(unsigned s, Overlap verdict) {
    std::vector<Line> lines;
    Line profile;
    profile.kind = LineKind::profile;
    profile.profile.name = profile_.name;
    lines.push_back(profile);
    for (Line& line : lines_of(calls(program_, s))) lines.push_back(std::move(line));
    Line expect;
    expect.kind = LineKind::expect;
    expect.expect.kind = history::Expect::Kind::overlap;
    expect.expect.first = first_;
    expect.expect.second = second_;
    expect.expect.verdict = verdict;
    lines.push_back(expect);
    return history::print(lines, names_);
  }

  const Profile& profile_;
  const Scope scope_;
  history::NameTable names_;
  Vocabulary words_;
  Program program_;
  Name first_{}, second_{};
};

}  // namespace

std::optional<Overlap> overlap_of(const Profile& profile, std::span<const Line> lines, Name first, Name second) {
  Outcomes outcomes(profile, first, second);
  outcomes.follow(lines);
  if (!outcomes.seen && !outcomes.unseen) return std::nullopt;
  return outcomes.seen ? (outcomes.unseen ? Overlap::allowed : Overlap::required) : Overlap::forbidden;
}

bool keeps_obligations(const Profile& profile, const history::NameTable& names, std::span<const Line> lines) {
  machine::Runner runner(profile, {.policy = machine::Policy::lazy, .granule = block_size});
  Judge judge(profile, names, {.memory = machine::Settings{}.memory, .granule = block_size});
  for (Line line : lines) {
    if (line.kind != LineKind::call) continue;
    const auto result = runner.run(line.call);
    if (!result) return true;  // stuck: the calls that were made are good
    line.result = *result;
    judge.apply(line);
  }
  return !judge.finding() || judge.finding()->kind != Finding::Kind::program_fault;
}

std::vector<Litmus> synthesize(const Profile& profile, const Scope& scope) {
  std::vector<Litmus> all;
  each_program(scope, {}, [&](std::span<const Move> program) {
    const auto mallocs = std::ranges::count(program, Op::malloc, &Move::op);
    const auto frees = std::ranges::count(program, Op::free, &Move::op);
    if (program.back().op == Op::malloc && mallocs == 2 && frees == 1) Candidate(profile, scope, program).collect(all);
    return true;
  });
  return all;
}

}  // namespace streampool::model::explorer
