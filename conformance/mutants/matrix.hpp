// Every mutant against the suites: which case kills it, by which clause, after how long.
//
// A kill is a violation of the mutant's own clause, found by a case that the engine without a fault passes. Violations
// of other clauses are noted beside it and count for nothing. Crashes and hangs break the clauses about crashes and
// hangs, and no other: they count for mutants of those alone, and only where the saved history shows it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/worker.hpp"
#include "conformance/mutants/catalogue.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::mutants {

struct Hit {
  std::string suite, name;  // of the case
  std::string what;         // the clause, or the verdict where that says it all (crash, timeout)
  std::string broken;       // the clause that the result names first; `what` may be the other one
  double seconds = 0;       // since the mutant's start
  std::uint64_t calls = 0;
  std::string history;
};

struct Row {
  const Mutant* mutant = nullptr;
  std::optional<Hit> kill;
  std::vector<Hit> others;  // the first of each kind
  std::uint64_t cases = 0;  // run until the kill, or in all
  double seconds = 0;
  std::string broken;  // why the mutant could not be run; empty: it could
};

struct MatrixSettings {
  kit::WorkerSettings worker;  // its `runtime` is set for each mutant
  const model::Profile& profile;
  std::vector<const suites::Suite*> suites;
  std::uint64_t seed = 1;
  std::chrono::milliseconds budget{30'000};  // for one mutant
};

// Its name as a runtime.
[[nodiscard]] std::string runtime_of(const Mutant& mutant);

// The cases that the engine without a fault does not pass. The error: it could not be run.
[[nodiscard]] tl::expected<std::set<std::string>, std::string> failures_without_fault(
    const MatrixSettings& settings, const std::atomic<bool>& interrupted);

// `ignored`: cases that kill nothing.
[[nodiscard]] Row run_mutant(const Mutant& mutant, const MatrixSettings& settings, const std::set<std::string>& ignored,
                             const std::atomic<bool>& interrupted);

}  // namespace streampool::mutants
