#include "conformance/minimize/minimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>

#include "conformance/kit/scenario.hpp"
#include "conformance/minimize/shrink.hpp"
#include "model/history/print.hpp"
#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::minimize {
namespace {

using Clock = std::chrono::steady_clock;
using history::Line;

// What must happen again: the verdict, and for a violation its clause.
struct Failure {
  kit::Verdict verdict = kit::Verdict::fail;
  std::optional<spec::ClauseId> clause;
  [[nodiscard]] bool same(const kit::CaseResult& result) const {
    return result.verdict == verdict && result.clause == clause;
  }
};

bool is_failure(kit::Verdict verdict) {
  return verdict == kit::Verdict::fail || verdict == kit::Verdict::crash || verdict == kit::Verdict::timeout;
}

// Candidates run on the runtime, one after another in one worker; a worker that died is replaced.
class Bench {
 public:
  Bench(const Settings& settings, const history::NameTable& names, const std::atomic<bool>& interrupted)
      : settings_(settings), names_(names), interrupted_(interrupted) {}

  // Nothing: it could not be run, or there is no more time.
  std::optional<kit::CaseResult> run(const Lines& lines) {
    if (spent()) return std::nullopt;
    if (worker_ == nullptr && !start()) return std::nullopt;
    ++runs_;
    const kit::Scenario scenario{.name = "minimised",
                                 .suite = "minimize",
                                 .aims = {},
                                 .text = text_of(lines),
                                 .seed = 0,
                                 .undefined = false,
                                 .not_applicable = ""};
    kit::JobOutcome outcome = kit::run_job(*worker_, kit::scenario_job(scenario));
    if (!outcome.alive) worker_.reset();
    if (outcome.interrupted || outcome.results.empty()) return std::nullopt;
    return std::move(outcome.results.front());
  }

  [[nodiscard]] bool spent() const {
    return runs_ >= settings_.most_runs || Clock::now() - started_ > settings_.budget || interrupted_.load() ||
           !broken_.empty();
  }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] Sizes sizes() const {
    if (worker_ == nullptr) return {};
    const kit::Quantities known = kit::quantities(settings_.profile, worker_->greeting().description);
    return {known.alignment, known.granule};
  }

 private:
  bool start() {
    try {
      auto worker = kit::Worker::start(settings_.worker, interrupted_);
      if (worker) return worker_ = std::move(*worker), true;
      broken_ = worker.error();
    } catch (const std::system_error& error) {
      broken_ = error.what();
    }
    return false;
  }
  // Calls without their results.
  std::string text_of(const Lines& lines) const {
    Lines bare;
    for (Line line : lines) {
      if (line.kind == history::LineKind::call) line.result.reset();
      bare.push_back(std::move(line));
    }
    return history::print(bare, names_);
  }

  const Settings& settings_;
  const history::NameTable& names_;
  const std::atomic<bool>& interrupted_;
  const Clock::time_point started_ = Clock::now();
  std::unique_ptr<kit::Worker> worker_;
  std::uint64_t runs_ = 0;
  std::string broken_;
};

// Does the judge alone find the same in the recorded answers?
bool judged_the_same(const Lines& preamble, const Lines& lines, const history::NameTable& names,
                     const model::Profile& profile, const Failure& failure) {
  model::Judge judge(profile, names);
  for (const Line& line : preamble) judge.apply(line);
  for (const Line& line : lines) {
    Line copy = line;
    copy.number = 0;
    judge.apply(copy);
    if (judge.finding()) break;
  }
  judge.finish();
  const auto& finding = judge.finding();
  return finding && finding->kind == model::Finding::Kind::violation && finding->clause == failure.clause;
}

// Is there a call with nothing beside it that a closed gate holds? A runtime without the fault would wait there for
// ever.
bool stuck(const std::string& history, const model::Profile& profile) {
  history::NameTable names;
  const auto lines = history::read_text(history, names);
  if (!lines) return false;
  model::Judge judge(profile, names);
  return std::ranges::any_of(*lines, [&](const Line& line) {
    const bool held =
        line.kind == history::LineKind::call && judge.held_by(line.call, line.thread) != history::Name::none;
    judge.apply(line);
    return held;
  });
}

std::uint64_t calls_in(const Lines& lines) {
  return static_cast<std::uint64_t>(std::ranges::count_if(lines, [](const Line& l) {
    return l.kind == history::LineKind::call || l.kind == history::LineKind::call_begin;
  }));
}

Lines preamble_of(const Lines& lines) {
  Lines preamble;
  for (const Line& line : lines) {
    if (line.kind == history::LineKind::profile || line.kind == history::LineKind::device) preamble.push_back(line);
  }
  return preamble;
}

}  // namespace

tl::expected<Minimised, std::string> minimise(const std::string& text, const Settings& settings,
                                              const std::atomic<bool>& interrupted) {
  history::NameTable names;
  const auto read = history::read_text(text, names);
  if (!read) return tl::unexpected(history::to_text(read.error()));
  Lines lines = closed(*read);
  Bench bench(settings, names, interrupted);
  std::optional<kit::CaseResult> smallest = bench.run(lines);
  if (!smallest) return tl::unexpected(bench.broken().empty() ? "there was no time to run it" : bench.broken());
  if (!is_failure(smallest->verdict)) {
    return tl::unexpected(fmt::format("it does not fail on this runtime: {}", kit::name(smallest->verdict)));
  }
  const Failure failure{smallest->verdict, smallest->clause};
  Minimised done;
  done.calls_before = calls_in(lines);
  const bool was_stuck = stuck(smallest->history, settings.profile);
  const Fails fails = [&](const Lines& candidate) {
    auto result = bench.run(candidate);
    if (!result || !failure.same(*result)) return false;
    if (!was_stuck && stuck(result->history, settings.profile)) return false;
    smallest = std::move(result);
    return true;
  };

  // The recorded answers first: where the runtime agrees with what the judge alone left, most of the work is done.
  const Lines preamble = preamble_of(*read);
  const Fails judged = [&](const Lines& candidate) {
    return judged_the_same(preamble, candidate, names, settings.profile, failure);
  };
  if (failure.verdict == kit::Verdict::fail && judged(lines)) {
    Lines candidate = drop_lines(lines, judged);
    if (candidate.size() < lines.size() && fails(candidate)) lines = std::move(candidate);
  }
  (void)shrink(std::move(lines), bench.sizes(), fails);
  done.complete = !bench.spent();
  done.runs = bench.runs();
  done.result = std::move(*smallest);
  return done;
}

}  // namespace streampool::minimize
