// The record of one process: what its pool calls were and what they answered, written as a history while they happen.
//
// Vendor-neutral: cuda_like.cpp translates a vendor's calls into these. A call is written in two halves around the real
// one, so that overlapping calls of several threads show as overlapping. What cannot be told honestly is left out and
// counted; where everything after would be in doubt, the record ends with a comment that says why.
//
// Thread safety: everything may be called by any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "conformance/abi/streampool_history_writer.h"
#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::record {

// What the recorder asks of the vendor's library beside the recorded calls.
struct Source {
  const char* library;                           // a part of the library's file name
  std::span<const vendor::StatusCode> statuses;  // others are `unknown`
  const char* (*profile)();                      // the one that the library's version suggests
  int (*device_count)();                         // at least 1
  int (*current_device)();                       // of the calling thread
  std::optional<bool> (*nonblocking)(void*);     // is it a non-blocking stream; nullopt: no stream
  std::optional<void*> (*default_pool)(int device);
};

// The function that the program would have reached without the recorder, or null.
[[nodiscard]] void* find_real(const char* symbol, const char* library);

class Recorder {
 public:
  // The recorder for a call of the calling thread. Null: not to be recorded, because it was made by another recorded
  // call, or nothing is recorded (any more). The first call opens the file.
  static Recorder* enter(const Source& source);
  static void leave();

  // Keys for the writer. A handle that no recorded call made is introduced where it can be told what it is, else
  // nullopt: the call is left out.
  using Key = std::optional<std::uint64_t>;
  [[nodiscard]] Key stream(void* handle, std::uint64_t zero);
  // `recorded_now`: what it held before does not matter.
  [[nodiscard]] Key event(void* handle, bool recorded_now = false);
  [[nodiscard]] Key pool(void* handle);
  // The block that holds the address, also one that was freed and whose bytes were not handed out since.
  [[nodiscard]] Key block(const void* address);
  [[nodiscard]] bool is_of_pool(const void* block);
  [[nodiscard]] bool current_pool_known(int device);

  // First halves; 0: left out.
  using Id = std::uint64_t;
  Id begin(const char* call, int output, std::initializer_list<streampool_history_argument> arguments);
  Id begin_on_device(const char* call, int output, int device,
                     std::initializer_list<streampool_history_argument> arguments);
  // What cannot be recorded, by its vendor's name.
  Id left_out(const char* what);
  // The second half: the vendor's code, and the address, handle or value that it gave.
  void end(Id id, int code, std::uint64_t value = 0);

  void made_stream(void* handle);
  void made_event(void* handle);
  void made_pool(void* handle);
  void made_block(void* address, std::uint64_t bytes, bool of_pool);
  void made_current(int device, bool known);

  // Work on a stream that touches these blocks and is over now where `proved`: a copy that waits.
  void done(std::uint64_t stream, std::initializer_list<Key> blocks, bool proved);
  // Nothing after this can be judged.
  void stop(const char* why);

 private:
  explicit Recorder(const Source& source) : source_(source) {}
  friend struct Process;
  bool open();
  void introduce(const char* what, void* handle);
  void comment(const std::string& text);
  void finish();

  struct Block {
    std::uint64_t end;
    bool of_pool;
  };
  const Source& source_;
  streampool_history history_{};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> calls_{0};
  std::mutex mutex_;  // of what follows
  std::set<void*> streams_, events_, pools_;
  std::map<std::uint64_t, Block> blocks_;  // by first byte; no two overlap
  std::set<int> foreign_current_;          // devices whose current pool is not in the record
  std::map<std::string, std::uint64_t> left_out_;
};

}  // namespace streampool::record
