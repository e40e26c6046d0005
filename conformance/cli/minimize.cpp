// streampool minimize: a failing history made as small as it goes.
#include "conformance/minimize/minimize.hpp"

#include <fmt/format.h>

#include <cmath>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/interrupt.hpp"
#include "conformance/cli/minimised.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/cli/runtime_option.hpp"
#include "conformance/report/folder.hpp"

namespace streampool::cli {
namespace {

int run(const Arguments& arguments) {
  const std::string& path = arguments.positionals().front();
  const auto text = report::read_file(path);
  if (!text) return usage_error(arguments, text.error());
  const auto named = profile_named_in(*text);
  if (!named) return usage_error(arguments, fmt::format("{}: {}", path, named.error()));
  const std::string profile_name = arguments.text("--profile", *named);
  const auto profile = load_profile(profile_name);
  if (!profile) return usage_error(arguments, profile.error());
  auto worker = worker_settings(arguments, profile_name);
  if (!worker) return usage_error(arguments, worker.error());
  const minimize::Settings settings{
      .worker = std::move(*worker),
      .profile = *profile,
      .budget = std::chrono::milliseconds(std::llround(arguments.seconds("--budget", 60) * 1000))};
  const auto done = minimize::minimise(*text, settings, interruption());
  if (!done) {
    usage_error(arguments, fmt::format("{}: {}", path, done.error()));
    return exit_finding;
  }
  if (arguments.given("--out")) {
    if (auto written = report::write_file(arguments.text("--out"), done->result.history); !written) {
      return usage_error(arguments, written.error());
    }
  }
  print_minimised(arguments, *done);
  return interruption().load() ? exit_interrupted : exit_ok;
}

constexpr Option options[] = {
    runtime_option,
    library_option,
    device_option,
    runtime_key_option,
    {"--profile", Option::Type::text, "NAME|FILE", "Profile to judge by; else the one the history names"},
    {"--budget", Option::Type::seconds, "SECONDS", "Time after which the smallest so far is the answer (default 60)"},
    {"--out", Option::Type::text, "FILE", "Where the minimised history goes, too"},
    hang_option,
    memory_option};

}  // namespace

const Command minimize_command{
    .name = "minimize",
    .summary = "Make a failing history smaller, as long as it fails in the same way",
    .example = "  streampool minimize streampool-results/failures/random-1.pool --runtime ./mine.so\n",
    .options = options,
    .positional = {"FILE", "The history; it must fail on the runtime", 1, 1},
    .exits = "0 made as small as it gets, 1 it does not fail there, 2 usage or load error, 130 interrupted",
    .run = run,
};

}  // namespace streampool::cli
