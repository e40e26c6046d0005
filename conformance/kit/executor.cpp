#include "conformance/kit/executor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "model/history/signature.hpp"

namespace streampool::kit {
namespace {

using history::Call;
using history::Name;
using history::Op;
using history::Pointer;
using history::Result;
using history::Status;

constexpr std::uint64_t pattern = 0xA5A5A5A5A5A5A5A5;
constexpr std::uint64_t read_chunk = std::uint64_t{64} << 20;  // bytes of host memory that one `check` uses at most

// The calling thread's last failing call, by the context that it was made in.
struct NewestFailure {
  std::uint64_t opened = 0, native = 0;
};
thread_local NewestFailure newest_failure;

Status normalised(streampool_status status) {
  switch (status) {
    case STREAMPOOL_OK:
      return Status::ok;
    case STREAMPOOL_INVALID_VALUE:
      return Status::invalid_value;
    case STREAMPOOL_OUT_OF_MEMORY:
      return Status::out_of_memory;
    case STREAMPOOL_NOT_SUPPORTED:
      return Status::not_supported;
    case STREAMPOOL_NOT_READY:
      return Status::not_ready;
    case STREAMPOOL_INVALID_HANDLE:
      return Status::invalid_handle;
    case STREAMPOOL_NOT_PERMITTED:
      return Status::not_permitted;
    case STREAMPOOL_INTERNAL:
      return Status::internal;
    default:
      return Status::unknown;  // also what is no status at all: a garbage answer is a result
  }
}

// The attribute's own width in bytes; ids that are not known get the room of the widest.
std::size_t own_width(history::Attribute attribute) {
  const auto id = static_cast<std::int64_t>(attribute);
  return id >= 1 && id <= 3 ? 4 : 8;
}

bool all_equal(const std::uint8_t* bytes, std::uint64_t count, std::uint8_t byte) {
  return count == 0 || (bytes[0] == byte && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

// How far the runtime wrote into a buffer that was filled with `filler`.
template <std::size_t N>
std::uint64_t bytes_written(const std::array<std::uint8_t, N>& buffer, std::uint8_t filler) {
  for (std::size_t end = N; end > 0; --end) {
    if (buffer[end - 1] != filler) return end;
  }
  return 0;
}

}  // namespace

// One call on its way: the arguments resolved, the entry called, the outputs looked at.
class Executor::Calls {
 public:
  Calls(Executor& self, const Call& call, Result& result)
      : self_(self), rt_(self.runtime_), call_(call), result_(result) {}

  void run() {
    result_ = Result{};
    const streampool_status status = dispatch();
    if (result_.status == Status::ok) result_.status = normalised(status);
    if (result_.status != Status::ok && result_.status != Status::not_ready && result_.status != Status::mismatch) {
      // Also where it is 0: an error without a code of its own must show (CAP-NATIVE-CODE).
      result_.native = static_cast<std::uint64_t>(rt_.last_error_code());
      newest_failure = {self_.opened_, *result_.native};
    } else if (newest_failure.opened == self_.opened_) {
      // The thread's last error is that of its own last failing call, and what success answers must show no other.
      const auto now = static_cast<std::uint64_t>(rt_.last_error_code());
      if (now != 0 && now != newest_failure.native) result_.native = now;
    }
  }

 private:
  using Table = streampool_runtime;

  streampool_status dispatch() {
    switch (call_.op) {
      case Op::stream_create: {
        const std::uint32_t kind = call_.stream_kind == history::StreamKind::blocking ? STREAMPOOL_STREAM_BLOCKING
                                                                                      : STREAMPOOL_STREAM_NONBLOCKING;
        return create(STREAMPOOL_CAP_STREAM, call_.stream, &Table::stream_create, device(), kind);
      }
      case Op::stream_destroy:
        return on_stream(STREAMPOOL_CAP_STREAM, &Table::stream_destroy);
      case Op::stream_sync:
        return on_stream(STREAMPOOL_CAP_STREAM, &Table::stream_synchronize);
      case Op::stream_query:
        return on_stream(STREAMPOOL_CAP_STREAM, &Table::stream_query);
      case Op::device_sync:
        return rt_.call(STREAMPOOL_CAP_DEVICE, &Table::device_synchronize, device());
      case Op::event_create:
        return create(STREAMPOOL_CAP_EVENT, call_.event, &Table::event_create, device());
      case Op::event_destroy:
        return rt_.call(STREAMPOOL_CAP_EVENT, &Table::event_destroy, handle(call_.event));
      case Op::event_record:
        return event_record();
      case Op::stream_wait_event:
        return on_stream(STREAMPOOL_CAP_EVENT, &Table::stream_wait_event, handle(call_.event));
      case Op::event_sync:
        return rt_.call(STREAMPOOL_CAP_EVENT, &Table::event_synchronize, handle(call_.event));
      case Op::event_query:
        return rt_.call(STREAMPOOL_CAP_EVENT, &Table::event_query, handle(call_.event));
      case Op::gate_create:
        return create(STREAMPOOL_CAP_GATE, call_.gate, &Table::gate_create, device());
      case Op::gate_hold:
        return gate_hold();
      case Op::gate_open:
        return gate_open();
      case Op::gate_destroy:
        return gate_destroy();
      case Op::step:
        return on_stream(STREAMPOOL_CAP_STEP, &Table::step);
      case Op::pool_create:
        return create(STREAMPOOL_CAP_POOL, call_.pool, &Table::pool_create, device(), size());
      case Op::pool_default:
        return create(STREAMPOOL_CAP_DEFAULT_POOL, call_.pool, &Table::pool_default, device());
      case Op::pool_destroy:
        return rt_.call(STREAMPOOL_CAP_POOL, &Table::pool_destroy, handle(call_.pool));
      case Op::pool_trim:
        return rt_.call(STREAMPOOL_CAP_POOL, &Table::pool_trim, handle(call_.pool), size());
      case Op::pool_set_current:
        return rt_.call(STREAMPOOL_CAP_DEFAULT_POOL, &Table::pool_set_current, device(), handle(call_.pool));
      case Op::pool_get_current:
        return create(STREAMPOOL_CAP_DEFAULT_POOL, Name::none, &Table::pool_get_current, device());
      case Op::pool_set:
        return attribute_set();
      case Op::pool_get:
        return attribute_get();
      case Op::malloc:
        return stream_malloc();
      case Op::free:
        return free_async();
      case Op::free_sync:
        return rt_.call(STREAMPOOL_CAP_FREE_SYNC, &Table::free_sync, address(call_.pointer));
      case Op::plain_malloc:
        return plain_malloc();
      case Op::plain_free:
        return rt_.call(STREAMPOOL_CAP_PLAIN, &Table::plain_free, address(call_.pointer));
      case Op::fill:
        return on_stream(STREAMPOOL_CAP_PROBE, &Table::fill, address(call_.pointer), call_.byte, extent(call_.pointer));
      case Op::check:
        return check();
      case Op::launch:
        return launch();
      case Op::memory_info:
        return memory_info();
      case Op::limit:
        return rt_.call(STREAMPOOL_CAP_LIMIT, &Table::limit_memory, device(), size());
      case Op::fail:
        return rt_.call(STREAMPOOL_CAP_FAULT, &Table::fail_next, fail_kind(), size());
    }
    return STREAMPOOL_UNKNOWN;
  }

  [[nodiscard]] std::uint32_t device() const {
    return static_cast<std::uint32_t>(call_.device.value_or(history::Device{}));
  }
  [[nodiscard]] std::uint64_t size() const { return call_.size.value_or(0); }
  [[nodiscard]] std::uint64_t handle(Name name) const { return self_.object(name).value; }

  [[nodiscard]] std::uint32_t fail_kind() const {
    switch (call_.fail_kind) {
      case history::FailKind::reserve:
        return STREAMPOOL_FAIL_RESERVE;
      case history::FailKind::map:
        return STREAMPOOL_FAIL_MAP;
      case history::FailKind::submit:
        return STREAMPOOL_FAIL_SUBMIT;
    }
    return STREAMPOOL_FAIL_RESERVE;
  }

  [[nodiscard]] std::uint64_t address(const Pointer& pointer) const {
    switch (pointer.kind) {
      case Pointer::Kind::null:
        return 0;
      case Pointer::Kind::named:
        return self_.object(pointer.name).value + pointer.value;
      case Pointer::Kind::absolute:
        return pointer.value;
    }
    return 0;
  }

  // Bytes that fill and check touch: as written, else to the end of what was asked for.
  [[nodiscard]] std::uint64_t extent(const Pointer& pointer) const {
    if (call_.size) return *call_.size;
    if (pointer.kind != Pointer::Kind::named) return 1;
    const std::uint64_t asked = self_.object(pointer.name).size;
    return asked > pointer.value ? asked - pointer.value : 0;
  }

  // The default streams have no handle of their own; `per_thread` depends on the calling thread.
  streampool_status stream(std::uint64_t& out) const {
    if (call_.stream != Name::legacy && call_.stream != Name::per_thread) {
      out = handle(call_.stream);
      return STREAMPOOL_OK;
    }
    const std::uint32_t kind = call_.stream == Name::legacy ? STREAMPOOL_DEFAULT_LEGACY : STREAMPOOL_DEFAULT_PER_THREAD;
    const streampool_status status =
        rt_.call(STREAMPOOL_CAP_DEFAULT_STREAMS, &Table::stream_default, device(), kind, &out);
    if (status == STREAMPOOL_OK) self_.note_default_stream(out);
    return status;
  }

  template <class... Parameters, class... Arguments>
  streampool_status on_stream(std::uint64_t group,
                              streampool_status (*Table::*entry)(streampool_context, streampool_stream, Parameters...),
                              Arguments... arguments) const {
    std::uint64_t value = 0;
    if (const streampool_status status = stream(value); status != STREAMPOOL_OK) return status;
    return rt_.call(group, entry, value, arguments...);
  }

  // A call whose last parameter receives a handle; it defines `name` where there is one.
  template <class... Parameters, class... Arguments>
  streampool_status create(std::uint64_t group, Name name, streampool_status (*Table::*entry)(Parameters...),
                           Arguments... arguments) {
    std::uint64_t value = pattern;
    const streampool_status status = rt_.call(group, entry, arguments..., &value);
    if (status != STREAMPOOL_OK) return status;
    result_.unwritten = value == pattern;
    if (!result_.unwritten) result_.handle = value;
    if (name != Name::none) {
      self_.change(name, [&](Object& object) { object = {.known = true, .value = result_.unwritten ? 0 : value}; });
    }
    return status;
  }

  streampool_status event_record() const {
    std::uint64_t value = 0;
    if (const streampool_status status = stream(value); status != STREAMPOOL_OK) return status;
    return rt_.call(STREAMPOOL_CAP_EVENT, &Table::event_record, handle(call_.event), value);
  }

  streampool_status gate_hold() {
    const streampool_status status = on_stream(STREAMPOOL_CAP_GATE, &Table::gate_hold, handle(call_.gate));
    if (status == STREAMPOOL_OK) self_.change(call_.gate, [](Object& gate) { gate.holds = true; });
    return status;
  }

  streampool_status gate_open() {
    const streampool_status status = rt_.call(STREAMPOOL_CAP_GATE, &Table::gate_open, handle(call_.gate));
    if (status == STREAMPOOL_OK) self_.change(call_.gate, [](Object& gate) { gate.opened = true; });
    return status;
  }

  streampool_status gate_destroy() {
    const streampool_status status = rt_.call(STREAMPOOL_CAP_GATE, &Table::gate_destroy, handle(call_.gate));
    // A dead gate cannot be opened any more: the watchdog must not try.
    if (status == STREAMPOOL_OK) self_.change(call_.gate, [](Object& gate) { gate.opened = true; });
    return status;
  }

  streampool_status attribute_set() const {
    const auto& value = call_.value;
    std::array<std::uint8_t, 8> buffer{};
    std::memcpy(buffer.data(), &value.integer, sizeof(value.integer));
    const void* bytes = buffer.data();
    std::size_t width = own_width(call_.attribute);
    if (value.kind == history::AttributeValue::Kind::null) bytes = nullptr;
    if (value.kind == history::AttributeValue::Kind::raw) {
      bytes = value.raw.data();
      width = value.raw.size();
    }
    return rt_.call(STREAMPOOL_CAP_ATTRIBUTE, &Table::attribute_set, handle(call_.pool), id(), bytes, width);
  }

  streampool_status attribute_get() {
    std::array<std::uint8_t, 32> buffer{};
    const std::uint64_t pool = handle(call_.pool);
    const std::size_t width = call_.width.value_or(8);
    const auto get = [&](std::uint8_t filler) {
      buffer.fill(filler);
      return rt_.call(STREAMPOOL_CAP_ATTRIBUTE, &Table::attribute_get, pool, id(), static_cast<void*>(buffer.data()),
                      width);
    };
    constexpr std::uint8_t filler = pattern & 0xFF;
    streampool_status status = get(filler);
    std::uint64_t wrote = bytes_written(buffer, filler);
    if (status == STREAMPOOL_OK && wrote != own_width(call_.attribute)) {
      // A value may end in bytes that look like the pattern: ask again over another one.
      constexpr std::uint8_t other = static_cast<std::uint8_t>(~filler);
      status = get(other);
      wrote = std::max(wrote, bytes_written(buffer, other));
    }
    if (status == STREAMPOOL_OK && wrote == 0) result_.unwritten = true;
    if (status == STREAMPOOL_OK && wrote > 0) {
      std::uint64_t value = 0;
      std::memcpy(&value, buffer.data(), std::min<std::uint64_t>(wrote, own_width(call_.attribute)));
      result_.value = value;
    }
    if (wrote > 0) result_.wrote = wrote;
    return status;
  }

  [[nodiscard]] std::int32_t id() const { return static_cast<std::int32_t>(call_.attribute); }

  streampool_status plain_malloc() {
    std::uint64_t out = pattern;
    const streampool_status status = rt_.call(STREAMPOOL_CAP_PLAIN, &Table::plain_malloc, device(), &out, size());
    return allocated(status, out);
  }

  streampool_status stream_malloc() {
    std::uint64_t on = 0, out = pattern;
    if (const streampool_status status = stream(on); status != STREAMPOOL_OK) return status;
    const streampool_status status =
        call_.pool == Name::none
            ? rt_.call(STREAMPOOL_CAP_DEFAULT_POOL, &Table::malloc_current, &out, size(), on)
            : rt_.call(STREAMPOOL_CAP_MEMORY, &Table::malloc_from_pool, &out, size(), handle(call_.pool), on);
    return allocated(status, out);
  }

  // What an allocating call left in its output.
  streampool_status allocated(streampool_status status, std::uint64_t out) {
    if (status == STREAMPOOL_OK) {
      result_.unwritten = out == pattern;
      if (!result_.unwritten) result_.value = out;
      const std::uint64_t value = result_.unwritten ? 0 : out;
      self_.change(call_.allocation, [&](Object& object) { object = {.known = true, .value = value, .size = size()}; });
    } else if (out == pattern) {
      result_.out = Result::Out::unchanged;
    } else if (out == 0) {
      result_.out = Result::Out::null;
    } else {
      result_.out = Result::Out::address;
      result_.out_address = out;
    }
    return status;
  }

  streampool_status free_async() const {
    std::uint64_t value = 0;
    if (const streampool_status status = stream(value); status != STREAMPOOL_OK) return status;
    return rt_.call(STREAMPOOL_CAP_MEMORY, &Table::free_async, address(call_.pointer), value);
  }

  streampool_status check() {
    std::uint64_t left = extent(call_.pointer);
    std::uint64_t from = address(call_.pointer);
    thread_local std::vector<std::uint8_t> buffer;
    do {
      const std::uint64_t bytes = std::min(left, read_chunk);
      if (buffer.size() < bytes) buffer.resize(bytes);
      // A runtime that says ok and copies nothing must not find the right bytes from the last check.
      std::memset(buffer.data(), static_cast<std::uint8_t>(~call_.byte), bytes);
      const streampool_status status =
          on_stream(STREAMPOOL_CAP_PROBE, &Table::read, from, bytes, static_cast<void*>(buffer.data()));
      if (status != STREAMPOOL_OK) return status;
      if (!all_equal(buffer.data(), bytes, call_.byte)) {
        result_.status = Status::mismatch;
        return status;
      }
      left -= bytes;
      from += bytes;
    } while (left > 0);
    return STREAMPOOL_OK;
  }

  streampool_status launch() const {
    std::vector<streampool_address> addresses;
    addresses.reserve(call_.pointers.size());
    for (const Pointer& pointer : call_.pointers) addresses.push_back(address(pointer));
    return on_stream(STREAMPOOL_CAP_PROBE, &Table::launch, static_cast<const streampool_address*>(addresses.data()),
                     addresses.size());
  }

  streampool_status memory_info() {
    std::uint64_t free_bytes = pattern, total_bytes = pattern;
    const streampool_status status =
        rt_.call(STREAMPOOL_CAP_MEMORY_INFO, &Table::memory_info, device(), &free_bytes, &total_bytes);
    if (status != STREAMPOOL_OK) return status;
    result_.unwritten = free_bytes == pattern || total_bytes == pattern;
    if (!result_.unwritten) {
      result_.value = free_bytes;
      result_.total = total_bytes;
    }
    return status;
  }

  Executor& self_;
  const Runtime& rt_;
  const Call& call_;
  Result& result_;
};

Executor::Executor(Runtime runtime, RuntimeOptions options)
    : runtime_(std::move(runtime)), options_(std::move(options)) {}
Executor::~Executor() = default;

tl::expected<void, LoadError> Executor::open() {
  static std::atomic<std::uint64_t> opened_so_far{0};
  objects_.clear();
  default_streams_.clear();
  opened_ = ++opened_so_far;
  return runtime_.open(options_);
}

void Executor::begin(const history::NameTable& names) { objects_.resize(names.size()); }

bool Executor::close() {
  objects_.clear();
  return runtime_.close() == STREAMPOOL_OK;
}

Executor::Object Executor::object(Name name) const {
  const std::scoped_lock lock(mutex_);
  const auto index = static_cast<std::size_t>(name);
  return index < objects_.size() ? objects_[index] : Object{};
}

template <class Change>
void Executor::change(Name name, Change change) {
  const std::scoped_lock lock(mutex_);
  const auto index = static_cast<std::size_t>(name);
  if (index >= objects_.size()) objects_.resize(std::max(index + 1, 2 * objects_.size()));
  change(objects_[index]);
}

bool Executor::is_known(Name name) const {
  return name == Name::none || name == Name::legacy || name == Name::per_thread || object(name).known;
}

void Executor::note_default_stream(std::uint64_t handle) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(default_streams_, handle) == default_streams_.end()) default_streams_.push_back(handle);
}

bool Executor::is_default_stream(Name name) const {
  if (name == Name::none || name == Name::legacy || name == Name::per_thread) return false;
  const std::scoped_lock lock(mutex_);
  return std::ranges::find(default_streams_, objects_[static_cast<std::size_t>(name)].value) != default_streams_.end();
}

bool Executor::knows(const Call& call) const {
  const auto known_pointer = [this](const Pointer& pointer) {
    return pointer.kind != Pointer::Kind::named || is_known(pointer.name);
  };
  for (const history::Parameter& parameter : history::signature(call.op).parameters()) {
    if (parameter.use == history::Use::defines) continue;
    const Name* name = history::name_in(call, parameter.field);
    if (name != nullptr && !is_known(*name)) return false;
    // A dead name whose handle a default stream has got: what the call would be about, the history could not say.
    if (parameter.field == history::Field::stream && is_default_stream(*name)) return false;
  }
  return known_pointer(call.pointer) && std::ranges::all_of(call.pointers, known_pointer);
}

void Executor::run(const Call& call, Result& result) { Calls(*this, call, result).run(); }

std::vector<Name> Executor::closed_gates() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Name> names;
  for (std::size_t index = 0; index < objects_.size(); ++index) {
    if (objects_[index].holds && !objects_[index].opened) names.push_back(static_cast<Name>(index));
  }
  return names;
}

void Executor::open_gate(Name gate) {
  if (runtime_.call(STREAMPOOL_CAP_GATE, &streampool_runtime::gate_open, object(gate).value) == STREAMPOOL_OK) {
    change(gate, [](Object& object) { object.opened = true; });
  }
}

}  // namespace streampool::kit
