#include "conformance/kit/runtime.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "conformance/kit/groups.hpp"

namespace streampool::kit {
namespace {

// The smallest table that can be opened at all: header and context group.
constexpr std::size_t smallest_table = offsetof(streampool_runtime, stream_create);

bool entry_is_null(const streampool_runtime& table, const Entry& entry) {
  void (*function)() = nullptr;
  static_assert(sizeof(function) == sizeof(table.open));
  std::memcpy(&function, reinterpret_cast<const char*>(&table) + entry.offset, sizeof(function));
  return function == nullptr;
}

std::string null_entries(const streampool_runtime& table, const Group& group) {
  std::string text;
  for (const Entry& entry : group.entries) {
    if (!entry_is_null(table, entry)) continue;
    if (!text.empty()) text += ", ";
    text += entry.name;
  }
  return text;
}

// Every promise that the table does not keep, as a sentence; empty when it keeps all.
std::string broken_promises(const streampool_runtime& table, std::uint64_t capabilities) {
  std::string text;
  if (const std::string missing = null_entries(table, context_group()); !missing.empty()) {
    text += fmt::format(" The entries every runtime must have are null: {}.", missing);
  }
  for (const Group& group : groups()) {
    if ((capabilities & group.bit) == 0) continue;
    if (const std::string missing = null_entries(table, group); !missing.empty()) {
      text += fmt::format(" The group '{}' is promised but null: {}.", group.name, missing);
    }
  }
  return text;
}

std::string status_text(streampool_status status) {
  constexpr std::string_view texts[] = {"ok",        "invalid_value",  "out_of_memory", "not_supported",
                                        "not_ready", "invalid_handle", "not_permitted", "internal",
                                        "unknown"};
  if (status < 0 || static_cast<std::size_t>(status) >= std::size(texts)) return fmt::format("status {}", status);
  return std::string(texts[status]);
}

// A runtime may forget the zero at the end.
template <std::size_t N>
std::string bounded(const char (&text)[N]) {
  return std::string(text, strnlen(text, N));
}

}  // namespace

tl::expected<Runtime, LoadError> Runtime::load(const std::filesystem::path& library) {
  // RTLD_LOCAL: two runtimes may export the same names. Never closed: threads of the runtime may outlive its context.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return tl::unexpected(LoadError{fmt::format("cannot load the runtime: {}", dlerror())});
  void* symbol = dlsym(handle, STREAMPOOL_RUNTIME_TABLE_SYMBOL);
  if (symbol == nullptr) {
    return tl::unexpected(LoadError{fmt::format("{} is no streampool runtime: it does not export {}", library.string(),
                                                STREAMPOOL_RUNTIME_TABLE_SYMBOL)});
  }
  return from_table(reinterpret_cast<streampool_runtime_table_function>(symbol)(), library.string());
}

tl::expected<Runtime, LoadError> Runtime::from_table(const streampool_runtime* table, const std::string& name) {
  const auto refuse = [&name](const std::string& why) {
    return tl::unexpected(LoadError{fmt::format("{} cannot be used: {}", name, why)});
  };
  if (table == nullptr) return refuse("its table is null");
  if (table->size < smallest_table) {
    return refuse(fmt::format("its table has {} bytes, at least {} are needed", table->size, smallest_table));
  }
  if (table->abi_version != STREAMPOOL_ABI_VERSION) {
    return refuse(fmt::format("it was built for ABI version {}, this kit speaks version {}", table->abi_version,
                              STREAMPOOL_ABI_VERSION));
  }
  Runtime runtime;
  runtime.name_ = name;
  std::memcpy(static_cast<void*>(&runtime.table_), table,
              std::min<std::size_t>(table->size, sizeof(streampool_runtime)));
  runtime.capabilities_ = table->capabilities;
  if (const std::string broken = broken_promises(runtime.table_, runtime.capabilities_); !broken.empty()) {
    return refuse("its table is incomplete." + broken);
  }
  return runtime;
}

Runtime::Runtime(Runtime&& other) noexcept
    : table_(other.table_),
      name_(std::move(other.name_)),
      capabilities_(other.capabilities_),
      context_(other.context_),
      open_(std::exchange(other.open_, false)),
      description_(std::move(other.description_)) {}

Runtime::~Runtime() { close(); }

tl::expected<void, LoadError> Runtime::open(const RuntimeOptions& options) {
  close();
  std::vector<streampool_option> raw;
  raw.reserve(options.size());
  for (const auto& [key, value] : options) raw.push_back({key.c_str(), value.c_str()});
  const streampool_status status = table_.open(raw.data(), raw.size(), &context_);
  if (status != STREAMPOOL_OK) {
    context_ = 0;
    const NativeError error = last_error();
    std::string with;
    for (const auto& [key, value] : options) with += fmt::format("{}{}={}", with.empty() ? " with " : ", ", key, value);
    return tl::unexpected(
        LoadError{fmt::format("{} cannot be opened{}: {}, native code {}{}{}", name_, with, status_text(status),
                              error.code, error.text.empty() ? "" : ": ", error.text)});
  }
  open_ = true;
  // What the device offers may be less than what the build may offer, never more than the table has.
  capabilities_ = table_.capabilities_of(context_);
  if (const std::string broken = broken_promises(table_, capabilities_); !broken.empty()) {
    close();
    return tl::unexpected(LoadError{fmt::format("{} cannot be used: its table is incomplete.{}", name_, broken)});
  }
  streampool_description raw_description{};
  raw_description.size = sizeof(raw_description);
  if (table_.describe(context_, &raw_description) != STREAMPOOL_OK) {
    close();
    return tl::unexpected(LoadError{fmt::format("{} cannot be used: it does not describe itself", name_)});
  }
  description_ = {.name = bounded(raw_description.name),
                  .version = bounded(raw_description.version),
                  .devices = raw_description.device_count,
                  .memory = raw_description.memory,
                  .alignment = raw_description.alignment,
                  .reserve_granule = raw_description.reserve_granule};
  return {};
}

streampool_status Runtime::close() {
  if (!std::exchange(open_, false)) return STREAMPOOL_OK;
  return table_.close(std::exchange(context_, 0));
}

NativeError Runtime::last_error() const {
  std::array<char, 512> text{};
  NativeError error;
  if (table_.last_error(context_, &error.code, text.data(), text.size()) != STREAMPOOL_OK) return {};
  error.text.assign(text.data(), strnlen(text.data(), text.size()));
  return error;
}

std::int64_t Runtime::last_error_code() const {
  std::int64_t code = 0;
  char text = 0;
  return table_.last_error(context_, &code, &text, sizeof(text)) == STREAMPOOL_OK ? code : 0;
}

}  // namespace streampool::kit
