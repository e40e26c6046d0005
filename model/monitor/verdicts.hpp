// What the judge has concluded so far: the first finding, quality warnings, and how often each clause was exercised.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/monitor/judge.hpp"
#include "spec/clauses.hpp"

namespace streampool::model {

class Verdicts {
 public:
  Verdicts() : exercised_(spec::clause_count, 0) {}

  void begin_line(std::uint64_t line) { line_ = line; }

  // A finding belongs to the line where it can first be decided; on one line a violation goes before a program fault.
  void end_line() {
    if (finding_) return;
    finding_ = violation_ ? std::move(violation_) : std::move(fault_);
  }

  using Also = std::optional<spec::ClauseId>;  // Finding::also

  void count(spec::ClauseId clause) { ++exercised_[clause.index]; }

  // Counts the clause as exercised; where `holds` is false, the runtime broke it. `explain` returns the reasons as
  // text.
  template <class Explain>
  bool check(spec::ClauseId clause, bool holds, Explain&& explain, Also also = {}) {
    count(clause);
    if (!holds) violate(clause, explain(), also);
    return holds;
  }

  // The first violation of a line stays.
  void violate(spec::ClauseId clause, std::string explanation, Also also = {}) {
    if (violation_) return;
    if (also) {
      count(*also);
      explanation.append(" It breaks ").append(spec::info(*also).id).append(", too.");
    }
    violation_ = Finding{Finding::Kind::violation, clause, line_, std::move(explanation), also};
  }
  void fault(spec::ClauseId clause, std::string explanation) {
    count(clause);
    if (!fault_) fault_ = Finding{Finding::Kind::program_fault, clause, line_, std::move(explanation)};
  }
  void inconclusive(spec::ClauseId clause, std::string explanation) {
    if (!inconclusive_) inconclusive_ = Finding{Finding::Kind::inconclusive, clause, line_, std::move(explanation)};
  }

  // A *should*: a warning, or a violation where the profile or a strict run makes it a must.
  template <class Explain>
  void should(spec::ClauseId clause, bool must, bool holds, Explain&& explain) {
    count(clause);
    if (holds) return;
    if (must) {
      violate(clause, explain());
    } else {
      qualities_.push_back({clause, line_, explain()});
    }
  }

  // Something on this line was already found; what the call did is then not followed any further.
  [[nodiscard]] bool found_on_line() const { return violation_ || fault_; }
  [[nodiscard]] bool violated_on_line() const { return violation_.has_value(); }
  // A violation or program fault; judging stops there.
  [[nodiscard]] bool decided() const { return finding_.has_value(); }
  // What the run comes to: the finding, or else that it got stuck.
  [[nodiscard]] const std::optional<Finding>& finding() const { return finding_ ? finding_ : inconclusive_; }
  [[nodiscard]] const std::vector<Quality>& qualities() const { return qualities_; }
  [[nodiscard]] const std::vector<std::uint64_t>& exercised() const { return exercised_; }

 private:
  std::uint64_t line_ = 0;
  std::optional<Finding> violation_, fault_, finding_, inconclusive_;
  std::vector<Quality> qualities_;
  std::vector<std::uint64_t> exercised_;
};

}  // namespace streampool::model
