// Streams, events and gates of a twin: items run as soon as everything before them has. No threads of its own; whoever
// calls moves the device on. Everything is guarded by the mutex of the target.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "conformance/suites/tests/twins.hpp"

namespace streampool::suites::twins {

using Stream = std::size_t;
using Event = std::size_t;
using Gate = std::size_t;

// A position for every stream.
struct Cut {
  std::map<Stream, std::uint64_t> at;
  [[nodiscard]] bool contains(Stream s, std::uint64_t n) const {
    const auto found = at.find(s);
    return found != at.end() && n <= found->second;
  }
  void put(Stream s, std::uint64_t n) { at[s] = std::max(at[s], n); }
  void join(const Cut& other) {
    for (const auto& [s, n] : other.at) put(s, n);
  }
};

inline constexpr std::size_t no_gate = ~std::size_t{0};

struct Item {
  Cut after;                // beside its predecessor in the stream
  Gate gate = no_gate;      // waits for it to open
  Event follows = no_gate;  // fault wait_follows_event
  std::function<void()> effect;
};

struct StreamState {
  std::uint32_t kind = 0;  // 0 blocking, 1 non-blocking, 2 legacy, 3 per thread
  std::uint32_t device = 0;
  bool alive = true;
  std::uint64_t handle = 0;
  std::vector<Item> items;
  std::uint64_t done = 0;
  Cut reach;                  // what its newest item follows, itself included
  bool before_legacy = true;  // made before the legacy stream was first used
  std::set<Event> followed;   // fault wait_follows_event
  [[nodiscard]] std::uint64_t submitted() const { return items.size(); }
};

struct EventState {
  bool alive = true, recorded = false;
  std::uint64_t handle = 0;
  Cut captured;   // what its completion shows
  Cut items;      // the records that it waits for
  Stream on = 0;  // the stream of the newest record
};

class Device {
 public:
  explicit Device(const Twin& twin) : twin_(twin) {}

  Stream add_stream(std::uint32_t kind, std::uint64_t handle, std::uint32_t device = 0);
  Stream legacy();
  Stream per_thread();
  Event add_event(std::uint64_t handle, bool inherit);
  Gate add_gate() {
    gates_.push_back(false);
    return gates_.size() - 1;
  }

  [[nodiscard]] StreamState& stream(Stream s) { return streams_[s]; }
  [[nodiscard]] EventState& event(Event e) { return events_[e]; }
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }

  // The item's position. Runs what can run.
  // `takes`: what it is ordered after as the runtime sees it, beside what it waits for.
  std::uint64_t submit(Stream s, Item item = {}, const Cut& takes = {});
  void record(Event e, Stream s);
  void wait(Stream s, Event e);
  void open(Gate g);
  void destroy(Stream s);
  void destroy_event(Event e);

  [[nodiscard]] bool done(Stream s, std::uint64_t n) const { return n <= streams_[s].done; }
  [[nodiscard]] bool done(const Cut& cut) const;
  [[nodiscard]] bool gate_open(Gate g) const { return gates_[g]; }
  // What a synchronize of a whole device waits for; of every device.
  [[nodiscard]] Cut everything(std::uint32_t device) const;
  [[nodiscard]] Cut everything() const;
  // Blocks until the cut is done.
  void wait_for(const Cut& cut, std::unique_lock<std::mutex>& lock);
  void wait_for(const std::function<bool()>& ready, std::unique_lock<std::mutex>& lock) { changed_.wait(lock, ready); }
  // Is item n of t ordered before what is submitted to s next, as the runtime sees it?
  [[nodiscard]] bool ordered(Stream s, Stream t, std::uint64_t n) const;
  void prove(const Cut& cut) { proved_.join(cut); }
  [[nodiscard]] const Cut& proved() const { return proved_; }
  // From outside the lock: fault sync_holds_the_lock.
  void release() { released_ = true; }

 private:
  void advance();
  [[nodiscard]] bool can_run(Stream s) const;

  const Twin& twin_;
  std::vector<StreamState> streams_;
  std::vector<EventState> events_;
  std::vector<bool> gates_;  // open?
  std::map<std::thread::id, Stream> per_thread_;
  Stream legacy_ = no_gate;
  std::map<std::uint64_t, Cut> dead_events_;  // by handle: what a recycled one may inherit
  Cut proved_;
  std::atomic<bool> released_{false};
  std::condition_variable changed_;
};

}  // namespace streampool::suites::twins
