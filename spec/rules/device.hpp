// Items: how they enter a queue, how the device runs them, what the host learns (chapter ORDER, on the whole machine).
//
// Every submission takes one position of its stream, the same in both orders and in the queue.
#pragma once

#include "spec/rules/state.hpp"

namespace streampool::spec {

// Chapter order, default streams: what is submitted to s next comes after the newest items of the streams that s
// follows: legacy follows every blocking stream of its device, those of destroyed ones too; a blocking stream follows
// legacy. First part of every submission.
template <MachineCarrier L>
void follow(State<L>& state, const typename L::Stream& s) {
  const auto& others = L::get(state.follows, s);
  const typename L::Nat n = submitted(state.runtime, s) + L::nat(1);
  L::put(state.device.awaits, s, n, L::diagonal_of(state.runtime.reach, others));
  depend(state.program, s, L::join_of(state.program.reach, others));
  depend(state.runtime, s, L::join_of(state.runtime.reach, others));
}

// An item with no meaning beyond its place in the queue: a kernel, a copy.
template <MachineCarrier L>
typename L::Nat submit(State<L>& state, const typename L::Stream& s) {
  follow(state, s);
  submit(state.program, s);
  return submit(state.runtime, s);
}

template <MachineCarrier L>
typename L::Nat record(State<L>& state, const typename L::Event& e, const typename L::Stream& s) {
  follow(state, s);
  record(state.program, e, s);
  const typename L::Nat n = record(state.runtime, e, s);
  L::put(state.device.recorded_on, e, s);
  L::put(state.device.recorded_at, e, n);
  return n;
}

// The item waits for the item of the newest record, not for any cut.
template <MachineCarrier L>
typename L::Nat wait(State<L>& state, const typename L::Stream& s, const typename L::Event& e) {
  follow(state, s);
  wait(state.program, s, e);
  const typename L::Nat n = wait(state.runtime, s, e);
  typename L::Cut recorded = L::get(state.device.awaits, s, n);
  const auto t = L::get(state.device.recorded_on, e);
  L::put(recorded, t, maximum<L>(L::at(recorded, t), L::get(state.device.recorded_at, e)));
  L::put(state.device.awaits, s, n, recorded);
  return n;
}

// A gate that is closed; it opens once.
template <MachineCarrier L>
typename L::Bool make_gate(Device<L>& device, const typename L::Gate& g) {
  const typename L::Bool guard = !(g == L::template none<typename L::Gate>()) && !L::get(device.gate_made, g);
  L::put(device.gate_made, g, L::boolean(true));
  L::put(device.closed, g, L::boolean(true));
  return guard;
}

// An item that does not end before the gate is open.
template <MachineCarrier L>
typename L::Bool hold(State<L>& state, const typename L::Stream& s, const typename L::Gate& g) {
  const typename L::Bool guard = L::get(state.device.gate_made, g);
  const typename L::Nat n = submit(state, s);
  L::put(state.device.gate, s, n, g);
  return guard;
}

template <MachineCarrier L>
void open(Device<L>& device, const typename L::Gate& g) {
  L::put(device.closed, g, L::boolean(false));
}

// The device begins the next item of s: the one before has ended, and so has everything that it waits for.
template <MachineCarrier L>
typename L::Bool start(Device<L>& device, const Order<L>& order, const typename L::Stream& s) {
  const typename L::Nat before = L::at(device.started, s);
  const typename L::Nat n = before + L::nat(1);
  const typename L::Bool guard = n <= submitted(order, s) && before <= L::at(device.executed, s) &&
                                 L::covers(device.executed, L::get(device.awaits, s, n));
  L::put(device.started, s, n);
  return guard;
}

// The device ends the running item of s.
template <MachineCarrier L>
typename L::Bool finish(Device<L>& device, const typename L::Stream& s) {
  const typename L::Nat n = L::at(device.executed, s) + L::nat(1);
  const typename L::Bool guard = n <= L::at(device.started, s) && !L::get(device.closed, L::get(device.gate, s, n));
  L::put(device.executed, s, n);
  return guard;
}

// Chapter order, host. A complete answer about a stream: every item submitted to it has ended, and with it their cuts.
template <MachineCarrier L>
typename L::Bool prove_stream(State<L>& state, const typename L::Stream& s) {
  const typename L::Bool guard = executed(state.device, s, submitted(state.runtime, s));
  prove(state.program, L::get(state.program.reach, s));
  prove(state.runtime, L::get(state.runtime.reach, s));
  return guard;
}

template <MachineCarrier L>
typename L::Bool prove_event(State<L>& state, const typename L::Event& e) {
  const typename L::Bool guard =
      executed(state.device, L::get(state.device.recorded_on, e), L::get(state.device.recorded_at, e));
  prove(state.program, L::get(state.program.captured, e));
  prove(state.runtime, L::get(state.runtime.captured, e));
  return guard;
}

template <MachineCarrier L>
typename L::Bool prove_device(State<L>& state) {
  const typename L::Cut all = L::diagonal(state.runtime.reach);
  const typename L::Bool guard = L::covers(state.device.executed, all);
  prove(state.program, all);
  prove(state.runtime, all);
  return guard;
}

// The runtime remembers, for its reuse, what has been proved so far: after a call that the profile lists among
// observing_calls.
template <MachineCarrier L>
void observe(State<L>& state) {
  L::join(state.observed, state.runtime.proved);
}

// The other answer: something of s is still to end. Changes nothing.
template <MachineCarrier L>
typename L::Bool stream_not_ready(const State<L>& state, const typename L::Stream& s) {
  return !executed(state.device, s, submitted(state.runtime, s));
}

template <MachineCarrier L>
typename L::Bool event_not_ready(const State<L>& state, const typename L::Event& e) {
  return !executed(state.device, L::get(state.device.recorded_on, e), L::get(state.device.recorded_at, e));
}

}  // namespace streampool::spec
