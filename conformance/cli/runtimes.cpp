// streampool runtimes: what could be judged here.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/interrupt.hpp"
#include "conformance/kit/groups.hpp"
#include "conformance/kit/locate.hpp"
#include "conformance/kit/worker.hpp"

namespace streampool::cli {
namespace {

tl::expected<kit::WorkerGreeting, std::string> look_at(const kit::RuntimeFile& runtime) {
  kit::WorkerSettings settings;
  settings.runtime = runtime.path.string();
  settings.profile = "strict";
  try {
    const auto worker = kit::Worker::start(settings, interruption());
    if (!worker) return tl::unexpected(worker.error());
    return (*worker)->greeting();
  } catch (const std::system_error& error) {
    return tl::unexpected(std::string(error.what()));
  }
}

int run(const Arguments& arguments) {
  nlohmann::json all = nlohmann::json::array();
  for (const kit::RuntimeFile& runtime : kit::installed_runtimes()) {
    const auto greeting = look_at(runtime);
    nlohmann::json one = {{"runtime", runtime.name}, {"path", runtime.path.string()}};
    if (greeting) {
      one["name"] = greeting->description.name;
      one["version"] = greeting->description.version;
      one["groups"] = kit::group_names(greeting->capabilities);
      if (!arguments.json()) {
        fmt::print("{:<10}{} {}\n          offers: {}\n", runtime.name, greeting->description.name,
                   greeting->description.version, kit::group_names(greeting->capabilities));
      }
    } else {
      one["error"] = greeting.error();
      if (!arguments.json()) fmt::print("{:<10}not usable here: {}\n", runtime.name, greeting.error());
    }
    all.push_back(std::move(one));
  }
  if (arguments.json()) fmt::print("{}\n", all.dump());
  return exit_ok;
}

}  // namespace

const Command runtimes_command{
    .name = "runtimes",
    .summary = "Runtimes that are here, and whether they can be opened",
    .example = "  streampool runtimes --json\n",
    .options = {},
    .exits = "0",
    .run = run,
};

}  // namespace streampool::cli
