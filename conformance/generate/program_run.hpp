// Runs small programs one after another in one context, each on a pool that is as good as new.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "conformance/kit/live_run.hpp"
#include "conformance/kit/run_scenario.hpp"
#include "model/explorer/programs.hpp"
#include "spec/rules/order.hpp"

namespace streampool::generate {

// How many yes-or-no choices a device schedule has in this program: at each malloc, for each free that nothing has
// proved, whether it has ended.
[[nodiscard]] unsigned schedule_choices(std::span<const model::explorer::Move> program);

class ProgramRun {
 public:
  // The target is open. The switches are bits 0 to 2 for attributes 1 to 3.
  ProgramRun(const kit::RunContext& context, const model::explorer::Scope& scope, unsigned switches);

  // Bit k of `schedule` is the k-th choice. False once the judge has found something.
  bool run(std::span<const model::explorer::Move> program, unsigned schedule);

  [[nodiscard]] const model::Judge& judge() const { return live_->judge(); }
  [[nodiscard]] const kit::LiveRun& live() const { return *live_; }

 private:
  bool apply(history::Call call);
  bool open_gates();
  bool advance_to(const model::Cut& cut);
  bool clean_up(std::span<const model::explorer::Move> program);

  const model::explorer::Scope scope_;
  const std::uint64_t block_size_;
  const bool stepped_;
  bool malloc_behind_free_ = false;
  history::NameTable names_;
  model::explorer::Vocabulary words_;
  std::unique_ptr<kit::LiveRun> live_;
  spec::Order<model::Concrete> order_;  // of all programs so far
  model::Cut ended_;                    // items that are known to have ended
};

}  // namespace streampool::generate
