#include "conformance/mutants/matrix.hpp"

#include <algorithm>
#include <memory>
#include <system_error>

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
    for (const suites::Suite* suite : settings_.suites) {
      const auto source = suite->open({.profile = settings_.profile,
                                       .description = greeting.description,
                                       .capabilities = greeting.capabilities,
                                       .seed = settings_.seed,
                                       .budget = settings_.budget,
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

bool failed(kit::Verdict verdict) {
  return verdict == kit::Verdict::fail || verdict == kit::Verdict::crash || verdict == kit::Verdict::timeout;
}

}  // namespace

std::string runtime_of(const Mutant& mutant) { return "mutant:" + std::string(mutant.name); }

tl::expected<std::set<std::string>, std::string> failures_without_fault(const MatrixSettings& settings,
                                                                        const std::atomic<bool>& interrupted) {
  std::set<std::string> names;
  const auto ran = Campaign(settings, interrupted).run("mutant", [&](const kit::CaseResult& result) {
    if (failed(result.verdict)) names.insert(result.name);
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
    if (!failed(result.verdict) || ignored.contains(result.name)) return false;
    const bool by_clause = result.verdict == kit::Verdict::fail && result.clause.has_value();
    Hit hit{.suite = result.suite,
            .name = result.name,
            .what = std::string(by_clause ? spec::info(*result.clause).id : kit::name(result.verdict)),
            .seconds = campaign.seconds(),
            .calls = result.calls,
            .history = result.history};
    if (by_clause && kills(hit.what, mutant.clause)) {
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
