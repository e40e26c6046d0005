// What Scope::reduced leaves out is said by something that it keeps: by exhaustion, over all settings and schedules.
#include "model/explorer/reduced.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/explorer/litmus.hpp"
#include "model/explorer/tests/more_calls.hpp"
#include "model/history/print.hpp"
#include "model/profile/load.hpp"

namespace streampool::model::explorer {
namespace {

using history::Op;

using Verdicts = std::vector<std::optional<Overlap>>;
using Known = std::map<Program, std::optional<Verdicts>>;  // verdicts once they were asked for

Known programs_of(Scope scope, unsigned calls) {
  scope.calls = calls;
  Known all;
  each_program(scope, {}, [&](std::span<const Move> program) {
    all.try_emplace(Program(program.begin(), program.end()));
    return true;
  });
  return all;
}

struct Text {
  history::NameTable names;
  Vocabulary words{names};
  std::vector<history::Line> lines;

  Text(const Scope& scope, const Program& program, unsigned switches) {
    for (const history::Call& call : words.setup(scope, switches)) lines.emplace_back().call = call;
    for (const Move& move : program) lines.emplace_back().call = words.call(move, std::uint64_t{2} << 20);
  }
};

// May the last malloc get the memory of a freed block: for each of them, under every setting of the switches.
Verdicts verdicts_of(const Scope& scope, const Program& program) {
  static const auto profile = load_profile("strict");
  Verdicts all;
  for (unsigned switches = 0; switches < 8; ++switches) {
    Text text(scope, program, switches);
    for (unsigned block = 0; block < program.back().block; ++block) {
      const bool freed =
          std::ranges::any_of(program, [&](const Move& m) { return m.op == Op::free && m.block == block; });
      if (!freed) continue;
      all.push_back(overlap_of(*profile, text.lines, text.words.block(block), text.words.block(program.back().block)));
    }
  }
  return all;
}

const Verdicts& verdicts_of(const Scope& scope, Known::value_type& known) {
  if (!known.second) known.second = verdicts_of(scope, known.first);
  return *known.second;
}

// Those without one call that moves no memory, or without a gate; none of them need be a program.
std::vector<Program> shorter_ones(const Program& program) {
  std::vector<Program> all;
  for (const Move& gone : program) {
    if (gone.op == Op::malloc || gone.op == Op::free) continue;
    Program less;
    const bool gate = gone.op == Op::gate_hold;
    for (const Move& move : program) {
      const bool of_gate = gate && (move.op == Op::gate_hold || move.op == Op::gate_open) && move.gate == gone.gate;
      if (&move != &gone && !of_gate) less.push_back(move);
    }
    all.push_back(renamed(std::move(less)));
  }
  return all;
}

std::vector<Program> earlier_ones(const Program& program) {
  std::vector<Program> all;
  for (std::size_t i = 0; i + 1 < program.size(); ++i) {
    if (!commute(program[i], program[i + 1])) continue;
    Program other = program;
    std::swap(other[i], other[i + 1]);
    other = renamed(std::move(other));
    if (other < program) all.push_back(std::move(other));
  }
  return all;
}

class Reduced : public testing::TestWithParam<Scope> {};

TEST_P(Reduced, WhatIsLeftOutIsSaidByAShorterOrAnEarlierProgram) {
  const Scope scope = GetParam();
  std::map<std::size_t, Known> all;
  for (unsigned calls = scope.calls - 2; calls <= scope.calls; ++calls) all[calls] = programs_of(scope, calls);
  Scope reduced = scope;
  reduced.reduced = true;
  const Known kept = programs_of(reduced, scope.calls);
  std::size_t ending_in_reuse = 0, left_out = 0;
  for (Known::value_type& known : all[scope.calls]) {
    const Program& program = known.first;
    if (program.back().op != Op::malloc || !may_reuse(program)) continue;
    ++ending_in_reuse;
    if (kept.contains(program)) continue;
    ++left_out;
    std::vector<Program> others = earlier_ones(program);
    std::ranges::move(shorter_ones(program), std::back_inserter(others));
    EXPECT_TRUE(std::ranges::any_of(others, [&](const Program& other) {
      const auto found = all[other.size()].find(other);
      return found != all[other.size()].end() && verdicts_of(scope, *found) == verdicts_of(scope, known);
    })) << history::print(Text(scope, program, 0).lines, Text(scope, program, 0).names);
  }
  EXPECT_EQ(ending_in_reuse, left_out + kept.size());
  EXPECT_GT(left_out, 0U);
  EXPECT_GT(kept.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Scopes, Reduced,
    testing::Values(
        Scope{.streams = 3, .events = 2, .blocks = 2, .calls = calls(5)},
        Scope{
            .streams = 3, .events = 2, .blocks = 2, .gates = 1, .calls = calls(4), .uses = true, .event_syncs = true}));

TEST(Reduced, NamesAreGivenInTheOrderOfFirstUse) {
  const Program program{{.op = Op::malloc, .stream = 2, .block = 0},
                        {.op = Op::event_record, .stream = 1, .event = 1},
                        {.op = Op::stream_wait_event, .stream = 2, .event = 1}};
  const Program wanted{{.op = Op::malloc, .stream = 0, .block = 0},
                       {.op = Op::event_record, .stream = 1, .event = 0},
                       {.op = Op::stream_wait_event, .stream = 0, .event = 0}};
  EXPECT_EQ(renamed(program), wanted);
}

TEST(Reduced, WhatIsProvedOrOpenedKeepsItsPlace) {
  const Move record{.op = Op::event_record, .stream = 1}, sync{.op = Op::stream_sync}, open{.op = Op::gate_open};
  const Move free{.op = Op::free, .stream = 0, .block = 0}, malloc{.op = Op::malloc, .stream = 1, .block = 1};
  EXPECT_FALSE(commute(record, sync));
  EXPECT_FALSE(commute(open, record));
  EXPECT_FALSE(commute(free, malloc));
  EXPECT_TRUE(commute(free, record));
  EXPECT_TRUE(commute(record, free));
}

}  // namespace
}  // namespace streampool::model::explorer
