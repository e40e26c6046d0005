// streampool replay: the calls of a history again, on a runtime.
#include <fmt/format.h>

#include <atomic>
#include <system_error>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/interrupt.hpp"
#include "conformance/cli/minimised.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/report/folder.hpp"

namespace streampool::cli {
namespace {

void print_text(const kit::CaseResult& result) {
  fmt::print("{}: {}\n", result.name, kit::name(result.verdict));
  if (result.clause) fmt::print("  {}: {}\n", spec::info(*result.clause).id, spec::info(*result.clause).text);
  if (!result.explanation.empty()) fmt::print("  {}\n", result.explanation);
  // A history may have been recorded where a call did not wait for a gate; it then ends without opening it.
  if (result.verdict == kit::Verdict::inconclusive && result.history.find(" blocked=") != std::string::npos) {
    fmt::print(
        "  Here the call waited for its gate, as it must. If the history was saved because it returned too early, this "
        "runtime does not have that fault.\n");
  }
  if (!result.history.empty()) fmt::print("\n{}", result.history);
  if (!result.output.empty()) fmt::print("\nThe runtime printed:\n{}\n", result.output);
}

int exit_code(kit::Verdict verdict) {
  switch (verdict) {
    case kit::Verdict::pass:
    case kit::Verdict::quality:
      return exit_ok;
    case kit::Verdict::fail:
    case kit::Verdict::crash:
    case kit::Verdict::timeout:
      return exit_finding;
    case kit::Verdict::inconclusive:
      return exit_inconclusive;
    default:
      return exit_usage;  // it could not be run
  }
}

int run(const Arguments& arguments) {
  const std::string& path = arguments.positionals().front();
  const auto text = report::read_file(path);
  if (!text) return usage_error(arguments, text.error());
  const auto named = profile_named_in(*text);
  if (!named) return usage_error(arguments, fmt::format("{}: {}", path, named.error()));
  const std::string profile = arguments.text("--profile", *named);
  if (const auto loaded = load_profile(profile); !loaded) return usage_error(arguments, loaded.error());
  const auto settings = worker_settings(arguments, profile);
  if (!settings) return usage_error(arguments, settings.error());

  const kit::Scenario scenario{
      .name = path, .suite = "replay", .aims = {}, .text = *text, .seed = 0, .undefined = false, .not_applicable = ""};
  const std::atomic<bool>& interrupted = interruption();
  try {
    const auto worker = kit::Worker::start(*settings, interrupted);
    if (!worker) return usage_error(arguments, worker.error());
    const kit::JobOutcome outcome = kit::run_job(**worker, kit::scenario_job(scenario));
    if (outcome.interrupted) return exit_interrupted;
    const kit::CaseResult& result = outcome.results.front();
    if (arguments.json()) {
      fmt::print("{}\n", kit::dump(kit::to_json(result)));
    } else {
      print_text(result);
    }
    return exit_code(result.verdict);
  } catch (const std::system_error& error) {
    return usage_error(arguments, error.what());
  }
}

constexpr Option options[] = {
    runtime_option,
    library_option,
    device_option,
    runtime_key_option,
    {"--profile", Option::Type::text, "NAME|FILE", "Profile to judge by; else the one the history names"},
    hang_option,
    memory_option};

}  // namespace

const Command replay_command{
    .name = "replay",
    .summary = "Run the calls of a history again on a runtime",
    .example = "  streampool replay streampool-results/failures/directed-reuse_event_order.pool --runtime host\n",
    .options = options,
    .positional = {"FILE", "The history; its recorded results are replaced", 1, 1},
    .exits = "0 pass, 1 fails, crashes or hangs, 2 usage or load error, 3 inconclusive, 130 interrupted",
    .run = run,
};

}  // namespace streampool::cli
