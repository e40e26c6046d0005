#include "model/monitor/commute.hpp"

namespace streampool::model {

using history::Line;
using history::Name;
using history::Op;
using history::Status;

Commute::Commute(const Monitor& state, std::span<const Line* const> calls) {
  std::uint64_t requested = 0;  // bytes of all mallocs, each rounded up generously
  for (const Line* line : calls) {
    if (line->call.op == Op::malloc || line->call.op == Op::plain_malloc)
      requested = state.add_request(requested, *line->call.size);
  }
  ample_ = !state.may_be_short(requested);
  std::vector<Footprint> prints;
  for (const Line* line : calls) prints.push_back(footprint(state, calls, *line));
  for (const Footprint& a : prints) {
    std::uint64_t mask = 0;
    for (std::size_t j = 0; j < prints.size(); ++j) mask |= commute(a, prints[j]) ? std::uint64_t{1} << j : 0;
    with_.push_back(mask);
  }
}

// The pool and range of a block: known before, or made by one of the calls.
bool Commute::memory_of(const Monitor& state, std::span<const Line* const> calls, Name block, Footprint& print) {
  if (const Entity* known = state.entity(block); known != nullptr) {
    if (known->address == 0 || !state.memory().exists(known->block)) return false;
    const Block& found = state.memory().get(known->block);
    if (!found.live || found.pool == PoolId::none) return false;
    print.pool = state.pool(static_cast<std::uint32_t>(found.pool)).name;
    print.begin = found.address;
    print.end = found.end;
    return true;
  }
  for (const Line* line : calls) {
    if (line->call.op != Op::malloc || line->call.allocation != block || !line->result) continue;
    if (line->call.pool == Name::none || line->result->value.value_or(0) == 0) return false;
    print.pool = line->call.pool;
    print.begin = *line->result->value;
    print.end = state.range_end(print.begin, *line->call.size);
    return true;
  }
  return false;
}

Commute::Footprint Commute::footprint(const Monitor& state, std::span<const Line* const> calls,
                                      const Line& line) const {
  const history::Call& call = line.call;
  Footprint print;
  if (!line.result || line.result->blocked != Name::none) return print;
  // Refused for a dead pool: all that it depends on is whether that pool lives.
  const bool refused = line.result->status == Status::invalid_handle && call.pool != Name::none;
  if (line.result->status != Status::ok && !refused) return print;
  if (call.stream != Name::none) {
    const Entity* stream = state.entity(call.stream);
    const bool plain = stream != nullptr && stream->alive && stream->kind == Entity::Kind::stream &&
                       state.timeline().role(static_cast<Stream>(stream->index)) == StreamRole::nonblocking;
    if (!plain) return print;
  }
  print.stream = call.stream;
  if (refused) {
    print.pool = call.pool;
    print.everything = false;
    return print;
  }
  switch (call.op) {
    case Op::event_record:
    case Op::stream_wait_event:
      print.event = call.event;
      print.everything = false;
      return print;
    case Op::fill:
      print.everything =
          call.pointer.kind != history::Pointer::Kind::named || !memory_of(state, calls, call.pointer.name, print);
      print.pool = Name::none;
      return print;
    case Op::malloc:
      print.allocates = true;
      print.everything = !ample_ || state.strict() || call.pool == Name::none || *call.size == 0 ||
                         !memory_of(state, calls, call.allocation, print);
      return print;
    case Op::free: {
      const auto& releases = state.profile().release_calls;
      const bool still = releases.binds() && !releases.value.contains(ReleaseCall::free);
      print.frees = true;
      print.everything = !still || call.pointer.kind != history::Pointer::Kind::named || call.pointer.value != 0 ||
                         !memory_of(state, calls, call.pointer.name, print);
      return print;
    }
    case Op::pool_get:
    case Op::pool_set:
      print.pool = call.pool;
      print.everything = false;
      return print;
    case Op::pool_destroy: {
      const auto& with_live = state.profile().destroy_with_live;
      print.pool = call.pool;
      print.gives_back = true;
      print.everything = !with_live.binds() || with_live.value != DestroyWithLive::deferred;
      return print;
    }
    default:
      return print;
  }
}

bool Commute::commute(const Footprint& a, const Footprint& b) {
  if (a.everything || b.everything) return false;
  const auto shared = [](Name x, Name y) { return x != Name::none && x == y; };
  if (shared(a.stream, b.stream) || shared(a.event, b.event)) return false;
  if (a.begin < b.end && b.begin < a.end) return false;
  if ((a.gives_back && b.allocates) || (a.allocates && b.gives_back)) return false;
  // Sums do not mind the order of their terms; a watermark does mind whether the fall or the rise comes first.
  return !shared(a.pool, b.pool) || (a.allocates && b.allocates) || (a.frees && b.frees);
}

}  // namespace streampool::model
