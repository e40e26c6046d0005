#include "conformance/minimize/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "conformance/minimize/closed.hpp"
#include "model/history/reader.hpp"

namespace streampool::minimize {
namespace {

// The calls of a history and which objects they share; the same for histories that differ in names, sizes, addresses.
std::string form_of(const std::string& history) {
  history::NameTable names;
  const auto lines = history::read_text(history, names);
  if (!lines) return history;
  std::map<history::Name, std::size_t> numbers;
  std::string form;
  const auto add = [&](history::Name name) {
    fmt::format_to(std::back_inserter(form), " {}", numbers.try_emplace(name, numbers.size()).first->second);
  };
  for (const history::Line& line : *lines) {
    if (!is_call(line)) continue;
    form += history::to_text(line.call.op);
    add(history::definition(line.call).name);
    for_each_use(line.call, [&](history::Name name, history::NameKind) { add(name); });
    form += '\n';
  }
  return form;
}

}  // namespace

void Failures::minimise(kit::CaseResult& result) {
  using enum kit::Verdict;
  if (result.verdict != fail && result.verdict != crash && result.verdict != timeout) return;
  if (!result.clause || result.history.empty() || result.shape.empty() || interrupted_.load()) return;
  Story& story = stories_[result.suite + " " + kit::kind_of(result)];
  const bool first = story.cases++ == 0;
  const auto time = (first ? limits_.all : limits_.all / 2) - std::chrono::ceil<std::chrono::milliseconds>(spent_);
  if (time.count() <= 0 || story.cases > limits_.of_a_kind) return;
  const auto started = std::chrono::steady_clock::now();
  const auto done =
      minimize::minimise(result.history,
                         {.worker = worker_,
                          .profile = profile_,
                          .budget = std::min(result.verdict == timeout ? 2 * limits_.one : limits_.one, time),
                          .failure = Failure{result.verdict, result.clause}},
                         interrupted_);
  spent_ += std::chrono::steady_clock::now() - started;
  if (!done) return;
  result.history = done->result.history;
  result.line = done->result.line;
  result.explanation = done->result.explanation;
  const std::string form = form_of(result.history);
  if (first) {
    story.form = form;
    story.name = result.name;
  } else if (form == story.form) {
    result.history_of = story.name;
  }
}

}  // namespace streampool::minimize
