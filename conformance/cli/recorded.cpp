#include "conformance/cli/recorded.hpp"

#include <fmt/format.h>

#include "conformance/report/folder.hpp"

namespace streampool::cli {

namespace fs = std::filesystem;

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

tl::expected<report::Recorded, std::string> read_recorded(const fs::path& folder) {
  auto text = report::read_file(folder / "results.jsonl");
  if (!text) return tl::unexpected(text.error());
  text->erase(text->rfind('\n') + 1);
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

namespace {

class Remaining final : public kit::JobSource {
 public:
  Remaining(std::unique_ptr<kit::JobSource> source, const CaseNames& done) : source_(std::move(source)), done_(done) {}
  std::optional<kit::Job> next() override {
    while (auto job = source_->next()) {
      if (!done_.contains({job->suite, job->name})) return job;
    }
    return std::nullopt;
  }
  void learn(const kit::CaseResult& result) override { source_->learn(result); }
  void lost(std::chrono::nanoseconds time) override { source_->lost(time); }
  std::uint64_t total() const override { return source_->total(); }

 private:
  std::unique_ptr<kit::JobSource> source_;
  const CaseNames& done_;
};

}  // namespace

std::unique_ptr<kit::JobSource> remaining(std::unique_ptr<kit::JobSource> source, const CaseNames& done) {
  return std::make_unique<Remaining>(std::move(source), done);
}

}  // namespace streampool::cli
