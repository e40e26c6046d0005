#include "conformance/generate/random_suite.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <string>
#include <utility>

#include "conformance/generate/outcome.hpp"
#include "conformance/generate/play.hpp"
#include "conformance/kit/glob.hpp"
#include "conformance/kit/live_run.hpp"
#include "fmt/format.h"

namespace streampool::generate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds default_budget{10'000};
constexpr std::uint64_t histories_of_a_job = 40;

constexpr std::string_view name_prefix = "random/";

std::string name_of(std::uint64_t seed) { return fmt::format("{}{:016x}", name_prefix, seed); }

// The seed that a whole name stands for.
std::optional<std::uint64_t> seed_in(std::string_view name) {
  if (!name.starts_with(name_prefix)) return std::nullopt;
  name.remove_prefix(name_prefix.size());
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), seed, 16);
  const bool whole = error == std::errc{} && end == name.data() + name.size() && name.size() == 16;
  return whole ? std::optional(seed) : std::nullopt;
}

kit::Job job_of(std::uint64_t seed, std::uint64_t histories) {
  return {.name = name_of(seed),
          .suite = "random",
          .aims = {},
          .seed = seed,
          .kind = "random",
          .parameters = {{"seed", seed}, {"histories", histories}}};
}

// Jobs with seeds of their own until the time is over. The clock decides how many there are, never what is in one.
class RandomSource final : public kit::JobSource {
 public:
  explicit RandomSource(const suites::SuiteOptions& options)
      : seeds_(options.seed),
        end_(Clock::now() + (options.budget.count() > 0 ? options.budget : default_budget)),
        shards_(std::max(1U, options.shards)),
        filter_(options.filter) {
    for (unsigned i = 1; i < options.shard; ++i) seeds_.next();
  }
  std::optional<kit::Job> next() override {
    if (old_stories_ >= most_old_stories) return std::nullopt;
    for (unsigned tries = 0; tries < most_tries && Clock::now() < end_; ++tries) {
      const std::uint64_t seed = seeds_.next();
      for (unsigned i = 1; i < shards_; ++i) seeds_.next();
      if (filter_.empty() || kit::matches(filter_, name_of(seed))) return job_of(seed, histories_of_a_job);
    }
    return std::nullopt;
  }
  void learn(const kit::CaseResult& result) override {
    const bool passes = result.verdict == kit::Verdict::pass || result.verdict == kit::Verdict::quality;
    old_stories_ = passes || kinds_.insert(kit::kind_of(result)).second ? 0 : old_stories_ + 1;
  }

 private:
  // A runtime that fails everywhere, in ways that are all known, teaches nothing more.
  static constexpr unsigned most_old_stories = 200;
  // A filter that so many names in a row do not match means other suites.
  static constexpr unsigned most_tries = 1U << 16;
  Random seeds_;
  Clock::time_point end_;
  unsigned shards_;
  std::string filter_;
  std::set<std::string> kinds_;  // of failures
  unsigned old_stories_ = 0;     // failures in a row of kinds that were seen before
};

// One history once more: a filter that is the name of a failure.
class OneHistory final : public kit::JobSource {
 public:
  explicit OneHistory(std::uint64_t seed) : job_(job_of(seed, 1)) {}
  std::optional<kit::Job> next() override { return std::exchange(job_, std::nullopt); }
  std::uint64_t total() const override { return 1; }

 private:
  std::optional<kit::Job> job_;
};

kit::CaseResult case_of(std::uint64_t seed) {
  kit::CaseResult result;
  result.name = name_of(seed);
  result.suite = "random";
  result.seed = seed;
  result.verdict = kit::Verdict::pass;
  return result;
}

}  // namespace

std::unique_ptr<kit::JobSource> random_source(const suites::SuiteOptions& options) {
  if (const auto seed = seed_in(options.filter)) return std::make_unique<OneHistory>(*seed);
  return std::make_unique<RandomSource>(options);
}

kit::JobAnswer run_random(const RandomJob& job, const kit::RunContext& context, Shapes& shapes) {
  const auto started = Clock::now();
  kit::JobAnswer answer;
  kit::CaseResult whole = case_of(job.seed);
  Tally tally;
  for (std::uint64_t h = 0; h < job.histories && answer.clean; ++h) {
    const std::uint64_t seed = job.seed + h;
    if (const auto opened = context.target.open(); !opened) {
      whole.verdict = kit::Verdict::internal_error;
      whole.explanation = opened.error().message;
      answer.clean = false;
      break;
    }
    bool good = true;
    {
      history::NameTable names;
      kit::LiveRun run(context.target, context.profile, names, context.watchdog, context.journal);
      Player player(run, setting_of(context.target, context.profile), names);
      Random random(seed);
      good = player.begin();
      for (std::uint64_t i = 0; good && i < job.operations; ++i) {
        const Operation operation = draw(random);
        if (operation.kind != job.without) good = player.play(operation);
      }
      run.finish();
      tally.take(run.judge());
      shapes.add(player.shapes());
      whole.calls += run.judge().calls();
      if (run.judge().finding()) {
        kit::CaseResult failure = decided(run, "random", seed);
        failure.name = case_of(seed).name;
        answer.results.push_back(std::move(failure));
      }
      for (const model::Quality& quality : run.judge().qualities()) {
        if (whole.qualities.empty()) whole.qualities.push_back({quality.clause, quality.explanation});
      }
    }
    answer.clean = context.target.close();
    if (!good) break;
  }
  whole.counts = tally.counts();
  if (whole.verdict == kit::Verdict::pass && !whole.qualities.empty()) {
    whole.verdict = kit::Verdict::quality;
    whole.clause = whole.qualities.front().clause;
    whole.explanation = whole.qualities.front().explanation;
  }
  whole.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  if (answer.results.empty()) {
    answer.results.push_back(std::move(whole));
  } else {
    answer.results.front().counts = std::move(whole.counts);
    answer.results.front().seconds = whole.seconds;
  }
  return answer;
}

kit::JobAnswer run_random_job(const nlohmann::json& parameters, const kit::RunContext& context) {
  Shapes shapes;
  RandomJob job;
  job.seed = parameters.value("seed", job.seed);
  job.histories = parameters.value("histories", job.histories);
  job.operations = parameters.value("operations", job.operations);
  return run_random(job, context, shapes);
}

}  // namespace streampool::generate
