// streampool package and verify: a submission as one archive that can be checked.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/cli/commands.hpp"
#include "conformance/report/archive.hpp"
#include "conformance/report/submission.hpp"

namespace streampool::cli {
namespace {

int package(const Arguments& arguments) {
  const std::string folder = arguments.positionals().front();
  const std::string out = arguments.text("--out", "submission.tar");
  const auto made = report::make_submission(folder, out);
  if (!made) return usage_error(arguments, made.error());
  if (arguments.json()) {
    fmt::print("{}\n", nlohmann::json{{"archive", out}, {"files", made->files}, {"sha256", made->sha256}}.dump());
  } else {
    fmt::print("{}: {} files, SHA-256 {}\n", out, made->files, made->sha256);
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
                                      {"sha256", checked->sha256}}
                           .dump());
  } else {
    fmt::print("{}: {}\n", file, good ? "valid" : "not valid");
    for (const std::string& problem : checked->problems) fmt::print("  {}\n", problem);
    fmt::print("  runtime {} {}, profile {}, {} cases: {}\n  SHA-256 {}\n", checked->info.runtime_name,
               checked->info.runtime_version, checked->info.profile, checked->cases, checked->verdict, checked->sha256);
  }
  return good && checked->verdict == "conformant" ? exit_ok : exit_finding;
}

constexpr Option package_options[] = {{"--out", Option::Type::text, "FILE", "The archive (default submission.tar)"}};

}  // namespace

const Command package_command{
    .name = "package",
    .summary = "Pack the results of a run into a submission archive with checksums",
    .example = "  streampool package streampool-results --out mine.tar\n",
    .options = package_options,
    .positional = {"DIR", "Output folder of a run", 1, 1},
    .run = package,
};

const Command verify_command{
    .name = "verify",
    .summary = "Check a submission archive: complete, unchanged, conformant",
    .example = "  streampool verify mine.tar\n",
    .options = {},
    .positional = {"FILE", "A submission archive", 1, 1},
    .run = verify,
};

}  // namespace streampool::cli
