// What the faults at the ABI need to know of the calls so far, and the engine's table with every call noted here.
//
// Thread safe; answers are copies.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::mutants {

using U64 = std::uint64_t;
using Status = streampool_status;

struct Block {
  U64 address = 0, bytes = 0;
  U64 pool = 0;     // 0: plain memory
  U64 stream = 0;   // that it was allocated on
  U64 used_by = 0;  // the stream of its newest use
};

class Ledger {
 public:
  void reset();

  void made(const Block& block);
  void used(U64 address, U64 stream);
  void freed(U64 address);
  [[nodiscard]] std::optional<Block> at(U64 address) const;          // live, starts there
  [[nodiscard]] std::optional<Block> containing(U64 address) const;  // live
  [[nodiscard]] std::vector<Block> live() const;                     // oldest first
  [[nodiscard]] std::vector<Block> live_of(U64 pool) const;
  [[nodiscard]] bool was_freed(U64 address) const;  // starts of blocks that lived once

  void pool_made(U64 pool);
  void pool_gone(U64 pool);
  [[nodiscard]] std::vector<U64> pools() const;  // those the program made, oldest first
  void stream_made(U64 stream);
  void stream_gone(U64 stream);
  [[nodiscard]] bool stream_lives(U64 stream) const;
  [[nodiscard]] std::vector<U64> streams() const;

 private:
  mutable std::mutex mutex_;
  std::map<U64, Block> live_;
  std::vector<U64> order_;  // starts of live blocks, oldest first
  std::set<U64> freed_;
  std::vector<U64> pools_, streams_;
};
[[nodiscard]] Ledger& ledger();

// The engine's own table, and the same with its calls noted in the ledger.
[[nodiscard]] const streampool_runtime& engine();
[[nodiscard]] const streampool_runtime& noted();

// What a reading of a statistic of the engine is; 0 where there is no such pool.
[[nodiscard]] U64 reading(U64 context, U64 pool, std::int32_t attribute);
[[nodiscard]] U64 granule(U64 context);
[[nodiscard]] U64 default_pool(U64 context);
// The item that comes next to `later` waits for all of `earlier`.
void order_after(U64 context, U64 later, U64 earlier);
// Pending work on the stream.
[[nodiscard]] bool busy(U64 context, U64 stream);
// Takes memory of the device that nobody will give back.
void lose_memory(U64 context, U64 bytes);

}  // namespace streampool::mutants
