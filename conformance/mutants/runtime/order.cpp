// Faults of streams and events: calls that answer too early, and objects that are not what their handles say.
#include <algorithm>

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
};

}  // namespace

std::span<const Replacement> order_faults() { return faults; }

}  // namespace streampool::mutants
