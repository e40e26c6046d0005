// What the writer knows of gates: a runtime may wait for more than the judge can tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "conformance/generate/play.hpp"
#include "conformance/kit/executor.hpp"
#include "conformance/kit/live_run.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

// Operands: streams are chosen by b / 32, so these two are the ones that a history begins with.
constexpr std::uint32_t first_stream = 2, second_stream = 34;
constexpr Operation hold{Kind::gate_hold, 1, first_stream, 0};
// … and these stand for operations without readings beside them.
constexpr std::uint32_t unwatched = 40, alone = 1;
constexpr Operation malloc_first{Kind::malloc, 0, first_stream, unwatched};
constexpr Operation malloc_second{Kind::malloc, 0, second_stream, unwatched};
constexpr Operation free_first{Kind::free, 0, 0, 0};
constexpr Operation sync_first{Kind::stream_sync, 0, first_stream, alone};
constexpr Operation sync_second{Kind::stream_sync, 0, second_stream, alone};

// Whether these operations end with a gate that is opened before the last call. The model never reuses anything here,
// so nothing that the judge sees holds the second stream.
bool opens_a_gate(std::initializer_list<Operation> operations) {
  auto runtime = kit::Runtime::from_table(streampool_runtime_table(), "model");
  EXPECT_TRUE(runtime);
  kit::Executor target(std::move(*runtime), {{"policy", "lazy"}});
  EXPECT_TRUE(target.open());
  const auto profile = model::load_profile("strict");
  EXPECT_TRUE(profile);
  kit::Watchdog watchdog;
  history::NameTable names;
  kit::LiveRun run(target, *profile, names, watchdog, nullptr);
  Player player(run, setting_of(target, *profile), names);
  EXPECT_TRUE(player.begin());
  for (const Operation& operation : operations) EXPECT_TRUE(player.play(operation));
  EXPECT_EQ(run.lines().back().call.op, history::Op::stream_sync);
  return run.lines()[run.lines().size() - 2].call.op == history::Op::gate_open;
}

TEST(Writer, AMallocMayWaitForAnyStreamWithAnUnprovedFreeOfItsPool) {
  EXPECT_TRUE(opens_a_gate({malloc_first, hold, free_first, malloc_second, sync_second}));
  EXPECT_TRUE(opens_a_gate({malloc_first, free_first, hold, malloc_second, sync_second}));
}

TEST(Writer, WhatNothingHoldsIsSynchronizedBehindAClosedGate) {
  EXPECT_FALSE(opens_a_gate({malloc_first, hold, malloc_second, sync_second}));
  EXPECT_FALSE(opens_a_gate({malloc_first, free_first, sync_first, hold, malloc_second, sync_second}));
  EXPECT_FALSE(opens_a_gate({malloc_first, hold, free_first, sync_second}));
}

}  // namespace
}  // namespace streampool::generate
