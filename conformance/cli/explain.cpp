// streampool explain: what the specification permits at each call of a history, and why or why not.
#include "model/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/kit/json.hpp"
#include "model/history/print.hpp"
#include "model/history/reader.hpp"

namespace streampool::cli {
namespace {

void print_text(const history::Line& line, const history::NameTable& names,
                const std::vector<model::ExplainedAnswer>& answers) {
  fmt::print("{:>5}  {}\n", line.number, history::print(line, names));
  for (const model::ExplainedAnswer& answer : answers) {
    fmt::print("       {} {}", answer.permitted ? "may" : "not", answer.answer);
    if (!answer.clause.empty()) fmt::print("  [{}]", answer.clause);
    fmt::print("\n");
    if (!answer.reason.empty()) fmt::print("           {}\n", answer.reason);
  }
}

void print_json(const std::string& path, const history::Line& line, const history::NameTable& names,
                const std::vector<model::ExplainedAnswer>& answers) {
  nlohmann::json list = nlohmann::json::array();
  for (const model::ExplainedAnswer& answer : answers) {
    list.push_back({{"answer", answer.answer},
                    {"permitted", answer.permitted},
                    {"clause", answer.clause},
                    {"reason", answer.reason}});
  }
  fmt::print(
      "{}\n",
      kit::dump({{"file", path}, {"line", line.number}, {"call", history::print(line, names)}, {"answers", list}}));
}

int run(const Arguments& arguments) {
  const std::string& path = arguments.positionals().front();
  history::NameTable names;
  const auto lines = history::read_file(path, names);
  if (!lines) return usage_error(arguments, fmt::format("{}: {}", path, history::to_text(lines.error())));
  std::string profile_name = arguments.text("--profile");
  if (profile_name.empty()) profile_name = history::named_profile(*lines);
  const auto profile = load_profile(profile_name);
  if (!profile) return usage_error(arguments, profile.error());
  model::Explainer explainer(*profile, names);
  const std::uint64_t only = arguments.number("--line", 0);
  const bool there = std::ranges::any_of(*lines, [only](const history::Line& line) { return line.number == only; });
  if (only != 0 && !there) return usage_error(arguments, fmt::format("{}: there is no call on line {}", path, only));
  for (const history::Line& line : *lines) {
    if (only == 0 || only == line.number) {
      const auto answers = explainer.answers(line);
      if (arguments.json()) {
        print_json(path, line, names, answers);
      } else {
        print_text(line, names, answers);
      }
    }
    explainer.apply(line);
    if (const auto& finding = explainer.finding(); finding && finding->kind != model::Finding::Kind::inconclusive) {
      if (arguments.json()) {
        fmt::print("{}\n", kit::dump({{"file", path},
                                      {"line", finding->line},
                                      {"clause", spec::info(finding->clause).id},
                                      {"explanation", finding->explanation}}));
      } else {
        fmt::print("       line {}: what was answered breaks {}: {}\n", finding->line, spec::info(finding->clause).id,
                   finding->explanation);
      }
      break;  // behind it nothing is explained
    }
  }
  return exit_ok;
}

constexpr Option options[] = {
    {"--profile", Option::Type::text, "NAME|FILE", "Profile; else the one the history names, else strict"},
    {"--line", Option::Type::number, "N", "Only the call on this line"},
};

}  // namespace

const Command explain_command{
    .name = "explain",
    .summary = "Every answer that the specification permits at each call, and why or why not",
    .example = "  streampool explain failure.pool\n  streampool explain --line 12 --json failure.pool\n",
    .options = options,
    .positional = {"FILE", "A history; - is the standard input", 1, 1},
    .exits = "0, or 2 where the history cannot be read",
    .run = run,
};

}  // namespace streampool::cli
