#include "conformance/generate/exhaustive_suite.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

#include "conformance/abi/streampool_runtime.h"
#include "conformance/generate/outcome.hpp"
#include "conformance/generate/program_run.hpp"
#include "conformance/kit/glob.hpp"
#include "fmt/format.h"

namespace streampool::generate {

using model::explorer::each_program;
using model::explorer::Move;
using model::explorer::Program;
using model::explorer::Scope;

namespace {

// So that a job takes seconds at most.
constexpr unsigned calls_behind_beginning(const Scope& scope) { return scope.reduced ? 4 : 3; }
constexpr std::uint64_t beginnings_of_a_job = 4;
// Programs that share a context: enough that opening one costs nothing, few enough that histories stay short.
constexpr std::uint64_t programs_of_a_context = 100;

constexpr Scope base(unsigned calls) { return {.streams = 3, .events = 2, .blocks = 2, .calls = calls}; }
constexpr Scope wide(unsigned calls) {
  return {.streams = 3, .events = 2, .blocks = 2, .gates = 1, .calls = calls, .uses = true, .event_syncs = true};
}
constexpr Scope reduced(Scope scope) {
  scope.reduced = true;
  return scope;
}

// In real time a program has one schedule, and costs more than all that it has on a stepped runtime.
std::vector<Scope> scopes_of(Tier tier, bool stepped) {
  if (tier == Tier::nightly) return {base(7), wide(6), reduced(base(9)), reduced(wide(8))};
  if (stepped) return {base(5), wide(4), reduced(base(7)), reduced(wide(6))};
  return {base(5), wide(4), reduced(base(6)), reduced(wide(5))};
}

std::vector<Program> beginnings(const Scope& scope) {
  return model::explorer::beginnings(scope, scope.calls - calls_behind_beginning(scope));
}

kit::Job job_of(const Scope& s, std::uint64_t first, std::uint64_t count) {
  return {.name = fmt::format("exhaustive/{}{}{}/{:06}", s.calls, s.gates > 0 ? "_wide" : "",
                              s.reduced ? "_reduced" : "", first),
          .suite = "exhaustive",
          .aims = {},
          .seed = 0,
          .kind = "exhaustive",
          .parameters = {{"streams", s.streams},
                         {"events", s.events},
                         {"blocks", s.blocks},
                         {"gates", s.gates},
                         {"calls", s.calls},
                         {"uses", s.uses},
                         {"event_syncs", s.event_syncs},
                         {"reduced", s.reduced},
                         {"first", first},
                         {"count", count}}};
}

class ExhaustiveSource final : public kit::JobSource {
 public:
  explicit ExhaustiveSource(const suites::SuiteOptions& options) {
    const Tier tier = options.budget >= nightly_budget ? Tier::nightly : Tier::quick;
    std::uint64_t index = 0;
    for (const Scope& scope : scopes_of(tier, (options.capabilities & STREAMPOOL_CAP_STEP) != 0)) {
      const std::uint64_t all = beginnings(scope).size();
      for (std::uint64_t first = 0; first < all; first += beginnings_of_a_job, ++index) {
        if (index % std::max(1U, options.shards) + 1 != options.shard) continue;
        kit::Job job = job_of(scope, first, std::min(beginnings_of_a_job, all - first));
        if (options.filter.empty() || kit::matches(options.filter, job.name)) jobs_.push_back(std::move(job));
      }
    }
  }
  std::optional<kit::Job> next() override {
    if (next_ == jobs_.size()) return std::nullopt;
    return jobs_[next_++];
  }
  std::uint64_t total() const override { return jobs_.size(); }

 private:
  std::vector<kit::Job> jobs_;
  std::size_t next_ = 0;
};

ExhaustiveJob job_from(const nlohmann::json& p) {
  ExhaustiveJob job;
  job.scope = {.streams = p.at("streams"),
               .events = p.at("events"),
               .blocks = p.at("blocks"),
               .gates = p.at("gates"),
               .calls = p.at("calls"),
               .uses = p.at("uses"),
               .event_syncs = p.at("event_syncs"),
               .reduced = p.at("reduced")};
  job.first = p.at("first");
  job.count = p.at("count");
  return job;
}

// One setting of the switches over all programs of a job.
class Walk {
 public:
  Walk(const ExhaustiveJob& job, const kit::RunContext& context, unsigned switches, ExhaustiveCounts& counts,
       Tally& tally, kit::JobAnswer& answer)
      : job_(job), context_(context), switches_(switches), counts_(counts), tally_(tally), answer_(answer) {}

  // False once a program was found at fault.
  bool run(std::span<const Move> program) {
    const bool reuse = model::explorer::may_reuse(program);
    // Every switch on is the setting in which everything runs.
    if (switches_ != all_on && !reuse) return true;
    if (switches_ == all_on) ++counts_.programs;
    const bool stepped = (context_.target.capabilities() & STREAMPOOL_CAP_STEP) != 0;
    const bool opportunistic = (switches_ >> 1 & 1U) != 0;
    const unsigned choices = reuse && stepped && opportunistic ? schedule_choices(program) : 0;
    for (unsigned schedule = 0; schedule < 1U << choices; ++schedule) {
      if (!fresh()) return false;
      ++counts_.runs;
      if (shared_->run(program, schedule)) continue;
      return again_alone(program, schedule);
    }
    return true;
  }

  // Ends the context that is open.
  bool end() {
    if (!shared_) return true;
    counts_.calls += shared_->judge().calls();
    tally_.take(shared_->judge());
    shared_.reset();
    answer_.clean = context_.target.close();
    return answer_.clean;
  }

  static constexpr unsigned all_on = 7;

 private:
  bool fresh() {
    if (shared_ && served_++ % programs_of_a_context != 0) return true;
    if (!end() || !open()) return false;
    served_ = 1;
    return true;
  }
  bool open() {
    if (const auto opened = context_.target.open(); !opened) {
      kit::CaseResult& result = answer_.results.emplace_back();
      result.verdict = kit::Verdict::internal_error;
      result.explanation = opened.error().message;
      answer_.clean = false;
      return false;
    }
    shared_.emplace(context_, job_.scope, switches_);
    return true;
  }
  // The program that failed, in a context of its own, for a short history. One that fails only behind others keeps its
  // long one.
  bool again_alone(std::span<const Move> program, unsigned schedule) {
    kit::CaseResult before = decided(shared_->live(), "exhaustive", 0);
    if (!end() || !open()) return false;
    shared_->run(program, schedule);
    answer_.results.push_back(shared_->judge().finding() ? decided(shared_->live(), "exhaustive", 0)
                                                         : std::move(before));
    end();
    return false;
  }

  const ExhaustiveJob& job_;
  const kit::RunContext& context_;
  const unsigned switches_;
  ExhaustiveCounts& counts_;
  Tally& tally_;
  kit::JobAnswer& answer_;
  std::optional<ProgramRun> shared_;
  std::uint64_t served_ = 0;
};

}  // namespace

std::unique_ptr<kit::JobSource> exhaustive_source(const suites::SuiteOptions& options) {
  return std::make_unique<ExhaustiveSource>(options);
}

kit::JobAnswer run_exhaustive(const ExhaustiveJob& job, const kit::RunContext& context, ExhaustiveCounts& counts) {
  const auto started = std::chrono::steady_clock::now();
  kit::JobAnswer answer;
  Tally tally;
  const std::vector<Program> all = beginnings(job.scope);
  for (unsigned switches = 0; switches <= Walk::all_on && answer.results.empty() && answer.clean; ++switches) {
    Walk walk(job, context, switches, counts, tally, answer);
    for (std::uint64_t i = job.first; i < std::min<std::uint64_t>(job.first + job.count, all.size()); ++i) {
      bool good = true;
      each_program(job.scope, all[i], [&](std::span<const Move> program) { return good = walk.run(program); });
      if (!good) break;
    }
    walk.end();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  if (answer.results.empty()) {
    kit::CaseResult& result = answer.results.emplace_back();
    result.verdict = kit::Verdict::pass;
    result.calls = counts.calls;
    result.explanation = fmt::format("{} programs, {} runs.", counts.programs, counts.runs);
  }
  for (kit::CaseResult& result : answer.results) {
    result.suite = "exhaustive";
    result.seconds = seconds.count();
    result.name = job_of(job.scope, job.first, job.count).name;
  }
  answer.results.front().counts = tally.counts();
  return answer;
}

kit::JobAnswer run_exhaustive_job(const nlohmann::json& parameters, const kit::RunContext& context) {
  ExhaustiveCounts counts;
  return run_exhaustive(job_from(parameters), context, counts);
}

}  // namespace streampool::generate
