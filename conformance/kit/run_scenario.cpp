#include "conformance/kit/run_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "conformance/kit/expectations.hpp"
#include "conformance/kit/groups.hpp"
#include "conformance/kit/live_run.hpp"
#include "model/history/reader.hpp"
#include "model/history/signature.hpp"

namespace streampool::kit {
namespace {

using history::Line;
using namespace spec::literals;

CaseResult empty_result(const Scenario& scenario) {
  CaseResult result;
  result.name = scenario.name;
  result.suite = scenario.suite;
  result.aims = scenario.aims;
  result.seed = scenario.seed;
  return result;
}

CaseResult refused(const Scenario& scenario, Verdict verdict, std::string why) {
  CaseResult result = empty_result(scenario);
  result.verdict = verdict;
  result.explanation = std::move(why);
  return result;
}

// The text as a file of the grammar: with its header, and with a result behind each `return`, which a case leaves open
// and the grammar wants.
std::string as_file(std::string_view text) {
  std::string file;
  if (!text.starts_with(history::header_line)) file = fmt::format("{}\n", history::header_line);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    file += line;
    const std::size_t begin = line.starts_with('[') ? std::min(line.find(']') + 1, line.size()) : 0;
    const std::size_t word = std::min(line.find_first_not_of(' ', begin), line.size());
    if (line.substr(word).starts_with("return ") && line.find("->") == std::string_view::npos) file += " -> ok";
    file += '\n';
  }
  return file;
}

// The groups that the calls need and the target lacks.
std::uint64_t missing_groups(const std::vector<Line>& lines, std::uint64_t capabilities) {
  std::uint64_t needed = 0;
  for (const Line& line : lines) {
    if (line.kind == history::LineKind::call || line.kind == history::LineKind::call_begin) {
      needed |= groups_needed(line.call);
    }
  }
  return needed & ~capabilities;
}

// How many devices the lines speak of.
std::size_t devices_needed(const std::vector<Line>& lines) {
  std::size_t needed = 1;
  for (const Line& line : lines) {
    if (line.kind == history::LineKind::device)
      needed = std::max<std::size_t>(needed, static_cast<std::size_t>(line.device.device) + 1);
  }
  return needed;
}

void take_counts(const model::Judge& judge, CaseResult& result) {
  // The judge sees histories; that each of these calls came back is seen only here.
  const auto came_back = "LIFE-NO-CRASH"_clause;
  if (judge.calls() > 0) result.counts.emplace_back(came_back, judge.calls());
  const auto exercised = judge.exercised();
  for (std::size_t index = 0; index < exercised.size(); ++index) {
    const spec::ClauseId clause{static_cast<std::uint16_t>(index)};
    if (exercised[index] == 0 || clause == came_back) continue;
    result.counts.emplace_back(clause, exercised[index]);
    if (std::ranges::find(result.aims, clause) != result.aims.end()) result.exercised += exercised[index];
  }
}

// The verdict of a run that came to its end or to a finding.
void decide(const LiveRun& run, const Expectations& expected, CaseResult& result) {
  const auto& finding = run.judge().finding();
  if (finding) {
    result.clause = finding->clause;
    result.also = finding->also;
    result.line = finding->line;
    result.explanation = finding->explanation;
    if (spec::info(finding->clause).id == expected.finding) {
      result.verdict = Verdict::pass;  // a history that must be rejected, and was
      return;
    }
    switch (finding->kind) {
      case model::Finding::Kind::violation:
        result.verdict = Verdict::fail;
        break;
      case model::Finding::Kind::inconclusive:
        result.verdict = Verdict::inconclusive;
        break;
      case model::Finding::Kind::program_fault:
        // A case that breaks the program's own obligations says nothing about the runtime.
        result.verdict = Verdict::internal_error;
        result.explanation = "The case itself is at fault: " + finding->explanation;
        break;
    }
    return;
  }
  if (!expected.finding.empty()) {
    result.verdict = Verdict::fail;
    result.explanation = fmt::format("A finding of {} was expected, there was none.", expected.finding);
    return;
  }
  for (const auto& unmet : {expected.unmet, expected.unmet_overlaps}) {
    if (unmet.empty()) continue;
    result.verdict = Verdict::fail;
    result.clause = result.aims.empty() ? "REUSE-UNSAFE"_clause : result.aims.front();
    result.explanation = fmt::format("{}", fmt::join(unmet, " "));
    return;
  }
  if (!result.aims.empty() && result.exercised == 0) {
    result.verdict = Verdict::not_exercised;
    result.explanation = "The condition of no clause that this case aims at arose.";
    return;
  }
  result.verdict = result.qualities.empty() ? Verdict::pass : Verdict::quality;
  if (!result.qualities.empty()) {
    result.clause = result.qualities.front().clause;
    result.explanation = result.qualities.front().explanation;
  }
}

// How far the device of a stepped runtime gets before a malloc.
class Progress {
 public:
  Progress(const Target& target, unsigned turn)
      : turn_((target.capabilities() & STREAMPOOL_CAP_STEP) != 0 ? turn : 0), random_(turn) {}

  // False once there is a finding.
  bool make(LiveRun& run, const Line& next) {
    if (next.kind != history::LineKind::call || turn_ == 0) return true;
    note(next.call);
    if (next.call.op != history::Op::malloc) return true;
    for (bool moved = true; moved;) {
      moved = false;
      for (const history::Name stream : streams_) {
        while (turn_ == 1 || random_() % 2 == 0) {
          Line step;
          step.call.op = history::Op::step;
          step.call.stream = stream;
          if (run.apply(std::move(step)) == LiveRun::Step::decided) return false;
          if (run.lines().back().result->status != history::Status::ok) break;
          moved = true;
        }
      }
    }
    return true;
  }

 private:
  void note(const history::Call& call) {
    if (call.op == history::Op::stream_destroy) {
      std::erase(streams_, call.stream);
    } else if (call.stream != history::Name::none && std::ranges::find(streams_, call.stream) == streams_.end()) {
      streams_.push_back(call.stream);
    }
  }

  const unsigned turn_;
  std::minstd_rand random_;
  std::vector<history::Name> streams_;
};

void run_lines(const std::vector<Line>& lines, history::NameTable& names, unsigned turn, const RunContext& context,
               CaseResult& result) {
  LiveRun run(context.target, context.profile, names, context.watchdog, context.journal);
  Progress progress(context.target, turn);
  bool decided = false;
  for (const Line& line : lines) {
    // After a finding nothing more is run, but what is expected still counts.
    if (decided && line.kind != history::LineKind::expect) continue;
    decided = !progress.make(run, line) || run.apply(line) == LiveRun::Step::decided || decided;
  }
  run.finish();
  result.calls = run.judge().calls();
  take_counts(run.judge(), result);
  for (const model::Quality& quality : run.judge().qualities()) {
    result.qualities.push_back({quality.clause, quality.explanation});
  }
  Expectations expected = evaluate(run.lines(), names);
  // Which blocks may overlap follows from the profile, and was worked out for the one that the case names. Under
  // another the judge alone decides.
  // Nor does it say how a runtime grows that is limited, or what else the device holds.
  const bool limited = std::ranges::any_of(lines, [](const Line& line) {
    return line.kind == history::LineKind::call && line.call.op == history::Op::limit;
  });
  if (limited || history::named_profile(lines) != context.profile.name) expected.unmet_overlaps.clear();
  result.outcomes = expected.outcomes;
  decide(run, expected, result);
  const bool nothing_seen = result.verdict == Verdict::not_exercised;
  if (result.verdict == Verdict::fail || nothing_seen) {
    if (const std::string why = run.shortage(); !why.empty()) {
      result.verdict = Verdict::inconclusive;
      result.explanation =
          fmt::format("{} {}{}", why, nothing_seen ? "" : "Else it would be a failure: ", result.explanation);
    }
  }
  if (result.verdict != Verdict::pass) result.history = run.text();
}

ScenarioRun run_once(const Scenario& scenario, unsigned turn, const RunContext& context) {
  const auto started = std::chrono::steady_clock::now();
  if (!scenario.not_applicable.empty()) {
    return {refused(scenario, Verdict::not_applicable, scenario.not_applicable)};
  }
  if (scenario.undefined && !context.undefined) {
    return {refused(scenario, Verdict::not_applicable,
                    "The profile gives this misuse no status; it runs only with --undefined.")};
  }
  if (const auto opened = context.target.open(); !opened) {
    return {refused(scenario, Verdict::internal_error, opened.error().message), false};
  }
  ScenarioRun run{empty_result(scenario), true};
  history::NameTable names;
  const auto text = substitute(scenario.text, quantities(context.profile, context.target.description()));
  const auto lines =
      text ? history::read_text(as_file(*text), names) : tl::expected<std::vector<Line>, history::Error>();
  if (!text) {
    run.result = refused(scenario, Verdict::not_supported, text.error());
  } else if (!lines) {
    run.result =
        refused(scenario, Verdict::internal_error, "The case is malformed: " + history::to_text(lines.error()));
  } else if (const std::uint64_t missing = missing_groups(*lines, context.target.capabilities()); missing != 0) {
    run.result = refused(scenario, Verdict::not_supported, "The runtime lacks: " + group_names(missing) + ".");
  } else if (devices_needed(*lines) > context.target.description().devices) {
    run.result = refused(scenario, Verdict::not_supported, "The runtime has too few devices.");
  } else {
    run_lines(*lines, names, turn, context, run.result);
  }
  run.clean = context.target.close();
  run.result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return run;
}

// The result of all runs so far, of which `next` is the newest.
void add(CaseResult next, CaseResult& all) {
  next.seconds += all.seconds;
  next.calls += all.calls;
  next.exercised += all.exercised;
  for (const auto& [clause, count] : all.counts) {
    const auto found = std::ranges::find(next.counts, clause, [](const auto& entry) { return entry.first; });
    if (found == next.counts.end()) {
      next.counts.emplace_back(clause, count);
    } else {
      found->second += count;
    }
  }
  for (const Outcome& outcome : all.outcomes) {
    const auto found = std::ranges::find(next.outcomes, outcome.what, &Outcome::what);
    if (found == next.outcomes.end()) {
      next.outcomes.push_back(outcome);
    } else {
      found->seen += outcome.seen;
      found->decided += outcome.decided;
    }
  }
  if (next.verdict == Verdict::pass && all.verdict == Verdict::quality) {
    next.verdict = all.verdict;
    next.clause = all.clause;
    next.explanation = all.explanation;
    next.history = all.history;
    next.qualities = all.qualities;
  }
  all = std::move(next);
}

}  // namespace

ScenarioRun run_scenario(const Scenario& scenario, const RunContext& context) {
  ScenarioRun all = run_once(scenario, 0, context);
  for (unsigned turn = 1; turn < scenario.runs; ++turn) {
    if (!all.clean || (all.result.verdict != Verdict::pass && all.result.verdict != Verdict::quality)) break;
    ScenarioRun next = run_once(scenario, turn, context);
    all.clean = next.clean;
    add(std::move(next.result), all.result);
  }
  return all;
}

}  // namespace streampool::kit
