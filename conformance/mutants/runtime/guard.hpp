// Entries that do something before they pass a call on: refuse dead handles, for faults that keep destroyed objects, or
// whatever a fault does before a stream is used.
#pragma once

#include <tuple>

#include "conformance/mutants/runtime/ledger.hpp"

namespace streampool::mutants {

// `Dead(handle)` is asked about the parameter with this index.
template <auto Entry, std::size_t Index, auto Dead>
struct Guarded;
template <class... Parameters, Status (*streampool_runtime::*Entry)(Parameters...), std::size_t Index, auto Dead>
struct Guarded<Entry, Index, Dead> {
  static Status call(Parameters... parameters) {
    if (Dead(std::get<Index>(std::tie(parameters...)))) return STREAMPOOL_INVALID_HANDLE;
    return (noted().*Entry)(parameters...);
  }
};

// `Before(context, stream)` is called with the parameter with this index.
template <auto Entry, std::size_t Index, auto Before>
struct Preceded;
template <class... Parameters, Status (*streampool_runtime::*Entry)(Parameters...), std::size_t Index, auto Before>
struct Preceded<Entry, Index, Before> {
  static Status call(Parameters... parameters) {
    const auto all = std::tie(parameters...);
    Before(std::get<0>(all), std::get<Index>(all));
    return (noted().*Entry)(parameters...);
  }
};

// Every call that submits to a stream, or asks how far one is.
template <auto Before>
void before_streams(streampool_runtime& t) {
  t.malloc_from_pool = Preceded<&streampool_runtime::malloc_from_pool, 4, Before>::call;
  t.malloc_current = Preceded<&streampool_runtime::malloc_current, 3, Before>::call;
  t.free_async = Preceded<&streampool_runtime::free_async, 2, Before>::call;
  t.event_record = Preceded<&streampool_runtime::event_record, 2, Before>::call;
  t.stream_wait_event = Preceded<&streampool_runtime::stream_wait_event, 1, Before>::call;
  t.fill = Preceded<&streampool_runtime::fill, 1, Before>::call;
  t.read = Preceded<&streampool_runtime::read, 1, Before>::call;
  t.launch = Preceded<&streampool_runtime::launch, 1, Before>::call;
  t.gate_hold = Preceded<&streampool_runtime::gate_hold, 1, Before>::call;
  t.stream_query = Preceded<&streampool_runtime::stream_query, 1, Before>::call;
  t.stream_synchronize = Preceded<&streampool_runtime::stream_synchronize, 1, Before>::call;
}

}  // namespace streampool::mutants
