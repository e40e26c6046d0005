// One thread submits to the legacy stream while another submits to a blocking one: the second call runs at every place
// where the first one turns to the device. What the order says by then the device must keep.
#include <gtest/gtest.h>

#include "impl/device/simulated/simulated_device.hpp"
#include "impl/runtime/context.hpp"
#include "impl/runtime/tests/thread_sanitizer.hpp"

namespace streampool::engine {
namespace {

constexpr Bytes MiB = Bytes{1} << 20;

// Runs `interruption` at the `countdown`th call that turns to the queues.
template <bool explicit_items_>
struct InterruptedDevice : SimulatedDevice {
  static constexpr bool explicit_items = explicit_items_;
  using SimulatedDevice::SimulatedDevice;
  Queues& queues() {
    if (interruption && countdown-- == 0) std::exchange(interruption, nullptr)();
    return SimulatedDevice::queues();
  }
  static inline std::function<void()> interruption;
  static inline int countdown = 0;
};

template <class Device>
class Scene {
 public:
  Scene() {
    c.stream_create(0, STREAMPOOL_STREAM_BLOCKING, held);
    c.stream_create(0, STREAMPOOL_STREAM_BLOCKING, other);
    c.stream_create(0, STREAMPOOL_STREAM_NONBLOCKING, apart);
    c.stream_default(0, STREAMPOOL_DEFAULT_LEGACY, legacy);
    c.gate_create(0, gate);
    c.event_create(0, event);
    c.event_create(0, fresh_event);
    for (std::uint64_t* pool : {&here, &elsewhere}) {
      c.pool_create(0, 0, *pool);
      c.pool(*pool)->attributes.release_threshold = ~Bytes{0};
      c.pool(*pool)->attributes.reuse_allow_opportunistic = false;
      c.pool(*pool)->attributes.reuse_allow_internal_dependencies = false;
    }
    mine = allocate(elsewhere, legacy);
    c.fill(legacy, mine, 1, 1);
    while (c.step(legacy) == STREAMPOOL_OK) {
    }
    // Two blocks whose frees a closed gate holds: one on a blocking stream, one that only the event leads to.
    pending = {allocate(here, held), allocate(here, apart)};
    c.gate_hold(held, gate);
    c.free_async(pending[0], held);
    c.gate_hold(apart, gate);
    c.free_async(pending[1], apart);
    c.event_record(event, apart);
  }
  ~Scene() { Device::interruption = nullptr; }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  std::uint64_t allocate(std::uint64_t pool, std::uint64_t stream) {
    std::uint64_t address = 0;
    EXPECT_EQ(c.malloc_from_pool(address, 2 * MiB, pool, stream), STREAMPOOL_OK);
    return address;
  }
  // Everything that can run, runs; the gate stays closed.
  void run_all() {
    for (bool any = true; any;) {
      any = false;
      for (const std::uint64_t s : {held, other, apart, legacy}) any = any || c.step(s) == STREAMPOOL_OK;
    }
  }
  // The blocking stream may get pending memory, but then it must wait for the gate.
  void interrupt() {
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t got = allocate(here, other);
      took_pending = took_pending || got == pending[0] || got == pending[1];
    }
    std::uint64_t marker = 0;
    c.event_create(0, marker);
    c.event_record(marker, other);
    run_all();
    ran = c.stream_query(other) == STREAMPOOL_OK;
  }

  Context<Device> c{{Bytes{64} * MiB, Bytes{2} * MiB, 1, false}};
  std::uint64_t held = 0, other = 0, apart = 0, legacy = 0, gate = 0, event = 0, fresh_event = 0, here = 0,
                elsewhere = 0, mine = 0;
  std::array<std::uint64_t, 2> pending{};
  bool took_pending = false, ran = false;
};

template <class Device>
struct Submission {
  const char* name;
  std::function<streampool_status(Scene<Device>&)> run;
};

// Everything that can be submitted to the legacy stream.
template <class Device>
std::vector<Submission<Device>> submissions() {
  using S = Scene<Device>;
  return {{"malloc", [](S& s) { return s.allocate(s.elsewhere, s.legacy) != 0 ? STREAMPOOL_OK : STREAMPOOL_UNKNOWN; }},
          {"free", [](S& s) { return s.c.free_async(s.mine, s.legacy); }},
          {"record", [](S& s) { return s.c.event_record(s.fresh_event, s.legacy); }},
          {"wait", [](S& s) { return s.c.stream_wait_event(s.legacy, s.event); }},
          {"fill", [](S& s) { return s.c.fill(s.legacy, s.mine, 1, 1); }},
          {"launch", [](S& s) { return s.c.launch(s.legacy, &s.mine, 1); }},
          {"hold", [](S& s) { return s.c.gate_hold(s.legacy, s.gate); }}};
}

template <class Device>
class InterleavingTest : public ::testing::Test {};
using InterruptedDevices = ::testing::Types<InterruptedDevice<true>, InterruptedDevice<false>>;
TYPED_TEST_SUITE(InterleavingTest, InterruptedDevices);

TYPED_TEST(InterleavingTest, WhatTheOrderSaysTheDeviceKeeps) {
#ifdef STREAMPOOL_THREAD_SANITIZER
  GTEST_SKIP() << "one thread plays two, and so nests locks that two threads never nest";
#endif
  for (const auto& submission : submissions<TypeParam>()) {
    bool interrupted = true;
    for (int at = 0; interrupted; ++at) {
      Scene<TypeParam> scene;
      TypeParam::countdown = at;
      TypeParam::interruption = [&] { scene.interrupt(); };
      EXPECT_EQ(submission.run(scene), STREAMPOOL_OK);
      interrupted = !TypeParam::interruption;
      if (!interrupted) {
        EXPECT_GT(at, 2) << submission.name << " does not turn to the device";
        std::exchange(TypeParam::interruption, nullptr)();
        EXPECT_TRUE(scene.took_pending) << "behind the whole of " << submission.name;
      }
      EXPECT_FALSE(scene.took_pending && scene.ran) << submission.name << ", interrupted at " << at;
    }
  }
}

}  // namespace
}  // namespace streampool::engine
