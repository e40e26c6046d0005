#include "conformance/mutants/reduced.hpp"

#include <algorithm>
#include <chrono>

#include "conformance/minimize/failures.hpp"

namespace streampool::mutants {
namespace {

Reduced minimised(const Hit& hit, const Mutant& mutant, const MatrixSettings& settings,
                  const std::atomic<bool>& interrupted) {
  Reduced reduced;
  reduced.suite = hit.suite;
  reduced.name = hit.name;
  reduced.clause = hit.what;
  reduced.history = hit.history;
  minimize::Settings minimizer{
      .worker = settings.worker, .profile = settings.profile, .budget = minimize::Failures::Limits{}.one};
  minimizer.worker.runtime = runtime_of(mutant);
  const auto started = std::chrono::steady_clock::now();
  auto done = minimize::minimise(hit.history, minimizer, interrupted);
  reduced.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  reduced.calls_before = reduced.calls = hit.calls;
  if (!done) {
    reduced.why_not = done.error();
    return reduced;
  }
  reduced.runs = done->runs;
  if (!done->result.clause || spec::info(*done->result.clause).id != hit.broken) {
    reduced.why_not = "run again, it fails otherwise: " + done->result.explanation;
    return reduced;
  }
  reduced.calls = done->result.calls;
  reduced.history = std::move(done->result.history);
  return reduced;
}

}  // namespace

std::uint64_t Reduction::shortest() const {
  const auto least = std::ranges::min_element(found, {}, &Reduced::calls);
  return least == found.end() ? 0 : least->calls;
}

Reduction reduce(const Mutant& mutant, const MatrixSettings& settings, const std::set<std::string>& ignored,
                 const std::atomic<bool>& interrupted) {
  Reduction reduction{.mutant = &mutant, .found = {}, .broken = {}};
  for (const suites::Suite* suite : settings.suites) {
    MatrixSettings one = settings;
    one.suites = {suite};
    const Row row = run_mutant(mutant, one, ignored, interrupted);
    if (!row.broken.empty()) reduction.broken = row.broken;
    if (row.kill) reduction.found.push_back(minimised(*row.kill, mutant, settings, interrupted));
  }
  return reduction;
}

}  // namespace streampool::mutants
