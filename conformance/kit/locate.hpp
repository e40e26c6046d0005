// Where runtimes are: beside the program, in the build tree and where `cmake --install` puts them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/runtime.hpp"

namespace streampool::kit {

struct RuntimeFile {
  std::string name;  // "host" for libstreampool_runtime_host.so
  std::filesystem::path path;
};

// By name. The first folder wins where two hold the same name.
[[nodiscard]] std::vector<RuntimeFile> installed_runtimes();

// A name, or a path (it has a slash). The error lists what there is.
[[nodiscard]] tl::expected<std::filesystem::path, LoadError> locate_runtime(std::string_view name_or_path);

// A library of the kit that is no runtime, beside them; empty where it is not here.
[[nodiscard]] std::filesystem::path locate_library(std::string_view file);

}  // namespace streampool::kit
