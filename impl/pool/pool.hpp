// A stream-ordered memory pool over a device. See impl/README.md for the design.
//
// Thread safe: every call may come from any thread. The order of the locks is: `slow_`, then one arena, then the space
// or one stream of the order. No call waits for the device.
#pragma once

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "impl/pool/policy.hpp"
#include "impl/pool/space.hpp"
#include "impl/pool/statistics.hpp"

namespace streampool::engine {

struct PoolOptions {
  Bytes max_size = 0;   // rounded up to whole granules; 0: no limit of the pool's own
  unsigned arenas = 1;  // rounded up to a power of two. Streams are spread over them; threads on streams of different
                        // arenas do not meet
  // Takes memory of other streams first, as early as the rules permit it, so that a program that forgot an order sees
  // its memory change under its hands.
  bool adversarial = false;
};

struct Attributes {
  std::atomic<bool> reuse_follow_event_dependencies{true};
  std::atomic<bool> reuse_allow_opportunistic{true};
  std::atomic<bool> reuse_allow_internal_dependencies{true};
  std::atomic<Bytes> release_threshold{0};
};

struct Allocation {
  Address address{};
  // The stream must wait for this point before anything uses the memory. The caller tells the device and then the
  // order: Order::join(stream, Clock(*wait)).
  std::optional<Point> wait;
};

template <PoolDevice Device, class Policy = BuildPolicy>
class Pool {
 public:
  Pool(Space<Device>& space, const PoolOptions& options)
      : space_(space),
        order_(space.order()),
        adversarial_(options.adversarial),
        cap_(Policy::capacity(options.max_size, space.granule())),
        arena_mask_(std::bit_ceil(std::max(1u, options.arenas)) - 1) {
    for (unsigned i = 0; i <= arena_mask_; ++i) {
      arenas_.push_back(std::make_unique<Place>(space.map(), space.order(), this));
    }
  }
  // Gives back all memory, that of live allocations too.
  ~Pool() {
    for (const auto& place : arenas_) {
      place->arena.free_all();
      for (const StreamIndex s : place->arena.streams()) give_back(place->arena, s, Position::all, ~Units{0});
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // `bytes` > 0. `more`: what the allocation comes after beyond what the order says of the stream. Nothing: there is no
  // memory, and nothing else changed.
  std::optional<Allocation> allocate(StreamIndex stream, Bytes bytes, const Clock* more = nullptr) {
    std::optional<Allocation> result;
    if (bytes > most_bytes) return result;
    const Units size = static_cast<Units>((bytes + unit_bytes - 1) / unit_bytes);
    Place& place = home(stream);
    bool counted = true;
    if (!adversarial_) {
      const std::lock_guard lock(place.arena.lock());
      if (const BlockId id = take_own_or_settled(place, stream, size); id != 0) {
        counted = grant(place, id, bytes, result);
      }
    }
    if (!result) {
      search(stream, size, bytes, more, result);
    } else if (!counted) {
      count(place, bytes, size);
    }
    verify();
    return result;
  }

  // The same, and the wait is made: the device is told of it, then the order.
  std::optional<Address> allocate_behind_waits(StreamIndex stream, Bytes bytes) {
    const std::optional<Allocation> got = allocate(stream, bytes);
    if (!got) return std::nullopt;
    if (got->wait) {
      space_.device().wait(stream, *got->wait);
      order_.join(stream, Clock(*got->wait));
    }
    return got->address;
  }

  // The pool whose memory this address lies in; null if none. The pool must be kept alive by the caller.
  static Pool* owner_of(const Space<Device>& space, Address address) {
    const Arena* arena = space.find(address).arena;
    return arena == nullptr ? nullptr : place_of(*arena).pool;
  }
  // False: no live allocation starts there, and nothing changed. `at()` gives the free's position and is called once
  // where the free succeeds: with explicit items it submits the free's own.
  bool free(Address address, StreamIndex stream) {
    return free(address, stream, [&] { return order_.free_point(stream); });
  }
  template <class At>
  bool free(Address address, StreamIndex stream, At at) {
    return free_as(address, stream, [&] { return Policy::record_free(at()); });
  }
  // Bytes of the live allocation that starts there, rounded up to whole units; 0: none does.
  [[nodiscard]] Bytes size_of(Address address) {
    const auto [arena, unit] = space_.find(address);
    if (arena == nullptr || place_of(*arena).pool != this) return 0;
    const std::lock_guard lock(arena->lock());
    const BlockId id = arena->live_at(unit);
    return id == 0 ? 0 : arena->block(id).size * unit_bytes;
  }
  // Free for every stream from the return on. The caller has made sure that nothing uses it any more.
  bool free_sync(Address address) {
    return free_as(address, StreamIndex::settled, [] { return Position::none; });
  }

  // A release point: gives back idle memory that the device is done with, until only `keep` bytes are reserved.
  void release() { shrink(Policy::release_floor(attributes.release_threshold.load(), reserved(), used())); }
  void trim(Bytes keep) { shrink(Policy::trim_floor(keep, reserved_.current())); }
  // The stream is gone: what was freed on it and has passed is nobody's special property any more.
  void forget(StreamIndex stream) {
    for (const auto& place : arenas_) {
      const std::lock_guard lock(place->arena.lock());
      retire(place->arena, stream);
    }
  }

  Attributes attributes;
  [[nodiscard]] Bytes used() {
    return with_all_shares([](const Shares& shares) { return SharedHigh::sum(shares); });
  }
  [[nodiscard]] Bytes used_high() {
    return with_all_shares([this](const Shares&) { return used_high_.high(); });
  }
  void reset_used_high() {
    with_all_shares([this](const Shares& shares) { return used_high_.reset(shares), 0; });
  }
  [[nodiscard]] Bytes reserved() const { return reserved_.current(); }
  [[nodiscard]] Bytes reserved_high() const { return reserved_.high(); }
  void reset_reserved_high() { reserved_.reset_high(); }
  [[nodiscard]] bool has_live_allocations() {
    for (const auto& place : arenas_) {
      const std::lock_guard lock(place->arena.lock());
      if (place->arena.has_live_blocks()) return true;
    }
    return false;
  }
  // Empty, or what is broken. For tests and the checked build, which calls it after every call.
  [[nodiscard]] std::string check() {
    for (const auto& place : arenas_) {
      const std::lock_guard lock(place->arena.lock());
      if (std::string broken = place->arena.check(); !broken.empty()) return broken;
    }
    return "";
  }

 private:
  struct alignas(128) Place {  // threads in two places share no cache line
    Place(AddressMap& map, Order& order, Pool* pool_) : pool(pool_), arena(map, order, this) {}
    Pool* const pool;
    Arena arena;
    Share used;                   // under the arena's lock, as what follows
    std::size_t next_stream = 0;  // where the next look for passed frees starts
    std::uint64_t handovers = 0;  // of the lock, when a guest came last
    // How often streams of this place were guests where other threads had been meanwhile. Needs no lock.
    std::atomic<unsigned> crowded{0};
  };
  struct Request {
    StreamIndex stream;
    Units size;
    Bytes bytes;
    const Clock* more;
    std::optional<Allocation>& result;
    Place* uncounted = nullptr;  // where it was granted, if it still has to be counted
  };
  using Shares = std::vector<Share*>;
  using Growth = typename Space<Device>::Growth;

  void verify() {
#ifdef STREAMPOOL_CHECKED
    if (const std::string broken = check(); !broken.empty()) {
      std::fprintf(stderr, "streampool: the pool is broken: %s\n", broken.c_str());
      std::abort();
    }
#endif
  }
  static Place& place_of(const Arena& arena) { return *static_cast<Place*>(arena.owner()); }
  static constexpr Bytes most_bytes = std::numeric_limits<Units>::max() / 2 * unit_bytes;
  Place& home(StreamIndex s) { return *arenas_[raw(s) & arena_mask_]; }
  [[nodiscard]] Units granule_units() const { return static_cast<Units>(space_.granule() / unit_bytes); }

  // The arena's lock is held. False: the allocation still has to be counted.
  bool grant(Place& place, BlockId id, Bytes bytes, std::optional<Allocation>& result) {
    Block& block = place.arena.block(id);
    block.requested = Policy::counted(bytes, block.size * unit_bytes);
    result.emplace(Allocation{space_.address(block.start), std::nullopt});
    return place.used.add(block.requested);
  }
  // The same for a search; false where `id` is no block.
  bool grant(Place& place, BlockId id, Request& request) {
    if (id == 0) return false;
    if (!grant(place, id, request.bytes, request.result)) request.uncounted = &place;
    return true;
  }
  // Nobody else knows of the allocation yet, so counting it a moment later is exact.
  [[gnu::noinline]] void count(Place& place, Bytes requested, Units size) {
    const Bytes bytes = Policy::counted(requested, size * unit_bytes);
    with_all_shares([&](const Shares& shares) { return used_high_.add(shares, place.used, bytes), 0; });
  }
  template <class Body>
  auto with_all_shares(Body body) {
    static thread_local Shares shares;
    shares.clear();
    for (const auto& place : arenas_) {
      place->arena.lock().lock();
      shares.push_back(&place->used);
    }
    const auto result = body(shares);
    for (const auto& place : arenas_) place->arena.lock().unlock();
    return result;
  }

  // The arena's lock is held.
  BlockId take_own_or_settled(Place& place, StreamIndex stream, Units size) {
    const BlockId id = Policy::same_stream() == Position::all ? place.arena.take(stream, size) : 0;
    return id != 0 ? id : place.arena.take(StreamIndex::settled, size);
  }
  bool take_own_or_settled(Place& place, Request& request) {
    const std::lock_guard lock(place.arena.lock());
    return grant(place, take_own_or_settled(place, request.stream, request.size), request);
  }
  bool take_elsewhere(Request& request) {
    Place& mine = home(request.stream);
    for (const auto& place : arenas_) {
      if (place.get() == &mine) continue;
      const std::lock_guard lock(place->arena.lock());
      if (!grant(*place, take_own_or_settled(*place, request.stream, request.size), request)) continue;
      const std::uint64_t handovers = place->arena.lock().handovers();
      if (std::exchange(place->handovers, handovers) != handovers) ++mine.crowded;
      return true;
    }
    return false;
  }
  // A stream that keeps meeting other threads in a place that is not its own gets memory at home, if there is room.
  bool leave_the_crowd(Request& request) {
    constexpr unsigned patience = 1024;
    Place& mine = home(request.stream);
    if (mine.crowded.load(std::memory_order_relaxed) < patience) return false;
    mine.crowded = 0;
    const std::lock_guard lock(slow_);
    return grow(request, false) == Growth::done;
  }

  // Behind what `allocate` has tried: everything else, the dearest last.
  [[gnu::noinline]] void search(StreamIndex stream, Units size, Bytes bytes, const Clock* more,
                                std::optional<Allocation>& result) {
    Request request{stream, size, bytes, more, result};
    search(request);
    if (request.uncounted != nullptr) count(*request.uncounted, bytes, size);
  }
  bool search(Request& request) {
    if (adversarial_ &&
        (take_event_ordered(request) || take_passed(request) || take_own_or_settled(home(request.stream), request))) {
      return true;
    }
    if (leave_the_crowd(request) || take_elsewhere(request)) return true;
    if (absorb_proofs() && (take_own_or_settled(home(request.stream), request) || take_elsewhere(request))) return true;
    if (take_event_ordered(request) || take_passed(request)) return true;
    std::unique_lock lock(slow_);
    Growth growth = grow(request, true);
    if (growth == Growth::no_room) {
      // What nobody owns is reclaimed before anything else is tried.
      lock.unlock();
      space_.reclaim();
      lock.lock();
      growth = grow(request, true);
      if (growth == Growth::no_room && make_room(request.size)) growth = grow(request, false);
    }
    if (growth == Growth::done || take_pending(request)) return true;
    for (const auto& place : arenas_) {
      const std::lock_guard arena_lock(place->arena.lock());
      if (place->arena.may_hold(request.size)) place->arena.tighten();
    }
    return false;
  }

  // Memory that was shown complete since the last look becomes free for everybody. True if there was any news.
  bool absorb_proofs() {
    const std::uint64_t proofs = order_.proofs();
    const std::uint64_t seen = proofs_seen_.load(std::memory_order_acquire);
    if (seen >= proofs) return false;
    for (const auto& place : arenas_) {
      Arena& arena = place->arena;
      const std::lock_guard lock(arena.lock());
      if (!order_.for_each_proof(seen, proofs, [&](StreamIndex s) { settle_proved(arena, s); })) settle_proved(arena);
    }
    proofs_seen_.store(proofs, std::memory_order_release);
    return true;
  }
  void settle_proved(Arena& arena) {
    const std::vector<StreamIndex> streams = arena.streams();  // a copy: closed ones go
    for (const StreamIndex s : streams) settle_proved(arena, s);
  }
  void settle_proved(Arena& arena, StreamIndex stream) {
    arena.settle(stream, Policy::observed(order_.proved(stream)));
    if (stream >= first_stream && order_.closed(stream)) retire(arena, stream);
  }
  // A closed stream's heap is kept until it is empty, for its frees may still be proved one by one. Where many such
  // pile up, what has passed loses its identity.
  void retire(Arena& arena, StreamIndex stream) {
    constexpr std::size_t kept = 256;
    arena.settle(stream, Policy::observed(order_.proved(stream)));
    if (arena.streams().size() > kept) arena.complete(stream, passed(stream));
    arena.forget(stream);
  }
  [[nodiscard]] Position passed(StreamIndex s) const {
    if (s < first_stream) return Position::all;
    return order_.frees_passed(space_.device().completed(s));
  }

  bool take_upto(Place& place, Request& request, StreamIndex stream, Position upto) {
    return upto != Position::none && grant(place, place.arena.take_upto(stream, request.size, upto), request);
  }

  bool take_event_ordered(Request& request) {
    const bool follow = attributes.reuse_follow_event_dependencies.load();
    if (Policy::event_order(follow, Position::all) == Position::none) return false;
    bool found = false;
    order_.for_each_known(request.stream, request.more, [&](const Point& known) {
      for (const auto& place : arenas_) {
        if (found || known.stream < first_stream || known.stream == request.stream) return;
        if (!order_.announced(known.stream)) return;
        const std::lock_guard lock(place->arena.lock());
        found = take_upto(*place, request, known.stream, Policy::event_order(follow, known.at));
      }
    });
    return found;
  }

  bool take_passed(Request& request) {
    const bool allow = attributes.reuse_allow_opportunistic.load();
    if (Policy::opportunistic(allow, Position::all) == Position::none) return false;
    constexpr std::size_t streams_a_call = 64;
    for (const auto& place : arenas_) {
      Arena& arena = place->arena;
      const std::lock_guard lock(arena.lock());
      const std::size_t count = arena.streams().size();
      for (std::size_t i = 0; i < std::min(count, streams_a_call); ++i) {
        const StreamIndex s = arena.streams()[place->next_stream++ % count];
        if (!arena.has_free(s)) continue;
        if (take_upto(*place, request, s, Policy::opportunistic(allow, passed(s)))) return true;
      }
    }
    return false;
  }

  // The caller holds `slow_` in all that follows.

  // A block whose free is still pending, behind a wait for it.
  bool take_pending(Request& request) {
    const bool allow = attributes.reuse_allow_internal_dependencies.load();
    const Position upto = Policy::internal_dependency(allow);
    if (upto == Position::none) return false;
    for (const auto& place : arenas_) {
      Arena& arena = place->arena;
      const std::lock_guard lock(arena.lock());
      for (std::size_t i = 0; arena.may_hold(request.size) && i < arena.streams().size(); ++i) {
        const StreamIndex s = arena.streams()[i];
        const BlockId id = arena.take_upto(s, request.size, upto);
        if (!grant(*place, id, request)) continue;
        if (s >= first_stream) wait_for(request, {s, arena.block(id).freed});
        return true;
      }
    }
    return false;
  }
  void wait_for(Request& request, Point point) {
    if (order_.tail(point.stream) < point.at) order_.observe(point.stream);
    request.result->wait = point;
  }

  // New memory at the stream's home. `joined`: behind the free memory at the arena's end, if that helps.
  Growth grow(Request& request, bool joined) {
    Place& place = home(request.stream);
    Arena& arena = place.arena;
    const std::lock_guard lock(arena.lock());
    const Units granule = granule_units();
    const BlockId top = joined ? arena.top() : 0;
    const bool usable =
        top != 0 && (arena.block(top).stream == request.stream || arena.block(top).stream == StreamIndex::settled) &&
        arena.block(top).size < request.size;
    if (usable) {
      const Growth growth = extend(arena, request.size - arena.block(top).size, granule, arena.end());
      if (growth == Growth::done) {
        // Settled memory has merged with what is new; the stream's own is taken together with it.
        const bool own = arena.block(top).state == BlockState::free && arena.block(top).stream == request.stream;
        grant(place,
              own ? arena.take_across(top, arena.block(top).above, request.size)
                  : arena.take(StreamIndex::settled, request.size),
              request);
        return growth;
      }
      if (growth == Growth::failed) return growth;
    }
    Growth growth = Growth::no_room;
    if (arena.end() != 0) growth = extend(arena, request.size, granule, arena.end());
    if (growth == Growth::no_room) growth = extend(arena, request.size, granule, std::nullopt);
    if (growth == Growth::done) grant(place, arena.take(StreamIndex::settled, request.size), request);
    return growth;
  }
  Growth extend(Arena& arena, Units size, Units granule, std::optional<Units> at) {
    const std::uint64_t rounded = (std::uint64_t{size} + granule - 1) / granule * granule;
    const Bytes bytes = rounded * unit_bytes;
    if (rounded > std::numeric_limits<Units>::max() || bytes > pool_room()) return Growth::no_room;
    UnitRange range;
    const Growth growth = space_.grow(static_cast<Units>(rounded), at, &arena, range);
    if (growth == Growth::done) {
      reserved_.add(bytes);
      arena.grow(range);
    }
    return growth;
  }
  [[nodiscard]] Bytes pool_room() const { return cap_ > reserved_.current() ? cap_ - reserved_.current() : 0; }

  // Gives back just enough idle granules, wherever they lie, that `size` new units fit. False: there are not so many,
  // and nothing was given back.
  bool make_room(Units size) {
    const Units granule = granule_units();
    const std::uint64_t needed = (std::uint64_t{size} + granule - 1) / granule;
    const std::uint64_t room = std::min(pool_room(), space_.room()) / space_.granule();
    if (needed <= room || !Policy::makes_room()) return false;  // it was not room that lacked
    std::uint64_t missing = needed - room;
    std::uint64_t idle = 0;
    for_each_releasable([&](Arena& arena, StreamIndex s, Position upto) { idle += arena.idle_granules(s, upto); });
    if (idle < missing) return false;
    for_each_releasable([&](Arena& arena, StreamIndex s, Position upto) {
      missing -= give_back(arena, s, upto, static_cast<Units>(missing));
    });
    return missing == 0;
  }

  void shrink(Bytes keep) {
    if (reserved_.current() <= keep) return;
    const std::lock_guard lock(slow_);
    std::uint64_t surplus = (reserved_.current() - std::min(keep, reserved_.current())) / space_.granule();
    for_each_releasable([&](Arena& arena, StreamIndex s, Position upto) {
      surplus -= give_back(arena, s, upto, static_cast<Units>(std::min<std::uint64_t>(surplus, ~Units{0})));
    });
  }

  // Calls `visit(arena, stream, upto)` for all memory that may go back, with what is proved merged before.
  template <class Visit>
  void for_each_releasable(Visit visit) {
    absorb_proofs();
    for (const auto& place : arenas_) {
      Arena& arena = place->arena;
      const std::lock_guard lock(arena.lock());
      for (std::size_t i = 0; arena.may_hold(granule_units()) && i < arena.streams().size(); ++i) {
        const StreamIndex s = arena.streams()[i];
        visit(arena, s, s < first_stream ? Position::all : Policy::releasable(order_.proved(s), passed(s)));
      }
    }
  }
  Units give_back(Arena& arena, StreamIndex stream, Position upto, Units granules) {
    return arena.release(stream, upto, granules, [this](UnitRange range) {
      space_.give_back(range);
      reserved_.subtract(range.size * unit_bytes);
    });
  }

  template <class At>
  bool free_as(Address address, StreamIndex stream, At at) {
    const auto [arena, unit] = space_.find(address);
    // Mostly it is the stream's own place, which then need not be read from the map.
    Place* place = &home(stream);
    if (arena != &place->arena) [[unlikely]] {
      if (arena == nullptr) return false;
      place = &place_of(*arena);
      if (place->pool != this) return false;
    }
    {
      const std::lock_guard lock(place->arena.lock());
      const std::optional<Bytes> bytes = place->arena.free(unit, stream, at);
      if (!bytes) return false;
      place->used.subtract(*bytes);
    }
    verify();
    return true;
  }

  Space<Device>& space_;
  Order& order_;
  const bool adversarial_;
  const Bytes cap_;
  const std::uint32_t arena_mask_;
  std::vector<std::unique_ptr<Place>> arenas_;
  std::mutex slow_;       // growth and release
  SharedHigh used_high_;  // under all arenas' locks
  Gauge reserved_;
  std::atomic<std::uint64_t> proofs_seen_{0};  // up to where proofs were absorbed
};

}  // namespace streampool::engine
