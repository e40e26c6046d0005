#include "conformance/mutants/matrix.hpp"

#include <algorithm>
#include <memory>
#include <system_error>

#include "model/monitor/judge_text.hpp"

namespace streampool::mutants {
namespace {

using Clock = std::chrono::steady_clock;

// Runs the suites' jobs one after another until `sink` has enough or the time is over. A worker that died is replaced.
class Campaign {
 public:
  Campaign(const MatrixSettings& settings, const std::atomic<bool>& interrupted)
      : settings_(settings), interrupted_(interrupted) {}

  // The error: no worker could be started.
  tl::expected<void, std::string> run(const std::string& runtime,
                                      const std::function<bool(const kit::CaseResult&)>& sink) {
    kit::WorkerSettings worker_settings = settings_.worker;
    worker_settings.runtime = runtime;
    try {
      return run_suites(worker_settings, sink);
    } catch (const std::system_error& error) {
      return tl::unexpected(std::string(error.what()));
    }
  }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

 private:
  tl::expected<void, std::string> run_suites(const kit::WorkerSettings& worker_settings,
                                             const std::function<bool(const kit::CaseResult&)>& sink) {
    auto worker = kit::Worker::start(worker_settings, interrupted_);
    if (!worker) return tl::unexpected(worker.error());
    const kit::WorkerGreeting greeting = (*worker)->greeting();
    // Suites that go by the clock must leave time for those behind them.
    const auto share = settings_.budget / std::max<std::size_t>(1, settings_.suites.size());
    for (const suites::Suite* suite : settings_.suites) {
      const auto source = suite->open({.profile = settings_.profile,
                                       .description = greeting.description,
                                       .capabilities = greeting.capabilities,
                                       .seed = settings_.seed,
                                       .budget = share,
                                       .filter = "",
                                       .shard = 1,
                                       .shards = 1});
      while (const auto job = source->next()) {
        if (Clock::now() - started_ > settings_.budget || interrupted_.load()) return {};
        if (*worker == nullptr) {
          worker = kit::Worker::start(worker_settings, interrupted_);
          if (!worker) return tl::unexpected(worker.error());
        }
        const kit::JobOutcome outcome = kit::run_job(**worker, *job);
        if (outcome.interrupted) return {};
        for (const kit::CaseResult& result : outcome.results) {
          if (sink(result)) return {};
        }
        if (!outcome.alive) worker->reset();
      }
    }
    return {};
  }

  const MatrixSettings& settings_;
  const std::atomic<bool>& interrupted_;
  const Clock::time_point started_ = Clock::now();
};

bool died(kit::Verdict verdict) { return verdict == kit::Verdict::crash || verdict == kit::Verdict::timeout; }

// Does the saved history, judged alone, show that clause broken? A crash or a hang is what the kit saw of a process; it
// counts where the history says so, too.
bool shown(const std::string& history, spec::ClauseId clause, const std::string& profile) {
  const model::Judgement judged = model::judge_text(history, profile);
  return judged.kind == "violation" && judged.clause == spec::info(clause).id;
}

// The clause of the result by which it kills a mutant of `claimed`: that which was broken, or the one that is broken
// with it.
std::optional<spec::ClauseId> killing_clause(const kit::CaseResult& result, std::string_view claimed,
                                             const std::string& profile) {
  for (const auto& clause : {result.clause, result.also}) {
    if (!clause || !kills(spec::info(*clause).id, claimed)) continue;
    if (died(result.verdict) && !shown(result.history, *clause, profile)) continue;
    return clause;
  }
  return std::nullopt;
}

}  // namespace

std::string runtime_of(const Mutant& mutant) { return "mutant:" + std::string(mutant.name); }

tl::expected<std::set<std::string>, std::string> failures_without_fault(const MatrixSettings& settings,
                                                                        const std::atomic<bool>& interrupted) {
  std::set<std::string> names;
  const auto ran = Campaign(settings, interrupted).run("mutant", [&](const kit::CaseResult& result) {
    if (kit::is_failure(result.verdict)) names.insert(result.name);
    return false;
  });
  if (!ran) return tl::unexpected(ran.error());
  return names;
}

Row run_mutant(const Mutant& mutant, const MatrixSettings& settings, const std::set<std::string>& ignored,
               const std::atomic<bool>& interrupted) {
  Row row;
  row.mutant = &mutant;
  Campaign campaign(settings, interrupted);
  const auto ran = campaign.run(runtime_of(mutant), [&](const kit::CaseResult& result) {
    ++row.cases;
    if (!kit::is_failure(result.verdict) || ignored.contains(result.name)) return false;
    const auto clause = killing_clause(result, mutant.clause, settings.worker.profile);
    const bool by_clause = clause || (result.clause && !died(result.verdict));
    Hit hit{.suite = result.suite,
            .name = result.name,
            .what = std::string(by_clause ? spec::info(clause.value_or(*result.clause)).id : kit::name(result.verdict)),
            .broken = result.clause ? std::string(spec::info(*result.clause).id) : std::string(),
            .seconds = campaign.seconds(),
            .calls = result.calls,
            .history = result.history};
    if (clause) {
      row.kill = std::move(hit);
      return true;
    }
    if (std::ranges::find(row.others, hit.what, &Hit::what) == row.others.end()) row.others.push_back(std::move(hit));
    return false;
  });
  if (!ran) row.broken = ran.error();
  row.seconds = campaign.seconds();
  return row;
}

}  // namespace streampool::mutants
