// streampool judge: recorded histories against the model.
#include "model/monitor/judge.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/kit/json.hpp"
#include "model/history/print.hpp"
#include "model/history/reader.hpp"

namespace streampool::cli {
namespace {

enum class Outcome : std::uint8_t { conformant, inconclusive, finding, malformed };  // the worst is the greatest

struct Judged {
  std::string verdict = "conformant";
  Outcome outcome = Outcome::conformant;
  std::uint64_t line = 0;
  std::string clause;  // id; empty: none
  std::string text;    // of the line
  std::string explanation;
  std::uint64_t calls = 0;
  std::vector<std::string> notes;
};

Judged malformed(std::uint64_t line, std::string explanation, std::uint64_t calls) {
  Judged judged;
  judged.verdict = "malformed";
  judged.outcome = Outcome::malformed;
  judged.line = line;
  judged.explanation = std::move(explanation);
  judged.calls = calls;
  return judged;
}

class File {
 public:
  explicit File(std::string profile) : profile_name_(std::move(profile)), fixed_(!profile_name_.empty()) {
    if (!fixed_) profile_name_ = "strict";
  }

  Judged judge(const std::string& path) {
    auto reader = history::open_history(path, names_);
    if (!reader) return malformed(reader.error().line, history::to_text(reader.error()), 0);
    history::Line line;
    while (true) {
      const auto more = reader->next(line);
      const std::uint64_t calls = judge_ ? judge_->calls() : 0;
      // Read to the end whatever was found: a malformed history is malformed.
      if (!more) return malformed(more.error().line, history::to_text(more.error()), calls);
      if (!*more) break;
      if (auto wrong = take(line)) return malformed(line.number, *wrong, calls);
    }
    if (!judge_) {
      if (auto wrong = start()) return malformed(0, *wrong, 0);
    }
    if (!found_) {
      judge_->finish();
      look({});
    }
    result_.calls = judge_->calls();
    add_notes();
    return std::move(result_);
  }

 private:
  // What is wrong with the profile that the history names.
  std::optional<std::string> take(const history::Line& line) {
    if (!judge_ && (line.kind == history::LineKind::profile || line.kind == history::LineKind::device)) {
      if (line.kind == history::LineKind::profile && !fixed_) profile_name_ = line.profile.name;
      preamble_.push_back(line);
      return std::nullopt;
    }
    if (!judge_) {
      if (auto wrong = start()) return wrong;
    }
    if (found_) return std::nullopt;
    judge_->apply(line);
    look(line);
    return std::nullopt;
  }

  // The profile is known once the preamble is over.
  std::optional<std::string> start() {
    auto profile = load_profile(profile_name_);
    if (!profile) return profile.error();
    profile_ = std::move(*profile);
    judge_.emplace(*profile_, names_);
    for (const history::Line& line : preamble_) judge_->apply(line);
    return std::nullopt;
  }

  void look(const history::Line& line) {
    const auto& finding = judge_->finding();
    if (!finding) return;
    // A run that got stuck may still come to a finding.
    found_ = finding->kind != model::Finding::Kind::inconclusive;
    result_.line = finding->line;
    result_.clause = spec::info(finding->clause).id;
    result_.explanation = finding->explanation;
    if (line.number == finding->line) result_.text = history::print(line, names_);
    switch (finding->kind) {
      case model::Finding::Kind::violation:
        result_.verdict = "violation";
        result_.outcome = Outcome::finding;
        break;
      case model::Finding::Kind::program_fault:
        result_.verdict = "program_fault";
        result_.outcome = Outcome::finding;
        break;
      case model::Finding::Kind::inconclusive:
        result_.verdict = "inconclusive";
        result_.outcome = Outcome::inconclusive;
        break;
    }
  }

  void add_notes() {
    constexpr std::size_t named = 5;
    const auto leaked = judge_->leaked();
    if (!leaked.empty()) {
      std::string text = "never freed:";
      for (std::size_t index = 0; index < std::min(named, leaked.size()); ++index)
        text += fmt::format(" {}", names_.text(leaked[index]));
      if (leaked.size() > named) text += fmt::format(" and {} more", leaked.size() - named);
      result_.notes.push_back(text);
    }
    for (const model::Quality& quality : judge_->qualities()) {
      if (result_.notes.size() >= named) break;
      result_.notes.push_back(
          fmt::format("line {}: {} (should): {}", quality.line, spec::info(quality.clause).id, quality.explanation));
    }
  }

  std::string profile_name_;
  bool fixed_;
  history::NameTable names_;
  std::vector<history::Line> preamble_;
  std::optional<model::Profile> profile_;
  std::optional<model::Judge> judge_;
  bool found_ = false;
  Judged result_;
};

void print_json(const std::string& path, const Judged& judged) {
  using nlohmann::json;
  const json object = {{"file", path},
                       {"verdict", judged.verdict},
                       {"line", judged.line != 0 ? json(judged.line) : json()},
                       {"clause", judged.clause.empty() ? json() : json(judged.clause)},
                       {"explanation", judged.explanation.empty() ? json() : json(judged.explanation)},
                       {"calls", judged.calls}};
  fmt::print("{}\n", kit::dump(object));
}

void print_text(const std::string& path, const Judged& judged) {
  fmt::print("{}: {} ({} calls)\n", path, judged.verdict, judged.calls);
  if (judged.line != 0 && judged.outcome != Outcome::malformed) fmt::print("  line {}: {}\n", judged.line, judged.text);
  if (!judged.clause.empty())
    fmt::print("  {}: {}\n", judged.clause, spec::info(*spec::find_clause(judged.clause)).text);
  if (!judged.explanation.empty()) fmt::print("  {}\n", judged.explanation);
  for (const std::string& note : judged.notes) fmt::print("  note: {}\n", note);
}

int run(const Arguments& arguments) {
  const std::string profile = arguments.text("--profile");
  if (!profile.empty()) {
    if (const auto loaded = load_profile(profile); !loaded) return usage_error(arguments, loaded.error());
  }
  Outcome worst = Outcome::conformant;
  for (const std::string& path : arguments.positionals()) {
    const Judged judged = File(profile).judge(path);
    worst = std::max(worst, judged.outcome);
    if (arguments.json()) {
      print_json(path, judged);
    } else {
      print_text(path, judged);
    }
  }
  switch (worst) {
    case Outcome::malformed:
      return exit_usage;
    case Outcome::finding:
      return exit_finding;
    case Outcome::inconclusive:
      return exit_inconclusive;
    case Outcome::conformant:
      return exit_ok;
  }
  return exit_usage;
}

constexpr Option options[] = {
    {"--profile", Option::Type::text, "NAME|FILE", "Profile to judge by; else the one the history names, else strict"},
};

}  // namespace

const Command judge_command{
    .name = "judge",
    .summary = "Judge recorded histories: conformant, violation, program fault or inconclusive",
    .example = "  streampool judge --profile cuda-13 run1.pool run2.pool\n  my-recorder | streampool judge --json -\n",
    .options = options,
    .positional = {"FILE", "Histories; - is the standard input", 1, 1'000'000},
    .exits = "0 conformant, 1 a violation or program fault, 2 malformed or usage error, 3 inconclusive",
    .run = run,
};

}  // namespace streampool::cli
