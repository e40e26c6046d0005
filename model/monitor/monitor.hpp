// The monitor: one thread of calls and their observed results in, findings out. Judge (judge.hpp) is its public face.
//
// It cannot see the device. It keeps what has been proved, what closed gates make impossible, and what reuses have
// shown, and holds each result against the rules of spec/rules on exactly that knowledge. Copyable; not thread safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/history/history.hpp"
#include "model/history/signature.hpp"
#include "model/monitor/memory.hpp"
#include "model/monitor/pools.hpp"
#include "model/monitor/timeline.hpp"
#include "model/monitor/verdicts.hpp"
#include "model/profile/profile.hpp"

namespace streampool::model {

// Something that a name stands for. Dead names keep their entry: they stand for the old handle or address.
struct Entity {
  enum class Kind : std::uint8_t { none, stream, event, gate, pool, allocation };
  Kind kind = Kind::none;
  bool alive = false;
  std::uint32_t index = 0;  // Stream, Event, Gate or pool; not for allocations
  std::optional<std::uint64_t> handle;
  BlockRef block;                              // allocations
  std::uint64_t address = 0;                   // allocations; 0 where it was not observed or is null
  history::Name before = history::Name::none;  // the newest destroyed object of its kind and handle value
  bool failed_submit = false;                  // streams and events: a submission failed as the history asked for
};

inline std::uint32_t device_of(const history::Call& call) {
  return static_cast<std::uint32_t>(call.device.value_or(history::Device{0}));
}

class Monitor {
 public:
  Monitor(const Profile& profile, const history::NameTable& names, Environment environment);

  void begin_line(std::uint64_t number) { verdicts_.begin_line(number); }
  void end_line() { verdicts_.end_line(); }

  void device(const history::DeviceLine& line);
  // One call with its result, at one point in time. `captured`: what a synchronizing call took at its first point,
  // where it has two.
  void call(const history::Call& call, const std::optional<history::Result>& result, history::Thread thread,
            const std::optional<Timeline::Proof>& captured = std::nullopt);
  // What a synchronizing call would prove if it captured now; nothing for other calls.
  [[nodiscard]] std::optional<Timeline::Proof> capture(const history::Call& call, history::Thread thread);

  void set_strict(bool strict) { strict_ = strict; }
  // The calls that follow overlap others.
  void set_overlapping(bool overlapping) { overlapping_ = overlapping; }
  [[nodiscard]] const Verdicts& verdicts() const { return verdicts_; }
  Verdicts& verdicts() { return verdicts_; }
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  [[nodiscard]] const Profile& profile() const { return profile_; }
  [[nodiscard]] history::Name holder(const history::Call& call, history::Thread thread);
  [[nodiscard]] std::vector<history::Name> leaked() const;
  [[nodiscard]] const Entity* entity(history::Name name) const;
  [[nodiscard]] Pool* pool_of(const history::Call& call, history::Thread thread);  // malloc: the pool that serves it
  [[nodiscard]] Stream stream_of(history::Name name, history::Thread thread);      // of a live or dead stream

  // What reading a statistic may answer now.
  [[nodiscard]] Bounds statistic_bounds(const Pool& pool, history::Attribute attribute) const;
  [[nodiscard]] const Pool& pool(std::uint32_t index) const { return pools_[index]; }
  // For the search over orders of overlapping calls (commute.hpp).
  [[nodiscard]] bool strict() const { return strict_; }
  // Could requests of so many bytes in all run against some limit?
  [[nodiscard]] bool may_be_short(std::uint64_t bytes) const;
  // `sum` and a request more, as a pool may have to reserve for it.
  [[nodiscard]] std::uint64_t add_request(std::uint64_t sum, std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t range_end(std::uint64_t address, std::uint64_t size) const;

 private:
  using Call = history::Call;
  using Result = history::Result;
  using Name = history::Name;
  using Status = history::Status;
  // A call being judged: its parts at hand.
  struct Context {
    const Call& call;
    const Result* result;  // null: nothing was looked at
    Status status;
    history::Thread thread;
    const std::optional<Timeline::Proof>* captured;
    [[nodiscard]] bool ok() const { return status == Status::ok; }
  };

  // dispatch (monitor.cpp)
  void dispatch(const Context& c);
  bool trouble(Context& c);             // crash, timeout, blocked, not supported: true when nothing is left to judge
  bool dead_handles(const Context& c);  // true when the call was refused for a dead handle, or should have been
  void misuse(const Parameter<StatusRule>& rule, spec::ClauseId clause, const Context& c, const std::string& what);
  void require_ok(spec::ClauseId clause, const Context& c, bool out_of_memory_allowed = false,
                  Verdicts::Also also = {});
  void fault_reported(const Context& c);  // a failure that the history asked for
  Entity& define(Name name, Entity::Kind kind, std::uint32_t index, const Context& c);
  void forget_handle(Entity& entity);
  // The destroyed object whose handle value this one has got; null: there is none.
  [[nodiscard]] const Entity* destroyed_before(Name name) const;
  [[nodiscard]] std::string text(Name name) const { return std::string(names_.text(name)); }
  [[nodiscard]] std::string text(const Item& item) const;

  // streams, events, gates (calls_order.cpp)
  void create_stream(const Context& c);
  void destroy_stream(const Context& c);
  void create_event(const Context& c);
  void submit_plainly(const Context& c);  // record, wait, hold
  void synchronize(const Context& c);
  void query(const Context& c);
  // What answering not_ready for something that is complete breaks beside its clause.
  [[nodiscard]] Verdicts::Also also_by_query(const Context& c);
  void step(const Context& c);
  void dependency_missing(const Item& free, const Context& c);
  void prove(const Timeline::Proof& proof, bool observing, spec::ClauseId early, const Context& c);
  [[nodiscard]] Timeline::Proof proof_of(const Call& call, history::Thread thread);

  // pools and attributes (calls_pool.cpp)
  void create_pool(const Context& c);
  void default_pool(const Context& c);
  void destroy_pool(const Context& c);
  void set_current(const Context& c);
  void get_current(const Context& c);
  void set_attribute(const Context& c);
  void get_attribute(const Context& c);
  void read_setting(Pool& pool, int attribute, std::uint64_t value);
  [[nodiscard]] const Pool* pool_before(const Pool& pool) const;  // as `destroyed_before`
  Pool& default_pool_of(std::uint32_t device);

  // statistics and release (calls_statistics.cpp)
  void trim(const Context& c);
  // `obliged`: the call is one of release_calls itself, not one that is only judged like it.
  void release_point(std::uint32_t device, ReleaseCall kind, bool obliged = true);
  void refused_free(const BlockRef& ref);
  // Whether a malloc of size zero or a free of null is an item is not said: the lenient reading.
  void may_take_a_place(Stream s);
  // The pool could give memory back down to `floor`; where there is a target, it should (or must) come down to it.
  void release_from(Pool& pool, std::uint64_t floor, spec::ClauseId floor_clause,
                    std::optional<std::uint64_t> target = std::nullopt, spec::ClauseId rest_clause = {});
  void read_statistic(Pool& pool, history::Attribute attribute, std::uint64_t value);
  void reset_watermark(Pool& pool, history::Attribute attribute);
  void used_changed(Pool& pool, bool rose);
  void within_bounds(Pool& pool, history::Attribute attribute, std::uint64_t value);
  void pressure(Pool* requester, std::uint64_t bytes, std::uint32_t device, bool plain);
  [[nodiscard]] std::optional<std::uint64_t> capacity(const Pool& pool) const;  // for must-serve
  [[nodiscard]] bool obliged_to_serve(const Pool& pool, std::uint64_t size) const;
  // What the pool may have reserved for a request, at most. `fresh`: some of what it got was nobody's before, or has
  // been given back since.
  [[nodiscard]] std::uint64_t grown_at_most(const Pool& pool, std::uint64_t size, bool fresh) const;
  [[nodiscard]] bool may_not_fit(const Pool* requester, std::uint64_t bytes, std::uint32_t device) const;
  // Over the pool's frees that a closed gate holds: `of(block)` bytes each; what of them is backed; what counts as
  // used.
  template <class Bytes>
  [[nodiscard]] std::uint64_t of_held_frees(PoolId pool, Bytes&& of) const;
  [[nodiscard]] std::uint64_t held_reserved(PoolId pool) const;
  [[nodiscard]] std::uint64_t held_used(PoolId pool) const;
  void memory_info(const Context& c);
  [[nodiscard]] Bounds memory_taken() const;
  void memory_moved() {
    if (memory_reading_) memory_reading_->moved = true;
  }
  void end_pool(Pool& pool);
  void memory_given_back(std::uint32_t device);
  [[nodiscard]] bool program_alone(const Pool& pool) const;
  [[nodiscard]] std::uint64_t granule() const;
  // A runtime that reserves without a unit, or may do so, counts what was asked for; its alignment is the device's
  // doing.
  [[nodiscard]] bool padding_is_backed() const {
    return profile_.reserve_granule.binds() && profile_.reserve_granule.value.kind != Granule::Kind::none;
  }
  // Bytes that the pool must have reserved for what lives in it.
  [[nodiscard]] std::uint64_t live_backed(const Pool& pool) const {
    return padding_is_backed() ? pool.live_ranges : pool.live_low;
  }
  [[nodiscard]] bool pending_counts() const {
    return !(profile_.used_drops_at.binds() && profile_.used_drops_at.value == UsedDropsAt::call);
  }

  // memory (calls_memory.cpp)
  void allocate(const Context& c);
  void out_of_memory(const Context& c, Pool& pool, std::uint64_t size);
  // More than the pool's or the device's whole capacity allows beside what lives.
  [[nodiscard]] bool cannot_be_served(const Pool* pool, std::uint64_t size, std::uint32_t device) const;
  [[nodiscard]] bool exceeds_maximum(const Pool& pool, std::uint64_t size) const;
  void place(const Context& c, Pool* pool, Stream s, const Item& item, std::uint64_t address, std::uint64_t size);
  void judge_idle(const Context& c, const Pool& pool, Stream s, bool new_granules);
  [[nodiscard]] std::uint64_t new_granules(std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] bool fresh(const Pool& pool, std::uint64_t begin, std::uint64_t end);
  bool judge_reuse(const Context& c, Pool* pool, Stream s, const Item& item, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] std::uint64_t kept_at_most(std::uint64_t size) const;
  [[nodiscard]] bool kept_with_neighbour(const std::vector<Predecessor>& before, std::size_t which, Stream s) const;
  void count_temptations(const Pool& pool, Stream s, std::uint64_t size);
  void free_async(const Context& c);
  void free_sync(const Context& c);
  // The live block that a free acts on, once misuse has been judged.
  std::optional<BlockRef> freed_block(const Context& c);
  void retire(const BlockRef& ref, std::optional<Item> item);
  void frees_proved();
  void touch(const Context& c);  // fill, check, launch
  struct Target {
    BlockRef block;
    std::uint64_t begin, end;
  };
  std::optional<Target> target_of(const Context& c, const history::Pointer& pointer, std::optional<std::uint64_t> size);
  // All that the call touches; nothing where part of it is not there, which is the program's fault.
  std::optional<std::vector<Target>> targets_of(const Context& c);
  [[nodiscard]] spec::FreeMark<Concrete> mark_of(const Block& block);
  [[nodiscard]] std::optional<std::uint64_t> address_of(const history::Pointer& pointer) const;

  const Profile& profile_;
  const history::NameTable& names_;
  Environment environment_;
  bool strict_ = false, overlapping_ = false;
  Verdicts verdicts_;
  Timeline timeline_;
  Memory memory_;
  std::vector<Pool> pools_;
  std::vector<Entity> entities_;                                                        // by Name
  std::vector<std::pair<std::uint32_t, Stream>> legacy_;                                // by device
  std::vector<std::pair<std::uint32_t, Stream>> per_thread_;                            // by thread
  std::vector<std::pair<std::uint32_t, std::uint32_t>> default_pools_, current_pools_;  // device, pool
  absl::flat_hash_map<std::pair<std::uint8_t, std::uint64_t>, Name> live_handles_;      // kind and value
  absl::flat_hash_map<std::pair<std::uint8_t, std::uint64_t>, Name> dead_handles_;      // the newest of each value
  std::vector<BlockRef> recent_frees_;            // for counting how often a forbidden reuse was within reach
  std::uint64_t sets_ = 0;                        // successful sets of any attribute
  std::vector<std::uint32_t> current_destroyed_;  // devices whose current pool was destroyed, none set since

  // Frees that are not proved, by freeing stream in order of position.
  struct PendingFree {
    Position position;
    BlockRef block;
    PoolId pool;
    std::uint64_t granted;  // bytes; of plain memory the granules behind it
  };
  struct PendingQueue {
    std::vector<PendingFree> frees;
    std::size_t first = 0;  // those before it are proved
  };
  std::vector<PendingQueue> pending_;

  std::uint64_t memory_moves_ = 0;      // placements and frees so far
  std::uint64_t plain_backed_ = 0;      // bytes that plain memory may take: whole granules, until its free is proved
  std::optional<std::uint64_t> limit_;  // of device 0, declared by the history
  std::uint64_t armed_faults_ = 0;
  std::uint64_t reported_faults_ = 0;  // failures that the history asked for and a call reported
  bool short_of_memory_ = false;       // a request was refused where the device's memory is not known
  // device_memory.cpp: what of device 0 is taken, in bytes.
  std::uint64_t plain_low_ = 0;   // by live plain memory, at least
  std::uint64_t plain_late_ = 0;  // freed and proved plain memory that goes back at the next release, at most
  bool plain_elsewhere_ = false;  // plain memory of another device was allocated
  struct MemoryReading {
    std::uint64_t free = 0;   // bytes
    std::uint64_t taken = 0;  // by what the history knows, at least
    std::uint64_t most = 0;   // … at most
    bool moved = false;       // something that moves memory has succeeded since
    bool refused = false;     // a malloc has failed since
    bool pool_ended = false, plain_freed = false;
  };
  std::optional<MemoryReading> memory_reading_;  // the last one
};

}  // namespace streampool::model
