#include "conformance/minimize/minimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/minimize/bench.hpp"
#include "conformance/minimize/shrink.hpp"
#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::minimize {
namespace {

using history::Line;

std::uint64_t calls_in(const Lines& lines) { return static_cast<std::uint64_t>(std::ranges::count_if(lines, is_call)); }

bool overlap(const Lines& lines) {
  return std::ranges::any_of(lines, [](const Line& line) { return line.kind == history::LineKind::call_begin; });
}

Lines preamble_of(const Lines& lines) {
  Lines preamble;
  for (const Line& line : lines) {
    if (line.kind == history::LineKind::profile || line.kind == history::LineKind::device) preamble.push_back(line);
  }
  return preamble;
}

// Is there a call with nothing beside it that a closed gate holds? A runtime without the fault would wait there for
// ever.
bool holds(const model::Judge& judge, const Line& line) {
  return line.kind == history::LineKind::call && judge.held_by(line.call, line.thread) != history::Name::none;
}

// Candidates that are to fail fast: a tenth of a second for a call that nothing should hold, three for a hang. The ends
// of what a run allows are seen once, at the end.
Pace hurried(const kit::WorkerSettings& worker) {
  return {std::min(worker.patience, 5U), std::min(worker.hang, std::chrono::milliseconds(300)), false};
}
// As in a run, but for a hang: that one is known to hang for all of a run's time, and here less shows that it still is.
Pace unhurried(const kit::WorkerSettings& worker, const Failure& failure) {
  if (failure.verdict != kit::Verdict::timeout) return {worker.patience, worker.hang, true};
  return {std::min(worker.patience, 15U), std::min(worker.hang, std::chrono::milliseconds(2'000)), true};
}

class Minimiser {
 public:
  Minimiser(const Settings& settings, history::NameTable& names, const Lines& read,
            const std::atomic<bool>& interrupted)
      : settings_(settings),
        names_(names),
        preamble_(preamble_of(read)),
        lines_(closed(finished(read))),
        bench_(settings.worker, settings.profile, names, interrupted, {settings.budget, settings.most_runs}),
        wanted_(settings.failure ? settings.failure : recorded(read)) {}

  tl::expected<Minimised, std::string> run() {
    Minimised done;
    done.calls_before = calls_in(lines_);
    std::string why = "there was no time to run it";
    for (const bool hurry : {true, false}) {
      bench_.set(hurry ? hurried(settings_.worker) : unhurried(settings_.worker, wanted_.value_or(Failure{})));
      if (const auto seen = reproduce(); !seen) {
        if (!bench_.broken().empty()) return tl::unexpected(bench_.broken());
        if (!seen.error().empty()) why = seen.error();
        continue;
      }
      Lines small = reduce();
      if (hurry && !again(small)) {
        why = "what is left of it does not fail in a process of its own";
        continue;
      }
      if (hurry) reduce_alone(std::move(small));
      done.complete = !bench_.spent();
      done.runs = bench_.runs();
      done.result = std::move(*smallest_);
      return done;
    }
    return tl::unexpected(why);
  }

 private:
  // What the history's own answers break; nothing: it has none, or they break nothing.
  std::optional<Failure> recorded(const Lines& lines) const {
    if (const auto finding = finding_of(lines); finding && finding->kind == model::Finding::Kind::violation) {
      return Failure{kit::Verdict::fail, finding->clause};
    }
    if (lines.empty() || !lines.back().result) return std::nullopt;
    switch (lines.back().result->status) {
      case history::Status::crash:
        return Failure{kit::Verdict::crash, spec::find_clause("LIFE-NO-CRASH")};
      case history::Status::timeout:
        return Failure{kit::Verdict::timeout, spec::find_clause("LIFE-NO-CRASH")};
      default:
        return std::nullopt;
    }
  }

  // The judge alone, on recorded answers. `last`: how many lines it needed.
  std::optional<model::Finding> finding_of(const Lines& lines, std::size_t* last = nullptr) const {
    model::Judge judge(settings_.profile, names_);
    for (const Line& line : preamble_) judge.apply(line);
    std::size_t needed = 0;
    for (const Line& line : lines) {
      ++needed;
      Line copy = line;
      copy.number = 0;
      judge.apply(copy);
      if (judge.finding()) break;
    }
    judge.finish();
    if (last != nullptr) *last = needed;
    return judge.finding();
  }

  std::optional<Lines> judged(const Lines& candidate) const {
    std::size_t needed = 0;
    const auto finding = finding_of(candidate, &needed);
    if (!finding || finding->kind != model::Finding::Kind::violation || finding->clause != failure_.clause) return {};
    return Lines(candidate.begin(), candidate.begin() + static_cast<std::ptrdiff_t>(needed));
  }

  // Does the model say without a run that nothing is to be had from it? Then the program would be at fault, or end in
  // waiting. Of what was answered before, only the status counts: addresses and numbers will be others.
  bool hopeless(const Lines& candidate) const {
    model::Judge judge(settings_.profile, names_);
    for (const Line& line : preamble_) judge.apply(line);
    for (const Line& line : candidate) {
      if (!stuck_ && holds(judge, line)) return true;
      Line copy = line;
      copy.number = 0;
      if (copy.result) {
        copy.result = history::Result{};
        copy.result->status = line.result->status;
      }
      judge.apply(copy);
      if (judge.finding()) return judge.finding()->kind == model::Finding::Kind::program_fault;
    }
    return false;
  }

  bool stuck(const std::string& history) const {
    history::NameTable names;
    const auto lines = history::read_text(history, names);
    if (!lines) return false;
    model::Judge judge(settings_.profile, names);
    return std::ranges::any_of(*lines, [&](const Line& line) {
      const bool held = holds(judge, line);
      judge.apply(line);
      return held;
    });
  }

  // What was run of the lines, with its answers. Overlapping calls stay as they are: the order in which they returned
  // this once is not to be asked for.
  Lines made_of(const Lines& candidate, const kit::CaseResult& result) const {
    if (overlap(candidate)) return candidate;
    auto read = history::read_text(result.history, names_);
    if (!read) return candidate;
    Lines lines = closed(*read);
    return lines.empty() ? candidate : lines;
  }

  // Runs the lines until they fail as they did; a failure that shows now and then has several tries.
  tl::expected<void, std::string> reproduce() {
    const unsigned most_tries = overlap(lines_) ? 30 : 5;
    const auto most_time = bench_.elapsed() + settings_.budget / 3;
    std::optional<kit::CaseResult> other;
    unsigned tries = 0;
    smallest_.reset();
    while (!smallest_ && tries < most_tries && bench_.elapsed() < most_time) {
      auto result = bench_.run(lines_);
      if (!result) break;
      ++tries;
      if (wanted_ ? wanted_->same(*result) : kit::is_failure(result->verdict)) {
        smallest_ = std::move(result);
      } else if (!other || kit::is_failure(result->verdict)) {
        other = std::move(result);
      }
    }
    if (!smallest_ && other && kit::is_failure(other->verdict) && !settings_.failure) smallest_ = std::move(other);
    if (!smallest_) return tl::unexpected(other ? otherwise(*other) : std::string());
    failure_ = {smallest_->verdict, smallest_->clause};
    measure(tries);
    stuck_ = stuck(smallest_->history);
    return {};
  }

  std::string otherwise(const kit::CaseResult& result) const {
    if (!kit::is_failure(result.verdict)) {
      return fmt::format("it does not fail on this runtime: {}", kit::name(result.verdict));
    }
    return fmt::format("it fails otherwise on this runtime: {}", result.explanation);
  }

  // How often a candidate is to be run, so that one that fails is seen to fail nineteen times in twenty.
  void measure(unsigned tries) {
    repeats_ = 1;
    if (tries == 1 && !overlap(lines_)) return;
    unsigned hits = 1;
    for (unsigned i = 0; i < 4; ++i, ++tries) {
      const auto result = bench_.run(lines_);
      hits += result && failure_.same(*result) ? 1 : 0;
    }
    if (hits == tries) return;
    const double missed = 1 - static_cast<double>(hits) / tries;
    repeats_ = static_cast<unsigned>(std::clamp(std::ceil(std::log(0.05) / std::log(missed)), 2.0, 12.0));
  }

  std::optional<Lines> fails(const Lines& candidate) {
    if (hopeless(candidate)) return std::nullopt;
    for (unsigned i = 0; i < repeats_; ++i) {
      auto result = bench_.run(candidate);
      if (!result) return std::nullopt;
      if (!failure_.same(*result)) continue;
      if (!stuck_ && stuck(result->history)) return std::nullopt;
      Lines made = made_of(candidate, *result);
      smallest_ = std::move(result);
      return made;
    }
    return std::nullopt;
  }

  [[nodiscard]] Fails on_runtime() {
    return [this](const Lines& candidate) { return fails(candidate); };
  }

  Lines reduce() {
    Lines lines = made_of(lines_, *smallest_);
    const auto by_answers = [&] {
      if (failure_.verdict != kit::Verdict::fail || !judged(lines)) return;
      const Lines candidate = drop_lines(lines, [this](const Lines& one) { return judged(one); });
      if (candidate.size() == lines.size()) return;
      if (auto made = fails(candidate)) lines = std::move(*made);
    };
    by_answers();
    lines = drop_lines(keep_related(std::move(lines), on_runtime()), on_runtime());
    by_answers();
    return shrink(std::move(lines), bench_.sizes(), on_runtime());
  }

  // What one candidate left behind in the process may have kept another from failing. Where there is time to give each
  // a process of its own, no line is left that can go there.
  void reduce_alone(Lines lines) {
    if (failure_.verdict == kit::Verdict::timeout || bench_.elapsed() + last_ * lines.size() > settings_.budget) return;
    const kit::CaseResult confirmed = *smallest_;
    Pace pace = hurried(settings_.worker);
    pace.fresh = true;
    bench_.set(pace);
    const std::size_t before = lines.size();
    lines = drop_lines(std::move(lines), on_runtime(), 1);
    const bool fewer = lines.size() < before;
    if (fewer) lines = shrink(std::move(lines), bench_.sizes(), on_runtime());
    if (!fewer || !again(lines)) smallest_ = confirmed;
  }

  // Does it fail with all the time there is, in a process that has run nothing else?
  bool again(const Lines& lines) {
    const auto begun = bench_.elapsed();
    bench_.set(unhurried(settings_.worker, failure_));
    for (unsigned i = 0; i < std::max(repeats_, 2U); ++i) {
      auto result = bench_.run_at_last(lines);
      if (!result) return false;
      if (!failure_.same(*result)) continue;
      smallest_ = std::move(result);
      last_ = bench_.elapsed() - begun;
      return true;
    }
    return false;
  }

  const Settings& settings_;
  history::NameTable& names_;
  const Lines preamble_, lines_;
  Bench bench_;
  const std::optional<Failure> wanted_;
  Failure failure_;
  unsigned repeats_ = 1;               // runs of a candidate until it counts as one that does not fail
  bool stuck_ = false;                 // the failure itself has a call that waits for ever
  std::chrono::milliseconds last_{0};  // what the run in a new process took
  std::optional<kit::CaseResult> smallest_;
};

}  // namespace

tl::expected<Minimised, std::string> minimise(const std::string& text, const Settings& settings,
                                              const std::atomic<bool>& interrupted) {
  history::NameTable names;
  const auto read = history::read_text(text, names);
  if (!read) return tl::unexpected(history::to_text(read.error()));
  return Minimiser(settings, names, *read, interrupted).run();
}

}  // namespace streampool::minimize
