#include "conformance/mutants/runtime/ledger.hpp"

#include <algorithm>

#include "impl/device/simulated/simulated_device.hpp"
#include "impl/runtime/table.hpp"

namespace streampool::mutants {

void Ledger::reset() {
  const std::lock_guard lock(mutex_);
  live_.clear();
  order_.clear();
  freed_.clear();
  pools_.clear();
  streams_.clear();
}

void Ledger::made(const Block& block) {
  if (block.address == 0) return;
  const std::lock_guard lock(mutex_);
  live_[block.address] = block;
  order_.push_back(block.address);
}
void Ledger::used(U64 address, U64 stream) {
  const std::lock_guard lock(mutex_);
  if (const auto it = live_.find(address); it != live_.end()) it->second.used_by = stream;
}
void Ledger::freed(U64 address) {
  const std::lock_guard lock(mutex_);
  if (live_.erase(address) == 0) return;
  std::erase(order_, address);
  freed_.insert(address);
}
std::optional<Block> Ledger::at(U64 address) const {
  const std::lock_guard lock(mutex_);
  const auto it = live_.find(address);
  return it == live_.end() ? std::nullopt : std::optional(it->second);
}
std::optional<Block> Ledger::containing(U64 address) const {
  const std::lock_guard lock(mutex_);
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return std::nullopt;
  --it;
  return address - it->first < it->second.bytes ? std::optional(it->second) : std::nullopt;
}
std::vector<Block> Ledger::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<Block> list;
  for (const U64 address : order_) list.push_back(live_.at(address));
  return list;
}
std::vector<Block> Ledger::live_of(U64 pool) const {
  std::vector<Block> list = live();
  std::erase_if(list, [pool](const Block& block) { return block.pool != pool; });
  return list;
}
bool Ledger::was_freed(U64 address) const {
  const std::lock_guard lock(mutex_);
  return freed_.contains(address);
}

void Ledger::pool_made(U64 pool) {
  const std::lock_guard lock(mutex_);
  pools_.push_back(pool);
}
void Ledger::pool_gone(U64 pool) {
  const std::lock_guard lock(mutex_);
  std::erase(pools_, pool);
}
std::vector<U64> Ledger::pools() const {
  const std::lock_guard lock(mutex_);
  return pools_;
}
void Ledger::stream_made(U64 stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(stream);
}
void Ledger::stream_gone(U64 stream) {
  const std::lock_guard lock(mutex_);
  std::erase(streams_, stream);
}
bool Ledger::stream_lives(U64 stream) const {
  const std::lock_guard lock(mutex_);
  return std::find(streams_.begin(), streams_.end(), stream) != streams_.end();
}
std::vector<U64> Ledger::streams() const {
  const std::lock_guard lock(mutex_);
  return streams_;
}

Ledger& ledger() {
  static Ledger the_one;
  return the_one;
}

const streampool_runtime& engine() { return *engine::Table<engine::SimulatedDevice>::get(); }

namespace {

Status note_free(U64 address, Status status) {
  if (status == STREAMPOOL_OK) ledger().freed(address);
  return status;
}

streampool_runtime make_noted() {
  streampool_runtime t = engine();
  t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
    const Status status = engine().malloc_from_pool(c, out, bytes, pool, stream);
    if (status == STREAMPOOL_OK) ledger().made({*out, bytes, pool, stream, stream});
    return status;
  };
  t.malloc_current = [](U64 c, U64* out, U64 bytes, U64 stream) -> Status {
    U64 pool = 0;
    if (const Status status = engine().pool_get_current(c, 0, &pool); status != STREAMPOOL_OK) return status;
    const Status status = engine().malloc_current(c, out, bytes, stream);
    if (status == STREAMPOOL_OK) ledger().made({*out, bytes, pool, stream, stream});
    return status;
  };
  t.plain_malloc = [](U64 c, std::uint32_t device, U64* out, U64 bytes) -> Status {
    const Status status = engine().plain_malloc(c, device, out, bytes);
    if (status == STREAMPOOL_OK) ledger().made({*out, bytes, 0, 0, 0});
    return status;
  };
  t.free_async = [](U64 c, U64 address, U64 stream) -> Status {
    return note_free(address, engine().free_async(c, address, stream));
  };
  t.free_sync = [](U64 c, U64 address) -> Status { return note_free(address, engine().free_sync(c, address)); };
  t.plain_free = [](U64 c, U64 address) -> Status { return note_free(address, engine().plain_free(c, address)); };
  t.fill = [](U64 c, U64 stream, U64 address, std::uint8_t value, U64 bytes) -> Status {
    ledger().used(address, stream);
    return engine().fill(c, stream, address, value, bytes);
  };
  t.launch = [](U64 c, U64 stream, const U64* addresses, std::size_t count) -> Status {
    for (std::size_t i = 0; i < count; ++i) ledger().used(addresses[i], stream);
    return engine().launch(c, stream, addresses, count);
  };
  t.pool_create = [](U64 c, std::uint32_t device, U64 max_size, U64* out) -> Status {
    const Status status = engine().pool_create(c, device, max_size, out);
    if (status == STREAMPOOL_OK) ledger().pool_made(*out);
    return status;
  };
  t.pool_destroy = [](U64 c, U64 pool) -> Status {
    const Status status = engine().pool_destroy(c, pool);
    if (status == STREAMPOOL_OK) ledger().pool_gone(pool);
    return status;
  };
  t.stream_create = [](U64 c, std::uint32_t device, std::uint32_t kind, U64* out) -> Status {
    const Status status = engine().stream_create(c, device, kind, out);
    if (status == STREAMPOOL_OK) ledger().stream_made(*out);
    return status;
  };
  t.stream_destroy = [](U64 c, U64 stream) -> Status {
    const Status status = engine().stream_destroy(c, stream);
    if (status == STREAMPOOL_OK) ledger().stream_gone(stream);
    return status;
  };
  return t;
}

}  // namespace

const streampool_runtime& noted() {
  static const streampool_runtime table = make_noted();
  return table;
}

U64 reading(U64 context, U64 pool, std::int32_t attribute) {
  U64 value = 0;
  return engine().attribute_get(context, pool, attribute, &value, sizeof value) == STREAMPOOL_OK ? value : 0;
}

U64 granule(U64 context) {
  streampool_description description{};
  description.size = sizeof description;
  return engine().describe(context, &description) == STREAMPOOL_OK ? description.reserve_granule : 0;
}

U64 default_pool(U64 context) {
  U64 pool = 0;
  engine().pool_default(context, 0, &pool);
  return pool;
}

void order_after(U64 context, U64 later, U64 earlier) {
  U64 event = 0;
  if (engine().event_create(context, 0, &event) != STREAMPOOL_OK) return;
  engine().event_record(context, event, earlier);
  engine().stream_wait_event(context, later, event);
  engine().event_destroy(context, event);
}

bool busy(U64 context, U64 stream) { return engine().stream_query(context, stream) == STREAMPOOL_NOT_READY; }

void lose_memory(U64 context, U64 bytes) {
  U64 lost = 0;
  if (bytes != 0) engine().plain_malloc(context, 0, &lost, bytes);
}

}  // namespace streampool::mutants
