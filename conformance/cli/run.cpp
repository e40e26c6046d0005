// streampool run: the main job.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/interrupt.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/progress.hpp"
#include "conformance/cli/recorded.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/cli/suite_option.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/kit/session.hpp"
#include "conformance/minimize/failures.hpp"
#include "conformance/report/folder.hpp"
#include "conformance/report/summary.hpp"
#include "conformance/report/waivers.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::cli {
namespace {

// What was asked for, checked before anything runs.
struct Plan {
  model::Profile profile;
  kit::SessionSettings session;
  std::vector<const suites::Suite*> suites;
  report::Waivers waivers;
  report::RunInfo info;
};

tl::expected<Plan, std::string> plan(const Arguments& arguments) {
  Plan plan;
  auto profile = load_profile(arguments.text("--profile", "strict"));
  if (!profile) return tl::unexpected(profile.error());
  plan.profile = std::move(*profile);
  auto worker = worker_settings(arguments, arguments.text("--profile", "strict"));
  if (!worker) return tl::unexpected(worker.error());
  plan.session.worker = std::move(*worker);
  constexpr std::uint64_t most_jobs = 1024;
  const std::uint64_t jobs = arguments.number("--jobs", 1);
  if (jobs < 1 || jobs > most_jobs)
    return tl::unexpected(fmt::format("--jobs '{}': expected 1 to {}", jobs, most_jobs));
  plan.session.jobs = static_cast<unsigned>(jobs);
  const std::string isolate = arguments.text("--isolate", "worker");
  if (isolate != "case" && isolate != "worker")
    return tl::unexpected(fmt::format("--isolate '{}': expected case or worker", isolate));
  plan.session.isolate_cases = isolate == "case";
  auto suites = chosen_suites(arguments);
  if (!suites) return tl::unexpected(suites.error());
  plan.suites = std::move(*suites);
  if (arguments.given("--waivers")) {
    auto waivers = report::Waivers::load(arguments.text("--waivers"));
    if (!waivers) return tl::unexpected(waivers.error());
    plan.waivers = std::move(*waivers);
  }
  const auto [shard, shards] = arguments.shard("--shard");
  std::vector<std::string_view> names;
  for (const suites::Suite* suite : plan.suites) names.push_back(suite->name);
  plan.info = {.runtime = plan.session.worker.runtime,
               .runtime_name = "",
               .runtime_version = "",
               .profile = plan.profile.name,
               .profile_hash = plan.profile.hash,
               .seed = arguments.number("--seed", 1),
               .suites = fmt::format("{}", fmt::join(names, ",")),
               .shard = shard,
               .shards = shards,
               .kit = report::kit_version(),
               .abi = report::abi_version(),
               .specification = report::specification_version(),
               .strict = arguments.flag("--strict")};
  return plan;
}

// What the runtime says of itself, from a process of its own: loading it may crash.
tl::expected<kit::WorkerGreeting, std::string> greet(const kit::WorkerSettings& settings,
                                                     const std::atomic<bool>& interrupted) {
  try {
    const auto worker = kit::Worker::start(settings, interrupted);
    if (!worker) return tl::unexpected(worker.error());
    return (*worker)->greeting();
  } catch (const std::system_error& error) {
    return tl::unexpected(std::string(error.what()));
  }
}

std::vector<std::unique_ptr<kit::JobSource>> open_sources(const Plan& plan, const Arguments& arguments,
                                                          const kit::WorkerGreeting& greeting) {
  const suites::SuiteOptions options{
      .profile = plan.profile,
      .description = greeting.description,
      .capabilities = greeting.capabilities,
      .seed = plan.info.seed,
      .budget = std::chrono::milliseconds(std::llround(arguments.seconds("--budget", 0) * 1000)),
      .filter = arguments.text("--filter"),
      .shard = plan.info.shard,
      .shards = plan.info.shards,
  };
  std::vector<std::unique_ptr<kit::JobSource>> sources;
  for (const suites::Suite* suite : plan.suites) sources.push_back(suite->open(options));
  return sources;
}

std::uint64_t total_of(const std::vector<std::unique_ptr<kit::JobSource>>& sources) {
  std::uint64_t total = 0;
  for (const auto& source : sources) {
    if (source->total() == 0) return 0;
    total += source->total();
  }
  return total;
}

std::string nothing_matches(const Arguments& arguments) {
  std::string text = "no case matches";
  if (arguments.given("--filter")) text += fmt::format(" --filter '{}'", arguments.text("--filter"));
  const auto [shard, shards] = arguments.shard("--shard");
  if (shards > 1) text += fmt::format(" in shard {}/{}", shard, shards);
  return text + "; `streampool list` tells the names";
}

int exit_code(const report::Totals& totals, const kit::SessionEnd& end, bool strict) {
  if (end.interrupted) return exit_interrupted;
  if (!end.broken.empty()) return exit_finding;
  switch (totals.conformance(strict)) {
    case report::Conformance::conformant:
      return exit_ok;
    case report::Conformance::not_conformant:
      return exit_finding;
    case report::Conformance::inconclusive:
      return exit_inconclusive;
  }
  return exit_finding;
}

// What the output folder holds already; nothing without --resume, or where no run has begun there.
tl::expected<report::Recorded, std::string> earlier(const Arguments& arguments, const std::string& out) {
  std::error_code error;
  const auto size = std::filesystem::file_size(std::filesystem::path(out) / "results.jsonl", error);
  if (!arguments.flag("--resume") || error || size == 0) return {};
  return read_recorded(out);
}

int run(const Arguments& arguments) {
  auto made = plan(arguments);
  if (!made) return usage_error(arguments, made.error());
  const std::string out = arguments.text("--out", "streampool-results");
  auto before = earlier(arguments, out);
  if (!before) return usage_error(arguments, before.error());

  const std::atomic<bool>& interrupted = interruption();
  const auto greeting = greet(made->session.worker, interrupted);
  if (!greeting) return usage_error(arguments, greeting.error());
  made->info.runtime_name = greeting->description.name;
  made->info.runtime_version = greeting->description.version;
  if (!before->infos.empty()) {
    if (auto same = same_run(before->infos.front(), made->info); !same) return usage_error(arguments, same.error());
  }
  auto folder = report::Folder::create(out, made->info);
  if (!folder) return usage_error(arguments, folder.error());

  auto sources = open_sources(*made, arguments, *greeting);
  const std::uint64_t total = total_of(sources);
  Progress progress(total, arguments.json());
  std::string disk;  // the first thing that could not be written
  CaseNames done;
  for (kit::CaseResult& result : before->results) {
    done.emplace(result.suite, result.name);
    progress.add(result);
    if (auto added = (*folder)->add(std::move(result)); !added && disk.empty()) disk = added.error();
  }
  for (auto& source : sources) source = remaining(std::move(source), done);
  const auto today = report::today();
  minimize::Failures failures(made->session.worker, made->profile, interrupted);
  const kit::SessionEnd end =
      kit::run_session(made->session, std::move(sources), interrupted, [&](const kit::CaseResult& result) {
        kit::CaseResult mine = result;
        made->waivers.apply(mine, made->info.runtime_name, today);
        failures.minimise(mine);
        progress.add(mine);
        if (auto added = (*folder)->add(std::move(mine)); !added && disk.empty()) disk = added.error();
      });
  progress.finish();
  if (auto finished = (*folder)->finish(end.interrupted); !finished && disk.empty()) disk = finished.error();
  if (!disk.empty()) return usage_error(arguments, disk);
  if ((*folder)->totals().cases() == 0 && !end.interrupted) {
    return usage_error(arguments, end.broken.empty() ? nothing_matches(arguments) : end.broken);
  }
  if (arguments.json()) {
    fmt::print("{}\n", kit::dump(report::summary_json((*folder)->totals(), made->info, out, end.interrupted)));
  } else {
    fmt::print("{}", report::summary((*folder)->totals(), made->info, out, end.interrupted));
  }
  if (!end.broken.empty()) fmt::print(stderr, "streampool: the run stopped early: {}\n", end.broken);
  return exit_code((*folder)->totals(), end, made->info.strict);
}

constexpr Option options[] = {
    runtime_option,
    library_option,
    device_option,
    runtime_key_option,
    profile_option,
    suites_option,
    {"--filter", Option::Type::text, "GLOB", "Only cases whose name matches, as 'reuse/*'"},
    {"--seed", Option::Type::number, "N", "Seed of everything random (default 1)"},
    {"--budget", Option::Type::seconds, "SECONDS", "Time for suites that could go on for ever"},
    {"--jobs", Option::Type::number, "N", "Worker processes at a time (default 1)"},
    {"--shard", Option::Type::shard, "i/n", "Only every n-th case, from the i-th on; `report` merges"},
    {"--resume", Option::Type::flag, "", "Keep what the output folder holds and do what is not in it"},
    {"--isolate", Option::Type::text, "case", "A worker process for each case"},
    undefined_option,
    {"--strict", Option::Type::flag, "", "A recommendation (should) that is not met counts as a failure"},
    {"--waivers", Option::Type::text, "FILE|DIR", "Failures that are accepted for a while"},
    hang_option,
    memory_option,
    {"--out", Option::Type::text, "DIR", "Where the report goes (default streampool-results)"},
};

}  // namespace

const Command run_command{
    .name = "run",
    .summary = "Judge a runtime: conformant or not, and why",
    .example =
        "  streampool run --runtime host --profile strict\n  streampool run --runtime ./mine.so --filter 'reuse/*' "
        "--jobs 2\n",
    .options = options,
    .exits = "0 conformant, 1 not, 2 usage or load error, 3 inconclusive, 130 interrupted (results kept)",
    .run = run,
};

}  // namespace streampool::cli
