#include "conformance/minimize/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "conformance/minimize/closed.hpp"
#include "model/history/reader.hpp"

namespace streampool::minimize {
namespace {

using namespace spec::literals;

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

// That no order fits is said of calls that overlapped. Made again they may come one after another, and then it shows
// which clause the runtime breaks: the same story, if the explanation named that clause.
bool overlapped(const kit::CaseResult& result) {
  return result.verdict == kit::Verdict::fail && result.clause == "THREAD-LINEARIZABLE"_clause;
}
bool same_story(const kit::CaseResult& result, const kit::CaseResult& again) {
  if (again.verdict != result.verdict || !again.clause) return false;
  return again.clause == result.clause ||
         result.explanation.find(fmt::format("breaks {}:", spec::info(*again.clause).id)) != std::string::npos;
}

}  // namespace

void Failures::minimise(kit::CaseResult& result) {
  if (!kit::is_failure(result.verdict)) return;
  if (!result.clause || result.history.empty() || result.shape.empty() || interrupted_.load()) return;
  Story& story = stories_[result.suite + " " + kit::kind_of(result)];
  const bool first = story.cases++ == 0;
  const auto time = (first ? limits_.all : limits_.all / 3) - std::chrono::ceil<std::chrono::milliseconds>(spent_);
  if (time.count() <= 0 || story.cases > limits_.of_a_kind) {
    if (!story.form.empty()) result.history_of = story.name;
    return;
  }
  const auto started = std::chrono::steady_clock::now();
  Settings settings{.worker = worker_,
                    .profile = profile_,
                    .budget = std::min(result.verdict == kit::Verdict::timeout ? 2 * limits_.one : limits_.one, time)};
  if (!overlapped(result)) settings.failure = Failure{result.verdict, result.clause};
  const auto done = minimize::minimise(result.history, settings, interrupted_);
  spent_ += std::chrono::steady_clock::now() - started;
  if (!done || !same_story(result, done->result)) return;
  result.history = done->result.history;
  result.line = done->result.line;
  result.explanation = done->result.explanation;
  if (result.clause != done->result.clause) {
    result.clause = done->result.clause;
    result.shape = done->result.shape;
    result.explanation += " Found where calls overlapped, and no order of them explained their results.";
  }
  const std::string form = form_of(result.history);
  if (first) {
    story.form = form;
    story.name = result.name;
  } else if (form == story.form) {
    result.history_of = story.name;
  }
}

}  // namespace streampool::minimize
