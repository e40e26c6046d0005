// A runtime opened through its table, with calls that assert success and name their objects.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "impl/device/host/host_device.hpp"
#include "impl/device/simulated/simulated_device.hpp"
#include "impl/runtime/table.hpp"

namespace streampool::engine::testing {

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

class Opened {
 public:
  Opened(const streampool_runtime* table, std::vector<streampool_option> options) : t(*table) {
    EXPECT_EQ(t.open(options.data(), options.size(), &c), STREAMPOOL_OK);
  }
  ~Opened() { EXPECT_EQ(t.close(c), STREAMPOOL_OK); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  std::uint64_t stream(std::uint32_t kind = STREAMPOOL_STREAM_NONBLOCKING) {
    std::uint64_t s = 0;
    EXPECT_EQ(t.stream_create(c, 0, kind, &s), STREAMPOOL_OK);
    return s;
  }
  std::uint64_t default_stream(std::uint32_t kind) {
    std::uint64_t s = 0;
    EXPECT_EQ(t.stream_default(c, 0, kind, &s), STREAMPOOL_OK);
    return s;
  }
  std::uint64_t event() {
    std::uint64_t e = 0;
    EXPECT_EQ(t.event_create(c, 0, &e), STREAMPOOL_OK);
    return e;
  }
  std::uint64_t gate() {
    std::uint64_t g = 0;
    EXPECT_EQ(t.gate_create(c, 0, &g), STREAMPOOL_OK);
    return g;
  }
  // A pool that keeps what it has and reuses only what is safe without any switch.
  std::uint64_t quiet_pool(std::uint64_t max_size = 0) {
    std::uint64_t p = pool(max_size);
    set(p, STREAMPOOL_RELEASE_THRESHOLD, ~std::uint64_t{0});
    for (std::int32_t a = 1; a <= 3; ++a) set(p, a, 0);
    return p;
  }
  std::uint64_t pool(std::uint64_t max_size = 0) {
    std::uint64_t p = 0;
    EXPECT_EQ(t.pool_create(c, 0, max_size, &p), STREAMPOOL_OK);
    return p;
  }
  std::uint64_t malloc(std::uint64_t bytes, std::uint64_t pool, std::uint64_t stream) {
    std::uint64_t a = 0;
    EXPECT_EQ(t.malloc_from_pool(c, &a, bytes, pool, stream), STREAMPOOL_OK);
    EXPECT_NE(a, 0u);
    EXPECT_EQ(a % 256, 0u);
    return a;
  }
  streampool_status try_malloc(std::uint64_t bytes, std::uint64_t pool, std::uint64_t stream) {
    std::uint64_t a = 0x1234;
    const streampool_status status = t.malloc_from_pool(c, &a, bytes, pool, stream);
    if (status != STREAMPOOL_OK) {
      EXPECT_EQ(a, 0u);
    }
    return status;
  }
  void free(std::uint64_t a, std::uint64_t s) { EXPECT_EQ(t.free_async(c, a, s), STREAMPOOL_OK); }
  void free_sync(std::uint64_t a) { EXPECT_EQ(t.free_sync(c, a), STREAMPOOL_OK); }
  void hold(std::uint64_t s, std::uint64_t g) { EXPECT_EQ(t.gate_hold(c, s, g), STREAMPOOL_OK); }
  void open(std::uint64_t g) { EXPECT_EQ(t.gate_open(c, g), STREAMPOOL_OK); }
  void record(std::uint64_t e, std::uint64_t s) { EXPECT_EQ(t.event_record(c, e, s), STREAMPOOL_OK); }
  void wait(std::uint64_t s, std::uint64_t e) { EXPECT_EQ(t.stream_wait_event(c, s, e), STREAMPOOL_OK); }
  void sync(std::uint64_t s) { EXPECT_EQ(t.stream_synchronize(c, s), STREAMPOOL_OK); }
  void set(std::uint64_t p, std::int32_t attribute, std::uint64_t value) {
    EXPECT_EQ(t.attribute_set(c, p, attribute, &value, sizeof value), STREAMPOOL_OK);
  }
  std::uint64_t get(std::uint64_t p, std::int32_t attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(t.attribute_get(c, p, attribute, &value, sizeof value), STREAMPOOL_OK);
    return value;
  }
  std::uint64_t used(std::uint64_t p) { return get(p, STREAMPOOL_USED_MEM_CURRENT); }
  std::uint64_t reserved(std::uint64_t p) { return get(p, STREAMPOOL_RESERVED_MEM_CURRENT); }
  std::uint64_t free_memory() {
    std::uint64_t f = 0, total = 0;
    EXPECT_EQ(t.memory_info(c, 0, &f, &total), STREAMPOOL_OK);
    return f;
  }
  void fill(std::uint64_t s, std::uint64_t a, std::uint8_t v, std::uint64_t n) {
    EXPECT_EQ(t.fill(c, s, a, v, n), STREAMPOOL_OK);
  }
  // Are all `n` bytes at `a` of this value?
  bool reads(std::uint64_t s, std::uint64_t a, std::uint64_t n, std::uint8_t v) {
    std::vector<std::uint8_t> bytes(n, static_cast<std::uint8_t>(v + 1));
    EXPECT_EQ(t.read(c, s, a, n, bytes.data()), STREAMPOOL_OK);
    return std::all_of(bytes.begin(), bytes.end(), [v](std::uint8_t b) { return b == v; });
  }

  const streampool_runtime& t;
  streampool_context c = 0;
};

// Every test runs on both runtimes.
template <class Device>
class RuntimeTest : public ::testing::Test {
 protected:
  Opened opened{Table<Device>::get(), {{"memory", "67108864"}}};
};
using Devices = ::testing::Types<HostDevice, SimulatedDevice>;

}  // namespace streampool::engine::testing
