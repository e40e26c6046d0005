// streampool report: the results of several runs (shards) as one.
#include <fmt/format.h>

#include <set>

#include "conformance/cli/commands.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/report/folder.hpp"
#include "conformance/report/record.hpp"
#include "conformance/report/summary.hpp"

namespace streampool::cli {
namespace {

namespace fs = std::filesystem;

// The runs must be of one runtime, profile and specification; what else differs is the shards.
tl::expected<void, std::string> same_run(const report::RunInfo& first, const report::RunInfo& other) {
  const auto differs = [](std::string_view what, const std::string& a, const std::string& b) {
    return tl::unexpected(fmt::format("the folders hold different runs: {} '{}' and '{}'", what, a, b));
  };
  if (first.runtime_name != other.runtime_name) return differs("runtime", first.runtime_name, other.runtime_name);
  if (first.runtime_version != other.runtime_version)
    return differs("version", first.runtime_version, other.runtime_version);
  if (first.profile_hash != other.profile_hash) return differs("profile", first.profile, other.profile);
  if (first.specification != other.specification)
    return differs("specification", first.specification, other.specification);
  return {};
}

tl::expected<report::Recorded, std::string> read(const fs::path& folder) {
  const auto text = report::read_file(folder / "results.jsonl");
  if (!text) return tl::unexpected(text.error());
  auto recorded = report::read_records(*text);
  if (!recorded) return tl::unexpected(fmt::format("{}: {}", (folder / "results.jsonl").string(), recorded.error()));
  if (recorded->results.empty()) return tl::unexpected(fmt::format("{} holds no results", folder.string()));
  // Histories travel as text: the merged folder saves them again.
  for (kit::CaseResult& result : recorded->results) {
    if (!result.history_of.empty()) result.history.clear();  // another's
    if (result.history.empty()) continue;
    if (auto history = report::read_file(folder / result.history)) result.history = std::move(*history);
  }
  return recorded;
}

int run(const Arguments& arguments) {
  std::vector<report::Recorded> all;
  const fs::path out = arguments.text("--out", "streampool-report");
  for (const std::string& folder : arguments.positionals()) {
    std::error_code error;
    if (fs::equivalent(folder, out, error))
      return usage_error(arguments, fmt::format("--out {} is one of the folders to be merged", folder));
    auto recorded = read(folder);
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
    .run = run,
};

}  // namespace streampool::cli
