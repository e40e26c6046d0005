// The script of a fake vendor library: what its functions answer, and what they were asked. The test reaches it by the
// library's symbol `fake_script`, the adapter sees only the vendor's own symbols.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace streampool::fake {

struct Pool {
  int device = 0;
  std::uint64_t max_size = 0;
  std::uint64_t attributes[9] = {};
};

struct Wait {
  void* stream = nullptr;
  const std::uint32_t* word = nullptr;
  std::uint32_t value = 0;
};

struct Script {
  // The code that the named function answers from now on, instead of doing its work.
  std::map<std::string, int> answers;
  int devices = 1;
  int version = 13000;
  bool pools_supported = true;

  // What was seen.
  std::vector<std::string> calls;
  std::vector<Wait> waits;
  std::set<void*> live;  // streams, events, pools, memory, host memory
  std::atomic<int> current_device{0};
  std::map<void*, int> device_of;           // streams and events
  std::atomic<void*> last_stream{nullptr};  // of the newest allocation, free or copy

  std::mutex mutex;

  // Called before each function does anything, on the caller's thread.
  std::function<void(std::string_view name)> before;

  // Notes the call; the scripted code, or 0 when the function shall work.
  int enter(const char* name) {
    if (before) before(name);
    const std::scoped_lock lock(mutex);
    calls.emplace_back(name);
    const auto found = answers.find(name);
    return found == answers.end() ? 0 : found->second;
  }
  std::size_t count(const std::string& name) {
    const std::scoped_lock lock(mutex);
    return static_cast<std::size_t>(std::ranges::count(calls, name));
  }
  void* born(void* object) {
    const std::scoped_lock lock(mutex);
    live.insert(object);
    device_of[object] = current_device;
    return object;
  }
  // False for an object that is not alive.
  bool dies(void* object) {
    const std::scoped_lock lock(mutex);
    return live.erase(object) != 0;
  }
  bool lives(void* object) {
    const std::scoped_lock lock(mutex);
    return live.contains(object);
  }
};

inline Script& script() {
  static Script instance;
  return instance;
}

inline void* make_object() { return script().born(std::malloc(16)); }
inline void* make_memory(std::size_t bytes) {
  return script().born(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
}
inline bool end_object(void* object) {
  if (!script().dies(object)) return false;
  std::free(object);
  return true;
}

}  // namespace streampool::fake
