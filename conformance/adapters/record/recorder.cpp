#include "conformance/adapters/record/recorder.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace streampool::record {
namespace {

std::uint64_t key_of(const void* handle) { return reinterpret_cast<std::uint64_t>(handle); }

thread_local int depth = 0;  // recorded calls that the thread is in

// Opens the file that the first process of the program gets, or FILE.PID for its others.
bool create(std::string& path) {
  for (const std::string& one : {path, path + "." + std::to_string(getpid())}) {
    const int file = ::open(one.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return false;
    ::close(file);
    path = one;
    return true;
  }
  return false;
}

}  // namespace

void* find_real(const char* symbol, const char* library) {
  if (void* found = dlsym(RTLD_NEXT, symbol); found != nullptr) return found;
  // A library that was opened later stands in no search order that begins here.
  struct Search {
    const char* library;
    std::string path;
  } search{library, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (std::string_view(object->dlpi_name).find(wanted.library) == std::string_view::npos) return 0;
        wanted.path = object->dlpi_name;
        return 1;
      },
      &search);
  if (search.path.empty()) return nullptr;
  void* handle = dlopen(search.path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  return handle == nullptr ? nullptr : dlsym(handle, symbol);
}

// One recorder a process. Never destroyed: other threads may be in a call while the process ends.
struct Process {
  std::mutex mutex;
  bool tried = false;
  std::atomic<Recorder*> recorder{nullptr};

  static Process& instance() {
    static Process& process = *new Process;
    return process;
  }
  Recorder* open(const Source& source) {
    const std::scoped_lock lock(mutex);
    if (std::exchange(tried, true)) return recorder;
    std::unique_ptr<Recorder> made(new Recorder(source));
    if (!made->open()) return nullptr;
    recorder = made.release();
    // The copy of a process has the same file open: it must not write to it.
    pthread_atfork(nullptr, nullptr, [] { instance().recorder = nullptr; });
    return recorder;
  }
};

__attribute__((destructor)) static void finish_process() {
  if (Recorder* recorder = Process::instance().recorder) recorder->stop(nullptr);
}

Recorder* Recorder::enter(const Source& source) {
  if (depth > 0) return nullptr;
  Recorder* recorder = Process::instance().recorder;
  if (recorder == nullptr) recorder = Process::instance().open(source);
  if (recorder == nullptr || &recorder->source_ != &source || recorder->stopped_) return nullptr;
  ++depth;
  return recorder;
}

void Recorder::leave() { --depth; }

bool Recorder::open() {
  const char* wanted = std::getenv("STREAMPOOL_RECORD_OUTPUT");
  if (wanted == nullptr) return false;
  ++depth;  // what is asked of the library here is no call of the program
  const char* profile = std::getenv("STREAMPOOL_RECORD_PROFILE");
  std::string path = wanted;
  const bool opened =
      create(path) && streampool_history_open(&history_, path.c_str(), profile ? profile : source_.profile()) == 0;
  if (!opened) {
    std::fprintf(stderr, "streampool record: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
  } else {
    for (int device = 0; device < source_.device_count(); ++device) std::fprintf(history_.file, "device d%d\n", device);
    comment("recorded from process " + std::to_string(getpid()));
  }
  --depth;
  return opened;
}

void Recorder::comment(const std::string& text) {
  pthread_mutex_lock(&history_.lock);
  streampool_history_write_held(&history_);
  std::fprintf(history_.file, "# %s\n", text.c_str());
  std::fflush(history_.file);
  pthread_mutex_unlock(&history_.lock);
}

Recorder::Id Recorder::begin(const char* call, int output,
                             std::initializer_list<streampool_history_argument> arguments) {
  if (stopped_) return 0;
  return streampool_history_begin(&history_, call, output, arguments.size(), arguments.begin());
}

Recorder::Id Recorder::begin_on_device(const char* call, int output, int device,
                                       std::initializer_list<streampool_history_argument> arguments) {
  if (stopped_) return 0;
  std::vector<streampool_history_argument> all(arguments);
  if (device != 0) all.push_back({'n', static_cast<std::uint64_t>(device), "d"});
  return streampool_history_begin(&history_, call, output, all.size(), all.data());
}

Recorder::Id Recorder::left_out(const char* what) {
  const std::scoped_lock lock(mutex_);
  ++left_out_[what];
  return 0;
}

void Recorder::end(Id id, int code, std::uint64_t value) {
  if (id == 0 || stopped_) return;
  int status = code == 0 ? STREAMPOOL_HISTORY_OK : STREAMPOOL_HISTORY_UNKNOWN;
  for (const vendor::StatusCode& each : source_.statuses) {
    if (each.native == code) status = each.status;
  }
  streampool_history_end(&history_, id, status, value);
  std::fflush(history_.file);  // a program that dies leaves what it did
  ++calls_;
  // Such a code may come from work of long ago, and every later call may repeat it.
  if (status == STREAMPOOL_HISTORY_INTERNAL || status == STREAMPOOL_HISTORY_UNKNOWN) {
    stop(("the library answered " + std::to_string(code) + ", which may be the error of earlier work").c_str());
  }
}

// Under mutex_.
void Recorder::introduce(const char* what, void* handle) {
  char text[64];
  std::snprintf(text, sizeof text, "%s %p was made by no recorded call", what, handle);
  comment(text);
  ++left_out_[std::string(what) + " creations"];
}

Recorder::Key Recorder::stream(void* handle, std::uint64_t zero) {
  constexpr std::uint64_t legacy_handle = 1, per_thread_handle = 2;
  if (handle == nullptr) return zero;
  if (key_of(handle) == legacy_handle) return STREAMPOOL_HISTORY_LEGACY;
  if (key_of(handle) == per_thread_handle) return STREAMPOOL_HISTORY_PER_THREAD;
  const std::scoped_lock lock(mutex_);
  if (streams_.contains(handle)) return key_of(handle);
  const std::optional<bool> nonblocking = source_.nonblocking(handle);
  if (!nonblocking) {
    ++left_out_["calls on a stream that is none"];
    return std::nullopt;
  }
  introduce("stream", handle);
  const Id id = begin_on_device("stream_create", STREAMPOOL_HISTORY_HANDLE, source_.current_device(),
                                {{'N', 0, "s"}, {'w', 0, *nonblocking ? "nonblocking" : "blocking"}});
  end(id, 0, key_of(handle));
  streams_.insert(handle);
  return key_of(handle);
}

Recorder::Key Recorder::event(void* handle, bool recorded_now) {
  const std::scoped_lock lock(mutex_);
  if (events_.contains(handle)) return key_of(handle);
  if (recorded_now) {
    introduce("event", handle);
    end(begin("event_create", STREAMPOOL_HISTORY_HANDLE, {{'N', 0, "e"}}), 0, key_of(handle));
    events_.insert(handle);
    return key_of(handle);
  }
  // What it has captured is not known, and a wait for it would look like a wait for nothing.
  ++left_out_["calls on an event that no recorded call made"];
  return std::nullopt;
}

Recorder::Key Recorder::pool(void* handle) {
  const std::scoped_lock lock(mutex_);
  if (pools_.contains(handle)) return key_of(handle);
  for (int device = 0; device < source_.device_count(); ++device) {
    if (source_.default_pool(device) != std::optional<void*>(handle)) continue;
    end(begin_on_device("pool_default", STREAMPOOL_HISTORY_HANDLE, device, {{'N', 0, "p"}}), 0, key_of(handle));
    pools_.insert(handle);
    return key_of(handle);
  }
  ++left_out_["calls on a pool that no recorded call made"];
  return std::nullopt;
}

Recorder::Key Recorder::block(const void* address) {
  const std::scoped_lock lock(mutex_);
  auto after = blocks_.upper_bound(key_of(address));
  if (after == blocks_.begin()) return std::nullopt;
  --after;
  return key_of(address) < after->second.end ? Key(after->first) : std::nullopt;
}

bool Recorder::is_of_pool(const void* block) {
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(key_of(block));
  return found != blocks_.end() && found->second.of_pool;
}

bool Recorder::current_pool_known(int device) {
  const std::scoped_lock lock(mutex_);
  return !foreign_current_.contains(device);
}

void Recorder::made_stream(void* handle) {
  const std::scoped_lock lock(mutex_);
  streams_.insert(handle);
}
void Recorder::made_event(void* handle) {
  const std::scoped_lock lock(mutex_);
  events_.insert(handle);
}
void Recorder::made_pool(void* handle) {
  const std::scoped_lock lock(mutex_);
  pools_.insert(handle);
}

void Recorder::made_block(void* address, std::uint64_t bytes, bool of_pool) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t begin = key_of(address), end = begin + std::max<std::uint64_t>(bytes, 1);
  auto first = blocks_.upper_bound(begin);
  if (first != blocks_.begin() && std::prev(first)->second.end > begin) --first;
  blocks_.erase(first, blocks_.lower_bound(end));
  blocks_[begin] = {end, of_pool};
}

void Recorder::made_current(int device, bool known) {
  const std::scoped_lock lock(mutex_);
  if (known) {
    foreign_current_.erase(device);
  } else {
    foreign_current_.insert(device);
  }
}

void Recorder::done(std::uint64_t stream, std::initializer_list<Key> blocks, bool proved) {
  std::vector<streampool_history_argument> arguments{{'s', stream, nullptr}};
  for (const Key& block : blocks) {
    if (block) arguments.push_back({'a', *block, nullptr});
  }
  if (stopped_) return;
  end(streampool_history_begin(&history_, "launch", STREAMPOOL_HISTORY_NO_OUTPUT, arguments.size(), arguments.data()),
      0);
  if (!proved) return;
  // The wait of such a call reaches as far as an event that is recorded behind its work.
  thread_local std::uint64_t event = 0;
  if (event == 0) {
    static std::atomic<std::uint64_t> made{std::uint64_t{1} << 63};  // no library's handle
    event = ++made;
    end(begin("event_create", STREAMPOOL_HISTORY_HANDLE, {{'N', 0, "e"}}), 0, event);
  }
  end(begin("event_record", STREAMPOOL_HISTORY_NO_OUTPUT, {{'e', event, nullptr}, {'s', stream, nullptr}}), 0);
  end(begin("event_sync", STREAMPOOL_HISTORY_NO_OUTPUT, {{'e', event, nullptr}}), 0);
}

void Recorder::stop(const char* why) {
  if (stopped_.exchange(true)) return;
  if (why != nullptr) comment(std::string("the record ends here: ") + why);
  finish();
}

void Recorder::finish() {
  comment("recorded: " + std::to_string(calls_) + " calls");
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [what, count] : left_out_) comment("left out: " + std::to_string(count) + " " + what);
  }
  if (std::fflush(history_.file) != 0 || std::ferror(history_.file) != 0 || history_.failed != 0) {
    std::fputs("streampool record: the history could not be written whole\n", stderr);
  }
}

}  // namespace streampool::record
