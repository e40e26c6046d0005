#include "conformance/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/kit/json.hpp"
#include "conformance/report/record.hpp"

namespace streampool::report {
namespace {

using kit::CaseResult;
using kit::Verdict;

constexpr std::size_t cases_shown = 3;      // of one clause
constexpr std::size_t clauses_listed = 12;  // of those not exercised

// `text` broken at blanks into lines of at most `width`, each indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::string out, line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.size() + 1 + word.size() > width - indent) {
      out += margin + line + "\n";
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  return out + margin + line + "\n";
}

std::string verdict_counts(const Totals& totals) {
  std::string out;
  for (std::size_t index = 0; index < kit::verdict_count; ++index) {
    const auto verdict = static_cast<Verdict>(index);
    if (totals.count(verdict) == 0) continue;
    std::string word(kit::name(verdict));
    std::ranges::replace(word, '_', ' ');
    out += fmt::format("  {:>6}  {}\n", totals.count(verdict), word);
  }
  return out;
}

using Group = std::vector<const CaseResult*>;

// By what was broken. Cases of one clause tell one story most of the time.
std::map<std::string, Group> grouped(const Totals& totals, bool (*take)(Verdict)) {
  std::map<std::string, Group> groups;
  for (const CaseResult& result : totals.remarkable()) {
    if (!take(result.verdict)) continue;
    groups[result.clause ? std::string(spec::info(*result.clause).id) : std::string(kit::name(result.verdict))]
        .push_back(&result);
  }
  return groups;
}

std::string failures(const Totals& totals, const RunInfo& info, const std::string& folder, bool (*take)(Verdict)) {
  std::string out;
  for (const auto& [title, group] : grouped(totals, take)) {
    const auto& clause = group.front()->clause;
    out += fmt::format("\n  {}{}\n", title, clause ? fmt::format(" ({})", spec::name(spec::info(*clause).kind)) : "");
    if (clause) out += wrapped(spec::info(*clause).text, 4, 110);
    for (std::size_t index = 0; index < std::min(group.size(), cases_shown); ++index) {
      const CaseResult& result = *group[index];
      out += fmt::format("    * {} [{}]\n", result.name, kit::name(result.verdict));
      out += wrapped(result.explanation, 6, 110);
      if (!result.history.empty()) {
        out += fmt::format("      streampool replay {}/{} --runtime {}\n", folder, result.history, info.runtime);
      }
    }
    if (group.size() > cases_shown) {
      const auto kept = std::ranges::count_if(
          group, [](const CaseResult* one) { return !one->history.empty() && one->history_of.empty(); });
      out += fmt::format("    … and {} more", group.size() - cases_shown);
      if (kept > 0) out += fmt::format("; {} histories are kept in {}/failures", kept, folder);
      out += "\n";
    }
  }
  return out;
}

// Of the programs in `spec/litmus` that can tell: is what the specification allows ever seen?
std::string overlaps(const Totals& totals) {
  std::map<std::string, std::map<std::string_view, unsigned>> counts;  // by verdict of the specification, by word
  for (const auto& [what, outcome] : totals.outcomes()) {
    ++counts[outcome.what.substr(outcome.what.rfind(' ') + 1)][outcome.word()];
  }
  std::string out;
  for (const auto& [verdict, words] : counts) {
    out += out.empty() ? "\nOverlaps" : "        ";
    out += fmt::format(" that are {:<9} seen", verdict);
    std::string_view between = " ";
    for (const auto& [word, count] : words) {
      out += fmt::format("{}{} in {}", std::exchange(between, ", "), word, count);
    }
    out += "\n";
  }
  return out;
}

bool is_bad(Verdict verdict) {
  return kit::is_failure(verdict) || verdict == Verdict::internal_error || verdict == Verdict::inconclusive;
}
bool is_quality(Verdict verdict) { return verdict == Verdict::quality; }
bool is_waived(Verdict verdict) { return verdict == Verdict::waived; }

}  // namespace

std::string summary(const Totals& totals, const RunInfo& info, const std::string& folder, bool interrupted) {
  std::string out;
  out += fmt::format("\nruntime        {} ({} {})\n", info.runtime, info.runtime_name, info.runtime_version);
  out += fmt::format("profile        {} ({})\n", info.profile, info.profile_hash.substr(0, 12));
  out += fmt::format("specification  {}; kit {}, ABI {}, seed {}\n", info.specification, info.kit, info.abi, info.seed);
  out += fmt::format("cases          {} ({} calls, {:.1f} s in the runtime's processes)\n", totals.cases(),
                     totals.calls(), totals.seconds());
  out += verdict_counts(totals);
  if (const std::string text = failures(totals, info, folder, is_bad); !text.empty()) out += "\nFailures\n" + text;
  if (const std::string text = failures(totals, info, folder, is_quality); !text.empty()) {
    out += fmt::format("\nQuality{}\n", info.strict ? " (counted as failures: --strict)" : "") + text;
  }
  if (const std::string text = failures(totals, info, folder, is_waived); !text.empty()) out += "\nWaived\n" + text;
  out += overlaps(totals);
  if (const auto missing = totals.not_exercised(); !missing.empty()) {
    out += fmt::format("\nNot exercised: {} clauses of the kinds must, must-not and error:\n", missing.size());
    std::string names;
    for (std::size_t index = 0; index < std::min(missing.size(), clauses_listed); ++index) {
      names += fmt::format("{} ", spec::info(missing[index]).id);
    }
    if (missing.size() > clauses_listed) names += fmt::format("and {} more", missing.size() - clauses_listed);
    out += wrapped(names, 2, 110);
  }
  std::string verdict(name(totals.conformance(info.strict)));
  std::ranges::transform(verdict, verdict.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  out += fmt::format("\n{}{}\n", verdict, interrupted ? " so far: INTERRUPTED, the results up to here are kept" : "");
  out += fmt::format("report         {}/report.html\n", folder);
  return out;
}

nlohmann::json summary_json(const Totals& totals, const RunInfo& info, const std::string& folder, bool interrupted) {
  nlohmann::json verdicts = nlohmann::json::object();
  for (std::size_t index = 0; index < kit::verdict_count; ++index) {
    const auto verdict = static_cast<Verdict>(index);
    verdicts[std::string(kit::name(verdict))] = totals.count(verdict);
  }
  nlohmann::json failed = nlohmann::json::array();
  for (const CaseResult& result : totals.remarkable()) {
    failed.push_back({{"case", result.name},
                      {"verdict", kit::name(result.verdict)},
                      {"clause", result.clause ? nlohmann::json(spec::info(*result.clause).id) : nlohmann::json()},
                      {"explanation", result.explanation},
                      {"history", result.history}});
  }
  return {{"verdict", name(totals.conformance(info.strict))},
          {"interrupted", interrupted},
          {"cases", totals.cases()},
          {"calls", totals.calls()},
          {"verdicts", std::move(verdicts)},
          {"remarkable", std::move(failed)},
          {"not_exercised", kit::ids(totals.not_exercised())},
          {"folder", folder},
          {"run", to_json(info)}};
}

}  // namespace streampool::report
