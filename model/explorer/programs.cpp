#include "model/explorer/programs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "model/explorer/reduced.hpp"

namespace streampool::model::explorer {

using history::Op;

namespace {

// What the program order knows after some calls.
struct Point {
  spec::Order<Concrete> order;
  struct Block {
    bool live;
    Stream stream;
    Position position;
    Cut uses;
  };
  std::vector<Block> blocks;
  unsigned streams = 0, events = 0, live = 0;  // named so far
  std::array<bool, 8> recorded{};
  struct Gate {
    Stream stream;
    Position position;
    bool closed;
  };
  std::vector<Gate> gates;

  [[nodiscard]] bool held(const Cut& cut) const {
    return std::ranges::any_of(gates, [&](const Gate& gate) {
      return gate.closed && spec::contains<Concrete>(cut, gate.stream, gate.position);
    });
  }
  // … after the newest item of s.
  [[nodiscard]] bool owned(const Block& block, Stream s, bool all_uses) const {
    const Cut& reach = order.reach.get(s);
    return spec::contains<Concrete>(reach, block.stream, block.position) && (!all_uses || block.uses.within(reach));
  }
};

class Search {
 public:
  // Visits what has `length` calls.
  Search(const Scope& scope, unsigned length, std::span<const Move> prefix,
         const std::function<bool(std::span<const Move>)>& visit)
      : scope_(scope), length_(length), prefix_(prefix), visit_(visit) {}

  void run() { extend(Point{}); }

 private:
  // Takes the move from a copy of the point, where `change` says that the program may; goes on from there.
  template <class Change>
  void take(const Point& from, const Move& move, Change&& change) {
    if (stopped_) return;
    if (program_.size() < prefix_.size() && prefix_[program_.size()] != move) return;
    Point to = from;
    to.streams = std::max(to.streams, move.stream + 1U);
    if (!change(to)) return;
    program_.push_back(move);
    if (!scope_.reduced || may_lead_on()) extend(to);
    program_.pop_back();
  }

  [[nodiscard]] bool may_lead_on() const {
    return !comes_later(program_) && program_.size() + calls_wanted(program_) <= scope_.calls;
  }

  void extend(const Point& at) {
    if (program_.size() == length_) {
      stopped_ = !visit_(program_);
      return;
    }
    const unsigned streams = std::min(at.streams + 1, scope_.streams);
    for (unsigned i = 0; i < streams && !stopped_; ++i) {
      const auto stream = static_cast<std::uint8_t>(i);
      memory(at, stream);
      events(at, stream);
      if (i < at.streams) synchronize(at, stream);
      gates(at, stream);
    }
    for (std::size_t g = 0; g < at.gates.size(); ++g) {
      if (!at.gates[g].closed) continue;
      take(at, {.op = Op::gate_open, .gate = static_cast<std::uint8_t>(g)}, [&](Point& to) {
        to.streams = at.streams;
        to.gates[g].closed = false;
        return true;
      });
    }
    for (unsigned e = 0; scope_.event_syncs && e < at.events; ++e) {
      const Cut& captured = at.order.captured.get(static_cast<Event>(e));
      if (!at.recorded[e] || at.held(captured) || says_nothing(captured, at.order.proved)) continue;
      take(at, {.op = Op::event_sync, .event = static_cast<std::uint8_t>(e)}, [&](Point& to) {
        to.streams = at.streams;
        spec::prove(to.order, to.order.captured.get(static_cast<Event>(e)));
        return true;
      });
    }
  }

  void memory(const Point& at, std::uint8_t stream) {
    const auto s = static_cast<Stream>(stream);
    if (at.live < scope_.blocks) {
      take(at, {.op = Op::malloc, .stream = stream, .block = static_cast<std::uint8_t>(at.blocks.size())},
           [&](Point& to) {
             to.blocks.push_back({true, s, spec::submit(to.order, s), {}});
             ++to.live;
             return true;
           });
    }
    for (std::size_t b = 0; b < at.blocks.size(); ++b) {
      if (!at.blocks[b].live) continue;
      take(at, {.op = Op::free, .stream = stream, .block = static_cast<std::uint8_t>(b)}, [&](Point& to) {
        spec::submit(to.order, s);
        to.blocks[b].live = false;
        --to.live;
        return to.owned(to.blocks[b], s, true);
      });
      if (!scope_.uses) continue;
      take(at, {.op = Op::launch, .stream = stream, .block = static_cast<std::uint8_t>(b)}, [&](Point& to) {
        const Position n = spec::submit(to.order, s);
        to.blocks[b].uses.put(s, n);
        return to.owned(to.blocks[b], s, false);
      });
    }
  }

  void events(const Point& at, std::uint8_t stream) {
    const auto s = static_cast<Stream>(stream);
    for (unsigned i = 0; i < std::min(at.events + 1, scope_.events); ++i) {
      const auto e = static_cast<Event>(i);
      take(at, {.op = Op::event_record, .stream = stream, .event = static_cast<std::uint8_t>(i)}, [&](Point& to) {
        to.events = std::max(to.events, i + 1);
        to.recorded[i] = true;
        spec::record(to.order, e, s);
        return true;
      });
      if (!at.recorded[i] || says_nothing(at.order.captured.get(e), at.order.reach.get(s))) continue;
      take(at, {.op = Op::stream_wait_event, .stream = stream, .event = static_cast<std::uint8_t>(i)}, [&](Point& to) {
        spec::wait(to.order, s, e);
        return true;
      });
    }
  }

  void synchronize(const Point& at, std::uint8_t stream) {
    const Cut& reach = at.order.reach.get(static_cast<Stream>(stream));
    if (at.held(reach) || says_nothing(reach, at.order.proved)) return;
    take(at, {.op = Op::stream_sync, .stream = stream}, [&](Point& to) {
      spec::prove(to.order, reach);
      return true;
    });
  }

  void gates(const Point& at, std::uint8_t stream) {
    if (at.gates.size() >= scope_.gates) return;
    const auto s = static_cast<Stream>(stream);
    take(at, {.op = Op::gate_hold, .stream = stream, .gate = static_cast<std::uint8_t>(at.gates.size())},
         [&](Point& to) {
           to.gates.push_back({s, spec::submit(to.order, s), true});
           return true;
         });
  }

  // Of a call that makes `known` of what is known already.
  [[nodiscard]] bool says_nothing(const Cut& known, const Cut& already) const {
    return scope_.reduced && known.within(already);
  }

  const Scope scope_;
  const unsigned length_;
  std::span<const Move> prefix_;
  const std::function<bool(std::span<const Move>)>& visit_;
  Program program_;
  bool stopped_ = false;
};

}  // namespace

bool may_reuse(std::span<const Move> program) {
  const auto free = std::ranges::find(program, Op::free, &Move::op);
  return std::ranges::find(free, program.end(), Op::malloc, &Move::op) != program.end();
}

void each_program(const Scope& scope, std::span<const Move> prefix,
                  const std::function<bool(std::span<const Move>)>& visit) {
  Search(scope, scope.calls, prefix, visit).run();
}

std::vector<Program> beginnings(const Scope& scope, unsigned length) {
  std::vector<Program> all;
  const auto keep = [&](std::span<const Move> program) {
    all.emplace_back(program.begin(), program.end());
    return true;
  };
  Search(scope, length, {}, keep).run();
  return all;
}

history::Name Vocabulary::name(const char* prefix, unsigned index) {
  return names_.intern(prefix + std::to_string(index + 1));
}

std::vector<history::Call> Vocabulary::setup(const Scope& scope, unsigned switches) {
  std::vector<history::Call> calls;
  const auto add = [&](Op op) -> history::Call& {
    calls.emplace_back().op = op;
    return calls.back();
  };
  for (unsigned i = 0; i < scope.streams; ++i) {
    history::Call& call = add(Op::stream_create);
    call.stream = stream(i);
    call.stream_kind = history::StreamKind::nonblocking;
  }
  for (unsigned i = 0; i < scope.events; ++i) add(Op::event_create).event = event(i);
  for (unsigned i = 0; i < scope.gates; ++i) add(Op::gate_create).gate = gate(i);
  add(Op::pool_create).pool = pool_;
  for (int attribute = 1; attribute <= 4; ++attribute) {
    history::Call& call = add(Op::pool_set);
    call.pool = pool_;
    call.attribute = static_cast<history::Attribute>(attribute);
    call.value.integer = switches >> (attribute - 1) & 1U;
    if (attribute == 4) {
      call.value.kind = history::AttributeValue::Kind::max;
      call.value.integer = UINT64_MAX;
    }
  }
  return calls;
}

history::Call Vocabulary::call(const Move& move, std::uint64_t size) {
  history::Call call;
  call.op = move.op;
  switch (move.op) {
    case Op::malloc:
      call.allocation = block(move.block);
      call.size = size;
      call.pool = pool_;
      call.stream = stream(move.stream);
      break;
    case Op::free:
      call.pointer = {history::Pointer::Kind::named, block(move.block), 0};
      call.stream = stream(move.stream);
      break;
    case Op::launch:
      call.pointers.push_back({history::Pointer::Kind::named, block(move.block), 0});
      call.stream = stream(move.stream);
      break;
    case Op::event_record:
    case Op::stream_wait_event:
      call.event = event(move.event);
      call.stream = stream(move.stream);
      break;
    case Op::event_sync:
      call.event = event(move.event);
      break;
    case Op::gate_hold:
      call.gate = gate(move.gate);
      call.stream = stream(move.stream);
      break;
    case Op::gate_open:
      call.gate = gate(move.gate);
      break;
    default:  // stream_sync
      call.stream = stream(move.stream);
      break;
  }
  return call;
}

}  // namespace streampool::model::explorer
