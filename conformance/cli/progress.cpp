#include "conformance/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace streampool::cli {

using kit::Verdict;

namespace {
constexpr std::uint64_t lines_a_clause = 5;
}

Progress::Progress(std::uint64_t total, bool quiet)
    : total_(total), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::add(const kit::CaseResult& result) {
  ++done_;
  const bool bad = kit::is_failure(result.verdict) || result.verdict == Verdict::internal_error ||
                   result.verdict == Verdict::inconclusive;
  bad_ += bad ? 1 : 0;
  if (quiet_) return;
  if (bad && ++shown_[result.clause ? std::string(spec::info(*result.clause).id) : result.name] <= lines_a_clause) {
    if (terminal_) fmt::print(stderr, "\r\033[K");
    fmt::print(stderr, "{:<14} {}{}{}\n", kit::name(result.verdict), result.name, result.clause ? "  " : "",
               result.clause ? spec::info(*result.clause).id : "");
  }
  if (terminal_) draw();
}

void Progress::draw() {
  constexpr int width = 30;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < std::chrono::milliseconds(50) && done_ != total_) return;
  drawn_ = now;
  std::string bar;
  if (total_ != 0) {
    const auto filled = static_cast<int>(width * done_ / total_);
    bar = fmt::format(" [{}{}]", std::string(static_cast<std::size_t>(filled), '='),
                      std::string(static_cast<std::size_t>(width - filled), ' '));
  }
  fmt::print(stderr, "\r\033[K{}{}{} cases, {} bad", bar.empty() ? "" : bar.substr(1) + " ", done_,
             total_ == 0 ? "" : fmt::format("/{}", total_), bad_);
  std::fflush(stderr);
}

void Progress::finish() {
  if (quiet_) return;
  if (terminal_) fmt::print(stderr, "\r\033[K");
  std::uint64_t more = 0;
  for (const auto& [clause, count] : shown_) more += count - std::min(count, lines_a_clause);
  if (more > 0) fmt::print(stderr, "… and {} more of the same clauses\n", more);
}

}  // namespace streampool::cli
