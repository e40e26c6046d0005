#include "conformance/report/folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "conformance/kit/json.hpp"
#include "conformance/report/junit.hpp"
#include "conformance/report/page.hpp"
#include "conformance/report/record.hpp"

namespace streampool::report {
namespace {

namespace fs = std::filesystem;

constexpr unsigned files_of_a_kind = 5;

// A case's name as a file's.
std::string file_name(const kit::CaseResult& result) {
  std::string name = result.suite + "-" + result.name;
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return name + ".pool";
}

// Text as comment lines. Behind the history, so that its line numbers stay those of the explanation.
std::string comment(std::string_view text) {
  std::string out = "# ";
  for (const char c : text) {
    if (c == '\n') {
      out += "\n# ";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out + "\n";
}

}  // namespace

tl::expected<void, std::string> write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file) return tl::unexpected(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  return {};
}

tl::expected<std::string, std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return tl::unexpected(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

tl::expected<std::unique_ptr<Folder>, std::string> Folder::create(const fs::path& path, RunInfo info) {
  const auto refuse = [&](const std::string& why) {
    return tl::unexpected(fmt::format("cannot write to the output folder {}: {}", path.string(), why));
  };
  std::error_code error;
  fs::create_directories(path / "failures", error);
  if (error) return refuse(error.message());
  // An earlier run's failures would look like this one's.
  for (const auto& entry : fs::directory_iterator(path / "failures", error)) {
    if (entry.path().extension() == ".pool") fs::remove(entry.path(), error);
  }
  for (const char* page : {"junit.xml", "report.html"}) fs::remove(path / page, error);
  std::unique_ptr<std::FILE, Close> results(std::fopen((path / "results.jsonl").c_str(), "wb"));
  if (results == nullptr) return refuse(std::strerror(errno));
  return std::unique_ptr<Folder>(new Folder(path, std::move(info), std::move(results)));
}

Folder::Folder(fs::path path, RunInfo info, std::unique_ptr<std::FILE, Close> results)
    : path_(std::move(path)), info_(std::move(info)), results_(std::move(results)) {}

tl::expected<void, std::string> Folder::save_history(kit::CaseResult& result) {
  Kept& kept = kept_[result.suite + " " + kit::kind_of(result)];
  const bool borrows = !result.history_of.empty() || (kept.cases >= files_of_a_kind && !result.history.empty());
  if (!result.history.empty()) ++kept.cases;
  if (borrows && !kept.file.empty()) {
    result.history = kept.file;
    result.history_of = kept.name;
    return {};
  }
  result.history_of.clear();
  if (result.history.empty()) return {};
  const fs::path relative = fs::path("failures") / file_name(result);
  std::string text = result.history;
  text += comment(fmt::format("{} {}: {}", result.suite, result.name, kit::name(result.verdict)));
  if (result.clause)
    text += comment(fmt::format("{}: {}", spec::info(*result.clause).id, spec::info(*result.clause).text));
  text += comment(result.explanation);
  text +=
      comment(fmt::format("runtime {} ({} {}), profile {} {}, seed {}, kit {}, ABI {}, specification {}", info_.runtime,
                          info_.runtime_name, info_.runtime_version, info_.profile, info_.profile_hash.substr(0, 12),
                          result.seed, info_.kit, info_.abi, info_.specification));
  if (auto written = write_file(path_ / relative, text); !written) return written;
  result.history = relative.string();
  if (kept.file.empty()) {
    kept.file = result.history;
    kept.name = result.name;
  }
  return {};
}

tl::expected<void, std::string> Folder::add(kit::CaseResult result) {
  if (auto saved = save_history(result); !saved) return saved;
  const std::string line = kit::dump(record(result, info_)) + '\n';
  // Flushed line by line: whatever happens to this program, what was found is on disk.
  if (std::fwrite(line.data(), 1, line.size(), results_.get()) != line.size() || std::fflush(results_.get()) != 0) {
    return tl::unexpected(fmt::format("cannot write {}: {}", (path_ / "results.jsonl").string(), std::strerror(errno)));
  }
  totals_.add(result);
  return {};
}

tl::expected<void, std::string> Folder::finish(bool interrupted) {
  std::fflush(results_.get());
  const auto text = read_file(path_ / "results.jsonl");
  if (!text) return tl::unexpected(text.error());
  const auto recorded = read_records(*text);
  if (!recorded) return tl::unexpected(recorded.error());
  if (auto written = write_file(path_ / "junit.xml", junit(recorded->results, info_)); !written) return written;
  return write_file(path_ / "report.html", page(recorded->results, totals_, info_, path_, interrupted));
}

}  // namespace streampool::report
