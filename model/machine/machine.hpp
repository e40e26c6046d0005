// The machine: the rules on machine values, a device that moves only in explicit steps, and a policy for what the rules
// leave open. Runtime `model` is this behind the ABI; the explorer walks over copies of it.
//
// Calls take handles and answer with a status, misuse included, as the profile demands. A call that fails changes
// nothing. Nothing here blocks: a waiting call is a ticket, which `run` brings as far as closed gates let it and
// `conclude` ends. Copyable; not thread safe.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "absl/container/btree_map.h"
#include "model/history/history.hpp"
#include "model/machine/choices.hpp"
#include "model/machine/values.hpp"
#include "model/profile/profile.hpp"
#include "spec/rules/names.hpp"
#include "spec/rules/pool.hpp"

namespace streampool::model::machine {

using State = spec::State<Values>;
using Range = spec::Range<Values>;
using history::Status;

// Where addresses begin: far from anything that null or a small number could mean.
inline constexpr std::uint64_t first_address = std::uint64_t{1} << 36;

// What is taken where the rules leave a choice.
enum class Policy : std::uint8_t {
  greedy,  // reuse as soon as the rules permit it
  lazy,    // never reuse: only memory that nobody has had
  random,  // any permitted outcome, by seed
};

struct Settings {
  Policy policy = Policy::greedy;
  std::uint64_t seed = 1;
  std::uint64_t memory = std::uint64_t{16} << 30;  // physical bytes of the device
  std::uint64_t granule = std::uint64_t{2} << 20;  // bytes; used where the profile leaves it to the runtime
  Choices* choices = nullptr;  // policy random: where choices come from instead of the seed; shared by
                               // copies of the machine, which it outlives
};

// Handles and the identities behind them (chapter LIFE). `recycles`: a handle value that was given back is given again.
template <class Identity>
class Registry {
 public:
  explicit Registry(bool recycles) : recycles_(recycles) {}
  [[nodiscard]] Identity find(Handle handle) const { return names_.of.get(handle); }  // none: dead or foreign
  // The next identity, under a handle. `hidden`: no call tells the caller of it, so the value must be new.
  Identity create(Handle& handle, bool hidden = false) {
    if (recycles_ && !hidden && !vacant_.empty()) {
      handle = vacant_.back();
      vacant_.pop_back();
    } else {
      handle = static_cast<Handle>(++handles_);
    }
    const auto identity = static_cast<Identity>(++identities_);
    spec::name<Values>(names_, handle, identity);
    return identity;
  }
  void forget(Handle handle) {
    spec::forget<Values>(names_, handle);
    vacant_.push_back(handle);
  }

 private:
  spec::Names<Values, Identity> names_;
  std::vector<Handle> vacant_;
  std::uint32_t handles_ = 0, identities_ = 0;
  bool recycles_;
};

class Machine {
 public:
  Machine(const Parameters& profile, const Settings& settings);

  // Streams, events, gates -------------------------------------------------------------------------------------------
  [[nodiscard]] Handle legacy() const { return legacy_; }
  Handle add_per_thread_stream();  // one for each host thread; the caller keeps which is whose
  Status stream_create(bool blocking, Handle& stream);
  Status stream_destroy(Handle stream);
  Status stream_query(Handle stream);
  Status event_create(Handle& event);
  Status event_destroy(Handle event);
  Status event_record(Handle event, Handle stream);
  Status stream_wait_event(Handle stream, Handle event);
  Status event_query(Handle event);
  Status gate_create(Handle& gate);
  Status gate_hold(Handle stream, Handle gate);
  Status gate_open(Handle gate);
  Status gate_destroy(Handle gate);  // opens it
  void open_all_gates();

  // Waiting calls ----------------------------------------------------------------------------------------------------
  // What a call waits for and what it then proves, as captured when it began.
  struct Ticket {
    Cut target;            // items that must have ended
    Cut program, runtime;  // what that proves, in either order
    ReleaseCall release{};
  };
  Status begin_stream_sync(Handle stream, Ticket& ticket) const;
  Status begin_event_sync(Handle event, Ticket& ticket) const;
  [[nodiscard]] Ticket begin_device_sync() const;
  // Submits a copy to the host: `host` must stay valid until the ticket is concluded.
  Status begin_read(Handle stream, std::uint64_t address, std::uint64_t bytes, void* host, Ticket& ticket);
  // Runs what the ticket needs, in order. True when all of it has ended; false when a closed gate holds some of it.
  bool run(const Ticket& ticket);
  void conclude(const Ticket& ticket);

  // Device steps -----------------------------------------------------------------------------------------------------
  struct PendingItem {
    Handle stream;  // 0: of a destroyed stream
    Stream identity;
    Position position;
    bool ready;
  };
  [[nodiscard]] std::vector<PendingItem> pending() const;
  Status step(Handle stream);  // not_ready where there is nothing to complete
  bool step(Stream s);
  [[nodiscard]] bool ready(Stream s) const;  // would `step` complete an item?

  // Pools ------------------------------------------------------------------------------------------------------------
  Status pool_create(std::uint64_t max_size, Handle& pool);
  Status pool_destroy(Handle pool);
  [[nodiscard]] Handle pool_default() const { return default_pool_; }
  Status pool_set_current(Handle pool);
  [[nodiscard]] Handle pool_get_current() const { return current_pool_; }
  Status pool_trim(Handle pool, std::uint64_t keep);
  // `value` holds 4 bytes (ids 1 to 3) or 8, little-endian in host order.
  Status attribute_get(Handle pool, std::int64_t attribute, void* value, std::size_t width) const;
  Status attribute_set(Handle pool, std::int64_t attribute, const void* value, std::size_t width);

  // Memory -----------------------------------------------------------------------------------------------------------
  Status malloc(Handle pool, Handle stream, std::uint64_t bytes, std::uint64_t& address);
  Status free_async(std::uint64_t address, Handle stream);
  Status free_sync(std::uint64_t address);
  Status plain_malloc(std::uint64_t bytes, std::uint64_t& address);
  Status fill(Handle stream, std::uint64_t address, std::uint8_t value, std::uint64_t bytes);
  Status launch(Handle stream, std::span<const std::uint64_t> addresses);
  void memory_info(std::uint64_t& free_bytes, std::uint64_t& total_bytes) const;
  void limit_memory(std::uint64_t bytes) { memory_ = bytes; }
  void fail_next(history::FailKind kind, std::uint64_t nth);

  [[nodiscard]] std::uint64_t granule() const { return granule_; }
  [[nodiscard]] std::uint64_t alignment() const { return alignment_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] Stream stream_of(Handle stream) const { return streams_.find(stream); }

 private:
  // What an item does to memory when it ends.
  struct Effect {
    Position position;
    std::uint64_t begin, end;
    std::uint8_t value;
    void* host;  // null: a fill
  };
  struct Queue {
    std::deque<Effect> effects;
    std::deque<std::pair<Position, Allocation>> frees;  // not ended
  };
  // Where a request goes.
  struct Placement {
    Range range;
    Cut waits;
    std::optional<Range> reserve;  // physical memory that is missing
  };
  struct Piece {
    std::uint64_t begin, end;  // bytes
    std::uint64_t run_end;     // of the permitted bytes from begin on
    bool used;                 // somebody has had it
  };

  Stream new_stream(Handle& handle, bool blocking, bool hidden = false);
  Queue& queue(Stream s);
  void ended(Stream s, Position n);
  std::uint64_t random(std::uint64_t below);
  bool sometimes(std::uint64_t one_in);  // where choices are enumerated: yes and no

  // Placement (placement.cpp)
  [[nodiscard]] std::vector<Piece> permitted(Pool p, Stream s, const Cut& reach, bool waiting) const;
  std::optional<std::uint64_t> place_in_pool(Pool p, Stream s, const Cut& reach, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t fresh_range(std::uint64_t bytes, std::uint64_t unit, const Stream* s, const Cut& reach,
                                          Pool p);
  [[nodiscard]] spec::Explanations<Values> why(Stream s, const Cut& reach, Pool p, Allocation y) const;
  [[nodiscard]] std::optional<Placement> place(Pool p, Stream s, std::uint64_t bytes);
  bool fails(history::FailKind kind);

  // Giving back (release.cpp)
  [[nodiscard]] std::vector<Range> quiet_runs(Pool p) const;
  [[nodiscard]] bool all_frees_proved(Pool p) const;
  void unmap(Pool p, const Range& range);
  void release_down_to(Pool p, std::uint64_t target, bool exact);
  void release_point(ReleaseCall call);
  void empty_destroyed_pools();

  [[nodiscard]] std::uint64_t physical_in_use() const;
  [[nodiscard]] Allocation live_at(std::uint64_t address) const;
  void retire(Allocation x, std::uint64_t address);

  Parameters profile_;
  Policy policy_;
  std::mt19937_64 engine_;
  Choices* choices_;
  std::uint64_t memory_, granule_, alignment_, max_size_unit_;

  State state_;
  Registry<Stream> streams_;
  Registry<Event> events_;
  Registry<Gate> gates_;
  Registry<Pool> pools_;
  Handle legacy_{}, default_pool_{}, current_pool_{};
  std::vector<Stream> permanent_;  // default streams: never destroyed
  std::vector<Queue> queues_;      // by stream
  std::vector<Pool> made_pools_;
  std::vector<Handle> handles_;  // by stream; 0: destroyed
  std::vector<Gate> closed_gates_;
  AddressMap<std::uint16_t> contents_;               // value + 1; 0: nobody wrote
  absl::btree_map<std::uint64_t, Allocation> live_;  // by address
  std::uint32_t allocations_ = 0;
  std::uint64_t plain_ = 0;             // live plain bytes
  std::uint64_t next_address_;          // above everything that was ever handed out
  std::uint64_t armed_[3] = {0, 0, 0};  // by FailKind; 0: not armed
};

}  // namespace streampool::model::machine
