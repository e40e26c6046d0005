// Tar archives (POSIX ustar), as far as a submission needs them: plain files in memory, the same bytes for the same
// files.
#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>

namespace streampool::report {

using Files = std::map<std::string, std::string>;  // path in the archive, content

// The error names the path that does not fit the format (100 bytes, or 155 and 100 around a slash).
[[nodiscard]] tl::expected<std::string, std::string> pack(const Files& files);
// The error says where the archive is broken. Entries other than plain files are an error.
[[nodiscard]] tl::expected<Files, std::string> unpack(const std::string& archive);

}  // namespace streampool::report
