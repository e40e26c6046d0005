// A runtime: the ABI table of a shared library, loaded and checked, and the one context that is open in it.
//
// Every entry is called through `call`, which answers `not_supported` where the runtime lacks the entry's group, so
// that no null entry is ever reached. Calls may come from several threads; load, open and close from one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::kit {

// Why a runtime could not be loaded or opened: a whole sentence for the user.
struct LoadError {
  std::string message;
};

using RuntimeOptions = std::vector<std::pair<std::string, std::string>>;  // key, value of streampool_option

struct Description {
  std::string name = {}, version = {};
  std::uint32_t devices = 1;
  std::uint64_t memory = 0;           // bytes; 0: not known
  std::uint64_t alignment = 0;        // bytes; 0: not declared
  std::uint64_t reserve_granule = 0;  // bytes; 0: not declared
};

struct NativeError {
  std::int64_t code = 0;
  std::string text;
};

class Runtime {
 public:
  // Loads a library and checks symbol, size, version and that every promised entry is there.
  [[nodiscard]] static tl::expected<Runtime, LoadError> load(const std::filesystem::path& library);
  // The same checks for a table that is linked in; `name` stands in messages.
  [[nodiscard]] static tl::expected<Runtime, LoadError> from_table(const streampool_runtime* table,
                                                                   const std::string& name);

  Runtime(Runtime&& other) noexcept;
  Runtime& operator=(Runtime&&) = delete;
  ~Runtime();

  [[nodiscard]] tl::expected<void, LoadError> open(const RuntimeOptions& options);
  // The status that the runtime gave; ok when nothing was open.
  streampool_status close();

  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] const Description& description() const { return description_; }
  // Groups that are there: what the table promises before `open`, what the device offers after it.
  [[nodiscard]] std::uint64_t capabilities() const { return capabilities_; }
  // The calling thread's newest failure.
  [[nodiscard]] NativeError last_error() const;
  [[nodiscard]] std::int64_t last_error_code() const;

  template <class... Parameters, class... Arguments>
  streampool_status call(std::uint64_t group, streampool_status (*streampool_runtime::*entry)(Parameters...),
                         Arguments... arguments) const {
    if ((capabilities_ & group) == 0) return STREAMPOOL_NOT_SUPPORTED;
    return (table_.*entry)(context_, arguments...);
  }

 private:
  Runtime() = default;

  streampool_runtime table_{};  // a copy: entries beyond the runtime's own size are null
  std::string name_;
  std::uint64_t capabilities_ = 0;
  streampool_context context_ = 0;
  bool open_ = false;
  Description description_;
};

}  // namespace streampool::kit
