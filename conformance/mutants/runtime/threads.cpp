// Faults that show only where calls overlap.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

// Does it come true while this waits? Not for ever, for the other thread may not be there.
template <class Condition>
bool within(std::chrono::milliseconds time, Condition condition) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!condition() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  return condition();
}

constexpr std::chrono::milliseconds a_while{1};
// Long enough for a call of another thread to get in between. By the clock: on a busy machine a yield alone may take as
// long.
void give_way() {
  within(a_while, [] { return false; });
}

// What each pool uses, counted without a lock: read, then written.
struct Counters {
  std::mutex mutex;  // of the map alone
  std::map<U64, std::atomic<U64>> used;
};
Counters& counters() {
  static Counters all;
  return all;
}
std::atomic<U64>& used_of(U64 pool) {
  const std::lock_guard lock(counters().mutex);
  return counters().used[pool];
}
void add(U64 pool, U64 bytes) {
  std::atomic<U64>& used = used_of(pool);
  const U64 before = used.load();
  give_way();
  used.store(before + bytes);
}
// Runs a free and counts it.
template <class Free>
Status counted_free(U64 address, Free free) {
  const auto block = ledger().at(address);
  const Status status = free();
  if (status == STREAMPOOL_OK && block) add(block->pool, ~block->bytes + 1);
  return status;
}

std::atomic<int> freeing{0};

// Is a call of that kind under way, or does one begin while this waits?
bool comes(const std::atomic<int>& count) {
  return within(a_while, [&] { return count.load() != 0; });
}

// How many calls of a kind are under way, this one included, with time for others to begin.
class Beside {
 public:
  explicit Beside(std::atomic<int>& count) : count_(count), alone_(count_.fetch_add(1) == 0) { give_way(); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() { count_.fetch_sub(1); }
  [[nodiscard]] bool first() const { return alone_; }                        // none was under way before it
  [[nodiscard]] bool alone() const { return alone_ && count_.load() == 1; }  // … and none began since

 private:
  std::atomic<int>& count_;
  const bool alone_;
};

// used_mem_high as a runtime keeps it that raises it without a lock.
struct Watermarks {
  std::mutex mutex;
  std::map<U64, U64> high;  // by pool
};
Watermarks& watermarks() {
  static Watermarks all;
  return all;
}
std::atomic<int> allocating{0};

// What the malloc or event_create under way has got: one that begins beside it gets the same.
struct Handed {
  std::mutex mutex;
  U64 pool = 0, bytes = 0, value = 0;
};
Handed& handed() {
  static Handed newest;
  return newest;
}
// `make` writes a new value; `pool` and `bytes` say what is the same request.
template <class Make>
Status shared_between_calls(U64* out, U64 pool, U64 bytes, Make make) {
  {
    const std::lock_guard lock(handed().mutex);
    if (handed().value != 0 && handed().pool == pool && handed().bytes == bytes) {
      *out = handed().value;
      return STREAMPOOL_OK;
    }
    const Status status = make();
    if (status != STREAMPOOL_OK) return status;
    handed().pool = pool, handed().bytes = bytes, handed().value = *out;
  }
  give_way();
  const std::lock_guard lock(handed().mutex);
  handed().value = 0;
  return STREAMPOOL_OK;
}

// Addresses that a race has done something to.
struct Marked {
  std::mutex mutex;
  std::set<U64> addresses;

  void clear() {
    const std::lock_guard lock(mutex);
    addresses.clear();
  }
  bool add(U64 address) {  // false: it was there
    const std::lock_guard lock(mutex);
    return addresses.insert(address).second;
  }
  void remove(U64 address) {
    const std::lock_guard lock(mutex);
    addresses.erase(address);
  }
  [[nodiscard]] bool has(U64 address) {
    const std::lock_guard lock(mutex);
    return addresses.contains(address);
  }
};
Marked& marked() {
  static Marked all;
  return all;
}

// Thresholds that are being set, mixed, and how many calls do it.
struct Mixed {
  std::mutex mutex;
  std::map<U64, std::pair<U64, int>> pools;
};
Mixed& mixed() {
  static Mixed all;
  return all;
}

std::atomic<int> recording{0}, destroying{0}, trimming_now{0};
std::atomic<U64> looked{0};  // frees that have looked whether a pool is being destroyed
std::mutex waited_for;       // kept while somebody waits for an event
std::mutex of_pools;         // taken by every malloc

constexpr Replacement faults[] = {
    {Fault::statistics_unlocked,
     [](streampool_runtime& t) {
       counters().used.clear();
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK) add(pool, bytes);
         return status;
       };
       t.malloc_current = [](U64 c, U64* out, U64 bytes, U64 stream) -> Status {
         const Status status = noted().malloc_current(c, out, bytes, stream);
         if (const auto block = ledger().at(*out); status == STREAMPOOL_OK && block) add(block->pool, bytes);
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         return counted_free(address, [&] { return noted().free_async(c, address, stream); });
       };
       t.free_sync = [](U64 c, U64 address) -> Status {
         return counted_free(address, [&] { return noted().free_sync(c, address); });
       };
       t.plain_free = [](U64 c, U64 address) -> Status {
         return counted_free(address, [&] { return noted().plain_free(c, address); });
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         if (status != STREAMPOOL_OK || attribute != STREAMPOOL_USED_MEM_CURRENT) return status;
         const U64 number = used_of(pool).load();
         std::memcpy(value, &number, sizeof number);
         return status;
       };
     }},
    {Fault::overlapping_free_lost,
     [](streampool_runtime& t) {
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const Beside beside(freeing);
         return beside.first() ? noted().free_async(c, address, stream) : STREAMPOOL_OK;
       };
     }},
    {Fault::watermark_unlocked,
     [](streampool_runtime& t) {
       watermarks().high.clear();
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Beside beside(allocating);
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status != STREAMPOOL_OK || !beside.alone()) return status;
         const U64 used = reading(c, pool, STREAMPOOL_USED_MEM_CURRENT);
         const std::lock_guard lock(watermarks().mutex);
         U64& high = watermarks().high[pool];
         high = std::max(high, used);
         return status;
       };
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_set(c, pool, attribute, value, width);
         if (status != STREAMPOOL_OK || attribute != STREAMPOOL_USED_MEM_HIGH) return status;
         const std::lock_guard lock(watermarks().mutex);
         watermarks().high[pool] = reading(c, pool, STREAMPOOL_USED_MEM_CURRENT);
         return status;
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         const std::lock_guard lock(watermarks().mutex);
         const auto it = watermarks().high.find(pool);
         if (status != STREAMPOOL_OK || attribute != STREAMPOOL_USED_MEM_HIGH || it == watermarks().high.end()) {
           return status;
         }
         std::memcpy(value, &it->second, sizeof it->second);
         return status;
       };
       t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
         const Status status = noted().pool_create(c, device, max_size, out);
         const std::lock_guard lock(watermarks().mutex);
         if (status == STREAMPOOL_OK) watermarks().high[*out] = 0;
         return status;
       };
     }},
    {Fault::race_hands_out_twice,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         return shared_between_calls(out, pool, bytes,
                                     [&] { return noted().malloc_from_pool(c, out, bytes, pool, stream); });
       };
     }},
    {Fault::race_repeats_handle,
     [](streampool_runtime& t) {
       t.event_create = [](U64 c, std::uint32_t device, U64* out) -> Status {
         return shared_between_calls(out, 0, 0, [&] { return engine().event_create(c, device, out); });
       };
     }},
    {Fault::race_loses_wait,
     [](streampool_runtime& t) {
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         const Beside beside(recording);
         return engine().event_record(c, event, stream);
       };
       t.stream_wait_event = [](U64 c, U64 stream, U64 event) -> Status {
         if (!comes(recording)) return engine().stream_wait_event(c, stream, event);
         U64 empty = 0;  // never recorded
         Status status = engine().event_create(c, 0, &empty);
         if (status == STREAMPOOL_OK) status = engine().stream_wait_event(c, stream, empty);
         engine().event_destroy(c, empty);
         return status;
       };
     }},
    {Fault::race_refuses_free,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const bool in_use = !ledger().live_of(pool).empty();
         const Status status = noted().pool_destroy(c, pool);
         const Beside beside(destroying);
         const U64 before = looked.load();
         if (in_use) within(20 * a_while, [&] { return looked.load() != before; });
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const bool refused = destroying.load() != 0;
         ++looked;
         return refused ? STREAMPOOL_INVALID_VALUE : noted().free_async(c, address, stream);
       };
     }},
    {Fault::race_destroys_twice,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         U64 same = 0;
         return shared_between_calls(&same, pool, 0, [&] {
           same = pool;
           return noted().pool_destroy(c, pool);
         });
       };
     }},
    {Fault::race_leaks_pool,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const Beside beside(destroying);
         return noted().pool_destroy(c, pool);
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         const auto block = ledger().at(address);
         const bool ends = destroying.load() != 0;
         const Status status = noted().free_async(c, address, stream);
         if (status == STREAMPOOL_OK && ends && block && ledger().live_of(block->pool).empty()) {
           lose_memory(c, granule(c));
         }
         return status;
       };
     }},
    {Fault::sync_proves_at_return,
     [](streampool_runtime& t) {
       t.stream_synchronize = [](U64 c, U64 stream) -> Status {
         proving_at_return = true;
         const Status status = engine().stream_synchronize(c, stream);
         proving_at_return = false;
         return status;
       };
     }},
    {Fault::sync_holds_the_lock,
     [](streampool_runtime& t) {
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         const std::lock_guard lock(waited_for);
         return engine().event_synchronize(c, event);
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const std::lock_guard lock(waited_for);
         return noted().malloc_from_pool(c, out, bytes, pool, stream);
       };
     }},
    {Fault::race_forgets_block,
     [](streampool_runtime& t) {
       marked().clear();
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const Beside beside(destroying);
         return noted().pool_destroy(c, pool);
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK && comes(destroying)) marked().add(*out);
         return status;
       };
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         return marked().has(address) ? STREAMPOOL_INVALID_VALUE : noted().free_async(c, address, stream);
       };
     }},
    {Fault::race_reads_dying_pool,
     [](streampool_runtime& t) {
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const Beside beside(destroying);
         return noted().pool_destroy(c, pool);
       };
       t.attribute_get = [](U64 c, U64 pool, std::int32_t attribute, void* value, std::size_t width) -> Status {
         const Status status = engine().attribute_get(c, pool, attribute, value, width);
         const U64 nothing = 0;
         const bool of_used = attribute == STREAMPOOL_USED_MEM_CURRENT || attribute == STREAMPOOL_USED_MEM_HIGH;
         if (status == STREAMPOOL_OK && of_used && comes(destroying)) std::memcpy(value, &nothing, sizeof nothing);
         return status;
       };
     }},
    {Fault::race_frees_twice,
     [](streampool_runtime& t) {
       marked().clear();
       t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
         if (!marked().add(address)) return STREAMPOOL_OK;
         const Status status = noted().free_async(c, address, stream);
         give_way();
         marked().remove(address);
         return status;
       };
     }},
    {Fault::race_trim_drops_new,
     [](streampool_runtime& t) {
       marked().clear();
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         const Beside beside(trimming_now);
         return engine().pool_trim(c, pool, keep);
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status != STREAMPOOL_OK) return status;
         if (comes(trimming_now)) {
           marked().add(*out);
         } else {
           marked().remove(*out);
         }
         return status;
       };
       t.read = [](U64 c, U64 stream, U64 address, U64 bytes, void* host) -> Status {
         const Status status = engine().read(c, stream, address, bytes, host);
         if (status == STREAMPOOL_OK && marked().has(address)) std::memset(host, 0xa5, bytes);
         return status;
       };
     }},
    {Fault::race_mixes_settings,
     [](streampool_runtime& t) {
       mixed().pools.clear();
       t.attribute_set = [](U64 c, U64 pool, std::int32_t attribute, const void* value, std::size_t width) -> Status {
         U64 number = 0;
         if (attribute != STREAMPOOL_RELEASE_THRESHOLD || value == nullptr || width < sizeof number) {
           return engine().attribute_set(c, pool, attribute, value, width);
         }
         std::memcpy(&number, value, sizeof number);
         {
           const std::lock_guard lock(mixed().mutex);
           auto& [bits, calls] = mixed().pools[pool];
           bits |= number;
           ++calls;
         }
         give_way();
         const std::lock_guard lock(mixed().mutex);
         auto& [bits, calls] = mixed().pools[pool];
         const Status status = engine().attribute_set(c, pool, attribute, &bits, sizeof bits);
         if (--calls == 0) bits = 0;
         return status;
       };
     }},
    {Fault::locks_in_opposite_orders,
     [](streampool_runtime& t) {
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         const std::lock_guard waiting(waited_for);
         const Status status = engine().event_synchronize(c, event);
         const std::lock_guard releasing(of_pools);  // it gives back what the pools have idle
         return status;
       };
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const std::lock_guard allocating_there(of_pools);
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         const std::lock_guard growing(waited_for);
         return status;
       };
     }},
};

}  // namespace

std::span<const Replacement> thread_faults() { return faults; }

}  // namespace streampool::mutants
