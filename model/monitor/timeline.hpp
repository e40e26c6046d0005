// The timeline: streams, events and gates as an observer knows them (chapter ORDER).
//
// Two orders run side by side on the same rules: program order, which is what the program may rely on, and runtime
// order, which also has the edges that a reuse shows or claims. Whatever obliges the runtime uses program order only.
// Not thread safe.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "model/history/history.hpp"
#include "model/values/concrete.hpp"
#include "spec/rules/observe.hpp"
#include "spec/rules/order.hpp"

namespace streampool::model {

enum class Gate : std::uint32_t {};

// An item: the n-th submission to a stream.
struct Item {
  Stream stream{};
  Position position = 0;
};

// The cut of an item in both orders. Copies are shared while nothing but the own stream moves, so they may lag behind
// in its entry.
struct ItemCuts {
  Cut program, runtime;
};
using SharedCuts = std::shared_ptr<const ItemCuts>;

inline constexpr Position no_position = std::numeric_limits<Position>::max();

enum class StreamRole : std::uint8_t { nonblocking, blocking, legacy };

class Timeline {
 public:
  Stream add_stream(StreamRole role, std::uint32_t device, history::Name name);
  Event add_event();
  Gate add_gate(history::Name name);

  // The stream takes no more submissions; its items and their order stay.
  void destroy_stream(Stream s) { streams_[index(s)].alive = false; }
  [[nodiscard]] bool alive(Stream s) const { return streams_[index(s)].alive; }
  [[nodiscard]] StreamRole role(Stream s) const { return streams_[index(s)].role; }
  [[nodiscard]] std::uint32_t device(Stream s) const { return streams_[index(s)].device; }
  [[nodiscard]] history::Name name(Stream s) const { return streams_[index(s)].name; }
  [[nodiscard]] std::size_t stream_count() const { return streams_.size(); }

  // Submissions. `submit` opens an item and `settle` closes it, so that a reuse can add its edges in between; the
  // others do both.
  Item submit(Stream s);
  void settle(Stream s);
  // A call that may or may not be an item: it takes a place in s and orders no other stream; but what it would order is
  // known to `lenient_reach`.
  void occupy(Stream s);
  Item record(Event e, Stream s);
  Item wait(Stream s, Event e);
  Item hold(Stream s, Gate g);

  // Runtime order only: the newest item of s follows `free` and the cut that came with it.
  void add_edge(Stream s, const Item& free, const ItemCuts& cuts);
  // The reuse claims that `item` waits for `free`: a proof of the one shows the other.
  void add_claim(const Item& item, const Item& free, SharedCuts cuts);
  // A reuse, or a step, shows that the item has completed, and so has all that comes before it.
  void show_complete(const Item& item, const ItemCuts& cuts);
  // Some item of the cut is claimed to wait for a free that a closed gate holds.
  [[nodiscard]] bool claims_held(const Cut& cut) const;

  [[nodiscard]] const Cut& program_reach(Stream s) const { return program_.reach.get(s); }
  [[nodiscard]] const Cut& runtime_reach(Stream s) const { return runtime_.reach.get(s); }
  // As runtime order, with every call that may be an item taken for one. It may explain what a runtime did, and obliges
  // nobody. Nothing: the same as runtime order.
  [[nodiscard]] const Cut* lenient_reach(Stream s) const { return lenient_ ? &lenient_->reach.get(s) : nullptr; }
  [[nodiscard]] const Cut* lenient_captured(Event e) const { return lenient_ ? &lenient_->captured.get(e) : nullptr; }
  [[nodiscard]] const Cut& program_captured(Event e) const { return program_.captured.get(e); }
  [[nodiscard]] const Cut& program_proved() const { return program_.proved; }
  [[nodiscard]] const Cut& observed() const { return observed_; }
  // The cuts of the newest item of s.
  [[nodiscard]] SharedCuts snapshot(Stream s);

  // What a call proves, taken before it is applied, so that a call in two points can capture first.
  struct Proof {
    Cut program, runtime;
    Cut accepted;  // accepted for the runtime's reuse, obliges nobody (sync of the legacy stream)
    [[nodiscard]] bool within(const Proof& other) const {
      return program.within(other.program) && runtime.within(other.runtime) && accepted.within(other.accepted);
    }
  };
  [[nodiscard]] Proof of_stream(Stream s) const;
  [[nodiscard]] Proof of_event(Event e) const;
  [[nodiscard]] Proof of_device(std::uint32_t device) const;

  struct Refuted {
    std::optional<Item> early;    // program order says that a closed gate holds this proved item
    std::optional<Item> pending;  // so it does here, and a reuse showed everything before it to be complete
    std::optional<Item>
        not_awaited;  // a reuse claimed that a proved item waits for this one, which a closed gate holds
  };
  // Every item of the blocking streams of s's device is proved.
  [[nodiscard]] bool blocking_proved(Stream s) const;
  // `observing`: the call is one after which the runtime may take its proof as seen (rule 2 of chapter REUSE).
  Refuted prove(const Proof& proof, bool observing);

  // Is everything in the cut known to be complete, by proofs or by what reuses have shown?
  [[nodiscard]] bool all_shown(const Cut& cut) const;
  // A stepped runtime completed the next item of s, or a later one.
  Refuted step(Stream s);

  // Gates ------------------------------------------------------------------------------------------------------------
  void open(Gate g);
  [[nodiscard]] bool closed(Gate g) const { return gates_[static_cast<std::size_t>(g)].closed; }
  [[nodiscard]] history::Name name(Gate g) const { return gates_[static_cast<std::size_t>(g)].name; }
  [[nodiscard]] bool any_hold() const { return !holds_.empty(); }
  // No closed gate lies in the runtime-order cut of the item.
  [[nodiscard]] bool may_have_completed(const Item& item) const {
    return spec::may_have_ended<Concrete>(limit_runtime_, item.stream, item.position);
  }
  [[nodiscard]] bool held_in_program_order(const Item& item) const {
    return !spec::may_have_ended<Concrete>(limit_program_, item.stream, item.position);
  }
  // A closed gate that holds some item of the cut.
  [[nodiscard]] std::optional<Gate> holder(const Cut& cut) const;
  [[nodiscard]] std::uint64_t items_behind_gates() const;
  // For each stream the first item that a closed gate holds; changes its number whenever an entry may have changed.
  [[nodiscard]] std::uint64_t hold_revision() const { return hold_revision_; }
  [[nodiscard]] Position held_from(Stream s) const {
    const Position most = limit_runtime_.at(s);
    return most == no_position ? no_position : most + 1;
  }

 private:
  struct Claim {
    Position item;
    Item free;
    SharedCuts cuts;
  };
  struct StreamState {
    StreamRole role;
    std::uint32_t device;
    history::Name name;
    bool alive = true;
    std::vector<Claim> claims;  // by position
    SharedCuts snapshot;
    std::uint64_t snapshot_revision = 0;
  };
  struct GateState {
    history::Name name;
    bool closed = true;
  };
  // An item that waits for a closed gate, and where each stream first comes behind it.
  struct Hold {
    Gate gate;
    Item item;
    Cut first_program, first_runtime;  // 0: not behind it
  };

  static std::size_t index(Stream s) { return static_cast<std::size_t>(s); }
  // The default streams' part in the order of a new item of s.
  void follow_others(spec::Order<Concrete>& order, Stream s) const;
  // Joins to `accepted` what is in the cut and no closed gate holds.
  void accept(Cut& accepted, const Cut& cut) const;
  void recompute_limits();
  static void note_complete(Cut& where, const Item& item, const ItemCuts& cuts);
  // The last item of s that proofs and reuses show to be complete.
  [[nodiscard]] Position shown(Stream s) const;
  // Claims whose item is now known complete show their frees.
  std::optional<Item> fire_claims();

  std::vector<StreamState> streams_;
  std::vector<GateState> gates_;
  std::uint32_t events_ = 0;
  std::vector<Hold> holds_;
  std::vector<Stream> legacy_, blocking_, with_claims_;
  spec::Order<Concrete> program_, runtime_;
  std::optional<spec::Order<Concrete>> lenient_;  // from the first `occupy` on that could order another stream
  Cut observed_;                                  // runtime order: proved by observing calls
  Cut shown_;                                     // complete by what reuses have shown
  Cut ended_;                                     // complete by steps and by claims; a query may still be late
  Cut stepped_;                                   // complete by steps alone, counted from what is proved
  // How many items of each stream can have ended: those before its first one that a closed gate holds. no_position
  // where nothing is held.
  Cut limit_program_, limit_runtime_;
  std::uint64_t hold_revision_ = 0;
};

}  // namespace streampool::model
