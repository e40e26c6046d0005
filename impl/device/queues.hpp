// Streams as queues of items, for devices that live in this process: in order within a stream, across streams by
// points, held back by gates. Who runs the items is open: worker threads (host), explicit steps (simulated), and in
// both a caller that waits, which runs what it waits for itself.
//
// Thread safe. Items run without any lock held.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "impl/pool/order.hpp"

namespace streampool::engine {

// A switch: items behind it run once it is open. Stays open.
class Gate {
 private:
  friend class Queues;
  bool open_ = false;                  // under the queues' mutex
  std::vector<StreamIndex> sleepers_;  // workers that found it closed
};

class Queues {
 public:
  enum class Workers : bool { none, one_a_stream };

  struct Item {
    std::vector<Point> after;      // runs after these points
    std::shared_ptr<Gate> gate;    // and after this gate is open
    std::function<void()> work{};  // empty: nothing to do
  };
  struct Pending {
    StreamIndex stream;
    Position at;
    bool ready;
  };

  Queues(Order& order, Workers workers);
  // Ends the workers; what is left is finished before.
  ~Queues();
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  // From now on a caller that waits lets everything else go first that order permits: what a program forgot to order
  // happens in the order that hurts.
  void be_adversarial() { adversarial_ = true; }

  // Appends an item; its position is the stream's next.
  Position submit(StreamIndex stream, Item item);
  // Every point up to the answer is complete; `all` where nothing is pending.
  [[nodiscard]] Position completed(StreamIndex stream) const {
    return Position{lane(stream).completed.load(std::memory_order_acquire)};
  }
  [[nodiscard]] bool complete(Point point) const { return completed(point.stream) >= point.at; }
  // Returns once the point is complete, running the items that it needs where nobody else does.
  void wait_for(Point point);

  // Opens every gate and runs what is left.
  void finish();

  // Completes the stream's next item; false where there is none or it is not ready.
  bool step(StreamIndex stream);
  // At most `limit` pending items; `total` receives how many there are.
  std::vector<Pending> pending(std::size_t limit, std::size_t& total) const;

  std::shared_ptr<Gate> make_gate();
  void open(Gate& gate);

 private:
  struct Entry {
    Position at;
    Item item;
  };
  struct Lane {
    std::atomic<std::uint64_t> completed{raw(Position::all)};
    std::deque<Entry> items;
    bool running = false;               // somebody runs the front
    bool parked = false;                // the worker sleeps
    std::vector<StreamIndex> sleepers;  // workers that wait for this stream's progress
    std::condition_variable wake;       // of the worker
    std::thread worker;
  };
  // Chunk k holds 2^(first_bits + k) lanes, so that a device of few streams is quickly made and many streams fit.
  static constexpr unsigned first_bits = 3, chunk_count = 18;
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] static std::size_t lanes_in(unsigned chunk);
  [[nodiscard]] Lane& lane(StreamIndex s) const;
  [[nodiscard]] bool ready(const Item& item) const;
  void sleep_on_obstacle(StreamIndex s, const Item& item);
  bool help(StreamIndex s, Lock& lock);
  void run_all_others(StreamIndex s, Lock& lock);
  void run_front(Lane& lane, Lock& lock);
  void wake(std::vector<StreamIndex>& sleepers);
  void work(StreamIndex s);

  Order& order_;
  const Workers workers_;
  mutable std::mutex mutex_;
  mutable std::array<std::atomic<Lane*>, chunk_count> chunks_{};
  std::condition_variable progress_;  // of callers that wait
  int waiting_ = 0;
  bool stop_ = false;
  bool adversarial_ = false;
  std::vector<std::weak_ptr<Gate>> gates_;
};

}  // namespace streampool::engine
