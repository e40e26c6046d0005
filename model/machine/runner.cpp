#include "model/machine/runner.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace streampool::model::machine {

using history::Call;
using history::Name;
using history::Op;
using history::Pointer;
using history::Result;

const Runner::Object& Runner::object(Name name) const {
  static const Object unknown{};
  const auto index = static_cast<std::size_t>(name);
  return index < objects_.size() ? objects_[index] : unknown;
}

Runner::Object& Runner::define(Name name) {
  const auto index = static_cast<std::size_t>(name);
  if (index >= objects_.size()) objects_.resize(index + 1);
  return objects_[index];
}

Handle Runner::handle(Name name) const {
  if (name == Name::legacy) return machine_.legacy();
  if (name == Name::per_thread) return per_thread_;
  return object(name).handle;
}

std::uint64_t Runner::address(const Pointer& pointer) const {
  switch (pointer.kind) {
    case Pointer::Kind::null:
      return 0;
    case Pointer::Kind::named:
      return object(pointer.name).address + pointer.value;
    case Pointer::Kind::absolute:
      return pointer.value;
  }
  return 0;
}

void Runner::check(const Call& call, Result& result, bool& held) {
  const std::uint64_t begin = address(call.pointer);
  const std::uint64_t size = object(call.pointer.name).size;
  const std::uint64_t bytes = call.size.value_or(size > call.pointer.value ? size - call.pointer.value : 0);
  std::vector<std::uint8_t> host(bytes);
  Machine::Ticket ticket;
  result.status = machine_.begin_read(handle(call.stream), begin, bytes, host.data(), ticket);
  if (result.status != Status::ok) return;
  held = !machine_.run(ticket);
  if (held) return;
  machine_.conclude(ticket);
  const bool same = std::ranges::all_of(host, [&](std::uint8_t byte) { return byte == call.byte; });
  result.status = same ? Status::ok : Status::mismatch;
}

void Runner::get(const Call& call, Result& result) {
  std::array<std::uint8_t, 8> bytes{};
  const auto id = static_cast<std::int64_t>(call.attribute);
  const std::size_t width = std::min<std::uint64_t>(bytes.size(), call.width.value_or(bytes.size()));
  result.status = machine_.attribute_get(handle(call.pool), id, bytes.data(), width);
  if (result.status != Status::ok) return;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  result.value = value;
}

void Runner::set(const Call& call, Result& result) {
  std::array<std::uint8_t, 8> bytes{};
  std::size_t width = bytes.size();
  const auto& value = call.value;
  if (value.kind == history::AttributeValue::Kind::raw) {
    width = std::min(bytes.size(), value.raw.size());
    std::copy_n(value.raw.begin(), width, bytes.begin());
  } else {
    std::memcpy(bytes.data(), &value.integer, bytes.size());
  }
  const bool null = value.kind == history::AttributeValue::Kind::null;
  result.status = machine_.attribute_set(handle(call.pool), static_cast<std::int64_t>(call.attribute),
                                         null ? nullptr : bytes.data(), width);
}

std::optional<Result> Runner::run(const Call& call) {
  Result result;
  bool held = false;
  if (call.stream == Name::per_thread && per_thread_ == Handle{}) per_thread_ = machine_.add_per_thread_stream();
  const auto create = [&](Name name, auto make) {
    Handle made{};
    result.status = make(made);
    if (result.status != Status::ok) return;
    define(name).handle = made;
    result.handle = static_cast<std::uint64_t>(made);
  };
  const auto wait = [&](Status begun, const Machine::Ticket& ticket) {
    result.status = begun;
    if (begun != Status::ok) return;
    held = !machine_.run(ticket);
    if (!held) machine_.conclude(ticket);
  };
  const auto allocate = [&](auto&& make) {
    std::uint64_t address = 0;
    result.status = make(address);
    if (result.status != Status::ok) {
      result.out = Result::Out::null;
      return;
    }
    result.value = address;
    Object& block = define(call.allocation);
    block = {.handle = {}, .address = address, .size = call.size.value_or(0)};
  };
  Machine::Ticket ticket;
  switch (call.op) {
    case Op::stream_create:
      create(call.stream, [&](Handle& made) {
        return machine_.stream_create(call.stream_kind == history::StreamKind::blocking, made);
      });
      break;
    case Op::stream_destroy:
      result.status = machine_.stream_destroy(handle(call.stream));
      break;
    case Op::stream_sync: {
      const Status begun = machine_.begin_stream_sync(handle(call.stream), ticket);
      wait(begun, ticket);
      break;
    }
    case Op::stream_query:
      result.status = machine_.stream_query(handle(call.stream));
      break;
    case Op::device_sync:
      wait(Status::ok, machine_.begin_device_sync());
      break;
    case Op::event_create:
      create(call.event, [&](Handle& made) { return machine_.event_create(made); });
      break;
    case Op::event_destroy:
      result.status = machine_.event_destroy(handle(call.event));
      break;
    case Op::event_record:
      result.status = machine_.event_record(handle(call.event), handle(call.stream));
      break;
    case Op::stream_wait_event:
      result.status = machine_.stream_wait_event(handle(call.stream), handle(call.event));
      break;
    case Op::event_sync: {
      const Status begun = machine_.begin_event_sync(handle(call.event), ticket);
      wait(begun, ticket);
      break;
    }
    case Op::event_query:
      result.status = machine_.event_query(handle(call.event));
      break;
    case Op::gate_create:
      create(call.gate, [&](Handle& made) { return machine_.gate_create(made); });
      break;
    case Op::gate_hold:
      result.status = machine_.gate_hold(handle(call.stream), handle(call.gate));
      break;
    case Op::gate_open:
      result.status = machine_.gate_open(handle(call.gate));
      break;
    case Op::gate_destroy:
      result.status = machine_.gate_destroy(handle(call.gate));
      break;
    case Op::step:
      result.status = machine_.step(handle(call.stream));
      break;
    case Op::pool_create:
      create(call.pool, [&](Handle& made) { return machine_.pool_create(call.size.value_or(0), made); });
      break;
    case Op::pool_default:
      create(call.pool, [&](Handle& made) {
        made = machine_.pool_default();
        return Status::ok;
      });
      break;
    case Op::pool_destroy:
      result.status = machine_.pool_destroy(handle(call.pool));
      break;
    case Op::pool_trim:
      result.status = machine_.pool_trim(handle(call.pool), *call.size);
      break;
    case Op::pool_set_current:
      result.status = machine_.pool_set_current(handle(call.pool));
      break;
    case Op::pool_get_current:
      result.handle = static_cast<std::uint64_t>(machine_.pool_get_current());
      break;
    case Op::pool_set:
      set(call, result);
      break;
    case Op::pool_get:
      get(call, result);
      break;
    case Op::malloc:
      allocate([&](std::uint64_t& address) {
        const Handle pool = call.pool == Name::none ? machine_.pool_get_current() : handle(call.pool);
        return machine_.malloc(pool, handle(call.stream), *call.size, address);
      });
      break;
    case Op::plain_malloc:
      allocate([&](std::uint64_t& address) { return machine_.plain_malloc(*call.size, address); });
      break;
    case Op::free:
      result.status = machine_.free_async(address(call.pointer), handle(call.stream));
      break;
    case Op::free_sync:
    case Op::plain_free:
      result.status = machine_.free_sync(address(call.pointer));
      break;
    case Op::fill:
      result.status = machine_.fill(handle(call.stream), address(call.pointer), call.byte,
                                    call.size.value_or(object(call.pointer.name).size));
      break;
    case Op::check:
      check(call, result, held);
      break;
    case Op::launch: {
      std::vector<std::uint64_t> addresses;
      for (const Pointer& pointer : call.pointers) addresses.push_back(address(pointer));
      result.status = machine_.launch(handle(call.stream), addresses);
      break;
    }
    default:
      result.status = Status::not_supported;
      break;
  }
  if (held) return std::nullopt;
  return result;
}

}  // namespace streampool::model::machine
