// The one open context of an adapter: the vendor's calls, the devices in view, and every object that is left to end.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "conformance/adapters/vendor/error.hpp"
#include "conformance/adapters/vendor/gates.hpp"
#include "conformance/adapters/vendor/staging.hpp"
#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::vendor {

// What `open` was asked for.
struct Settings {
  std::string library;   // empty: the vendor's usual names
  int first_device = 0;  // the vendor's number of the ABI's device 0; later devices follow it
};

// A stream handle of the ABI, resolved.
struct StreamUse {
  void* native = nullptr;
  int device = 0;  // the vendor's number
};

class Session {
 public:
  // Errors: the status and, in last_error, the vendor's code and text.
  static streampool_status open(const Vendor& vendor, const Settings& settings, std::unique_ptr<Session>& session);
  // Opens every gate, waits for every device, ends every object. The first failure is returned, the rest is tried.
  streampool_status close();

  [[nodiscard]] const Vendor& vendor() const { return vendor_; }
  [[nodiscard]] const Calls& calls() const { return calls_; }
  [[nodiscard]] std::uint64_t capabilities() const { return capabilities_; }
  [[nodiscard]] std::uint64_t id() const { return id_; }
  [[nodiscard]] std::uint32_t device_count() const { return static_cast<std::uint32_t>(device_count_); }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }
  [[nodiscard]] bool limits_pool_size() const { return limits_pool_size_; }

  Gates& gates() { return gates_; }
  Staging& staging() { return staging_; }

  // Calls the vendor and translates its code; a failure stays readable through last_error.
  template <class Function, class... Arguments>
  streampool_status run(const Call<Function>& call, Arguments... arguments) const {
    if (!call) return fail(STREAMPOOL_NOT_SUPPORTED, symbol_missing, vendor_.name, "no such function in the library");
    return translate(call(arguments...), call.name);
  }
  // Makes the vendor's device current for this thread. The vendor's numbers, not the ABI's.
  streampool_status enter(int device) const;
  // The ABI's number to the vendor's.
  streampool_status find_device(std::uint32_t device, int& native) const;
  // Any handle but 0 passes: a dead one is the vendor's to refuse. Enters the stream's device.
  streampool_status use_stream(streampool_stream stream, StreamUse& use) const;
  streampool_stream default_stream(int device, std::uint32_t kind) const;

  // What is alive, for use_stream and close.
  void remember_stream(void* stream, int device);
  bool forget_stream(void* stream);
  void remember_event(void* event);
  bool forget_event(void* event);
  void remember_pool(void* pool);
  bool forget_pool(void* pool);
  enum class Memory : std::uint8_t { of_pool, plain };
  void remember_memory(void* address, Memory kind);
  std::optional<Memory> forget_memory(void* address);

 private:
  explicit Session(const Vendor& vendor) : vendor_(vendor) {}
  streampool_status load(const Settings& settings);
  streampool_status find_devices(int first_device);
  streampool_status prepare();
  void probe_gate();
  streampool_status free_left_memory();
  streampool_status translate(int code, const char* name) const;

  const Vendor& vendor_;
  Calls calls_;
  Library library_;
  std::uint64_t id_ = 0;
  std::uint64_t capabilities_ = 0;
  int first_device_ = 0;
  int device_count_ = 0;
  std::string version_;
  std::uint64_t memory_ = 0;
  bool limits_pool_size_ = false;
  Gates gates_;
  Staging staging_;

  mutable std::mutex objects_mutex_;
  std::unordered_map<void*, int> streams_;  // to the vendor's device
  std::unordered_set<void*> events_, pools_;
  std::unordered_map<void*, Memory> memory_blocks_;
};

}  // namespace streampool::vendor
