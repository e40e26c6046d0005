#include "conformance/generate/program_run.hpp"

#include <algorithm>

#include "conformance/abi/streampool_runtime.h"
#include "conformance/kit/scenario.hpp"

namespace streampool::generate {

using history::Call;
using history::Op;
using model::Cut;
using model::Event;
using model::Stream;
using model::explorer::Move;

unsigned schedule_choices(std::span<const Move> program) {
  unsigned frees = 0, choices = 0;
  for (const Move& move : program) {
    if (move.op == Op::malloc) choices += frees;
    frees += move.op == Op::free ? 1 : 0;
  }
  // Beyond that the program is longer than any scope; the choices that are left out are those of its last mallocs.
  return std::min(choices, 12U);
}

ProgramRun::ProgramRun(const kit::RunContext& context, const model::explorer::Scope& scope, unsigned switches)
    : scope_(scope),
      block_size_(kit::quantities(context.profile, context.target.description()).granule),
      stepped_((context.target.capabilities() & STREAMPOOL_CAP_STEP) != 0),
      words_(names_),
      live_(
          std::make_unique<kit::LiveRun>(context.target, context.profile, names_, context.watchdog, context.journal)) {
  model::explorer::Scope without_gates = scope;  // each program makes its own
  without_gates.gates = 0;
  for (Call& call : words_.setup(without_gates, switches)) apply(std::move(call));
}

bool ProgramRun::open_gates() {
  for (unsigned gate = 0; gate < scope_.gates; ++gate) {
    Call open;
    open.op = Op::gate_open;
    open.gate = words_.gate(gate);
    if (!apply(std::move(open))) return false;
  }
  return true;
}

bool ProgramRun::apply(Call call) {
  // A dependency that the runtime inserted may put an item behind a gate that the program does not see: one that a
  // reuse shows, and in real time one for whatever the freeing stream had been given by then.
  const bool synchronizes = call.op == Op::stream_sync || call.op == Op::event_sync;
  if (synchronizes && !stepped_ && malloc_behind_free_ && !open_gates()) return false;
  while (true) {
    const history::Name gate = live_->judge().held_by(call);
    if (gate == history::Name::none) break;
    history::Line open;
    open.call.op = Op::gate_open;
    open.call.gate = gate;
    if (live_->apply(std::move(open)) == kit::LiveRun::Step::decided) return false;
  }
  history::Line line;
  line.call = std::move(call);
  return live_->apply(std::move(line)) != kit::LiveRun::Step::decided;
}

// Steps until everything in the cut has ended, as far as gates let it.
bool ProgramRun::advance_to(const Cut& cut) {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned i = 0; i < scope_.streams; ++i) {
      const auto s = static_cast<Stream>(i);
      while (ended_.at(s) < cut.at(s)) {
        Call step;
        step.op = Op::step;
        step.stream = words_.stream(i);
        if (!apply(std::move(step))) return false;
        if (live_->lines().back().result->status != history::Status::ok) break;
        ended_.put(s, ended_.at(s) + 1);
        moved = true;
      }
    }
  }
  return true;
}

bool ProgramRun::run(std::span<const Move> program, unsigned schedule) {
  for (unsigned gate = 0; gate < scope_.gates; ++gate) {
    Call create;
    create.op = Op::gate_create;
    create.gate = words_.gate(gate);
    if (!apply(std::move(create))) return false;
  }
  malloc_behind_free_ = false;
  std::vector<Cut> frees;  // of the frees so far
  unsigned choice = 0;
  for (const Move& move : program) {
    const auto s = static_cast<Stream>(move.stream);
    const auto e = static_cast<Event>(move.event);
    if (move.op == Op::malloc) {
      malloc_behind_free_ |= !frees.empty();
      for (const Cut& free : frees) {
        if ((schedule >> choice++ & 1U) != 0 && !advance_to(free)) return false;
      }
    }
    if (!apply(words_.call(move, block_size_))) return false;
    switch (move.op) {
      case Op::event_record:
        spec::record(order_, e, s);
        break;
      case Op::stream_wait_event:
        spec::wait(order_, s, e);
        break;
      case Op::stream_sync:
        spec::prove(order_, order_.reach.get(s));
        break;
      case Op::event_sync:
        spec::prove(order_, order_.captured.get(e));
        break;
      case Op::gate_open:
        break;
      default:
        spec::submit(order_, s);
        if (move.op == Op::free) frees.push_back(order_.reach.get(s));
        break;
    }
    ended_.join(order_.proved);
  }
  return clean_up(program);
}

bool ProgramRun::clean_up(std::span<const Move> program) {
  const auto call = [&](Op op) {
    Call made;
    made.op = op;
    return made;
  };
  if (!open_gates()) return false;
  for (unsigned gate = 0; gate < scope_.gates; ++gate) {
    Call destroy = call(Op::gate_destroy);
    destroy.gate = words_.gate(gate);
    if (!apply(std::move(destroy))) return false;
  }
  if (!apply(call(Op::device_sync))) return false;
  for (unsigned i = 0; i < scope_.streams; ++i) spec::prove(order_, order_.reach.get(static_cast<Stream>(i)));
  ended_.join(order_.proved);
  for (const Move& made : program) {
    if (made.op != Op::malloc) continue;
    const bool freed = std::ranges::any_of(
        program, [&](const Move& other) { return other.op == Op::free && other.block == made.block; });
    if (freed) continue;
    Call free = call(Op::free_sync);
    free.pointer = {history::Pointer::Kind::named, words_.block(made.block), 0};
    if (!apply(std::move(free))) return false;
  }
  Call trim = call(Op::pool_trim);
  trim.pool = words_.pool();
  trim.size = 0;
  words_.next_program();
  return apply(std::move(trim));
}

}  // namespace streampool::generate
