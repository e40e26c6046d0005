#include "conformance/kit/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

extern char** environ;

namespace streampool::kit {
namespace {

constexpr std::size_t kept_output = std::size_t{64} << 10;  // bytes

[[noreturn]] void fail(const char* what, int error) { throw std::system_error(error, std::generic_category(), what); }

// Above the numbers that the child's own descriptors get, so that placing one never overwrites another.
Descriptor lifted(int descriptor) {
  const int high = fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
  const int error = errno;
  close(descriptor);
  if (high < 0) fail("moving a descriptor", error);
  return Descriptor(high);
}

class SpawnActions {
 public:
  SpawnActions() {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    // A group of its own: Ctrl-C on the terminal is for the kit, and what the runtime starts can be killed with it.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  void place(int from, int to) { posix_spawn_file_actions_adddup2(&files_, from, to); }
  void empty_input() { posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }

  pid_t spawn(const std::string& executable, const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    argv.push_back(const_cast<char*>(executable.c_str()));
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t pid = -1;
    const int error = posix_spawn(&pid, executable.c_str(), &files_, &attributes_, argv.data(), environ);
    if (error != 0) fail("starting a worker process", error);
    return pid;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    value_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(value_, -1); }

void Descriptor::reset() {
  if (value_ >= 0) close(std::exchange(value_, -1));
}

ChildProcess::ChildProcess(const std::string& executable, const std::vector<std::string>& arguments) {
  std::array<int, 2> sockets{}, pipes{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) fail("making a channel", errno);
  channel_ = lifted(sockets[0]);
  const Descriptor their_channel = lifted(sockets[1]);
  if (pipe2(pipes.data(), O_CLOEXEC) != 0) fail("making a pipe", errno);
  output_ = lifted(pipes[0]);
  const Descriptor their_output = lifted(pipes[1]);
  fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  const Descriptor their_journal = lifted(dup(journal_.descriptor()));

  SpawnActions actions;
  actions.empty_input();
  actions.place(their_output.get(), STDOUT_FILENO);
  actions.place(their_output.get(), STDERR_FILENO);
  actions.place(their_channel.get(), worker_channel);
  actions.place(their_journal.get(), worker_journal);
  pid_ = actions.spawn(executable, arguments);
  process_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (process_.get() < 0) {
    const int error = errno;
    end();
    fail("watching a worker process", error);
  }
}

ChildProcess::~ChildProcess() { end(); }

bool ChildProcess::send(const std::string& line) {
  const std::string text = line + '\n';
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = ::send(channel_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

ChildProcess::Event ChildProcess::wait(std::chrono::milliseconds limit, std::string& line) {
  if (take_line(line)) return Event::line;
  std::array<pollfd, 3> polled = {pollfd{channel_.get(), POLLIN, 0}, pollfd{output_.get(), POLLIN, 0},
                                  pollfd{process_.get(), POLLIN, 0}};
  if (poll(polled.data(), polled.size(), static_cast<int>(limit.count())) <= 0) return Event::quiet;
  if (polled[1].revents != 0) read_output();
  if (polled[0].revents != 0) {
    const bool open = read_channel();
    if (take_line(line)) return Event::line;
    if (!open) {
      // It has closed its side: it ends, and is given the time to do so in its own way.
      constexpr int last_moments = 5'000;  // milliseconds
      poll(&polled[2], 1, last_moments);
      return Event::ended;
    }
  }
  // The end is looked at last, so that what was said before it is heard.
  return polled[2].revents != 0 ? Event::ended : Event::quiet;
}

// False once the other side is closed.
bool ChildProcess::read_channel() {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = recv(channel_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count > 0) received_.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool ChildProcess::take_line(std::string& line) {
  const std::size_t end = received_.find('\n');
  if (end == std::string::npos) return false;
  line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return true;
}

void ChildProcess::read_output() {
  std::array<char, 1 << 14> buffer;
  ssize_t count = 0;
  while ((count = read(output_.get(), buffer.data(), buffer.size())) > 0) {
    printed_.append(buffer.data(), static_cast<std::size_t>(count));
    if (printed_.size() > 2 * kept_output) printed_.erase(0, printed_.size() - kept_output);
  }
  if (count == 0) output_.reset();  // the other side is closed: there is nothing to wait for any more
}

std::string ChildProcess::take_output() {
  read_output();
  if (printed_.size() > kept_output) printed_.erase(0, printed_.size() - kept_output);
  return std::exchange(printed_, {});
}

std::uint64_t ChildProcess::resident() const {
  std::ifstream file(fmt::format("/proc/{}/statm", pid_));
  std::uint64_t total = 0, pages = 0;
  file >> total >> pages;
  return file ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE)) : 0;
}

std::string ChildProcess::end() {
  if (pid_ < 0) return ended_how_;
  siginfo_t info{};
  // Look before killing: an end of its own must keep its own cause.
  const bool ended =
      waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
  kill(-pid_, SIGKILL);
  if (!ended) kill(pid_, SIGKILL);  // it may have left its group
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  read_output();
  ended_how_ = WIFSIGNALED(status) ? fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
                                   : fmt::format("exit code {}", WEXITSTATUS(status));
  return ended_how_;
}

}  // namespace streampool::kit
