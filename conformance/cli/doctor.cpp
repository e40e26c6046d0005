// streampool doctor: what this machine has and lacks for each part of the kit.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/cli/commands.hpp"
#include "conformance/kit/locate.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::cli {
namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string what, found;
  bool there = true;
  std::string_view needed_for{};  // what cannot be done without it
};

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

Finding setting(const char* what, const char* path) {
  const std::string line = first_line(path);
  return {what, line.empty() ? "not readable" : line, !line.empty()};
}

Finding system_name() {
  utsname name{};
  uname(&name);
  return {"system", fmt::format("{} {} {}", name.sysname, name.release, name.machine)};
}

Finding memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return {"memory", fmt::format("{} MiB", static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) >> 20)};
}

// The first of the names that the loader finds. Nothing in it is called.
Finding library(const char* what, const char* needed_for, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(handle);
      return {what, name, true, needed_for};
    }
  }
  return {what, "not found", false, needed_for};
}

Finding program(const char* what, const char* needed_for, const char* name) {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const fs::path file = fs::path(folders.substr(begin, end - begin)) / name;
    if (access(file.c_str(), X_OK) == 0) return {what, file.string(), true, needed_for};
    begin = end + 1;
  }
  return {what, "not found", false, needed_for};
}

Finding device(const char* what, const char* needed_for, const char* path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  return {what, there ? path : "not found", there, needed_for};
}

Finding recorder() {
  const fs::path file = kit::locate_library("libstreampool_record.so");
  return {"recorder", file.empty() ? "not found" : file.string(), !file.empty(), "record"};
}

std::vector<Finding> look() {
  std::vector<Finding> findings = {
      {"kit", fmt::format("{}, ABI {}, specification {}", report::kit_version(), report::abi_version(),
                          report::specification_version())},
      system_name(),
      {"processors", std::to_string(std::thread::hardware_concurrency())},
      memory(),
      setting("huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"),
      setting("mappings a process", "/proc/sys/vm/max_map_count"),
      library("CUDA runtime", "runtime cuda",
              {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"}),
      library("CUDA driver", "runtime cuda", {"libcuda.so.1"}),
      device("NVIDIA device", "runtime cuda", "/dev/nvidia0"),
      library("HIP runtime", "runtime hip",
              {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}),
      device("AMD device", "runtime hip", "/dev/kfd"),
      library("Ascend runtime", "runtime ascend", {"libascendcl.so"}),
      device("Ascend device", "runtime ascend", "/dev/davinci0"),
      program("second solver (cvc5)", "prove --solver cvc5", "cvc5"),
      recorder(),
  };
  std::string runtimes;
  for (const kit::RuntimeFile& runtime : kit::installed_runtimes())
    runtimes += (runtimes.empty() ? "" : ", ") + runtime.name;
  findings.push_back({"runtimes", runtimes.empty() ? "none" : runtimes, !runtimes.empty()});
  return findings;
}

int run(const Arguments& arguments) {
  nlohmann::json all = nlohmann::json::array();
  for (const Finding& finding : look()) {
    all.push_back({{"what", finding.what},
                   {"found", finding.found},
                   {"there", finding.there},
                   {"needed_for", finding.needed_for}});
    if (arguments.json()) continue;
    const bool lacks = !finding.there && !finding.needed_for.empty();
    fmt::print("{} {:<22}{}{}{}\n", finding.there ? "+" : "-", finding.what, finding.found,
               lacks ? "; needed for: " : "", lacks ? finding.needed_for : "");
  }
  if (arguments.json()) {
    fmt::print("{}\n", all.dump());
  } else {
    fmt::print(
        "\nWhat is missing keeps nothing else from working. `streampool runtimes` tries to open each runtime.\n");
  }
  return exit_ok;
}

}  // namespace

const Command doctor_command{
    .name = "doctor",
    .summary = "What this machine has and lacks",
    .example = "  streampool doctor\n",
    .options = {},
    .exits = "0",
    .run = run,
};

}  // namespace streampool::cli
