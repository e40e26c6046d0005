// One vendor as a table: names, numbers and status codes. The logic that all vendors share is in this folder; cuda/,
// hip/ and ascend/ hold one table each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "conformance/abi/streampool_runtime.h"
#include "conformance/adapters/vendor/calls.hpp"
#include "conformance/adapters/vendor/library.hpp"

namespace streampool::vendor {

// Without this function of the library nothing works at all: a mask for Symbol::groups.
inline constexpr std::uint64_t everything = ~std::uint64_t{0};
// Nice to have: its absence costs no group.
inline constexpr std::uint64_t nothing = 0;

// One function to look up.
struct Symbol {
  std::size_t slot;      // offset of a Slot in the structure that is bound
  const char* name;      // the library's name for it
  std::uint64_t groups;  // STREAMPOOL_CAP_ bits that are lost where the library lacks it
};

// What a library lacks.
struct Missing {
  std::uint64_t groups = 0;
  std::string names;  // comma separated
};

// Looks every symbol up and stores it at `base` + slot.
void bind(const Library& library, std::span<const Symbol> symbols, void* base, Missing& missing);

struct StatusCode {
  int native;
  streampool_status status;
};

// Native codes of the adapter itself, for refusals that no vendor call has made. All negative; no vendor's code is.
enum OwnCode : std::int64_t {
  library_not_found = -1,
  symbol_missing = -2,
  handle_is_zero = -3,  // refused here, because the vendor would take it for the default stream
  still_pending = -4,   // the vendor answers a query by an output, not by a code
  option_refused = -5,
  no_such_device = -6,
  not_open = -7,  // no context, or not the one that is open
  too_old = -8,   // the library's version lacks what was asked
  gate_in_use = -9,
  no_such_gate = -10,
  out_of_host_memory = -11,
};

// An environment variable that the vendor's library reads, and what it is set to where the user has not set it.
struct EnvironmentDefault {
  const char* name;
  const char* value;
};

struct PoolProperties {
  alignas(8) std::byte bytes[128] = {};
};

struct Vendor {
  const char* name;
  std::span<const char* const> libraries;  // tried in this order where no option names one
  std::span<const EnvironmentDefault> environment;
  std::uint64_t capabilities;            // what the interface can offer at all
  std::span<const StatusCode> statuses;  // others are STREAMPOOL_UNKNOWN
  std::uint64_t alignment;               // of every allocation, as documented; 0: nothing documented

  int copy_device_to_host;        // memcpy_async's kind
  unsigned event_flags;           // event_create: no timing
  unsigned nonblocking_flag;      // stream_create
  void* default_streams[2];       // by STREAMPOOL_DEFAULT_
  int pools_supported_attribute;  // device_attribute's id; 0: no such query
  int max_size_since;             // runtime and driver version from which a pool takes a maximum size; 0: always
  std::size_t gate_words_bytes;   // one allocation of gate words ...
  std::size_t gate_word_stride;   // ... and the distance of words in it
  std::size_t gate_words_ready;   // words made at `open`, because making them later may wait for the device

  // Fills `calls`, and names what is not there.
  void (*bind_calls)(const Library& library, Calls& calls, Missing& missing);
  PoolProperties (*pool_properties)(int device, std::uint64_t max_size);
  // "runtime 13.0, driver 13.1": versions as the vendor writes them.
  std::string (*version)(const Calls& calls);
};

// The ABI table of this vendor. A library holds one vendor: the same table is returned for every call.
const streampool_runtime* table_of(const Vendor& vendor);

}  // namespace streampool::vendor
