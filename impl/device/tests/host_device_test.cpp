// The host device's memory as the system sees it: what is reserved is resident, and nothing else.
#include "impl/device/host/host_device.hpp"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include "impl/pool/pool.hpp"

namespace streampool::engine {
namespace {

constexpr Bytes MiB = Bytes{1} << 20;

// Resident bytes of the mappings that lie in [at, at + bytes), from the kernel's own account.
Bytes resident(Address at, Bytes bytes) {
  std::ifstream maps("/proc/self/smaps");
  Bytes total = 0;
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t start = 0, end = 0, kib = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " ", &start, &end) == 2) {
      inside = start < raw(at) + bytes && end > raw(at);
    } else if (inside && std::sscanf(line.c_str(), "Rss: %" SCNu64 " kB", &kib) == 1) {
      total += kib * 1024;
    }
  }
  return total;
}

class HostMemory : public ::testing::TestWithParam<Bytes> {
 protected:
  Order order{false};
  HostDevice device{order, GetParam(), Bytes{1} << 30};
  Space<HostDevice> space{device, order, 256 * MiB};
  Pool<HostDevice> pool{space, {}};
};

TEST_P(HostMemory, ResidentIsReservedAfterEveryCall) {
  const StreamIndex s = order.open([](StreamIndex) { return false; });
  const auto check = [&] { ASSERT_EQ(resident(device.base(), device.range()), pool.reserved()); };
  std::vector<Address> blocks;
  check();
  for (const Bytes bytes : {MiB, 3 * MiB, 5 * MiB, Bytes{1000}, 20 * MiB}) {
    blocks.push_back(pool.allocate(s, bytes)->address);
    check();
  }
  for (const Address a : blocks) {
    pool.free(a, s);
    check();
  }
  order.prove({s, order.observe(s)});
  pool.trim(8 * MiB);
  check();
  EXPECT_EQ(pool.reserved(), 8 * MiB);
  pool.release();
  check();
  EXPECT_EQ(pool.reserved(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Granules, HostMemory, ::testing::Values(2 * MiB, MiB / 16, 4 * MiB));

}  // namespace
}  // namespace streampool::engine
