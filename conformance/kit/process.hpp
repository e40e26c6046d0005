// A child process with a channel, captured output and a journal. Linux: posix_spawn and a pidfd, no signal handlers.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/kit/journal.hpp"

namespace streampool::kit {

// The descriptors that a worker finds open.
inline constexpr int worker_channel = 3;
inline constexpr int worker_journal = 4;

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }
  [[nodiscard]] int get() const { return value_; }
  int release();
  void reset();

 private:
  int value_ = -1;
};

class ChildProcess {
 public:
  // Throws std::system_error where the machine gives no process, pipe or memory.
  ChildProcess(const std::string& executable, const std::vector<std::string>& arguments);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills the whole process group and reaps the child

  // False: the child reads no more.
  [[nodiscard]] bool send(const std::string& line);

  enum class Event : std::uint8_t { line, ended, quiet };
  // Waits at most `limit` for a whole line of the channel. Output is collected meanwhile.
  [[nodiscard]] Event wait(std::chrono::milliseconds limit, std::string& line);

  // Kills the group if it still runs, and reaps. "signal 11 (Segmentation fault)" or "exit code 3".
  std::string end();

  // Bytes of memory that it has at this moment; 0 once it has ended.
  [[nodiscard]] std::uint64_t resident() const;

  [[nodiscard]] const Journal& journal() const { return journal_; }
  // What was printed since the last call, at most the last 64 KiB.
  [[nodiscard]] std::string take_output();

 private:
  void read_output();
  [[nodiscard]] bool read_channel();
  [[nodiscard]] bool take_line(std::string& line);

  Journal journal_;
  Descriptor channel_, output_, process_;
  pid_t pid_ = -1;
  std::string received_, printed_, ended_how_;
};

}  // namespace streampool::kit
