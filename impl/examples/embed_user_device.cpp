// A device of one's own under the pool, in one file: one buffer of host memory, and streams that are plain queues which
// the program runs by itself. What a device must offer is said in impl/device/device.hpp.
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "impl/api/pool.hpp"

namespace {

using streampool::Bytes;
using streampool::engine::Address;
using streampool::engine::Point;
using streampool::engine::Position;

class QueueDevice {
 public:
  // A free is no item of a queue; it lies between two.
  static constexpr bool explicit_items = false;

  // Addresses and memory: the whole buffer is there from the start, so that committing a part of it does nothing.
  Address base() const {
    const auto start = reinterpret_cast<std::uint64_t>(buffer_.data());
    return Address{(start + granularity() - 1) / granularity() * granularity()};
  }
  Bytes range() const { return Bytes{8} << 20; }
  Bytes granularity() const { return Bytes{1} << 20; }
  bool commit(Address, Bytes) { return true; }
  void decommit(Address, Bytes) {}

  // Progress: everything before the front of a queue is complete.
  Position completed(streampool::Stream s) const {
    const auto queue = queues_.find(s);
    if (queue == queues_.end() || queue->second.empty()) return Position::all;
    return Position{raw(queue->second.front().at) - 1};
  }
  // Order: an item that is ready once the point is complete.
  void wait(streampool::Stream s, Point point) {
    submit(s, {}, [this, point] { return completed(point.stream) >= point.at; });
  }

  void submit(streampool::Stream s, std::function<void()> work, std::function<bool()> ready = {}) {
    queues_[s].push_back({next_item(s), std::move(work), std::move(ready)});
  }
  // Runs what can run, of every stream in turn; false once there is nothing left.
  bool run_some() {
    bool any = false;
    for (auto& [stream, queue] : queues_) {
      if (queue.empty() || (queue.front().ready && !queue.front().ready())) continue;
      if (queue.front().work) queue.front().work();
      queue.pop_front();
      any = true;
    }
    return any;
  }
  std::function<Position(streampool::Stream)> next_item;  // given by the domain

 private:
  struct Item {
    Position at;
    std::function<void()> work;
    std::function<bool()> ready;
  };
  std::vector<unsigned char> buffer_ = std::vector<unsigned char>(std::size_t{9} << 20);
  std::map<streampool::Stream, std::deque<Item>> queues_;
};

}  // namespace

int main() {
  QueueDevice device;
  streampool::Domain domain(device, Bytes{8} << 20);
  device.next_item = [&](streampool::Stream s) { return domain.next_item(s); };
  streampool::Pool pool(domain);
  const streampool::Stream producer = domain.open_stream(), consumer = domain.open_stream();

  constexpr std::size_t count = 1000;
  long total = 0;
  streampool::Event ready;
  streampool::Event done;
  for (int round = 0; round < 100; ++round) {
    auto* numbers = static_cast<int*>(pool.allocate_async(count * sizeof(int), producer));
    device.submit(producer, [numbers, round] { std::iota(numbers, numbers + count, round); });
    domain.record(ready, producer);
    domain.wait(consumer, ready);
    device.submit(consumer, [numbers, &total] { total = std::accumulate(numbers, numbers + count, total); });
    // Freed by the consumer, so that it comes after the use; the producer waits for that before it goes on.
    pool.deallocate_async(numbers, count * sizeof(int), consumer);
    domain.record(done, consumer);
    domain.wait(producer, done);
  }
  while (device.run_some()) {
  }
  domain.synchronized(done);
  std::printf("sum %ld, at most %llu bytes reserved, %llu now\n", total,
              static_cast<unsigned long long>(pool.reserved_high()), static_cast<unsigned long long>(pool.reserved()));
  return total == 100L * (999 * 1000 / 2) + 1000L * (99 * 100 / 2) && pool.reserved_high() == device.granularity() ? 0
                                                                                                                   : 1;
}
