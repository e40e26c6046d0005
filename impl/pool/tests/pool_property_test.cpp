// The pool beside a naive twin: random programs on the simulated device, and for every byte handed out an explanation
// by the plainest means: an array of bytes' newest frees and dense vector clocks. The arenas check themselves after
// every call.
#include <gtest/gtest.h>
// RapidCheck's GoogleTest support needs gtest first.
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <ostream>

#include "impl/device/simulated/simulated_device.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::engine {
namespace {

constexpr std::uint32_t stream_count = 4, event_count = 3;
constexpr Bytes granule = 4096, memory = 16 * granule;
using Cut = std::array<std::uint64_t, stream_count>;

void join(Cut& into, const Cut& from) {
  for (std::uint32_t i = 0; i < stream_count; ++i) into[i] = std::max(into[i], from[i]);
}

struct Step {
  int what;
  std::uint32_t stream, which;
  Bytes bytes;
  friend std::ostream& operator<<(std::ostream& out, const Step& s) {
    return out << '{' << s.what << ' ' << s.stream << ' ' << s.which << ' ' << s.bytes << '}';
  }
};

rc::Gen<std::vector<Step>> programs() {
  return rc::gen::container<std::vector<Step>>(rc::gen::map(
      rc::gen::tuple(
          rc::gen::weightedElement<int>({{6, 0}, {6, 1}, {2, 2}, {2, 3}, {2, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}}),
          rc::gen::inRange(0u, stream_count), rc::gen::inRange(0u, 64u),
          rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 15), rc::gen::inRange<Bytes>(1, 16384)),
                       [](auto p) { return (p.second >> p.first) + 1; })),
      [](const auto& t) {
        return Step{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t)};
      }));
}

class Twin {
 public:
  explicit Twin(unsigned arenas) : pool(space, {0, arenas}) {
    for (std::uint32_t s = 0; s < stream_count; ++s) streams.push_back(order.open([](StreamIndex) { return false; }));
    pool.attributes.release_threshold = ~Bytes{0};
  }

  void run(const Step& step) {
    const std::uint32_t s = step.stream;
    switch (step.what) {
      case 0:
        return allocate(s, step.bytes);
      case 1:
        return free(s, step.which);
      case 2:
        return record(s, step.which % event_count);
      case 3:
        return wait(s, step.which % event_count);
      case 4:
        device.queues().step(streams[s]);
        break;
      case 5:
        return sync(s);
      case 6: {
        bool on = step.which % 2 == 0;
        auto& a = pool.attributes;
        (step.which % 3 == 0   ? a.reuse_follow_event_dependencies
         : step.which % 3 == 1 ? a.reuse_allow_opportunistic
                               : a.reuse_allow_internal_dependencies) = on;
        break;
      }
      case 7:
        pool.trim(step.bytes);
        check_trim(step.bytes);
        break;
      default:
        if (!live.empty()) free_sync(step.which);
    }
  }

  // Properties ----------------------------------------------------------------------------------------

  void allocate(std::uint32_t s, Bytes bytes) {
    const Bytes reserved = pool.reserved(), used = pool.used();
    const std::optional<Allocation> got = pool.allocate(streams[s], bytes);
    if (reserved + bytes > memory) note_release();  // memory was short: it may have given back what had passed
    const Bytes size = (bytes + unit_bytes - 1) / unit_bytes * unit_bytes;
    if (!got) {
      RC_ASSERT(pool.reserved() == reserved);
      RC_ASSERT(pool.used() == used);
      if (all_proved()) RC_ASSERT(pinned() * granule + (size + granule - 1) / granule * granule > memory);
      return;
    }
    Queues::Item item;
    if (got->wait) {
      item.after.push_back(*got->wait);
      RC_ASSERT(pool.attributes.reuse_allow_internal_dependencies.load());
      raise(s, *got->wait);
    }
    cut[s][s] = raw(device.queues().submit(streams[s], std::move(item)));
    if (got->wait) order.join(streams[s], Clock(*got->wait));
    RC_ASSERT(raw(got->address) % unit_bytes == 0);
    for (const auto& [start, other] : live) {
      RC_ASSERT(raw(got->address) + size <= start || start + other.size <= raw(got->address));
    }
    for (Bytes at = raw(got->address); at < raw(got->address) + size; at += unit_bytes) {
      const auto freed = newest.find(at);
      if (freed != newest.end()) explain(s, freed->second);
      newest.erase(at);
    }
    live[raw(got->address)] = {size, bytes};
    used_twin += bytes;
    high_twin = std::max(high_twin, used_twin);
  }

  struct Freed {
    std::uint32_t stream;
    std::uint64_t at;
    bool released = false;  // a release point gave memory back when the free had passed
  };
  void explain(std::uint32_t s, const Freed& freed) {
    const auto& a = pool.attributes;
    const bool passed = raw(device.completed(streams[freed.stream])) >= freed.at;
    RC_ASSERT(freed.stream == s || proved[freed.stream] >= freed.at || freed.released ||
              (a.reuse_follow_event_dependencies.load() && cut[s][freed.stream] >= freed.at) ||
              (a.reuse_allow_opportunistic.load() && passed) ||
              (a.reuse_allow_internal_dependencies.load() && cut[s][freed.stream] >= freed.at));
  }

  void free(std::uint32_t s, std::uint32_t which) {
    if (live.empty()) return;
    const auto it = std::next(live.begin(), static_cast<std::ptrdiff_t>(which % live.size()));
    std::uint64_t at = 0;
    const Address address{it->first};
    if (it->second.size > unit_bytes) RC_ASSERT(!pool.free(Address{it->first + unit_bytes}, streams[s]));
    RC_ASSERT(pool.free(address, streams[s], [&] {
      const Position p = device.queues().submit(streams[s], {});
      at = raw(p);
      return p;
    }));
    RC_ASSERT(!pool.free(address, streams[s]));
    cut[s][s] = last_free[s] = at;
    for (Bytes unit = it->first; unit < it->first + it->second.size; unit += unit_bytes) newest[unit] = {s, at};
    used_twin -= it->second.requested;
    live.erase(it);
  }
  void free_sync(std::uint32_t which) {
    const auto it = std::next(live.begin(), static_cast<std::ptrdiff_t>(which % live.size()));
    RC_ASSERT(pool.free_sync(Address{it->first}));
    used_twin -= it->second.requested;
    live.erase(it);
  }
  void record(std::uint32_t s, std::uint32_t e) {
    cut[s][s] = raw(device.queues().submit(streams[s], {}));
    order.snapshot(streams[s], event[e]);
    event_point[e] = {streams[s], Position{cut[s][s]}};
    event_cut[e] = cut[s];
  }
  void wait(std::uint32_t s, std::uint32_t e) {
    Queues::Item item;
    if (event_point[e].stream >= first_stream) item.after.push_back(event_point[e]);
    cut[s][s] = raw(device.queues().submit(streams[s], std::move(item)));
    order.join(streams[s], event[e]);
    join(cut[s], event_cut[e]);
  }
  void sync(std::uint32_t s) {
    Clock known;
    order.snapshot(streams[s], known);
    device.queues().wait_for({streams[s], order.tail(streams[s])});
    order.prove(known);
    join(proved, cut[s]);
    pool.release();
  }
  void raise(std::uint32_t s, Point point) {
    for (std::uint32_t t = 0; t < stream_count; ++t) {
      if (streams[t] == point.stream) cut[s][t] = std::max(cut[s][t], raw(point.at));
    }
  }
  void check_trim(Bytes keep) {
    if (all_proved()) {
      RC_ASSERT(pool.reserved() <= std::max((keep + granule - 1) / granule, pinned()) * granule);
    }
    note_release();
  }
  void note_release() {
    for (auto& [at, freed] : newest) freed.released |= raw(device.completed(streams[freed.stream])) >= freed.at;
  }
  void check() {
    const std::string broken = pool.check();
    if (!broken.empty()) RC_FAIL(broken);
    RC_ASSERT(pool.used() <= pool.reserved());
    RC_ASSERT(pool.used() == used_twin);
    RC_ASSERT(pool.used_high() == high_twin);
    RC_ASSERT(space.committed() == pool.reserved());
    RC_ASSERT(pool.reserved() <= memory);
  }
  // All frees of the pool, those of bytes too that are live again: a block that was merged with one of them waits for
  // it. What has only passed may be used, but obliges nobody.
  [[nodiscard]] bool all_proved() const {
    return std::equal(last_free.begin(), last_free.end(), proved.begin(), std::less_equal{});
  }
  [[nodiscard]] Bytes pinned() const {
    std::map<Bytes, int> touched;
    for (const auto& [start, block] : live) {
      for (Bytes g = start / granule; g <= (start + block.size - 1) / granule; ++g) touched[g] = 1;
    }
    return touched.size();
  }

  struct Live {
    Bytes size, requested;
  };
  Order order{true};
  SimulatedDevice device{order, granule, 4096 * granule};
  Space<SimulatedDevice> space{device, order, memory};
  Pool<SimulatedDevice> pool;
  std::vector<StreamIndex> streams;
  std::array<Cut, stream_count> cut{};
  std::array<Cut, event_count> event_cut{};
  std::array<Clock, event_count> event;
  std::array<Point, event_count> event_point{};
  Cut proved{}, last_free{};
  std::map<Bytes, Live> live;
  std::map<Bytes, Freed> newest;  // by unit address
  Bytes used_twin = 0, high_twin = 0;
};

RC_GTEST_PROP(Pool, EveryByteHandedOutHasAnExplanation, ()) {
  Twin twin(*rc::gen::inRange(1u, 4u));
  for (const Step& step : *rc::gen::scale(4.0, programs())) {
    twin.run(step);
    twin.check();
  }
}

}  // namespace
}  // namespace streampool::engine
