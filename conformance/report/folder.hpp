// The folder of a run: results.jsonl (the truth, a line as each case is done), failures/*.pool, and at the end
// junit.xml and report.html. Not thread safe.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "conformance/kit/verdict.hpp"
#include "conformance/report/totals.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::report {

class Folder {
 public:
  // Makes the folder, or empties an earlier run's files from it. Fails before anything has run where it cannot be
  // written.
  [[nodiscard]] static tl::expected<std::unique_ptr<Folder>, std::string> create(const std::filesystem::path& path,
                                                                                 RunInfo info);
  [[nodiscard]] const RunInfo& info() const { return info_; }

  // Saves a failure's history (its `history` becomes the file, relative to the folder), writes the record, adds it up.
  // Of each suite and kind of failure the first few have a file; for the others that of the first stands. The error is
  // that of the disk.
  [[nodiscard]] tl::expected<void, std::string> add(kit::CaseResult result);
  // Writes the pages.
  [[nodiscard]] tl::expected<void, std::string> finish(bool interrupted);

  [[nodiscard]] const Totals& totals() const { return totals_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Folder(std::filesystem::path path, RunInfo info, std::unique_ptr<std::FILE, Close> results);
  // The files of one suite and kind of failure.
  struct Kept {
    std::string file, name;  // the first, and its case
    unsigned cases = 0;      // with a history
  };
  [[nodiscard]] tl::expected<void, std::string> save_history(kit::CaseResult& result);

  std::filesystem::path path_;
  RunInfo info_;
  std::unique_ptr<std::FILE, Close> results_;
  Totals totals_;
  std::map<std::string, Kept> kept_;  // by suite and kind
};

// Writes a whole file; the error is that of the disk.
[[nodiscard]] tl::expected<void, std::string> write_file(const std::filesystem::path& path, const std::string& text);
[[nodiscard]] tl::expected<std::string, std::string> read_file(const std::filesystem::path& path);

}  // namespace streampool::report
