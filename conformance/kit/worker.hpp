// A worker process: it has the runtime loaded, so that a crash, a hang, an exit or eaten memory ends it and not the
// kit.
//
// The process is this same program with a hidden subcommand, spawned and never forked: a runtime may be loaded in
// neither. Requests and answers are lines of JSON over pipes; what the runtime prints is captured. A worker is its own
// process group, so that Ctrl-C reaches only the kit, and dies with the thread that started it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/job.hpp"
#include "conformance/kit/runtime.hpp"

namespace streampool::kit {

struct WorkerSettings {
  std::string executable = "/proc/self/exe";
  std::string runtime;  // as for load_target
  RuntimeOptions options;
  std::string profile;  // a name or a file
  bool undefined = false;
  unsigned patience = 150;                 // ticks of the watchdog for a call that nothing should hold
  std::chrono::milliseconds hang{10'000};  // without any progress
  std::uint64_t memory_limit = 0;          // bytes a worker may have resident, looked at while it works; 0: no limit
};

// What a worker said at its start.
struct WorkerGreeting {
  Description description;
  std::uint64_t capabilities = 0;
};

class Worker {
 public:
  // The error is the runtime's: it could not be loaded or opened.
  [[nodiscard]] static tl::expected<std::unique_ptr<Worker>, std::string> start(const WorkerSettings& settings,
                                                                                const std::atomic<bool>& interrupted);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();  // ends the process and waits for it

  [[nodiscard]] const WorkerGreeting& greeting() const { return greeting_; }
  [[nodiscard]] std::chrono::milliseconds hang() const { return hang_; }

  struct Answer {
    enum class Kind : std::uint8_t { answered, crashed, hung, interrupted };
    Kind kind = Kind::answered;
    std::string text;                 // answered: one line of JSON
    std::string how;                  // crashed: "signal 11 (Segmentation fault)", "exit code 3"
    std::string journal;              // crashed, hung: the history so far, the last line without its result
    std::uint64_t in_flight = 0;      // hung: calls that had not returned
    std::vector<std::string> opened;  // hung: the gates that the watchdog had opened
    std::string output;               // what was printed meanwhile
  };
  // Sends one line and waits. After anything but `answered` the worker is gone.
  [[nodiscard]] Answer ask(const std::string& line);

 private:
  struct Process;
  Worker(std::unique_ptr<Process> process, const WorkerSettings& settings, const std::atomic<bool>& interrupted);

  std::unique_ptr<Process> process_;
  std::chrono::milliseconds hang_;
  std::uint64_t memory_limit_;
  const std::atomic<bool>& interrupted_;
  WorkerGreeting greeting_;
};

// The worker's side: what the hidden subcommand `worker` runs. Returns the process's exit code.
[[nodiscard]] int worker_main(std::span<const JobKind> kinds);

// One job on that worker, as results; never fewer than one. `alive` false: it is to be replaced.
struct JobOutcome {
  std::vector<CaseResult> results = {};
  bool alive = true;
  bool interrupted = false;  // no results then
};
[[nodiscard]] JobOutcome run_job(Worker& worker, const Job& job);

}  // namespace streampool::kit
