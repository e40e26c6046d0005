// streampool fuzz: random histories until one fails.
#include <fmt/format.h>

#include <cmath>
#include <system_error>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/interrupt.hpp"
#include "conformance/cli/minimised.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/report/folder.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::cli {
namespace {

struct Hunt {
  std::uint64_t jobs = 0, calls = 0;
  std::optional<kit::CaseResult> failure;
  std::string broken;  // why a worker could not be started
};

bool ends_the_hunt(kit::Verdict verdict) { return kit::is_failure(verdict) || verdict == kit::Verdict::internal_error; }

Hunt hunt(const suites::Suite& suite, const model::Profile& profile, const kit::WorkerSettings& settings,
          const Arguments& arguments) {
  Hunt hunt;
  const auto worker = kit::Worker::start(settings, interruption());
  if (!worker) return hunt.broken = worker.error(), hunt;
  const kit::WorkerGreeting& greeting = (*worker)->greeting();
  const auto source =
      suite.open({.profile = profile,
                  .description = greeting.description,
                  .capabilities = greeting.capabilities,
                  .seed = arguments.number("--seed", 1),
                  .budget = std::chrono::milliseconds(std::llround(arguments.seconds("--budget", 60) * 1000)),
                  .filter = "",
                  .shard = 1,
                  .shards = 1});
  while (const auto job = source->next()) {
    kit::JobOutcome outcome = kit::run_job(**worker, *job);
    if (outcome.interrupted) return hunt;
    ++hunt.jobs;
    for (kit::CaseResult& result : outcome.results) {
      hunt.calls += result.calls;
      if (!ends_the_hunt(result.verdict)) continue;
      hunt.failure = std::move(result);
      return hunt;
    }
    if (!outcome.alive) return hunt.broken = "the runtime could not be closed", hunt;
  }
  return hunt;
}

int report_quiet(const Arguments& arguments, const Hunt& hunt) {
  if (arguments.json()) {
    fmt::print("{}\n", kit::dump({{"verdict", "pass"}, {"calls", hunt.calls}, {"jobs", hunt.jobs}}));
  } else {
    fmt::print("{} calls in {} jobs, nothing found\n", hunt.calls, hunt.jobs);
  }
  return interruption().load() ? exit_interrupted : exit_ok;
}

int report_failure(const Arguments& arguments, const model::Profile& profile, const kit::WorkerSettings& worker,
                   const kit::CaseResult& failure) {
  const minimize::Settings settings{.worker = worker, .profile = profile};
  auto done = minimize::minimise(failure.history, settings, interruption());
  if (!done) {  // it does not fail again: what was seen is what there is
    fmt::print(stderr, "streampool: the failure was not minimised: {}\n", done.error());
    done = minimize::Minimised{.result = failure, .calls_before = failure.calls, .runs = 0, .complete = false};
  }
  if (arguments.given("--out")) {
    if (auto written = report::write_file(arguments.text("--out"), done->result.history); !written) {
      return usage_error(arguments, written.error());
    }
  }
  print_minimised(arguments, *done);
  return exit_finding;
}

int run(const Arguments& arguments) {
  const suites::Suite* suite = suites::find_suite("random");
  if (suite == nullptr) return usage_error(arguments, "the suite 'random' is not in this build");
  const std::string profile_name = arguments.text("--profile", "strict");
  const auto profile = load_profile(profile_name);
  if (!profile) return usage_error(arguments, profile.error());
  const auto worker = worker_settings(arguments, profile_name);
  if (!worker) return usage_error(arguments, worker.error());
  try {
    const Hunt found = hunt(*suite, *profile, *worker, arguments);
    if (!found.broken.empty()) return usage_error(arguments, found.broken);
    return found.failure ? report_failure(arguments, *profile, *worker, *found.failure)
                         : report_quiet(arguments, found);
  } catch (const std::system_error& error) {
    return usage_error(arguments, error.what());
  }
}

constexpr Option options[] = {runtime_option,
                              library_option,
                              device_option,
                              runtime_key_option,
                              profile_option,
                              {"--seed", Option::Type::number, "N", "Seed of the first history (default 1)"},
                              {"--budget", Option::Type::seconds, "SECONDS", "Time to look for a failure (default 60)"},
                              {"--out", Option::Type::text, "FILE", "Where the minimised failure goes, too"},
                              hang_option,
                              memory_option};

}  // namespace

const Command fuzz_command{
    .name = "fuzz",
    .summary = "Random histories until one fails, then that one made small",
    .example =
        "  streampool fuzz --runtime host --budget 600\n  streampool fuzz --runtime ./mine.so --seed 7 --out "
        "failure.pool\n",
    .options = options,
    .exits = "0 nothing found, 1 a failure, 2 usage or load error, 130 interrupted",
    .run = run,
};

}  // namespace streampool::cli
