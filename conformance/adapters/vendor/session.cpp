#include "conformance/adapters/vendor/session.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace streampool::vendor {
namespace {

// Default streams have no object of their own: their handles are small numbers that carry the device, below every
// pointer that a vendor can hand out.
constexpr std::uint64_t first_pointer = 1u << 16;
constexpr std::uint64_t default_stream_mark = 1u << 15;
constexpr std::uint64_t kind_bits = 1;

// The device that this thread made current, and for which session: a new session starts with nothing current.
struct Current {
  std::uint64_t session = 0;
  int device = -1;
};
thread_local Current current;

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

bool erase(std::unordered_set<void*>& set, void* object) { return set.erase(object) != 0; }

}  // namespace

streampool_status Session::open(const Vendor& vendor, const Settings& settings, std::unique_ptr<Session>& session) {
  std::unique_ptr<Session> made(new Session(vendor));
  made->id_ = next_id();
  streampool_status status = made->load(settings);
  if (status == STREAMPOOL_OK) status = made->find_devices(settings.first_device);
  if (status == STREAMPOOL_OK) status = made->prepare();
  if (status == STREAMPOOL_OK) session = std::move(made);
  return status;
}

streampool_status Session::load(const Settings& settings) {
  for (const auto& [name, value] : vendor_.environment) setenv(name, value, 0);
  const char* named[] = {settings.library.c_str()};
  const auto names = settings.library.empty() ? vendor_.libraries : std::span<const char* const>(named);
  std::string error;
  if (!library_.open(names, error)) {
    return fail(STREAMPOOL_NOT_SUPPORTED, library_not_found, "the vendor's library cannot be opened", error);
  }
  Missing missing;
  vendor_.bind_calls(library_, calls_, missing);
  if (missing.groups == everything) {
    return fail(STREAMPOOL_NOT_SUPPORTED, symbol_missing, library_.name(), "it lacks " + missing.names);
  }
  capabilities_ = vendor_.capabilities & ~missing.groups;
  if (!calls_.initialize) return STREAMPOOL_OK;
  return run(calls_.initialize, nullptr);
}

streampool_status Session::find_devices(int first_device) {
  int count = 0;
  if (const auto status = run(calls_.device_count, &count); status != STREAMPOOL_OK) return status;
  if (first_device >= count) {
    return fail(STREAMPOOL_NOT_SUPPORTED, no_such_device, calls_.device_count.name,
                "device " + std::to_string(first_device) + " was asked for, there are " + std::to_string(count));
  }
  first_device_ = first_device;
  device_count_ = count - first_device;
  if (const auto status = enter(first_device_); status != STREAMPOOL_OK) return status;
  if (vendor_.pools_supported_attribute == 0) return STREAMPOOL_OK;
  int supported = 0;
  const int attribute = vendor_.pools_supported_attribute;
  const auto status = run(calls_.device_attribute, &supported, attribute, first_device_);
  // A library older than the attribute refuses it, and has no pools either.
  if (status != STREAMPOOL_OK || supported == 0) {
    capabilities_ &= ~std::uint64_t{STREAMPOOL_CAP_POOL | STREAMPOOL_CAP_DEFAULT_POOL | STREAMPOOL_CAP_ATTRIBUTE |
                                    STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_FREE_SYNC};
  }
  return STREAMPOOL_OK;
}

streampool_status Session::prepare() {
  version_ = vendor_.version(calls_);
  int runtime = 0, driver = 0;
  if (vendor_.max_size_since != 0) {
    if (const auto status = run(calls_.runtime_version, &runtime); status != STREAMPOOL_OK) return status;
    if (const auto status = run(calls_.driver_version, &driver); status != STREAMPOOL_OK) return status;
  }
  limits_pool_size_ = std::min(runtime, driver) >= vendor_.max_size_since;
  if ((capabilities_ & STREAMPOOL_CAP_MEMORY_INFO) != 0) {
    std::size_t free_bytes = 0, total_bytes = 0;
    if (const auto status = run(calls_.memory_info, &free_bytes, &total_bytes); status != STREAMPOOL_OK) return status;
    memory_ = total_bytes;
  }
  if ((capabilities_ & STREAMPOOL_CAP_PROBE) != 0) {
    if (const auto status = staging_.prepare(*this, first_device_); status != STREAMPOOL_OK) return status;
  }
  if ((capabilities_ & STREAMPOOL_CAP_GATE) != 0) probe_gate();
  return STREAMPOOL_OK;
}

// Whether a device takes stream waits is not told reliably by any attribute, so one is tried, on a gate that is open.
void Session::probe_gate() {
  const auto passes = [this](void* stream) {
    streampool_gate gate = 0;
    return gates_.prepare(*this) == STREAMPOOL_OK && gates_.create(*this, gate) == STREAMPOOL_OK &&
           gates_.open(gate) == STREAMPOOL_OK && gates_.hold(*this, stream, gate) == STREAMPOOL_OK &&
           run(calls_.stream_synchronize, stream) == STREAMPOOL_OK && gates_.destroy(gate) == STREAMPOOL_OK;
  };
  void* stream = nullptr;
  bool works = run(calls_.stream_create, &stream, vendor_.nonblocking_flag) == STREAMPOOL_OK && passes(stream);
  if (stream != nullptr) works = run(calls_.stream_destroy, stream) == STREAMPOOL_OK && works;
  if (!works) capabilities_ &= ~std::uint64_t{STREAMPOOL_CAP_GATE};
}

streampool_status Session::close() {
  streampool_status first = STREAMPOOL_OK;
  const auto keep_first = [&first](streampool_status status) {
    if (first == STREAMPOOL_OK) first = status;
  };
  gates_.open_all();
  for (int device = first_device_; device < first_device_ + device_count_; ++device) {
    const bool used = device == first_device_ ||
                      std::ranges::any_of(streams_, [device](const auto& each) { return each.second == device; });
    if (!used) continue;  // entering a device makes a context there
    keep_first(enter(device));
    keep_first(run(calls_.device_synchronize));
  }
  keep_first(free_left_memory());
  for (void* pool : pools_) keep_first(run(calls_.pool_destroy, pool));
  for (void* event : events_) keep_first(run(calls_.event_destroy, event));
  for (const auto& [stream, device] : streams_) keep_first(run(calls_.stream_destroy, stream));
  keep_first(staging_.release(*this));
  keep_first(gates_.release(*this));
  return first;
}

// In stream order, which every vendor offers; a free without a stream is not documented everywhere.
streampool_status Session::free_left_memory() {
  if (memory_blocks_.empty()) return STREAMPOOL_OK;
  void* stream = nullptr;
  streampool_status first = enter(first_device_);
  const auto keep_first = [&first](streampool_status status) {
    if (first == STREAMPOOL_OK) first = status;
  };
  keep_first(run(calls_.stream_create, &stream, vendor_.nonblocking_flag));
  if (first != STREAMPOOL_OK) return first;
  for (const auto& [address, kind] : memory_blocks_) {
    keep_first(kind == Memory::plain ? run(calls_.free_now, address) : run(calls_.free_async, address, stream));
  }
  keep_first(run(calls_.stream_synchronize, stream));
  keep_first(run(calls_.stream_destroy, stream));
  return first;
}

streampool_status Session::translate(int code, const char* name) const {
  if (code == 0) return STREAMPOOL_OK;
  if (code == still_pending) return fail(STREAMPOOL_NOT_READY, code, name, "work is pending");
  const auto found = std::ranges::find(vendor_.statuses, code, &StatusCode::native);
  const char* text = calls_.error_text ? calls_.error_text(code) : nullptr;
  return fail(found == vendor_.statuses.end() ? STREAMPOOL_UNKNOWN : found->status, code, name,
              text != nullptr ? text : "no text");
}

streampool_status Session::enter(int device) const {
  if (current.session == id_ && current.device == device) return STREAMPOOL_OK;
  const auto status = run(calls_.device_set, device);
  if (status == STREAMPOOL_OK) current = {.session = id_, .device = device};
  return status;
}

streampool_status Session::find_device(std::uint32_t device, int& native) const {
  if (device >= device_count()) {
    return fail(STREAMPOOL_INVALID_VALUE, no_such_device, vendor_.name, "there is no device " + std::to_string(device));
  }
  native = first_device_ + static_cast<int>(device);
  return STREAMPOOL_OK;
}

streampool_stream Session::default_stream(int device, std::uint32_t kind) const {
  return default_stream_mark | static_cast<std::uint64_t>(device) << 1 | kind;
}

streampool_status Session::use_stream(streampool_stream stream, StreamUse& use) const {
  if (stream == 0) {
    return fail(STREAMPOOL_INVALID_HANDLE, handle_is_zero, vendor_.name,
                "stream 0 is refused here: the vendor would take it for its default stream");
  }
  if (stream < first_pointer && (stream & default_stream_mark) != 0) {
    use.native = vendor_.default_streams[stream & kind_bits];
    use.device = static_cast<int>((stream & ~default_stream_mark) >> 1);
    return enter(use.device);
  }
  use.native = reinterpret_cast<void*>(stream);
  use.device = first_device_;
  {
    const std::scoped_lock lock(objects_mutex_);
    if (const auto found = streams_.find(use.native); found != streams_.end()) use.device = found->second;
  }
  return enter(use.device);
}

void Session::remember_stream(void* stream, int device) {
  const std::scoped_lock lock(objects_mutex_);
  streams_[stream] = device;
}
bool Session::forget_stream(void* stream) {
  const std::scoped_lock lock(objects_mutex_);
  return streams_.erase(stream) != 0;
}
void Session::remember_event(void* event) {
  const std::scoped_lock lock(objects_mutex_);
  events_.insert(event);
}
bool Session::forget_event(void* event) {
  const std::scoped_lock lock(objects_mutex_);
  return erase(events_, event);
}
void Session::remember_pool(void* pool) {
  const std::scoped_lock lock(objects_mutex_);
  pools_.insert(pool);
}
bool Session::forget_pool(void* pool) {
  const std::scoped_lock lock(objects_mutex_);
  return erase(pools_, pool);
}
void Session::remember_memory(void* address, Memory kind) {
  const std::scoped_lock lock(objects_mutex_);
  memory_blocks_.insert_or_assign(address, kind);
}
std::optional<Session::Memory> Session::forget_memory(void* address) {
  const std::scoped_lock lock(objects_mutex_);
  const auto found = memory_blocks_.find(address);
  if (found == memory_blocks_.end()) return std::nullopt;
  const Memory kind = found->second;
  memory_blocks_.erase(found);
  return kind;
}

}  // namespace streampool::vendor
