// All results of a run, added up: what the summary, the page and the exit code are made from.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/kit/verdict.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::report {

// Of one clause, over all cases.
struct ClauseTotal {
  std::uint64_t exercised = 0;     // for a *may*: how often the choice was seen
  std::vector<std::string> cases;  // that exercised it, at most 20 names
  std::uint64_t more_cases = 0;    // beyond those
  std::uint64_t failed = 0, qualities = 0;
};

enum class Conformance : std::uint8_t { conformant, not_conformant, inconclusive };
[[nodiscard]] std::string_view name(Conformance conformance);

class Totals {
 public:
  Totals();
  // A failure's `history` is the file it was saved in by then.
  void add(const kit::CaseResult& result);

  [[nodiscard]] std::uint64_t count(kit::Verdict verdict) const { return verdicts_[static_cast<std::size_t>(verdict)]; }
  [[nodiscard]] std::uint64_t cases() const { return cases_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] double seconds() const { return seconds_; }                           // summed over the workers
  [[nodiscard]] const std::vector<ClauseTotal>& clauses() const { return clauses_; }  // by ClauseId::index
  [[nodiscard]] const std::map<std::string, kit::Outcome>& outcomes() const { return outcomes_; }  // by "case: outcome"
  // Everything that is neither a pass nor beside the point, in the order in which it came.
  [[nodiscard]] const std::vector<kit::CaseResult>& remarkable() const { return remarkable_; }
  // Modelled clauses of the kinds must, must-not and error that no case exercised.
  [[nodiscard]] std::vector<spec::ClauseId> not_exercised() const;
  [[nodiscard]] Conformance conformance(bool strict) const;

 private:
  std::array<std::uint64_t, kit::verdict_count> verdicts_{};
  std::uint64_t cases_ = 0, calls_ = 0;
  double seconds_ = 0;
  std::vector<ClauseTotal> clauses_;
  std::map<std::string, kit::Outcome> outcomes_;
  std::vector<kit::CaseResult> remarkable_;
};

}  // namespace streampool::report
