// Histories as RapidCheck values: any subsequence of operations is a history without a program fault, and a planted
// fault shrinks to few operations.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conformance/generate/play.hpp"
#include "conformance/generate/rapidcheck.hpp"
#include "conformance/kit/executor.hpp"
#include "model/profile/load.hpp"

namespace streampool::generate {
namespace {

const model::Profile& strict() {
  static const auto profile = model::load_profile("strict");
  return *profile;
}

// A runtime that gives every block the same address from some malloc on.
class Planted final : public kit::Target {
 public:
  Planted() : inner_(std::move(*kit::Runtime::from_table(streampool_runtime_table(), "model")), {}) {}
  [[nodiscard]] tl::expected<void, kit::LoadError> open() override {
    first_ = 0;
    return inner_.open();
  }
  void begin(const history::NameTable& names) override { inner_.begin(names); }
  [[nodiscard]] bool close() override { return inner_.close(); }
  [[nodiscard]] const kit::Description& description() const override { return inner_.description(); }
  [[nodiscard]] std::uint64_t capabilities() const override { return inner_.capabilities(); }
  [[nodiscard]] bool knows(const history::Call& call) const override { return inner_.knows(call); }
  void run(const history::Call& call, history::Result& result) override {
    inner_.run(call, result);
    if (!planted || call.op != history::Op::malloc || !result.value || *result.value == 0) return;
    if (first_ == 0) first_ = *result.value;
    result.value = first_;
  }
  [[nodiscard]] std::vector<history::Name> closed_gates() const override { return inner_.closed_gates(); }
  void open_gate(history::Name gate) override { inner_.open_gate(gate); }

  bool planted = false;

 private:
  kit::Executor inner_;
  std::uint64_t first_ = 0;
};

std::optional<model::Finding> play(Planted& target, kit::Watchdog& watchdog, const std::vector<Operation>& history) {
  if (!target.open()) return std::nullopt;
  std::optional<model::Finding> finding;
  {
    history::NameTable names;
    kit::LiveRun run(target, strict(), names, watchdog, nullptr);
    Player player(run, setting_of(target, strict()), names);
    bool good = player.begin();
    for (std::size_t i = 0; good && i < history.size(); ++i) good = player.play(history[i]);
    run.finish();
    finding = run.judge().finding();
  }
  return target.close() ? finding : std::nullopt;
}

RC_GTEST_PROP(Histories, OfTheModelAreAccepted, ()) {
  static Planted target;
  static kit::Watchdog watchdog;
  const auto finding = play(target, watchdog, *any_history());
  if (finding) RC_FAIL(finding->explanation);
}

TEST(Histories, EverySubsequenceIsOne) {
  Planted target;
  kit::Watchdog watchdog;
  Random random(11);
  std::vector<Operation> history;
  for (int i = 0; i < 400; ++i) history.push_back(draw(random));
  for (int round = 0; round < 50; ++round) {
    std::vector<Operation> part;
    for (const Operation& operation : history) {
      if (random.next() % 3 != 0) part.push_back(operation);
    }
    const auto finding = play(target, watchdog, part);
    EXPECT_FALSE(finding) << finding->explanation;
  }
}

TEST(Histories, APlantedFaultShrinksToTwoMallocs) {
  Planted target;
  target.planted = true;
  kit::Watchdog watchdog;
  Random random(3);
  std::vector<Operation> history;
  for (int i = 0; i < 200; ++i) history.push_back(draw(random));
  ASSERT_TRUE(play(target, watchdog, history));
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = history.size(); i-- > 0;) {
      auto less = history;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      const auto finding = play(target, watchdog, less);
      if (!finding || finding->kind != model::Finding::Kind::violation) continue;
      history = std::move(less);
      smaller = true;
    }
  }
  EXPECT_EQ(history.size(), 2U);
}

}  // namespace
}  // namespace streampool::generate
