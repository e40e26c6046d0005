// What the writer learns from a line that was run, and which rare shapes it was part of.
#include <algorithm>

#include "conformance/generate/writer.hpp"

namespace streampool::generate {

using history::Name;
using history::Op;
using history::Status;

namespace {

constexpr std::size_t most_freed = 8, most_dead = 4;

template <class Row>
void keep_newest(std::vector<Row>& rows, std::size_t count) {
  if (rows.size() > count) rows.erase(rows.begin());
}

}  // namespace

void Writer::made(const Call& call, const history::Result& result) {
  const std::uint64_t handle = result.handle.value_or(0);
  const auto recycled = [&](auto& dead) {
    const auto found = std::ranges::find(dead, handle, &Dead::handle);
    if (found == dead.end()) return;
    shapes_.count(Shape::recycled_handle);
    dead.erase(found);
  };
  switch (call.op) {
    case Op::stream_create: {
      recycled(dead_streams_);
      const auto role = call.stream_kind == history::StreamKind::blocking ? model::StreamRole::blocking
                                                                          : model::StreamRole::nonblocking;
      streams_.push_back({call.stream, timeline_.add_stream(role, 0, call.stream), handle});
      return;
    }
    case Op::event_create:
      recycled(dead_events_);
      events_.push_back({call.event, timeline_.add_event(), handle});
      return;
    case Op::gate_create:
      gates_.push_back({call.gate, timeline_.add_gate(call.gate)});
      return;
    case Op::pool_create:
      recycled(dead_pools_);
      pools_.push_back({call.pool, handle, true});
      return;
    default:  // pool_default
      default_pool_ = call.pool;
      pools_.push_back({call.pool, handle, false});
      return;
  }
}

void Writer::ended(const Call& call) {
  const auto bury = [&](auto& rows, auto found, std::vector<Dead>& dead) {
    dead.push_back({found->name, found->handle});
    keep_newest(dead, most_dead);
    rows.erase(found);
  };
  switch (call.op) {
    case Op::stream_destroy: {
      const auto found = std::ranges::find(streams_, call.stream, &StreamRow::name);
      timeline_.destroy_stream(found->id);
      bury(streams_, found, dead_streams_);
      return;
    }
    case Op::event_destroy:
      bury(events_, std::ranges::find(events_, call.event, &EventRow::name), dead_events_);
      return;
    case Op::pool_destroy: {
      const auto found = std::ranges::find(pools_, call.pool, &PoolRow::name);
      if (std::ranges::any_of(live_, [&](const Block& block) { return block.pool == call.pool; })) {
        shapes_.count(Shape::destroy_with_live);
      }
      if (setting_.profile.destroy_with_live.value == model::DestroyWithLive::immediate) {
        std::erase_if(live_, [&](const Block& block) { return block.pool == call.pool; });
      }
      bury(pools_, found, dead_pools_);
      return;
    }
    default: {  // a gate
      const auto found = std::ranges::find(gates_, call.gate, &GateRow::name);
      if (found == gates_.end()) return;  // destroyed after it was opened
      timeline_.open(found->id);
      gates_.erase(found);
      return;
    }
  }
}

void Writer::use(const Call& call, const history::Pointer& pointer, const model::Item& item) {
  const auto block = std::ranges::find(live_, pointer.name, &Block::name);
  const auto old = std::ranges::find(block->uses, item.stream, &model::Item::stream);
  if (old != block->uses.end()) {
    *old = item;
  } else {
    block->uses.push_back(item);
  }
  if (call.op == Op::fill) block->byte = call.byte;
}

// A wait that a runtime inserts may be for all that the freeing stream has been given so far, and a runtime need not
// make use of what a query has shown. `current` is a pool that is not known: any.
model::Item Writer::allocated(const Call& call) {
  const model::Item item = timeline_.submit(stream_id(call.stream));
  std::erase_if(pending_, [&](const PendingFree& free) {
    const Stream t = free.item.stream;
    return free.item.position <= std::min(timeline_.program_proved().at(t), timeline_.observed().at(t));
  });
  for (const PendingFree& free : pending_) {
    if (free.pool != call.pool && free.pool != Name::none && call.pool != Name::none) continue;
    const Stream t = free.item.stream;
    if (t != item.stream)
      timeline_.add_edge(item.stream, {t, timeline_.runtime_reach(t).at(t)}, *timeline_.snapshot(t));
  }
  timeline_.settle(item.stream);
  return item;
}

void Writer::freed(const Block& block, const Call& call) {
  const Stream s = stream_id(call.stream);
  const model::Item item = timeline_.submit(s);
  timeline_.settle(s);
  const Name pool = block.pool == Name::legacy ? Name::none : block.pool;
  const auto old = std::ranges::find_if(
      pending_, [&](const PendingFree& free) { return free.pool == pool && free.item.stream == s; });
  PendingFree& row = old != pending_.end() ? *old : pending_.emplace_back();
  row = {pool, item};
}

void Writer::observe(const history::Line& line) {
  const Call& call = line.call;
  const history::Result& result = *line.result;
  const bool ok = result.status == Status::ok;
  // The default streams exist once they are used.
  if (call.stream == Name::legacy && !legacy_) {
    legacy_ = timeline_.add_stream(model::StreamRole::legacy, 0, Name::legacy);
  }
  if (call.stream == Name::per_thread && !per_thread_) {
    per_thread_ = timeline_.add_stream(model::StreamRole::blocking, 0, Name::per_thread);
  }
  count_shapes(call, result);
  // Without an order that it makes, the rest of the operation may be at fault.
  const bool order_failed = !ok && (call.op == Op::event_record || call.op == Op::stream_wait_event);
  if (order_failed && !overlapped_) next_ = queue_.size();
  if (!ok && !(call.op == Op::check && result.status == Status::mismatch)) return;
  const auto submitted = [&] {
    const model::Item item = timeline_.submit(stream_id(call.stream));
    timeline_.settle(item.stream);
    return item;
  };
  switch (call.op) {
    case Op::stream_create:
    case Op::event_create:
    case Op::gate_create:
    case Op::pool_create:
    case Op::pool_default:
      return made(call, result);
    case Op::stream_destroy:
    case Op::event_destroy:
    case Op::gate_open:
    case Op::gate_destroy:
    case Op::pool_destroy:
      return ended(call);
    case Op::event_record:
    case Op::stream_wait_event: {
      EventRow& event = *std::ranges::find(events_, call.event, &EventRow::name);
      const Stream s = stream_id(call.stream);
      if (call.op == Op::event_record) {
        timeline_.record(event.id, s);
        ++event.records;
      } else {
        timeline_.wait(s, event.id);
      }
      return;
    }
    case Op::gate_hold:
      timeline_.hold(stream_id(call.stream), std::ranges::find(gates_, call.gate, &GateRow::name)->id);
      return;
    case Op::stream_sync:
    case Op::stream_query:
      timeline_.prove(timeline_.of_stream(stream_id(call.stream)), call.op == Op::stream_sync);
      return;
    case Op::event_sync:
    case Op::event_query:
      timeline_.prove(timeline_.of_event(std::ranges::find(events_, call.event, &EventRow::name)->id),
                      call.op == Op::event_sync);
      return;
    case Op::device_sync:
      timeline_.prove(timeline_.of_device(0), true);
      return;
    case Op::malloc:
    case Op::plain_malloc: {
      model::Item item;
      if (*call.size == 0) {  // orders nothing, whether it is an item or not
        if (call.op == Op::malloc) timeline_.occupy(stream_id(call.stream));
        return;
      }
      if (call.op == Op::malloc) item = allocated(call);
      if (!result.value) return;
      const Name pool = call.op == Op::plain_malloc ? Name::none : call.pool;
      live_.push_back({call.allocation, *result.value, *call.size, pool, item, {}});
      // `current`: which pool it came from is of no interest here, but it is not plain memory.
      if (call.op == Op::malloc && pool == Name::none) live_.back().pool = Name::legacy;
      return;
    }
    case Op::free:
    case Op::free_sync:
    case Op::plain_free: {
      const auto block = std::ranges::find(live_, call.pointer.name, &Block::name);
      if (block == live_.end()) {  // null: orders nothing, whether it is an item or not
        if (call.op == Op::free) timeline_.occupy(stream_id(call.stream));
        return;
      }
      if (call.op == Op::free) freed(*block, call);
      freed_.push_back(*block);
      keep_newest(freed_, most_freed);
      live_.erase(block);
      return;
    }
    case Op::fill:
    case Op::check:
    case Op::launch: {
      const model::Item item = submitted();
      if (call.op == Op::launch) {
        for (const history::Pointer& pointer : call.pointers) use(call, pointer, item);
      } else {
        use(call, call.pointer, item);
      }
      if (call.op == Op::check) timeline_.prove({timeline_.program_reach(item.stream), {}, {}}, true);
      return;
    }
    default:
      return;
  }
}

void Writer::count_shapes(const Call& call, const history::Result& result) {
  const bool ok = result.status == Status::ok;
  const bool held = timeline_.any_hold();
  shapes_.count(Shape::call);
  // Nothing but a failure that was asked for is short of memory there.
  const bool submits = call.op == Op::event_record || call.op == Op::stream_wait_event || call.op == Op::gate_hold ||
                       call.op == Op::free || call.op == Op::fill || call.op == Op::launch;
  if (submits && result.status == Status::out_of_memory) shapes_.count(Shape::failing_submission);
  switch (call.op) {
    case Op::step:
      if (ok) shapes_.count(Shape::device_step);
      return;
    case Op::malloc: {
      if (held) shapes_.count(Shape::gate_closed_malloc);
      if (result.status == Status::out_of_memory) shapes_.count(Shape::exhaustion);
      if (!ok || !result.value || *call.size == 0) return;
      const std::uint64_t begin = *result.value, end = begin + *call.size;
      if (std::ranges::any_of(live_, [&](const Block& other) { return other.pool != call.pool; })) {
        shapes_.count(Shape::two_pools);
      }
      unsigned over = 0;
      for (const Block& old : freed_) {
        if (old.address == begin) shapes_.count(Shape::recycled_address);
        if (old.address < end && begin < old.address + old.size) {
          ++over;
          if (old.size > *call.size && old.address <= begin && end <= old.address + old.size) {
            shapes_.count(Shape::split_block);
          }
        }
      }
      if (over > 1) shapes_.count(Shape::merged_block);
      return;
    }
    case Op::free: {
      if (held) shapes_.count(Shape::gate_closed_free);
      const auto block = std::ranges::find(live_, call.pointer.name, &Block::name);
      if (ok && block != live_.end() && block->item.stream != stream_id(call.stream)) {
        shapes_.count(Shape::cross_stream_free);
        newest_free_ = timeline_.program_reach(stream_id(call.stream)).at(stream_id(call.stream)) + 1;
        newest_free_stream_ = stream_id(call.stream);
      }
      return;
    }
    case Op::event_record:
    case Op::stream_wait_event: {
      if (held) shapes_.count(Shape::gate_closed_event);
      const auto event = std::ranges::find(events_, call.event, &EventRow::name);
      if (!ok || event == events_.end()) return;
      if (call.op == Op::event_record) {
        if (event->records > 0) shapes_.count(Shape::rerecorded_event);
        return;
      }
      const model::Cut& captured = timeline_.program_captured(event->id);
      if (newest_free_stream_ && captured.at(*newest_free_stream_) > 0 &&
          captured.at(*newest_free_stream_) < newest_free_) {
        shapes_.count(Shape::stale_event);
      }
      std::size_t streams = 0;
      for (std::size_t i = 0; i < captured.width(); ++i) {
        const auto s = static_cast<Stream>(i);
        streams += captured.at(s) > timeline_.program_proved().at(s) ? 1 : 0;
      }
      if (streams > 1) shapes_.count(Shape::transitive_chain);
      return;
    }
    case Op::pool_set:
      if (held) shapes_.count(Shape::gate_closed_attribute);
      if (!ok) return;
      if (static_cast<int>(call.attribute) <= 3 && !live_.empty()) shapes_.count(Shape::switch_flip);
      if (static_cast<int>(call.attribute) == 4 && near_granule(call.value.integer)) {
        shapes_.count(Shape::threshold_boundary);
      }
      return;
    case Op::pool_get:
      if (held) shapes_.count(Shape::gate_closed_attribute);
      return;
    case Op::pool_trim:
      if (held) shapes_.count(Shape::gate_closed_trim);
      if (ok && near_granule(*call.size)) shapes_.count(Shape::trim_boundary);
      return;
    case Op::pool_destroy:
      if (held) shapes_.count(Shape::gate_closed_destroy);
      return;
    case Op::fill:
    case Op::check:
    case Op::launch:
      if (held) shapes_.count(Shape::gate_closed_use);
      return;
    case Op::stream_query:
    case Op::event_query:
      if (held) shapes_.count(Shape::gate_closed_query);
      return;
    case Op::stream_create:
    case Op::stream_destroy:
    case Op::event_create:
    case Op::event_destroy:
      if (held) shapes_.count(Shape::gate_closed_life);
      return;
    case Op::limit:
      if (ok) shapes_.count(Shape::limit);
      return;
    case Op::fail:
      if (ok && call.fail_kind != history::FailKind::submit) shapes_.count(Shape::failing_memory);
      return;
    default:
      return;
  }
}

// Within a byte of a multiple of the granule that is not 0.
bool Writer::near_granule(std::uint64_t bytes) const {
  const std::uint64_t rest = bytes % setting_.granule;
  return bytes != UINT64_MAX && bytes > 1 && (rest <= 1 || rest == setting_.granule - 1);
}

}  // namespace streampool::generate
