// Faults of streams and events: calls that answer too early, and objects that are not what their handles say.
#include <algorithm>
#include <mutex>
#include <utility>

#include "conformance/mutants/runtime/guard.hpp"
#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

struct RecordedTag;
std::set<U64>& recorded() { return memory<std::set<U64>, RecordedTag>(); }

// Destroyed objects that are kept and handed out again.
struct DeadEventsTag;
std::vector<U64>& dead_events() { return memory<std::vector<U64>, DeadEventsTag>(); }
bool is_dead_event(U64 event) { return std::ranges::count(dead_events(), event) != 0; }
struct DeadStreamsTag;
std::vector<U64>& dead_streams() { return memory<std::vector<U64>, DeadStreamsTag>(); }
bool is_dead_stream(U64 stream) { return std::ranges::count(dead_streams(), stream) != 0; }
struct NonblockingTag;
std::set<U64>& nonblocking() { return memory<std::set<U64>, NonblockingTag>(); }

Status noting_record(U64 c, U64 event, U64 stream) {
  const Status status = engine().event_record(c, event, stream);
  if (status == STREAMPOOL_OK) recorded().insert(event);
  return status;
}

U64 take(std::vector<U64>& dead) {
  const U64 handle = dead.back();
  dead.pop_back();
  return handle;
}

// Waits that were asked for and not made yet.
struct LateWait {
  U64 stream, event;
};
struct LateWaitsTag;
std::vector<LateWait>& late_waits() { return memory<std::vector<LateWait>, LateWaitsTag>(); }
std::mutex late_waits_mutex;
template <class Which>
void make_waits(U64 c, Which which) {
  {
    const std::lock_guard lock(late_waits_mutex);
    std::erase_if(late_waits(), [&](const LateWait& wait) {
      if (!which(wait)) return false;
      const bool lives = engine().event_query(c, wait.event) != STREAMPOOL_INVALID_HANDLE;
      if (lives) engine().stream_wait_event(c, wait.stream, wait.event);
      return true;
    });
  }
  run_ready_items(c);
}
void make_waits_of_stream(U64 c, U64 stream) {
  make_waits(c, [&](const LateWait& wait) { return wait.stream == stream; });
}
void make_waits_for_event(U64 c, U64 event) {
  make_waits(c, [&](const LateWait& wait) { return wait.event == event; });
}
void install_late_waits(streampool_runtime& t) {
  before_streams<make_waits_of_stream>(t);
  t.stream_wait_event = [](U64 c, U64 stream, U64 event) -> Status {
    if (engine().event_query(c, event) == STREAMPOOL_INVALID_HANDLE ||
        engine().stream_query(c, stream) == STREAMPOOL_INVALID_HANDLE) {
      return STREAMPOOL_INVALID_HANDLE;
    }
    const std::lock_guard lock(late_waits_mutex);
    late_waits().push_back({stream, event});
    return STREAMPOOL_OK;
  };
  t.stream_destroy = [](U64 c, U64 stream) -> Status {
    make_waits_of_stream(c, stream);
    return noted().stream_destroy(c, stream);
  };
  t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
    make_waits(c, [](const LateWait&) { return true; });
    return engine().device_synchronize(c, device);
  };
}

// What legacy follows, and what follows it: blocking streams that live.
struct FollowersTag;
std::vector<U64>& followers() { return memory<std::vector<U64>, FollowersTag>(); }
U64 legacy_stream(U64 c) {
  U64 stream = 0;
  engine().stream_default(c, 0, STREAMPOOL_DEFAULT_LEGACY, &stream);
  return stream;
}
void order_with_legacy(U64 c, U64 stream) {
  const U64 legacy = legacy_stream(c);
  if (std::ranges::count(followers(), stream) != 0) return order_after(c, stream, legacy);
  if (stream != legacy) return;
  for (const U64 follower : followers()) order_after(c, legacy, follower);
}

// Where each event was recorded last; those whose stream is gone.
struct RecordedOnTag;
std::map<U64, U64>& recorded_on() { return memory<std::map<U64, U64>, RecordedOnTag>(); }
struct DroppedTag;
std::set<U64>& dropped() { return memory<std::set<U64>, DroppedTag>(); }

struct FailedTag;
bool& failed() { return memory<bool, FailedTag>(); }
Status fail_once_more(Status status) {
  return std::exchange(failed(), false) && status == STREAMPOOL_OK ? STREAMPOOL_OUT_OF_MEMORY : status;
}

constexpr Replacement faults[] = {
    {Fault::query_always_complete,
     [](streampool_runtime& t) {
       t.stream_query = [](U64 c, U64 stream) -> Status {
         const Status status = engine().stream_query(c, stream);
         return status == STREAMPOOL_NOT_READY ? STREAMPOOL_OK : status;
       };
     }},
    {Fault::query_never_complete,
     [](streampool_runtime& t) {
       t.stream_query = [](U64 c, U64 stream) -> Status {
         const Status status = engine().stream_query(c, stream);
         return status == STREAMPOOL_OK ? STREAMPOOL_NOT_READY : status;
       };
     }},
    {Fault::sync_returns_early,
     [](streampool_runtime& t) {
       t.stream_synchronize = [](U64 c, U64 stream) -> Status {
         const Status status = engine().stream_query(c, stream);
         return status == STREAMPOOL_NOT_READY ? STREAMPOOL_OK : status;
       };
     }},
    {Fault::event_sync_returns_early,
     [](streampool_runtime& t) {
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         const Status status = engine().event_query(c, event);
         return status == STREAMPOOL_NOT_READY ? STREAMPOOL_OK : status;
       };
     }},
    {Fault::device_sync_forgets_destroyed,
     [](streampool_runtime& t) {
       t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
         if (device != 0) return engine().device_synchronize(c, device);
         for (const U64 stream : ledger().streams()) engine().stream_synchronize(c, stream);
         return STREAMPOOL_OK;
       };
     }},
    {Fault::event_keeps_first_record,
     [](streampool_runtime& t) {
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         if (recorded().contains(event)) return engine().free_async(c, 0, stream);  // an item, and nothing else
         return noting_record(c, event, stream);
       };
       t.event_destroy = [](U64 c, U64 event) -> Status {
         recorded().erase(event);
         return engine().event_destroy(c, event);
       };
     }},
    {Fault::recycled_event_keeps_record,
     [](streampool_runtime& t) {
       t.event_create = [](U64 c, std::uint32_t device, U64* out) -> Status {
         if (dead_events().empty() || out == nullptr) return engine().event_create(c, device, out);
         *out = take(dead_events());
         return STREAMPOOL_OK;
       };
       t.event_destroy = [](U64 c, U64 event) -> Status {
         if (is_dead_event(event) || engine().event_query(c, event) == STREAMPOOL_INVALID_HANDLE) {
           return STREAMPOOL_INVALID_HANDLE;
         }
         dead_events().push_back(event);
         return STREAMPOOL_OK;
       };
       t.event_record = Guarded<&streampool_runtime::event_record, 1, is_dead_event>::call;
       t.stream_wait_event = Guarded<&streampool_runtime::stream_wait_event, 2, is_dead_event>::call;
       t.event_synchronize = Guarded<&streampool_runtime::event_synchronize, 1, is_dead_event>::call;
       t.event_query = Guarded<&streampool_runtime::event_query, 1, is_dead_event>::call;
     }},
    {Fault::recycled_stream_keeps_items,
     [](streampool_runtime& t) {
       t.stream_create = [](U64 c, std::uint32_t device, std::uint32_t kind, U64* out) -> Status {
         if (!dead_streams().empty() && kind == STREAMPOOL_STREAM_NONBLOCKING && out != nullptr) {
           *out = take(dead_streams());
           return STREAMPOOL_OK;
         }
         const Status status = noted().stream_create(c, device, kind, out);
         if (status == STREAMPOOL_OK && kind == STREAMPOOL_STREAM_NONBLOCKING) nonblocking().insert(*out);
         return status;
       };
       t.stream_destroy = [](U64 c, U64 stream) -> Status {
         if (is_dead_stream(stream) || !nonblocking().contains(stream)) {
           return is_dead_stream(stream) ? STREAMPOOL_INVALID_HANDLE : noted().stream_destroy(c, stream);
         }
         dead_streams().push_back(stream);
         return STREAMPOOL_OK;
       };
       t.stream_synchronize = Guarded<&streampool_runtime::stream_synchronize, 1, is_dead_stream>::call;
       t.stream_query = Guarded<&streampool_runtime::stream_query, 1, is_dead_stream>::call;
       t.event_record = Guarded<&streampool_runtime::event_record, 2, is_dead_stream>::call;
       t.stream_wait_event = Guarded<&streampool_runtime::stream_wait_event, 1, is_dead_stream>::call;
       t.malloc_from_pool = Guarded<&streampool_runtime::malloc_from_pool, 4, is_dead_stream>::call;
       t.malloc_current = Guarded<&streampool_runtime::malloc_current, 3, is_dead_stream>::call;
       t.free_async = Guarded<&streampool_runtime::free_async, 2, is_dead_stream>::call;
       t.fill = Guarded<&streampool_runtime::fill, 1, is_dead_stream>::call;
       t.read = Guarded<&streampool_runtime::read, 1, is_dead_stream>::call;
       t.launch = Guarded<&streampool_runtime::launch, 1, is_dead_stream>::call;
       t.gate_hold = Guarded<&streampool_runtime::gate_hold, 1, is_dead_stream>::call;
     }},
    {Fault::query_answers_busy,
     [](streampool_runtime& t) {
       t.stream_query = [](U64 c, U64 stream) -> Status {
         const Status status = engine().stream_query(c, stream);
         return status == STREAMPOOL_NOT_READY ? STREAMPOOL_NOT_PERMITTED : status;
       };
     }},
    {Fault::empty_event_sync_refused,
     [](streampool_runtime& t) {
       t.event_record = noting_record;
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         const Status status = engine().event_synchronize(c, event);
         return status == STREAMPOOL_OK && !recorded().contains(event) ? STREAMPOOL_INVALID_VALUE : status;
       };
     }},
    {Fault::empty_event_wait_refused,
     [](streampool_runtime& t) {
       t.event_record = noting_record;
       t.stream_wait_event = [](U64 c, U64 stream, U64 event) -> Status {
         if (engine().event_query(c, event) == STREAMPOOL_OK && !recorded().contains(event))
           return STREAMPOOL_INVALID_VALUE;
         return engine().stream_wait_event(c, stream, event);
       };
     }},
    {Fault::waits_made_late,
     [](streampool_runtime& t) {
       install_late_waits(t);
       t.event_destroy = [](U64 c, U64 event) -> Status {
         make_waits_for_event(c, event);
         return engine().event_destroy(c, event);
       };
     }},
    {Fault::destroyed_event_frees_waiters,
     [](streampool_runtime& t) {
       install_late_waits(t);
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         make_waits_for_event(c, event);
         make_waits_of_stream(c, stream);
         return engine().event_record(c, event, stream);
       };
     }},
    {Fault::legacy_forgets_destroyed,
     [](streampool_runtime& t) {
       before_streams<order_with_legacy>(t);
       t.stream_create = [](U64 c, std::uint32_t device, std::uint32_t kind, U64* out) -> Status {
         const std::uint32_t apart = STREAMPOOL_STREAM_NONBLOCKING;
         const bool blocking = kind == STREAMPOOL_STREAM_BLOCKING;
         const Status status = noted().stream_create(c, device, blocking ? apart : kind, out);
         if (status == STREAMPOOL_OK && blocking) followers().push_back(*out);
         return status;
       };
       t.stream_destroy = [](U64 c, U64 stream) -> Status {
         std::erase(followers(), stream);
         return noted().stream_destroy(c, stream);
       };
     }},
    {Fault::rerecord_keeps_old_cut,
     [](streampool_runtime& t) {
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         if (!recorded().contains(event)) return noting_record(c, event, stream);
         U64 both = 0;
         if (engine().stream_query(c, stream) == STREAMPOOL_INVALID_HANDLE ||
             engine().stream_create(c, 0, STREAMPOOL_STREAM_NONBLOCKING, &both) != STREAMPOOL_OK) {
           return engine().event_record(c, event, stream);
         }
         engine().stream_wait_event(c, both, event);
         order_after(c, both, stream);
         const Status status = engine().event_record(c, event, both);
         engine().stream_destroy(c, both);
         return status;
       };
       t.event_destroy = [](U64 c, U64 event) -> Status {
         recorded().erase(event);
         return engine().event_destroy(c, event);
       };
     }},
    {Fault::destroyed_stream_drops_items,
     [](streampool_runtime& t) {
       t.event_record = [](U64 c, U64 event, U64 stream) -> Status {
         const Status status = engine().event_record(c, event, stream);
         if (status == STREAMPOOL_OK) recorded_on()[event] = stream, dropped().erase(event);
         return status;
       };
       t.stream_destroy = [](U64 c, U64 stream) -> Status {
         const Status status = noted().stream_destroy(c, stream);
         for (const auto& [event, on] : recorded_on()) {
           if (status == STREAMPOOL_OK && on == stream) dropped().insert(event);
         }
         return status;
       };
       t.event_query = [](U64 c, U64 event) -> Status {
         const Status status = engine().event_query(c, event);
         return status == STREAMPOOL_NOT_READY && dropped().contains(event) ? STREAMPOOL_OK : status;
       };
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         if (engine().event_query(c, event) == STREAMPOOL_NOT_READY && dropped().contains(event)) return STREAMPOOL_OK;
         return engine().event_synchronize(c, event);
       };
     }},
    {Fault::empty_event_covers_device,
     [](streampool_runtime& t) {
       t.event_record = noting_record;
       t.event_query = [](U64 c, U64 event) -> Status {
         const Status status = engine().event_query(c, event);
         const auto pending = [&](U64 stream) { return busy(c, stream); };
         const bool stands = status == STREAMPOOL_OK && !recorded().contains(event);
         return stands && std::ranges::any_of(ledger().streams(), pending) ? STREAMPOOL_NOT_READY : status;
       };
       t.event_destroy = [](U64 c, U64 event) -> Status {
         recorded().erase(event);
         return engine().event_destroy(c, event);
       };
     }},
    {Fault::failure_shows_twice,
     [](streampool_runtime& t) {
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         failed() |= status == STREAMPOOL_OUT_OF_MEMORY;
         return status;
       };
       t.stream_synchronize = [](U64 c, U64 stream) -> Status {
         return fail_once_more(engine().stream_synchronize(c, stream));
       };
       t.event_synchronize = [](U64 c, U64 event) -> Status {
         return fail_once_more(engine().event_synchronize(c, event));
       };
       t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
         return fail_once_more(engine().device_synchronize(c, device));
       };
     }},
};

}  // namespace

std::span<const Replacement> order_faults() { return faults; }

}  // namespace streampool::mutants
