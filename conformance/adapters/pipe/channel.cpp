#include "conformance/adapters/pipe/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace streampool::pipe {
namespace {

constexpr int patience_ms = 2000;

// Whether the process ended by itself in time.
bool ends_in_time(pid_t child) {
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (descriptor < 0) return false;
  pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
  const bool ended = poll(&wait, 1, patience_ms) == 1;
  close(descriptor);
  return ended;
}

}  // namespace

std::unique_ptr<Channel> Channel::start(const std::vector<std::string>& arguments, std::string& error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    error = std::strerror(errno);
    return nullptr;
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int code = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (code != 0) {
    close(ends[0]);
    error = arguments.front() + ": " + std::strerror(code);
    return nullptr;
  }
  return std::unique_ptr<Channel>(new Channel(ends[0], child));
}

Channel::~Channel() {
  close(socket_);
  if (!ends_in_time(child_)) kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

bool Channel::send(std::string_view line) {
  const std::scoped_lock lock(send_mutex_);
  while (!line.empty()) {
    const ssize_t sent = ::send(socket_, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    line.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Reply Channel::ask(std::string_view request) {
  Reply reply;
  std::unique_lock lock(mutex_);
  const std::uint64_t id = ++last_id_;
  waiting_[id] = &reply;
  if (broken_.empty()) {
    lock.unlock();
    const bool sent = send(std::to_string(id) + ' ' + std::string(request) + '\n');
    lock.lock();
    if (!sent) give_up("the program does not listen any more");
  }
  while (reply.id == 0 && broken_.empty()) {
    if (reading_) {
      changed_.wait(lock);
      continue;
    }
    reading_ = true;
    lock.unlock();
    receive();
    lock.lock();
    take_lines();
    reading_ = false;
    changed_.notify_all();
  }
  waiting_.erase(id);
  if (reply.id != 0) return reply;
  reply.status = STREAMPOOL_INTERNAL;
  reply.text = broken_;
  return reply;
}

bool Channel::broken() {
  const std::scoped_lock lock(mutex_);
  return !broken_.empty();
}

void Channel::receive() {
  char bytes[std::size_t{64} << 10];
  ssize_t count = 0;
  do {
    count = recv(socket_, bytes, sizeof bytes, 0);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    input_.append(bytes, static_cast<std::size_t>(count));
  } else {
    const std::scoped_lock lock(mutex_);
    give_up("the program has ended");
  }
}

void Channel::take_lines() {
  std::size_t begin = 0;
  for (std::size_t end = scanned_; (end = input_.find('\n', end)) != std::string::npos; begin = ++end) {
    const std::string_view line = std::string_view(input_).substr(begin, end - begin);
    auto reply = parse_reply(line);
    const auto found = reply ? waiting_.find(reply->id) : waiting_.end();
    if (found == waiting_.end()) {
      give_up("the program wrote a line that answers nothing: " + std::string(line.substr(0, 200)));
      break;
    }
    *found->second = std::move(*reply);
    waiting_.erase(found);
  }
  input_.erase(0, begin);
  scanned_ = input_.size();
}

void Channel::give_up(std::string reason) {
  if (broken_.empty()) broken_ = std::move(reason);
}

}  // namespace streampool::pipe
