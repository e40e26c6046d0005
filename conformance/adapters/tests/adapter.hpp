// An adapter loaded as the kit loads it, over a fake vendor library whose script the test holds.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/abi/streampool_runtime.h"
#include "conformance/adapters/tests/fake.hpp"

namespace streampool::adapters {

inline void* open_library(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return handle;
}

inline const streampool_runtime& load_adapter(const char* path) {
  void* symbol = dlsym(open_library(path), STREAMPOOL_RUNTIME_TABLE_SYMBOL);
  return *reinterpret_cast<streampool_runtime_table_function>(symbol)();
}

inline fake::Script& load_fake(const char* path) {
  void* symbol = dlsym(open_library(path), "fake_script");
  return *reinterpret_cast<fake::Script* (*)()>(symbol)();
}

struct Error {
  std::int64_t code = 0;
  std::string text;
};

class Adapter {
 public:
  Adapter(const char* adapter, const char* library) : runtime(load_adapter(adapter)), library_(library) {}
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;
  ~Adapter() {
    if (context != 0) runtime.close(context);
  }

  streampool_status open(std::vector<streampool_option> options = {}) {
    options.push_back({"library", library_});
    return runtime.open(options.data(), options.size(), &context);
  }
  streampool_status close() { return runtime.close(std::exchange(context, 0)); }
  [[nodiscard]] Error last_error() const {
    char text[256];
    Error error;
    runtime.last_error(context, &error.code, text, sizeof text);
    error.text = text;
    return error;
  }
  [[nodiscard]] bool offers(std::uint64_t group) const { return (runtime.capabilities_of(context) & group) == group; }

  // The next two fail the test rather than answer a status.
  streampool_stream stream(std::uint32_t device = 0) {
    streampool_stream made = 0;
    EXPECT_EQ(runtime.stream_create(context, device, STREAMPOOL_STREAM_NONBLOCKING, &made), STREAMPOOL_OK);
    return made;
  }
  streampool_pool pool(std::uint64_t max_size = 0) {
    streampool_pool made = 0;
    EXPECT_EQ(runtime.pool_create(context, 0, max_size, &made), STREAMPOOL_OK) << last_error().text;
    return made;
  }

  const streampool_runtime& runtime;
  streampool_context context = 0;

 private:
  const char* library_;
};

}  // namespace streampool::adapters
