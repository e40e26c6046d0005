#include "conformance/kit/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/kit/json.hpp"
#include "conformance/kit/process.hpp"
#include "model/history/history.hpp"
#include "model/history/signature.hpp"

namespace streampool::kit {
namespace {

using namespace spec::literals;

constexpr std::chrono::milliseconds glance{100};  // how often progress and interruption are looked at

nlohmann::json setup(const WorkerSettings& settings) {
  return {{"runtime", settings.runtime},
          {"options", settings.options},
          {"profile", settings.profile},
          {"undefined", settings.undefined},
          {"patience", settings.patience}};
}

// A line of the journal: "[t1] ", or nothing where it is the main thread's, and the rest.
std::pair<std::string_view, std::string_view> split(std::string_view line) {
  const std::size_t thread = line.starts_with('[') ? std::min(line.find("] ") + 2, line.size()) : 0;
  return {line.substr(0, thread), line.substr(thread)};
}

struct Broken {
  std::size_t calls = 0;          // that were made
  std::vector<std::string> open;  // "[t1] return c" for each that was begun and had not returned
};
Broken calls_of(std::string_view journal) {
  Broken broken;
  while (!journal.empty()) {
    const std::string_view line = journal.substr(0, journal.find('\n'));
    journal.remove_prefix(std::min(journal.size(), line.size() + 1));
    const auto [thread, call] = split(line);
    const std::string_view word = call.substr(0, call.find(' '));
    if (word == "profile" || word == "device") continue;
    if (word != "return") ++broken.calls;
    if (word != "call" && word != "return") continue;
    const std::string_view id = call.substr(word.size(), call.find(' ', word.size() + 1) - word.size());
    const std::string end = fmt::format("{}return{}", thread, id);
    if (word == "call") {
      broken.open.push_back(end);
    } else {
      std::erase(broken.open, end);
    }
  }
  return broken;
}

// The history of a case that did not come to its end: what the journal holds, and how the last calls ended. Judged
// again it gives what the kit found.
std::string broken_off(const Worker::Answer& answer) {
  const bool hung = answer.kind == Worker::Answer::Kind::hung;
  const std::string_view end = history::to_text(hung ? history::Status::timeout : history::Status::crash);
  std::string_view rest = answer.journal;
  const std::string_view unfinished = rest.substr(rest.rfind('\n') + 1);
  rest.remove_suffix(unfinished.size());
  std::vector<std::string> open = calls_of(rest).open;
  // Fewer calls under way than the text shows open: some have returned, and it does not say which.
  if (open.size() + (unfinished.empty() ? 0 : 1) > answer.in_flight) open.clear();
  std::string gates;  // that the watchdog opened, to no avail
  for (const std::string& gate : answer.opened) gates += fmt::format("[watchdog] gate_open {}\n", gate);
  std::string text = fmt::format("{}\n{}", history::header_line, rest);
  const auto [thread, call] = split(unfinished);
  if (!open.empty() && !gates.empty() && !call.empty()) {
    // It was made while the others waited for those gates.
    text += fmt::format("{}call stuck {}\n{}", thread, call, gates);
    open.push_back(fmt::format("{}return stuck", thread));
  } else {
    text += gates;
    if (!call.empty()) text += fmt::format("{} -> {}\n", unfinished, end);
  }
  for (const std::string& one : open) text += fmt::format("{} -> {}\n", one, end);
  return text;
}

CaseResult died(const Job& job, const Worker::Answer& answer, std::chrono::milliseconds hang) {
  const bool hung = answer.kind == Worker::Answer::Kind::hung;
  CaseResult result;
  result.name = job.name;
  result.suite = job.suite;
  result.aims = job.aims;
  result.seed = job.seed;
  result.calls = calls_of(answer.journal).calls;
  result.verdict = hung ? Verdict::timeout : Verdict::crash;
  // One call that never returns is a hang; calls of several host threads, none of which returns, hold each other.
  result.clause = hung && answer.in_flight > 1 ? "THREAD-DEADLOCK"_clause : "LIFE-NO-CRASH"_clause;
  result.explanation =
      hung ? fmt::format("The runtime made no progress for {} ms with no gate left to open; {} calls had not returned.",
                         hang.count(), answer.in_flight)
           : fmt::format("The runtime ended its process: {}.", answer.how);
  result.history = broken_off(answer);
  result.line = static_cast<std::uint64_t>(std::ranges::count(result.history, '\n'));
  result.output = answer.output;
  return result;
}

}  // namespace

struct Worker::Process {
  explicit Process(const std::string& executable) : child(executable, {"worker"}) {}
  ChildProcess child;
};

Worker::Worker(std::unique_ptr<Process> process, const WorkerSettings& settings, const std::atomic<bool>& interrupted)
    : process_(std::move(process)),
      hang_(settings.hang),
      memory_limit_(settings.memory_limit),
      interrupted_(interrupted) {}

Worker::~Worker() = default;

tl::expected<std::unique_ptr<Worker>, std::string> Worker::start(const WorkerSettings& settings,
                                                                 const std::atomic<bool>& interrupted) {
  std::unique_ptr<Worker> worker(new Worker(std::make_unique<Process>(settings.executable), settings, interrupted));
  const Answer answer = worker->ask(dump(setup(settings)));
  switch (answer.kind) {
    case Answer::Kind::answered:
      break;
    case Answer::Kind::crashed:
      return tl::unexpected(fmt::format("the runtime ended its process while it was loaded or opened: {}{}{}",
                                        answer.how, answer.output.empty() ? "" : "\n", answer.output));
    case Answer::Kind::hung:
      return tl::unexpected(std::string("the runtime hangs while it is loaded or opened"));
    case Answer::Kind::interrupted:
      return tl::unexpected(std::string("interrupted"));
  }
  const auto json = nlohmann::json::parse(answer.text, nullptr, false);
  if (!json.is_object()) return tl::unexpected("the worker answered nonsense: " + answer.text);
  if (json.contains("error")) return tl::unexpected(json["error"].get<std::string>());
  worker->greeting_ = {.description = {.name = json.value("name", ""),
                                       .version = json.value("version", ""),
                                       .devices = json.value("devices", 1u),
                                       .memory = json.value("memory", std::uint64_t{0}),
                                       .alignment = json.value("alignment", std::uint64_t{0}),
                                       .reserve_granule = json.value("reserve_granule", std::uint64_t{0})},
                       .capabilities = json.value("capabilities", std::uint64_t{0})};
  return worker;
}

Worker::Answer Worker::ask(const std::string& line) {
  ChildProcess& child = process_->child;
  Answer answer;
  const auto gone = [&](Answer::Kind kind) {
    answer.kind = kind;
    answer.how = child.end();
    answer.journal = child.journal().text();
    answer.in_flight = child.journal().in_flight();
    answer.opened = child.journal().opened_gates();
    answer.output = child.take_output();
    return answer;
  };
  if (!child.send(line)) return gone(Answer::Kind::crashed);
  // Quiet glances are counted, not the clock: on a machine that stood still nobody has hung.
  const auto patience = hang_ / glance;
  std::int64_t quiet = 0;
  std::uint64_t seen = child.journal().progress();
  while (true) {
    switch (child.wait(glance, answer.text)) {
      case ChildProcess::Event::line:
        answer.output = child.take_output();
        return answer;
      case ChildProcess::Event::ended:
        return gone(Answer::Kind::crashed);
      case ChildProcess::Event::quiet:
        break;
    }
    if (interrupted_.load(std::memory_order_relaxed)) return gone(Answer::Kind::interrupted);
    if (const std::uint64_t bytes = child.resident(); memory_limit_ != 0 && bytes > memory_limit_) {
      (void)gone(Answer::Kind::crashed);
      answer.how = fmt::format("stopped by the kit, it had {} MiB of memory", bytes >> 20);
      return answer;
    }
    const std::uint64_t progress = child.journal().progress();
    quiet = progress == seen ? quiet + 1 : 0;
    seen = progress;
    if (quiet > patience) return gone(Answer::Kind::hung);
  }
}

JobOutcome run_job(Worker& worker, const Job& job) {
  const auto started = std::chrono::steady_clock::now();
  const Worker::Answer answer = worker.ask(dump({{"job", job.kind}, {"parameters", job.parameters}}));
  JobOutcome outcome;
  switch (answer.kind) {
    case Worker::Answer::Kind::interrupted:
      return {.alive = false, .interrupted = true};
    case Worker::Answer::Kind::crashed:
    case Worker::Answer::Kind::hung:
      outcome.alive = false;
      outcome.results.push_back(died(job, answer, worker.hang()));
      outcome.results.back().shape = shape_of(outcome.results.back());
      outcome.results.back().seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
      return outcome;
    case Worker::Answer::Kind::answered:
      break;
  }
  const auto json = nlohmann::json::parse(answer.text, nullptr, false);
  outcome.alive = json.is_object() && json.value("clean", false);
  if (json.is_object() && json.contains("results")) {
    for (const auto& one : json["results"]) {
      auto result = result_from_json(one);
      if (!result) continue;
      result->output = answer.output;
      outcome.results.push_back(std::move(*result));
    }
  }
  if (outcome.results.empty()) {
    CaseResult result;
    result.name = job.name;
    result.suite = job.suite;
    result.aims = job.aims;
    result.explanation = "The worker answered nonsense: " + answer.text;
    outcome.alive = false;
    outcome.results.push_back(std::move(result));
  }
  for (CaseResult& result : outcome.results) result.shape = shape_of(result);
  return outcome;
}

}  // namespace streampool::kit
