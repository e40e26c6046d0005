// A child process that answers request lines with reply lines, in any order.
//
// `ask` may be called from any number of threads at a time. There is no thread of its own here: of the callers that
// wait, one reads for all.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapters/pipe/line.hpp"

namespace streampool::pipe {

class Channel {
 public:
  // Starts the program with its standard input and output on a socket; the error stream stays ours.
  // Null where it cannot be started; `error` says why. A program that ends at once shows at the first `ask`.
  static std::unique_ptr<Channel> start(const std::vector<std::string>& arguments, std::string& error);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  // Closes the socket; a program that has not ended after two seconds is killed.
  ~Channel();

  // Sends "ID REQUEST" and waits for the reply of that ID. Where none can come any more (the program has ended, or
  // wrote something that is no reply) the status is STREAMPOOL_INTERNAL with the reason as text.
  Reply ask(std::string_view request);
  // Whether that has happened.
  [[nodiscard]] bool broken();

 private:
  Channel(int socket, pid_t child) : socket_(socket), child_(child) {}
  bool send(std::string_view line);
  void receive();                    // one read, unlocked
  void take_lines();                 // under the lock
  void give_up(std::string reason);  // under the lock

  const int socket_;
  const pid_t child_;
  std::mutex send_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reading_ = false;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, Reply*> waiting_;  // the Reply's id stays 0 until it is answered
  std::string input_;                        // received, not yet a whole line; only the reader touches it
  std::size_t scanned_ = 0;                  // of input_, no line ends before
  std::string broken_;                       // why no reply will come any more
};

}  // namespace streampool::pipe
