// What an earlier run left in its folder.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/kit/job.hpp"
#include "conformance/report/record.hpp"

namespace streampool::cli {

// The runs must be of one runtime, profile and specification; the error says what differs.
[[nodiscard]] tl::expected<void, std::string> same_run(const report::RunInfo& first, const report::RunInfo& other);

// The records of a folder, with the histories as text. A last line that was not written to its end is left out.
[[nodiscard]] tl::expected<report::Recorded, std::string> read_recorded(const std::filesystem::path& folder);

using CaseNames = std::set<std::pair<std::string, std::string>>;  // suite and case

// The jobs of `source` that are not in `done`, which must outlive it.
[[nodiscard]] std::unique_ptr<kit::JobSource> remaining(std::unique_ptr<kit::JobSource> source, const CaseNames& done);

}  // namespace streampool::cli
