#include "conformance/minimize/bench.hpp"

#include <system_error>

#include "conformance/kit/scenario.hpp"
#include "model/history/print.hpp"

namespace streampool::minimize {
namespace {

std::string without_results(const Lines& lines, const history::NameTable& names) {
  Lines bare = lines;
  for (history::Line& line : bare) {
    if (line.kind == history::LineKind::call) line.result.reset();
  }
  return history::print(bare, names);
}

}  // namespace

void Bench::set(const Pace& pace) {
  settings_.patience = pace.patience;
  settings_.hang = pace.hang;
  fresh_ = pace.fresh;
  worker_.reset();
}

std::optional<kit::CaseResult> Bench::run(const Lines& lines) {
  if (spent()) return std::nullopt;
  return run_at_last(lines);
}

std::optional<kit::CaseResult> Bench::run_at_last(const Lines& lines) {
  if (fresh_) worker_.reset();
  if (worker_ == nullptr && !start()) return std::nullopt;
  ++runs_;
  const kit::Scenario scenario{.name = "minimised",
                               .suite = "minimize",
                               .aims = {},
                               .text = without_results(lines, names_),
                               .seed = 0,
                               .undefined = false,
                               .not_applicable = ""};
  kit::JobOutcome outcome = kit::run_job(*worker_, kit::scenario_job(scenario));
  if (!outcome.alive) worker_.reset();
  if (outcome.interrupted || outcome.results.empty()) return std::nullopt;
  return std::move(outcome.results.front());
}

bool Bench::spent() const {
  return runs_ >= limits_.runs || elapsed() > limits_.time || interrupted_.load() || !broken_.empty();
}

std::chrono::milliseconds Bench::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_);
}

bool Bench::start() {
  try {
    auto worker = kit::Worker::start(settings_, interrupted_);
    if (worker) {
      worker_ = std::move(*worker);
      const kit::Quantities known = kit::quantities(profile_, worker_->greeting().description);
      sizes_ = {known.alignment, known.granule};
      return true;
    }
    broken_ = worker.error();
  } catch (const std::system_error& error) {
    broken_ = error.what();
  }
  return false;
}

}  // namespace streampool::minimize
