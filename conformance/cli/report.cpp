// streampool report: the results of several runs (shards) as one.
#include <fmt/format.h>

#include <set>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/recorded.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/report/folder.hpp"
#include "conformance/report/record.hpp"
#include "conformance/report/summary.hpp"

namespace streampool::cli {
namespace {

namespace fs = std::filesystem;

int run(const Arguments& arguments) {
  std::vector<report::Recorded> all;
  const fs::path out = arguments.text("--out", "streampool-report");
  for (const std::string& folder : arguments.positionals()) {
    std::error_code error;
    if (fs::equivalent(folder, out, error))
      return usage_error(arguments, fmt::format("--out {} is one of the folders to be merged", folder));
    auto recorded = read_recorded(folder);
    if (!recorded) return usage_error(arguments, recorded.error());
    all.push_back(std::move(*recorded));
  }
  report::RunInfo info = all.front().infos.front();
  for (const report::Recorded& recorded : all) {
    for (const report::RunInfo& other : recorded.infos) {
      if (auto same = same_run(info, other); !same) return usage_error(arguments, same.error());
    }
  }
  info.shard = info.shards = 1;
  auto folder = report::Folder::create(out, info);
  if (!folder) return usage_error(arguments, folder.error());
  std::set<std::pair<std::string, std::string>> seen;
  for (report::Recorded& recorded : all) {
    for (kit::CaseResult& result : recorded.results) {
      if (!seen.emplace(result.suite, result.name).second) continue;  // a shard that was run twice
      if (auto added = (*folder)->add(std::move(result)); !added) return usage_error(arguments, added.error());
    }
  }
  if (auto finished = (*folder)->finish(false); !finished) return usage_error(arguments, finished.error());
  if (arguments.json()) {
    fmt::print("{}\n", kit::dump(report::summary_json((*folder)->totals(), info, out.string(), false)));
  } else {
    fmt::print("{}", report::summary((*folder)->totals(), info, out.string(), false));
  }
  return (*folder)->totals().conformance(info.strict) == report::Conformance::conformant ? exit_ok : exit_finding;
}

constexpr Option options[] = {
    {"--out", Option::Type::text, "DIR", "Where the merged report goes (default streampool-report)"}};

}  // namespace

const Command report_command{
    .name = "report",
    .summary = "Merge the results of several runs (shards) into one report",
    .example =
        "  streampool run --shard 1/2 --out a && streampool run --shard 2/2 --out b\n  streampool report a b --out "
        "merged\n",
    .options = options,
    .positional = {"DIR", "Output folders of runs", 1, 10'000},
    .exits = "0 conformant, 1 not or inconclusive, 2 usage error",
    .run = run,
};

}  // namespace streampool::cli
