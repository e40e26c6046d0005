#include "conformance/minimize/failures.hpp"

#include <algorithm>

namespace streampool::minimize {

void Failures::minimise(kit::CaseResult& result) {
  if (result.verdict != kit::Verdict::fail || !result.clause || result.history.empty()) return;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limits_.all - spent_);
  if (left.count() <= 0 || interrupted_.load()) return;
  if (result.shape.empty() || !seen_.insert(kit::kind_of(result)).second) return;
  const auto started = std::chrono::steady_clock::now();
  const auto done = minimize::minimise(
      result.history, {.worker = worker_, .profile = profile_, .budget = std::min(limits_.one, left)}, interrupted_);
  spent_ += std::chrono::steady_clock::now() - started;
  // Another clause may break first when the same calls are made again: then what was seen stands.
  if (!done || done->result.clause != result.clause) return;
  result.history = done->result.history;
  result.line = done->result.line;
  result.explanation = done->result.explanation;
}

}  // namespace streampool::minimize
