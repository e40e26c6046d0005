// streampool package and verify: a submission as one archive that can be checked.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/report/archive.hpp"
#include "conformance/report/submission.hpp"

namespace streampool::cli {
namespace {

nlohmann::json to_json(const report::Completeness& completeness) {
  return {{"complete", completeness.complete()},
          {"cases", completeness.cases},
          {"missing", completeness.missing},
          {"not_passed", completeness.bad},
          {"unknown", completeness.unknown}};
}

int package(const Arguments& arguments) {
  const std::string folder = arguments.positionals().front();
  const std::string out = arguments.text("--out", "submission.tar");
  const auto made = report::make_submission(folder, out);
  if (!made) return usage_error(arguments, made.error());
  if (arguments.json()) {
    fmt::print("{}\n", nlohmann::json{{"archive", out},
                                      {"files", made->files},
                                      {"must_pass", to_json(made->completeness)},
                                      {"sha256", made->sha256}}
                           .dump());
  } else {
    fmt::print("{}: {} files, SHA-256 {}\n  {}\n", out, made->files, made->sha256, to_text(made->completeness));
  }
  return exit_ok;
}

int verify(const Arguments& arguments) {
  const std::string& file = arguments.positionals().front();
  const auto checked = report::check_submission(file);
  if (!checked) return usage_error(arguments, checked.error());
  const bool good = checked->problems.empty();
  if (arguments.json()) {
    fmt::print("{}\n", nlohmann::json{{"archive", file},
                                      {"valid", good},
                                      {"problems", checked->problems},
                                      {"verdict", checked->verdict},
                                      {"cases", checked->cases},
                                      {"must_pass", to_json(checked->completeness)},
                                      {"sha256", checked->sha256}}
                           .dump());
  } else {
    fmt::print("{}: {}\n", file, good ? "valid" : "not valid");
    for (const std::string& problem : checked->problems) fmt::print("  {}\n", problem);
    fmt::print("  runtime {} {}, profile {}, {} cases: {}\n  {}\n  SHA-256 {}\n", checked->info.runtime_name,
               checked->info.runtime_version, checked->info.profile, checked->cases, checked->verdict,
               to_text(checked->completeness), checked->sha256);
  }
  // A profile of one's own has no list: its user decides what a whole run is.
  const bool whole = checked->completeness.complete() || !checked->completeness.unknown.empty();
  return good && whole && checked->verdict == "conformant" ? exit_ok : exit_finding;
}

constexpr Option package_options[] = {{"--out", Option::Type::text, "FILE", "The archive (default submission.tar)"}};

}  // namespace

const Command package_command{
    .name = "package",
    .summary = "Pack the results of a run into a submission archive with checksums",
    .example = "  streampool package streampool-results --out mine.tar\n",
    .options = package_options,
    .positional = {"DIR", "Output folder of a run", 1, 1},
    .exits = "0 packed (it says whether it is complete), 2 usage error",
    .run = package,
};

const Command verify_command{
    .name = "verify",
    .summary = "Check a submission archive: unchanged, conformant, and every case that must pass in it",
    .example = "  streampool verify mine.tar\n",
    .options = {},
    .positional = {"FILE", "A submission archive", 1, 1},
    .exits = "0 accepted, 1 not, 2 no archive",
    .run = verify,
};

}  // namespace streampool::cli
