// Situations: a few calls that belong together, for what single operations would meet too rarely.
#include <algorithm>

#include "conformance/generate/writer.hpp"

namespace streampool::generate {

using history::Attribute;
using history::Name;
using history::Op;
using history::Pointer;

void Writer::write_situation(const Operation& o) {
  switch (o.kind) {
    case Kind::reuse_attempt:
      return write_reuse_attempt(o);
    case Kind::overlapped_sync:
      return write_overlapped_sync(o);
    case Kind::demand:
      return write_demand(o);
    case Kind::too_big:
      return write_too_big(o);
    default:
      return write_stream_rebirth(o);
  }
}

void Writer::add_get(Name pool, Attribute attribute) {
  Call& call = add(Op::pool_get);
  call.pool = pool;
  call.attribute = attribute;
}

void Writer::add_set(Name pool, Attribute attribute, std::uint64_t value) {
  Call& call = add(Op::pool_set);
  call.pool = pool;
  call.attribute = attribute;
  call.value.integer = value;
  if (value == UINT64_MAX) call.value.kind = history::AttributeValue::Kind::max;
}

void Writer::add_event(Op op, Name event, Name stream) {
  Call& call = add(op);
  call.event = event;
  call.stream = stream;
}

// A block is freed, and one of its size is asked for on another stream: with any setting of the switches, behind a gate
// or not, with an order that covers the free, one that is a moment too old, or none.
void Writer::write_reuse_attempt(const Operation& o) {
  Block* const block = pick(live_, o.a);
  if (block == nullptr || events_.empty() || streams_.size() < 2) return;
  const auto pool = std::ranges::find(pools_, block->pool, &PoolRow::name);
  auto from = usable_stream(*block, o.b, true);
  if (pool == pools_.end() || !from) return;
  const StreamRow* to = &streams_[o.b / 7 % streams_.size()];
  if (to->name == *from) to = &streams_[(o.b / 7 + 1) % streams_.size()];
  const Name event = pick(events_, o.a / 5)->name;
  const auto bit = [&](unsigned n) { return (o.c >> n & 1U) != 0; };
  // Through legacy, which orders blocking streams alone. Half of these attempts have nothing else that could explain
  // one.
  const bool through_legacy = (o.c >> 10) % 4 == 0, bare = through_legacy && bit(12);
  if (bare) {
    add_set(pool->name, Attribute::reuse_allow_opportunistic, 0);
    add_set(pool->name, Attribute::reuse_allow_internal_dependencies, 0);
  } else if (bit(0)) {
    for (int id = 1; id <= 3; ++id) add_set(pool->name, static_cast<Attribute>(id), bit(static_cast<unsigned>(id)));
  }
  if (bit(4)) add_set(pool->name, Attribute::release_threshold, setting_.everything);
  if (through_legacy) {
    add_event(Op::event_record, event, *from);
    from = Name::legacy;
    add_event(Op::stream_wait_event, event, *from);
  }
  const bool ordered = !bare && (bit(5) || bit(6)), stale = ordered && bit(7);
  if (stale) add_event(Op::event_record, event, *from);
  // What the pool has reserved is known then: that it was short of memory explains no reuse.
  if (bit(13)) add_get(pool->name, Attribute::reserved_mem_current);
  if (bit(8) || stale || bare) add_hold(*from);
  Call& free = add(Op::free);
  free.pointer = {Pointer::Kind::named, block->name, 0};
  free.stream = *from;
  if (ordered && !stale) add_event(Op::event_record, event, *from);
  if (ordered) add_event(Op::stream_wait_event, event, to->name);
  Call& again = add(Op::malloc);
  again.allocation = fresh("x");
  again.size = block->size;
  again.pool = pool->name;
  again.stream = to->name;
  if (bare || (bit(0) && bit(9))) {
    for (int id = 1; id <= 3; ++id) add_set(pool->name, static_cast<Attribute>(id), 1);
  }
}

// Items behind a gate, a new one where there are few.
void Writer::add_hold(Name stream) {
  Name gate = gates_.empty() ? Name::none : gates_.back().name;
  if (gates_.size() < most_gates) gate = add(Op::gate_create).gate = fresh("g");
  Call& hold = add(Op::gate_hold);
  hold.stream = stream;
  hold.gate = gate;
}

// Plain memory is freed behind a gate, and another thread asks for as much while that is closed.
void Writer::write_overlapped_plain(const Operation& o) {
  if (streams_.empty() || live_.size() + 1 >= most_blocks || !served(setting_.profile.async_free_of_plain)) return;
  const auto ask = [&] {
    Call& call = add(Op::plain_malloc);
    call.size = size_of(o.c / 16);
    return call.allocation = fresh("x");
  };
  const Name first = ask();
  const Name from = pick(streams_, o.b)->name;
  add_hold(from);
  Call& free = add(Op::free);
  free.pointer = {Pointer::Kind::named, first, 0};
  free.stream = from;
  overlapped_ = queue_.size();
  ask();
  for (const GateRow& gate : gates_) add(Op::gate_open).gate = gate.name;
}

// A synchronize that a closed gate holds, made by another thread; then every gate is opened. (The kit waits a while
// for a call that returns too early, so most of these operations do nothing.)
void Writer::write_overlapped_sync(const Operation& o) {
  if (o.c % 16 > 12) return write_overlapped_plain(o);
  if (o.c % 16 != 0 || streams_.empty() || events_.empty()) return;
  const bool of_event = o.a % 3 == 0, of_device = o.a % 3 == 1;
  const EventRow* const event = pick(events_, o.b);
  const StreamRow* const stream = pick(streams_, o.b);
  model::Cut covers = timeline_.program_reach(stream->id);
  if (of_event) covers = timeline_.program_captured(event->id);
  if (of_device) covers = timeline_.of_device(0).program;
  if (!timeline_.holder(covers)) return;
  shapes_.count(Shape::gate_closed_sync);
  overlapped_ = queue_.size();
  Call& call = add(of_event ? Op::event_sync : of_device ? Op::device_sync : Op::stream_sync);
  if (of_event) {
    call.event = event->name;
  } else if (!of_device) {
    call.stream = stream->name;
  }
  for (const GateRow& gate : gates_) add(Op::gate_open).gate = gate.name;
}

// All is proved, and a pool with a limit is asked for much of it.
void Writer::write_demand(const Operation& o) {
  PoolRow* const pool = pick(pools_, o.a);
  if (pool == nullptr || streams_.empty()) return;
  add(Op::device_sync);
  Call& call = add(Op::malloc);
  call.allocation = fresh("x");
  call.size = setting_.granule * (1 + o.b % 4);
  call.pool = pool->name;
  call.stream = pick(streams_, o.c)->name;
}

// A request that no device has room for must leave everything as it was.
void Writer::write_too_big(const Operation& o) {
  PoolRow* const pool = pick(pools_, o.a);
  if (pool == nullptr || streams_.empty()) return;
  const auto statistic = static_cast<Attribute>(5 + o.b % 4);
  const bool of_device = o.b / 4 % 2 == 0;
  const auto read = [&] { of_device ? void(add(Op::memory_info)) : add_get(pool->name, statistic); };
  read();
  Call& call = add(Op::malloc);
  call.allocation = fresh("x");
  call.size = std::uint64_t{1} << (50 + o.c % 8);
  call.pool = pool->name;
  call.stream = pick(streams_, o.c / 8)->name;
  read();
}

// A stream ends with work pending, and a new one may get its handle, but nothing else of it.
void Writer::write_stream_rebirth(const Operation& o) {
  if (streams_.size() < 3 || events_.empty()) return;
  const StreamRow old = *pick(streams_, o.a);
  PoolRow* const pool = pick(pools_, o.c);
  const Name event = pick(events_, o.b)->name;
  add_event(Op::event_record, event, old.name);
  add(Op::stream_destroy).stream = old.name;
  Call& create = add(Op::stream_create);
  create.stream_kind = history::StreamKind::nonblocking;
  const Name young = create.stream = fresh("s");
  if (o.c % 2 == 0) add(Op::stream_query).stream = young;
  if (pool != nullptr) {
    Call& call = add(Op::malloc);
    call.allocation = fresh("x");
    call.size = size_of(o.c / 2);
    call.pool = pool->name;
    call.stream = young;
  }
  if (o.c % 8 == 0) {
    add(Op::device_sync);
    add(Op::event_query).event = event;
  }
}

}  // namespace streampool::generate
