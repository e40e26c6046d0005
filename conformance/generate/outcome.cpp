#include "conformance/generate/outcome.hpp"

namespace streampool::generate {

void Tally::take(const model::Judge& judge) {
  const auto exercised = judge.exercised();
  counts_.resize(exercised.size());
  for (std::size_t i = 0; i < exercised.size(); ++i) counts_[i] += exercised[i];
}

std::vector<std::pair<spec::ClauseId, std::uint64_t>> Tally::counts() const {
  std::vector<std::pair<spec::ClauseId, std::uint64_t>> all;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) all.emplace_back(spec::ClauseId{static_cast<std::uint16_t>(i)}, counts_[i]);
  }
  return all;
}

kit::CaseResult decided(const kit::LiveRun& run, const std::string& suite, std::uint64_t seed) {
  const model::Finding& finding = *run.judge().finding();
  kit::CaseResult result;
  result.suite = suite;
  result.seed = seed;
  result.clause = finding.clause;
  result.also = finding.also;
  result.line = finding.line;
  result.explanation = finding.explanation;
  result.history = run.text();
  result.calls = run.judge().calls();
  switch (finding.kind) {
    case model::Finding::Kind::violation:
      result.verdict = kit::Verdict::fail;
      break;
    case model::Finding::Kind::inconclusive:
      result.verdict = kit::Verdict::inconclusive;
      break;
    case model::Finding::Kind::program_fault:
      result.verdict = kit::Verdict::internal_error;
      result.explanation = "The generated program is at fault itself: " + finding.explanation;
      break;
  }
  if (result.verdict == kit::Verdict::fail) {
    if (const std::string why = run.shortage(); !why.empty()) {
      result.verdict = kit::Verdict::inconclusive;
      result.explanation = why + " Else it would be a failure: " + result.explanation;
    }
  }
  return result;
}

}  // namespace streampool::generate
