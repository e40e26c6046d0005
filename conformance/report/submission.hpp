// A submission: the results of a run in one archive, with a manifest of checksums, for somebody else to check.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/report/versions.hpp"

namespace streampool::report {

// Against the list of cases that must pass under the run's profile (conformance/mustpass).
struct Completeness {
  std::size_t cases = 0;             // on the list; 0 where there is none
  std::vector<std::string> missing;  // "suite name" of those not run
  std::vector<std::string> bad;      // and of those that came to no good end
  std::string unknown;               // why it cannot be told; empty: it can
  [[nodiscard]] bool complete() const { return unknown.empty() && missing.empty() && bad.empty(); }
};
// One sentence for the user, with the first names.
[[nodiscard]] std::string to_text(const Completeness& completeness);

struct Submission {
  std::size_t files = 0;
  Completeness completeness;
  std::string sha256;  // of the archive
};
// Packs results.jsonl, junit.xml, report.html and failures/*.pool with MANIFEST (a line a file: SHA-256, two blanks,
// path).
[[nodiscard]] tl::expected<Submission, std::string> make_submission(const std::filesystem::path& folder,
                                                                    const std::filesystem::path& archive);

struct CheckedSubmission {
  std::vector<std::string> problems;  // empty: the archive is what was packed, and tells one story
  std::string verdict;                // from the records, not from what the submission says of itself
  std::uint64_t cases = 0;
  Completeness completeness;
  RunInfo info;
  std::string sha256;
};
// The error: this is no archive at all.
[[nodiscard]] tl::expected<CheckedSubmission, std::string> check_submission(const std::filesystem::path& archive);

}  // namespace streampool::report
