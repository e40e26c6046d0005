// Where a request goes: the permitted bytes of its pool, or fresh ones. The rules say what is permitted; the policy
// chooses.
#include <algorithm>

#include "model/machine/machine.hpp"
#include "model/machine/require.hpp"

namespace streampool::model::machine {

namespace {

std::uint64_t round_up(std::uint64_t n, std::uint64_t unit) { return Values::round_up(n, unit); }

}  // namespace

spec::Explanations<Values> Machine::why(Stream s, const Cut& reach, Pool p, Allocation y) const {
  return spec::explain_reuse<Values>(s, reach, state_.observed, spec::free_mark(state_, y),
                                     spec::switches(state_.pools, p), spec::free_executed(state_, y));
}

// The pieces of the pool's memory that the rules let stream s have, each with how far permitted bytes go on behind it.
// `waiting`: those too that need an inserted dependency.
std::vector<Machine::Piece> Machine::permitted(Pool p, Stream s, const Cut& reach, bool waiting) const {
  std::vector<Piece> pieces;
  std::size_t run = 0;  // first piece of the run that goes on
  std::uint64_t run_end = 0;
  const auto end_run = [&] {
    for (; run < pieces.size(); ++run) pieces[run].run_end = run_end;
  };
  state_.backed.visit_entries([&](std::uint64_t begin, std::uint64_t end, Pool owner) {
    if (owner != p) return;
    state_.newest.visit(begin, end, [&](std::uint64_t from, std::uint64_t to, Allocation y) {
      const bool used = y != Allocation{};
      bool good = !used;
      if (used && policy_ != Policy::lazy && state_.allocations.freed.get(y)) {
        const auto reasons = why(s, reach, p, y);
        good =
            reasons.ordered() || reasons.released || reasons.opportunistic || (waiting && reasons.internal_dependency);
      }
      const std::uint64_t start = round_up(from, alignment_);
      if (!good || from != run_end) end_run();
      if (good) {
        run_end = to;
        if (start < to) pieces.push_back({start, to, 0, used});
      }
      return true;
    });
  });
  end_run();
  return pieces;
}

std::optional<std::uint64_t> Machine::place_in_pool(Pool p, Stream s, const Cut& reach, std::uint64_t bytes) {
  const auto fits = [&](const Piece& piece) { return piece.run_end - piece.begin >= bytes; };
  if (policy_ == Policy::random) {
    std::vector<Piece> pieces = permitted(p, s, reach, true);
    std::erase_if(pieces, [&](const Piece& piece) { return !fits(piece); });
    if (pieces.empty() || sometimes(4)) return std::nullopt;
    const Piece& piece = pieces[random(pieces.size())];
    const std::uint64_t room = std::min(piece.run_end - bytes, piece.end - 1) - piece.begin;
    return piece.begin + (room == 0 || sometimes(2) ? 0 : random(room / alignment_ + 1) * alignment_);
  }
  // A block of the right size first, then any that was used before, then bytes that nobody has had; and what needs no
  // wait before what does.
  const bool internal = state_.pools.allow_internal_dependencies.get(p);
  for (const bool waiting : {false, true}) {
    if (waiting && (!internal || policy_ == Policy::lazy)) break;
    const std::vector<Piece> pieces = permitted(p, s, reach, waiting);
    const auto exact = [&](const Piece& piece) { return piece.used && piece.end - piece.begin == bytes; };
    const auto used = [&](const Piece& piece) { return piece.used && fits(piece); };
    for (const auto& piece : pieces) {
      if (exact(piece)) return piece.begin;
    }
    for (const auto& piece : pieces) {
      if (used(piece)) return piece.begin;
    }
    if (!waiting && internal && policy_ != Policy::lazy) continue;  // reuse with a wait comes before fresh bytes
    for (const auto& piece : pieces) {
      if (fits(piece)) return piece.begin;
    }
  }
  return std::nullopt;
}

// A range of addresses without physical memory, a multiple of `unit`. `s`: the stream that must be allowed to have its
// bytes, null for plain memory.
std::uint64_t Machine::fresh_range(std::uint64_t bytes, std::uint64_t unit, const Stream* s, const Cut& reach, Pool p) {
  if (policy_ != Policy::lazy) {
    const auto permitted_here = [&](Allocation y) {
      if (y == Allocation{}) return true;
      if (!spec::quiet(state_, y)) return false;
      if (s != nullptr) return why(*s, reach, p, y).any();
      return spec::plain_reuse_permitted<Values>(state_.observed, spec::free_mark(state_, y),
                                                 spec::free_executed(state_, y));
    };
    std::optional<std::uint64_t> found;
    std::uint64_t free_from = first_address;
    const auto gap = [&](std::uint64_t begin, std::uint64_t end) {
      const std::uint64_t start = round_up(begin, unit);
      if (!found && end >= start && end - start >= bytes &&
          Values::all_in(state_.newest, start, bytes, permitted_here)) {
        found = start;
      }
    };
    state_.backed.visit_entries([&](std::uint64_t begin, std::uint64_t end, Pool) {
      gap(free_from, begin);
      free_from = end;
    });
    gap(free_from, next_address_);
    if (found && (policy_ == Policy::greedy || sometimes(2))) return *found;
  }
  return round_up(next_address_, unit);
}

// Where the request would go, with nothing given back. Nothing: it does not fit.
std::optional<Machine::Placement> Machine::place(Pool p, Stream s, std::uint64_t bytes) {
  // The cut that the item will have.
  Cut reach = state_.runtime.reach.get(s);
  reach.join(state_.runtime.proved);
  reach.join(Values::join_of(state_.runtime.reach, state_.follows.get(s)));
  reach.put(s, spec::submitted(state_.runtime, s) + 1);
  Placement placement{.range = {0, bytes}, .waits = {}, .reserve = {}};
  if (const auto base = place_in_pool(p, s, reach, bytes)) {
    placement.range.base = *base;
  } else {
    const std::uint64_t needed = round_up(bytes, granule_);
    if (needed < bytes || needed > memory_) return std::nullopt;
    const std::uint64_t max_size = state_.pools.max_size.get(p);
    const std::uint64_t reserved = state_.pools.reserved.get(p);
    if (max_size > 0 && reserved + needed > spec::capacity_of<Values>(max_size, max_size_unit_)) return std::nullopt;
    if (physical_in_use() > memory_ - needed) return std::nullopt;
    placement.range.base = fresh_range(needed, granule_, &s, reach, p);
    placement.reserve = Range{placement.range.base, needed};
  }
  const std::uint64_t base = placement.range.base;
  state_.newest.visit(base, base + bytes, [&](std::uint64_t, std::uint64_t, Allocation y) {
    if (y == Allocation{}) return true;
    const auto reasons = why(s, reach, p, y);
    if (reasons.ordered() || reasons.released || reasons.opportunistic) return true;
    const Stream t = state_.allocations.free_stream.get(y);
    placement.waits.put(t, std::max(placement.waits.at(t), state_.allocations.free_position.get(y)));
    return true;
  });
  return placement;
}

std::uint64_t Machine::physical_in_use() const {
  std::uint64_t bytes = plain_;
  for (const Pool p : made_pools_) bytes += state_.pools.reserved.get(p);
  return bytes;
}

}  // namespace streampool::model::machine
