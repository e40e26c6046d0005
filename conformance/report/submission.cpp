#include "conformance/report/submission.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include "conformance/mustpass/must_pass.hpp"
#include "conformance/report/archive.hpp"
#include "conformance/report/folder.hpp"
#include "conformance/report/record.hpp"
#include "conformance/report/totals.hpp"
#include "model/profile/load.hpp"

namespace streampool::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "MANIFEST";

tl::expected<Files, std::string> collect(const fs::path& folder) {
  Files files;
  const auto take = [&](const fs::path& relative) -> tl::expected<void, std::string> {
    auto text = read_file(folder / relative);
    if (!text) return tl::unexpected(text.error());
    files[relative.generic_string()] = std::move(*text);
    return {};
  };
  for (const char* name : {"results.jsonl", "junit.xml", "report.html"}) {
    if (auto taken = take(name); !taken) return tl::unexpected(taken.error());
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "failures", error)) {
    if (entry.path().extension() != ".pool") continue;
    if (auto taken = take(fs::path("failures") / entry.path().filename()); !taken) return tl::unexpected(taken.error());
  }
  return files;
}

std::string manifest(const Files& files) {
  std::string text;
  for (const auto& [path, content] : files) text += fmt::format("{}  {}\n", sha256(content), path);
  return text;
}

void check_files(const Files& files, const std::string& listed, std::vector<std::string>& problems) {
  std::set<std::string> named;
  std::istringstream lines(listed);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t gap = line.find("  ");
    if (gap == std::string::npos) {
      problems.push_back("the manifest has a line that is none: " + line);
      continue;
    }
    const std::string path = line.substr(gap + 2);
    named.insert(path);
    const auto found = files.find(path);
    if (found == files.end()) {
      problems.push_back("missing: " + path);
    } else if (sha256(found->second) != line.substr(0, gap)) {
      problems.push_back("changed after it was packed: " + path);
    }
  }
  for (const auto& [path, content] : files) {
    if (path != manifest_name && !named.contains(path)) problems.push_back("not in the manifest: " + path);
  }
}

Completeness completeness_of(const Recorded& recorded) {
  const RunInfo& info = recorded.infos.front();
  Completeness completeness;
  const auto cases = mustpass::must_pass(info.profile);
  const auto profile = model::load_profile(info.profile);
  if (!cases || !profile) {
    completeness.unknown = fmt::format("there is no list for the profile '{}', which is not built in", info.profile);
    return completeness;
  }
  if (profile->hash != info.profile_hash) {
    completeness.unknown = fmt::format("the profile '{}' of the run is not the one of this kit", info.profile);
    return completeness;
  }
  std::map<std::pair<std::string_view, std::string_view>, kit::Verdict> ends;
  for (const kit::CaseResult& result : recorded.results) ends[{result.suite, result.name}] = result.verdict;
  completeness.cases = cases->size();
  for (const mustpass::MustPass& one : *cases) {
    const auto found = ends.find({one.suite, one.name});
    const std::string name = fmt::format("{} {}", one.suite, one.name);
    if (found == ends.end()) {
      completeness.missing.push_back(name);
    } else if (!mustpass::is_good_end(found->second, info.strict)) {
      completeness.bad.push_back(fmt::format("{} ({})", name, kit::name(found->second)));
    }
  }
  return completeness;
}

void check_records(const Recorded& recorded, const Files& files, CheckedSubmission& checked) {
  checked.info = recorded.infos.front();
  Totals totals;
  for (std::size_t index = 0; index < recorded.results.size(); ++index) {
    const kit::CaseResult& result = recorded.results[index];
    totals.add(result);
    if (!result.history.empty() && !files.contains(result.history)) {
      checked.problems.push_back(fmt::format("the history of {} is missing: {}", result.name, result.history));
    }
    const RunInfo& info = recorded.infos[index];
    if (info.profile_hash != checked.info.profile_hash || info.runtime_version != checked.info.runtime_version) {
      checked.problems.push_back(fmt::format("{} comes from another run", result.name));
    }
  }
  checked.cases = totals.cases();
  checked.completeness = completeness_of(recorded);
  checked.verdict = name(totals.conformance(checked.info.strict));
}

}  // namespace

std::string to_text(const Completeness& completeness) {
  if (!completeness.unknown.empty()) return "whether it is complete cannot be told: " + completeness.unknown;
  if (completeness.complete()) return fmt::format("complete: all {} cases that must pass", completeness.cases);
  const auto first = [](const std::vector<std::string>& names) {
    constexpr std::size_t shown = 3;
    std::string text = fmt::format(
        "{}",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size())), ", "));
    return names.size() > shown ? text + ", …" : text;
  };
  std::string text = fmt::format("not complete: of {} cases that must pass", completeness.cases);
  if (!completeness.missing.empty())
    text += fmt::format(", {} were not run ({})", completeness.missing.size(), first(completeness.missing));
  if (!completeness.bad.empty())
    text += fmt::format(", {} did not pass ({})", completeness.bad.size(), first(completeness.bad));
  return text;
}

tl::expected<Submission, std::string> make_submission(const fs::path& folder, const fs::path& archive) {
  auto files = collect(folder);
  if (!files) return tl::unexpected(files.error());
  (*files)[manifest_name] = manifest(*files);
  const auto recorded = read_records((*files)["results.jsonl"]);
  if (!recorded) return tl::unexpected("results.jsonl, " + recorded.error());
  if (recorded->results.empty()) return tl::unexpected(fmt::format("{} holds no results", folder.string()));
  const auto packed = pack(*files);
  if (!packed) return tl::unexpected(packed.error());
  if (auto written = write_file(archive, *packed); !written) return tl::unexpected(written.error());
  return Submission{files->size(), completeness_of(*recorded), sha256(*packed)};
}

tl::expected<CheckedSubmission, std::string> check_submission(const fs::path& archive) {
  const auto bytes = read_file(archive);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto files = unpack(*bytes);
  if (!files) return tl::unexpected(fmt::format("{}: {}", archive.string(), files.error()));
  CheckedSubmission checked;
  checked.sha256 = sha256(*bytes);
  const auto listed = files->find(manifest_name);
  if (listed == files->end()) {
    checked.problems.emplace_back("there is no MANIFEST");
  } else {
    check_files(*files, listed->second, checked.problems);
  }
  const auto results = files->find("results.jsonl");
  if (results == files->end()) {
    checked.problems.emplace_back("there is no results.jsonl");
    return checked;
  }
  const auto recorded = read_records(results->second);
  if (!recorded) {
    checked.problems.push_back("results.jsonl, " + recorded.error());
  } else if (recorded->results.empty()) {
    checked.problems.emplace_back("results.jsonl is empty");
  } else {
    check_records(*recorded, *files, checked);
  }
  return checked;
}

}  // namespace streampool::report
