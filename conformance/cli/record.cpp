// streampool record: a program, with its pool calls written down as a history.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/profile_option.hpp"
#include "conformance/kit/json.hpp"
#include "conformance/kit/locate.hpp"

namespace streampool::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view recorder = "libstreampool_record.so";

// What the recorder wrote, told by the comments that it leaves (conformance/adapters/record/recorder.cpp).
struct Written {
  fs::path file;
  bool closed = false;  // it came to its end
  std::string calls;
  std::vector<std::string> notes;
};

Written look_at(const fs::path& path) {
  Written written{.file = path, .closed = false, .calls = "0", .notes = {}};
  std::ifstream file(path);
  constexpr std::string_view calls = "# recorded: ", left_out = "# left out: ", ends = "# the record ends here: ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(calls)) {
      written.closed = true;
      written.calls = line.substr(calls.size(), line.find(' ', calls.size()) - calls.size());
    }
    if (line.starts_with(left_out) || line.starts_with(ends)) written.notes.push_back(line.substr(2));
  }
  return written;
}

// FILE, and FILE.PID for each further process of the program that made pool calls.
std::vector<fs::path> files_of(const fs::path& output) {
  std::vector<fs::path> found;
  std::error_code error;
  const std::string name = output.filename().string();
  for (const auto& entry : fs::directory_iterator(output.parent_path(), error)) {
    const std::string other = entry.path().filename().string();
    const bool further =
        other.starts_with(name + ".") && other.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
    if (other == name || further) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

// Empty where the file can be written. It is not there afterwards: the recorder makes it.
std::string prepare(const fs::path& output) {
  std::error_code error;
  if (fs::exists(output, error) && !fs::is_regular_file(output, error)) return "it is no regular file";
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return std::strerror(errno);
  close(file);
  for (const fs::path& old : files_of(output)) {
    if (!fs::remove(old, error) && error) return error.message();
  }
  return {};
}

std::atomic<pid_t> program{-1};
static_assert(std::atomic<pid_t>::is_always_lock_free, "read by a signal handler");
void pass_on(int signal) {
  if (program > 0) kill(program, signal);
}

// The wait status of the program. Signals of the terminal reach it too, and it decides what becomes of them; others are
// passed on to it.
int run_program(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  sigset_t ignored, passed, before;
  sigemptyset(&ignored);
  sigemptyset(&passed);
  for (const int signal : {SIGINT, SIGQUIT}) sigaddset(&ignored, signal);
  for (const int signal : {SIGTERM, SIGHUP}) sigaddset(&passed, signal);
  sigprocmask(SIG_BLOCK, &passed, &before);  // until there is a program to pass them on to
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &ignored);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), words.front());
  program = pid;
  std::signal(SIGTERM, pass_on);
  std::signal(SIGHUP, pass_on);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return status;
}

void tell(const Arguments& arguments, const std::vector<Written>& all, int code) {
  if (arguments.json()) {
    nlohmann::json files = nlohmann::json::array();
    for (const Written& one : all) {
      files.push_back({{"file", one.file.string()},
                       {"calls", std::strtoull(one.calls.c_str(), nullptr, 10)},
                       {"complete", one.closed},
                       {"notes", one.notes}});
    }
    fmt::print("{}\n", kit::dump({{"exit", code}, {"recorded", std::move(files)}}));
    return;
  }
  for (const Written& one : all) {
    const std::string what = one.closed ? one.calls + " calls" : "what was called until the program died";
    fmt::print(stderr, "streampool record: {}: {}; judge it with `streampool judge {}`\n", one.file.string(), what,
               one.file.string());
    for (const std::string& note : one.notes) fmt::print(stderr, "  {}\n", note);
  }
}

int run(const Arguments& arguments) {
  if (!arguments.given("--output")) return usage_error(arguments, "record needs --output FILE");
  if (arguments.rest().empty())
    return usage_error(arguments, "record needs a program: streampool record --output FILE -- COMMAND");
  const fs::path output = fs::absolute(arguments.text("--output")).lexically_normal();
  if (arguments.given("--profile")) {
    if (const auto profile = load_profile(arguments.text("--profile")); !profile)
      return usage_error(arguments, profile.error());
    setenv("STREAMPOOL_RECORD_PROFILE", arguments.text("--profile").c_str(), 1);
  }
  const fs::path library = kit::locate_library(recorder);
  if (library.empty()) return usage_error(arguments, fmt::format("{} is not in this build", recorder));
  if (const std::string why = prepare(output); !why.empty())
    return usage_error(arguments, fmt::format("cannot write to {}: {}", output.string(), why));
  setenv("STREAMPOOL_RECORD_OUTPUT", output.c_str(), 1);
  const char* others = std::getenv("LD_PRELOAD");
  const std::string preload =
      others == nullptr || *others == '\0' ? library.string() : fmt::format("{}:{}", library.string(), others);
  setenv("LD_PRELOAD", preload.c_str(), 1);

  int status = 0;
  try {
    status = run_program(arguments.rest());
  } catch (const std::system_error& error) {
    return usage_error(arguments, fmt::format("cannot run '{}': {}", arguments.rest().front(), error.code().message()));
  }
  // As a shell tells it.
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  std::vector<Written> all;
  for (const fs::path& file : files_of(output)) all.push_back(look_at(file));
  tell(arguments, all, code);
  if (all.empty()) {
    fmt::print(stderr,
               "streampool: nothing was recorded: the program made no pool call through a shared CUDA or HIP runtime "
               "library.\n  One that links the runtime statically (nvcc does unless told --cudart shared), that looks "
               "its functions up with dlsym, or that runs as another user\n  cannot be recorded from outside; it can "
               "write its own history with streampool_history_writer.h\n");
  }
  return code;
}

constexpr Option options[] = {
    {"--output", Option::Type::text, "FILE", "The history; further processes of the program write FILE.PID"},
    {"--profile", Option::Type::text, "NAME|FILE", "Profile that the history names (default: the library's version)"},
};

}  // namespace

const Command record_command{
    .name = "record",
    .summary = "Run a program and write its pool calls down as a history",
    .example = "  streampool record --output run.pool -- ./my_program --its-option\n  streampool judge run.pool\n",
    .options = options,
    .exits = "the program's; 128 and the signal where one ended it; 2 where it could not be run",
    .run = run,
    .takes_rest = true,
};

}  // namespace streampool::cli
