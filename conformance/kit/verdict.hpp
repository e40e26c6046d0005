// What came of one case. The set of verdicts is closed; every report shows each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/clauses.hpp"

namespace streampool::kit {

enum class Verdict : std::uint8_t {
  pass,
  fail,            // the runtime broke `clause`
  quality,         // a *should* was not met
  not_exercised,   // the condition of none of the clauses aimed at arose
  not_applicable,  // the profile rules the case out, or it is undefined misuse and was not asked for
  not_supported,   // the runtime lacks a group that the case needs
  waived,          // failed, and a waiver with an owner and an end says so
  inconclusive,    // stuck where that is allowed
  crash,
  timeout,
  internal_error,  // the kit's own fault
};
inline constexpr std::size_t verdict_count = 11;

[[nodiscard]] std::string_view name(Verdict verdict);
[[nodiscard]] std::optional<Verdict> find_verdict(std::string_view name);
// Is it the runtime that failed? Not where the kit did, or could not decide.
[[nodiscard]] constexpr bool is_failure(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::crash || verdict == Verdict::timeout;
}

// One `expect overlap(…)`, over the runs that could decide it.
struct Outcome {
  std::string what;  // "overlap(a, b) allowed"
  std::uint64_t seen = 0, decided = 0;

  [[nodiscard]] std::string_view word() const {
    if (seen == 0) return "never";
    return seen == decided ? "always" : "sometimes";
  }
};

struct Note {
  spec::ClauseId clause{};
  std::string explanation;
};

struct CaseResult {
  std::string name, suite;
  std::vector<spec::ClauseId> aims;
  Verdict verdict = Verdict::internal_error;
  std::uint64_t exercised = 0;  // how often the clauses aimed at were exercised
  std::uint64_t calls = 0;
  std::uint64_t seed = 0;
  double seconds = 0;
  std::optional<spec::ClauseId> clause;  // the one that was broken
  std::optional<spec::ClauseId> also;    // another that the same fact breaks (model::Finding::also)
  std::uint64_t line = 0;                // of the history, where that was decided
  std::string explanation;               // whole sentences; empty for a plain pass
  std::string shape;                     // the kind of call at which it was decided; empty for a plain pass
  std::string history;                   // the text of what was run, with results; empty for a plain pass
  std::string history_of;                // the case whose history stands for this one's; empty: its own
  std::vector<std::pair<spec::ClauseId, std::uint64_t>> counts;  // every clause that was exercised, how often
  std::vector<Outcome> outcomes;
  std::vector<Note> qualities;
  std::string output;  // what the runtime printed meanwhile
};

// The kind of call with which the result's history ends.
[[nodiscard]] std::string shape_of(const CaseResult& result);
// What failures that tell one story have in common: verdict, clause and shape.
[[nodiscard]] std::string kind_of(const CaseResult& result);

}  // namespace streampool::kit
