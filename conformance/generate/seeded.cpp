#include "conformance/generate/seeded.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/generate/outcome.hpp"
#include "conformance/kit/glob.hpp"
#include "fmt/format.h"

namespace streampool::generate {

namespace {

using Clock = std::chrono::steady_clock;
using namespace spec::literals;

std::string name_of(std::string_view suite, std::uint64_t seed) { return fmt::format("{}/{:016x}", suite, seed); }

// The seed that a whole name stands for.
std::optional<std::uint64_t> seed_in(std::string_view suite, std::string_view name) {
  if (!name.starts_with(suite) || name.substr(suite.size(), 1) != "/") return std::nullopt;
  name.remove_prefix(suite.size() + 1);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), seed, 16);
  const bool whole = error == std::errc{} && end == name.data() + name.size() && name.size() == 16;
  return whole ? std::optional(seed) : std::nullopt;
}

kit::Job job_of(std::string_view suite, std::uint64_t seed, std::uint64_t histories) {
  return {.name = name_of(suite, seed),
          .suite = std::string(suite),
          .aims = {},
          .seed = seed,
          .kind = std::string(suite),
          .parameters = {{"seed", seed}, {"histories", histories}}};
}

// The clock decides how many jobs there are, never what is in one.
class Seeds final : public kit::JobSource {
 public:
  Seeds(const Seeded& seeded, const suites::SuiteOptions& options)
      : seeded_(seeded),
        seeds_(options.seed),
        budget_(options.budget.count() > 0 ? options.budget : seeded.budget),
        shards_(std::max(1U, options.shards)),
        filter_(options.filter) {
    for (unsigned i = 1; i < options.shard; ++i) seeds_.next();
  }
  std::optional<kit::Job> next() override {
    if (old_stories_ >= most_old_stories) return std::nullopt;
    // Other suites may have had their time before.
    if (!end_) end_ = Clock::now() + budget_;
    for (unsigned tries = 0; tries < most_tries && Clock::now() < *end_; ++tries) {
      const std::uint64_t seed = seeds_.next();
      for (unsigned i = 1; i < shards_; ++i) seeds_.next();
      if (filter_.empty() || kit::matches(filter_, name_of(seeded_.suite, seed))) {
        return job_of(seeded_.suite, seed, seeded_.histories_of_a_job);
      }
    }
    return std::nullopt;
  }
  void lost(std::chrono::nanoseconds time) override {
    if (end_) *end_ += time;
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
  const Seeded seeded_;
  Random seeds_;
  const std::chrono::milliseconds budget_;
  std::optional<Clock::time_point> end_;  // from the first job on
  unsigned shards_;
  std::string filter_;
  std::set<std::string> kinds_;  // of failures
  unsigned old_stories_ = 0;     // failures in a row of kinds that were seen before
};

class OneHistory final : public kit::JobSource {
 public:
  explicit OneHistory(kit::Job job) : job_(std::move(job)) {}
  std::optional<kit::Job> next() override { return std::exchange(job_, std::nullopt); }
  std::uint64_t total() const override { return 1; }

 private:
  std::optional<kit::Job> job_;
};

bool undecided(const model::Finding& finding) {
  return finding.kind == model::Finding::Kind::inconclusive && finding.clause == "THREAD-LINEARIZABLE"_clause;
}

}  // namespace

std::unique_ptr<kit::JobSource> seeded_source(const Seeded& seeded, const suites::SuiteOptions& options) {
  if (const auto seed = seed_in(seeded.suite, options.filter)) {
    return std::make_unique<OneHistory>(job_of(seeded.suite, *seed, 1));
  }
  return std::make_unique<Seeds>(seeded, options);
}

SeededJob seeded_job(const nlohmann::json& parameters) {
  SeededJob job;
  job.seed = parameters.value("seed", job.seed);
  job.histories = parameters.value("histories", job.histories);
  return job;
}

kit::JobAnswer run_seeded(const Seeded& seeded, const SeededJob& job, const kit::RunContext& context,
                          const Play& play) {
  const auto started = Clock::now();
  kit::JobAnswer answer;
  kit::CaseResult whole;
  whole.name = name_of(seeded.suite, job.seed);
  whole.suite = seeded.suite;
  whole.seed = job.seed;
  whole.verdict = kit::Verdict::pass;
  Tally tally;
  std::uint64_t left = 0;  // histories that could not be decided
  for (std::uint64_t h = 0; h < job.histories && answer.clean && answer.results.empty(); ++h) {
    const std::uint64_t seed = job.seed + h;
    if (const auto opened = context.target.open(); !opened) {
      whole.verdict = kit::Verdict::internal_error;
      whole.explanation = opened.error().message;
      answer.clean = false;
      break;
    }
    {
      history::NameTable names;
      kit::LiveRun run(context.target, context.profile, names, context.watchdog, context.journal);
      play(run, names, seed);
      run.finish();
      tally.take(run.judge());
      whole.calls += run.judge().calls();
      const auto& finding = run.judge().finding();
      if (finding && undecided(*finding)) {
        ++left;
      } else if (finding) {
        kit::CaseResult failure = decided(run, whole.suite, seed);
        failure.name = name_of(seeded.suite, seed);
        answer.results.push_back(std::move(failure));
      }
      if (whole.qualities.empty() && !run.judge().qualities().empty()) {
        const model::Quality& quality = run.judge().qualities().front();
        whole.qualities.push_back({quality.clause, quality.explanation});
        whole.name = name_of(seeded.suite, seed);  // that history again
        whole.seed = seed;
        whole.line = quality.line;
        whole.history = run.text();
      }
    }
    answer.clean = context.target.close();
  }
  whole.counts = tally.counts();
  if (left > 0) {
    whole.explanation = fmt::format("{} of {} histories overlap in too many ways to be decided.", left, job.histories);
    if (left == job.histories) whole.verdict = kit::Verdict::inconclusive;
  }
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

}  // namespace streampool::generate
