#include "conformance/cli/explored.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/cli/known_histories.hpp"
#include "model/monitor/judge_text.hpp"
#include "model/profile/load.hpp"
#include "spec/clauses.hpp"

namespace streampool::cli {
namespace {

using model::explorer::Scope;
using model::explorer::Verdict;

const model::Profile& strict() {
  static const auto profile = model::load_profile("strict");
  return *profile;
}

std::string words(const Scope& s) {
  std::string text = fmt::format("every program of {} calls, {} streams, {} events, {} blocks", s.calls, s.streams,
                                 s.events, s.blocks);
  if (s.gates > 0) text += fmt::format(", {} gates", s.gates);
  if (s.uses) text += ", uses";
  if (s.event_syncs) text += ", event syncs";
  return text + "; every schedule and answer";
}

// Over every setting of the three switches.
Verdict each_setting(const std::function<Verdict(unsigned switches)>& check) {
  Verdict all;
  for (unsigned switches = 0; switches < 8 && !all.counterexample; ++switches) {
    const Verdict one = check(switches);
    all.programs += one.programs;
    all.histories += one.histories;
    all.counterexample = one.counterexample;
    all.sentence = one.sentence;
  }
  return all;
}

// `clauses` names beginnings of a clause with `|` between them, or none.
bool is(const std::string& verdict, const std::string& kind, const std::string& clauses) {
  if (!verdict.starts_with(kind)) return false;
  if (clauses.empty()) return true;
  std::istringstream parts(clauses);
  for (std::string clause; std::getline(parts, clause, '|');) {
    if (verdict.substr(kind.size() + 1).starts_with(clause)) return true;
  }
  return false;
}

Verdict check_known_histories() {
  Verdict verdict;
  for (const KnownHistory& known : known_histories()) {
    ++verdict.histories;
    std::istringstream text{std::string(known.text)};
    std::string line, hash, word, kind, clauses;
    std::getline(text, line);
    std::getline(text, line);
    std::istringstream(line) >> hash >> word >> kind >> clauses;
    const std::string got = model::judge_text(known.text).in_words();
    if (is(got, kind, clauses)) continue;
    verdict.counterexample = known.text;
    verdict.sentence = fmt::format("{} is judged {}, not {} {}", known.name, got, kind, clauses);
    return verdict;
  }
  return verdict;
}

constexpr Scope order_scope{.streams = 3, .events = 2, .blocks = 0, .calls = 4};
constexpr Scope tight_scope{.streams = 2, .events = 1, .blocks = 2, .gates = 1, .calls = 4};
constexpr Scope sound_scope{.streams = 2, .events = 1, .blocks = 2, .calls = 4};
constexpr Scope gated_scope{
    .streams = 2, .events = 1, .blocks = 2, .gates = 1, .calls = 3, .uses = true, .event_syncs = true};
constexpr Scope program_scope{.streams = 2, .events = 1, .blocks = 1, .calls = 4, .uses = true};

nlohmann::json to_json(const Verdict& v) {
  nlohmann::json json{{"programs", v.programs}, {"histories", v.histories}, {"sentence", v.sentence},
                      {"theorem", v.theorem},   {"visible", v.visible},     {"vanished", v.vanished}};
  if (v.counterexample) json["counterexample"] = *v.counterexample;
  return json;
}

Verdict from_json(const nlohmann::json& json) {
  Verdict v;
  v.programs = json["programs"];
  v.histories = json["histories"];
  v.sentence = json["sentence"];
  v.theorem = json["theorem"];
  v.visible = json["visible"];
  v.vanished = json["vanished"];
  if (json.contains("counterexample")) v.counterexample = json["counterexample"].get<std::string>();
  return v;
}

}  // namespace

const std::vector<Explored>& explored_theorems() {
  using namespace model::explorer;
  const std::string settings = ", every setting of the switches";
  static const std::vector<Explored> all = {
      {"explored.RULES-EXACT", "RULES-EXACT",
       fmt::format("{} random runs of {} calls (a fixed seed), the rules beside sets of items", proved_runs,
                   proved_length),
       [] { return check_rules_exact(proved_runs, proved_length); }},
      {"explored.ORDER-EXACT", "ORDER-EXACT", words(order_scope),
       [] { return check_order_exact(strict(), order_scope); }},
      {"explored.PROGRAM-SOUND", "PROGRAM-SOUND", words(program_scope),
       [] { return check_program_sound(strict(), program_scope); }},
      {"explored.MONITOR-SOUND", "MONITOR-SOUND", words(sound_scope) + settings,
       [] { return each_setting([](unsigned on) { return check_monitor_sound(strict(), sound_scope, on); }); }},
      {"explored.MONITOR-SOUND.gates", "MONITOR-SOUND", words(gated_scope) + settings,
       [] { return each_setting([](unsigned on) { return check_monitor_sound(strict(), gated_scope, on); }); }},
      {"explored.MONITOR-TIGHT", "MONITOR-TIGHT", words(tight_scope) + settings,
       [] { return each_setting([](unsigned on) { return check_monitor_tight(strict(), tight_scope, on); }); }},
      {"explored.KNOWN-HISTORIES", "MONITOR-TIGHT",
       "the histories of model/tests/histories and what they say of themselves", check_known_histories},
  };
  return all;
}

Verdict run_explored(const Explored& explored) {
  Verdict stopped;
  int ends[2];
  if (pipe(ends) != 0) {
    stopped.counterexample = stopped.sentence = "no pipe";
    return stopped;
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = to_json(explored.check()).dump();
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t n = write(ends[1], text.data() + sent, text.size() - sent);
      if (n <= 0) break;
      sent += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; child > 0 && (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return from_json(nlohmann::json::parse(text));
  stopped.sentence = "the model stops itself: a rule that it relies on does not hold";
  stopped.counterexample.emplace();
  return stopped;
}

}  // namespace streampool::cli
