#include "conformance/kit/locate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "conformance/kit/nearest.hpp"

namespace streampool::kit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "libstreampool_runtime_";
constexpr std::string_view suffix = ".so";

std::vector<fs::path> folders() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path root = program.parent_path();
  return {root / "lib", root / STREAMPOOL_LIBDIR / "streampool", program};
}

}  // namespace

std::vector<RuntimeFile> installed_runtimes() {
  std::vector<RuntimeFile> found;
  for (const fs::path& folder : folders()) {
    std::error_code error;  // a folder that is not there holds nothing
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string file = entry.path().filename().string();
      if (!file.starts_with(prefix) || !file.ends_with(suffix)) continue;
      std::string name = file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
      if (std::ranges::find(found, name, &RuntimeFile::name) == found.end())
        found.push_back({std::move(name), entry.path()});
    }
  }
  std::ranges::sort(found, {}, &RuntimeFile::name);
  return found;
}

tl::expected<fs::path, LoadError> locate_runtime(std::string_view name_or_path) {
  if (name_or_path.find('/') != std::string_view::npos) return fs::path(name_or_path);
  const std::vector<RuntimeFile> runtimes = installed_runtimes();
  if (const auto found = std::ranges::find(runtimes, name_or_path, &RuntimeFile::name); found != runtimes.end()) {
    return found->path;
  }
  std::vector<std::string> names;
  for (const RuntimeFile& runtime : runtimes) names.push_back(runtime.name);
  const std::string near = nearest(name_or_path, names);
  return tl::unexpected(LoadError{fmt::format(
      "there is no runtime '{}'{}. Runtimes that are here: {}. A runtime of one's own is given by path, as ./mine.so.",
      name_or_path, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))});
}

fs::path locate_library(std::string_view file) {
  std::error_code error;
  for (const fs::path& folder : folders()) {
    if (fs::path path = folder / file; fs::is_regular_file(path, error)) return path;
  }
  return {};
}

}  // namespace streampool::kit
