#include "conformance/report/totals.hpp"

namespace streampool::report {

using kit::Verdict;

namespace {

constexpr std::size_t named_cases = 20;

bool beside_the_point(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::not_applicable || verdict == Verdict::not_supported ||
         verdict == Verdict::not_exercised;
}

}  // namespace

std::string_view name(Conformance conformance) {
  switch (conformance) {
    case Conformance::conformant:
      return "conformant";
    case Conformance::not_conformant:
      return "not conformant";
    case Conformance::inconclusive:
      return "inconclusive";
  }
  return "";
}

Totals::Totals() : clauses_(spec::clause_count) {}

void Totals::add(const kit::CaseResult& result) {
  ++verdicts_[static_cast<std::size_t>(result.verdict)];
  ++cases_;
  calls_ += result.calls;
  seconds_ += result.seconds;
  for (const auto& [clause, count] : result.counts) {
    ClauseTotal& total = clauses_[clause.index];
    total.exercised += count;
    if (total.cases.size() < named_cases) {
      total.cases.push_back(result.name);
    } else {
      ++total.more_cases;
    }
  }
  if (result.clause && result.verdict != Verdict::quality && !beside_the_point(result.verdict)) {
    ++clauses_[result.clause->index].failed;
  }
  for (const kit::Note& note : result.qualities) ++clauses_[note.clause.index].qualities;
  for (const kit::Outcome& outcome : result.outcomes) {
    kit::Outcome& total =
        outcomes_.try_emplace(result.name + ": " + outcome.what, kit::Outcome{outcome.what}).first->second;
    total.seen += outcome.seen;
    total.decided += outcome.decided;
  }
  if (!beside_the_point(result.verdict)) remarkable_.push_back(result);
}

std::vector<spec::ClauseId> Totals::not_exercised() const {
  std::vector<spec::ClauseId> missing;
  for (std::size_t index = 0; index < clauses_.size(); ++index) {
    const spec::ClauseInfo& clause = spec::clauses()[index];
    const bool binding =
        clause.kind == spec::Kind::must || clause.kind == spec::Kind::must_not || clause.kind == spec::Kind::error;
    // The program's own obligations are kept by every case: nothing of the runtime is seen there.
    if (binding && clause.status == spec::ClauseStatus::modelled && clause.chapter != "program" &&
        clauses_[index].exercised == 0) {
      missing.push_back({static_cast<std::uint16_t>(index)});
    }
  }
  return missing;
}

Conformance Totals::conformance(bool strict) const {
  const bool bad = count(Verdict::fail) + count(Verdict::crash) + count(Verdict::timeout) +
                       count(Verdict::internal_error) + (strict ? count(Verdict::quality) : 0) >
                   0;
  if (bad) return Conformance::not_conformant;
  return count(Verdict::inconclusive) > 0 ? Conformance::inconclusive : Conformance::conformant;
}

}  // namespace streampool::report
