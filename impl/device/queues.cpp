#include "impl/device/queues.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace streampool::engine {

std::size_t Queues::lanes_in(unsigned chunk) { return std::size_t{1} << (first_bits + chunk); }

Queues::Queues(Order& order, Workers workers) : order_(order), workers_(workers) {}

void Queues::finish() {
  std::vector<std::shared_ptr<Gate>> gates;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& gate : gates_) {
      if (auto alive = gate.lock()) gates.push_back(std::move(alive));
    }
  }
  for (const auto& gate : gates) open(*gate);
  for (std::uint32_t s = 0; s < order_.bound(); ++s) wait_for({StreamIndex{s}, order_.tail(StreamIndex{s})});
}

Queues::~Queues() {
  finish();
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  for (unsigned k = 0; k < chunk_count; ++k) {
    const std::unique_ptr<Lane[]> chunk(chunks_[k].load());
    if (!chunk) continue;
    for (Lane& mine : std::span(chunk.get(), lanes_in(k))) {
      mine.wake.notify_all();
      if (mine.worker.joinable()) mine.worker.join();
    }
  }
}

Queues::Lane& Queues::lane(StreamIndex s) const {
  const std::size_t number = raw(s) + lanes_in(0);
  const unsigned k = static_cast<unsigned>(std::bit_width(number)) - 1 - first_bits;
  std::atomic<Lane*>& place = chunks_[k];
  Lane* chunk = place.load(std::memory_order_acquire);
  if (chunk == nullptr) {
    auto fresh = std::make_unique<Lane[]>(lanes_in(k));
    if (place.compare_exchange_strong(chunk, fresh.get(), std::memory_order_acq_rel)) chunk = fresh.release();
  }
  return chunk[number - lanes_in(k)];
}

Position Queues::submit(StreamIndex stream, Item item) {
  Lane& mine = lane(stream);
  const std::lock_guard lock(mutex_);
  mine.items.push_back({Position::none, std::move(item)});
  // Whoever sees the new tail must not find an empty stream.
  if (mine.items.size() == 1) mine.completed.store(raw(order_.tail(stream)), std::memory_order_release);
  const Position at = order_.advance(stream);
  mine.items.back().at = at;
  if (mine.items.size() == 1) mine.completed.store(raw(at) - 1, std::memory_order_release);
  if (workers_ == Workers::one_a_stream) {
    if (!mine.worker.joinable()) mine.worker = std::thread([this, stream] { work(stream); });
    if (mine.parked) mine.wake.notify_one();
  }
  return at;
}

bool Queues::ready(const Item& item) const {
  if (item.gate && !item.gate->open_) return false;
  return std::all_of(item.after.begin(), item.after.end(), [this](const Point& p) { return complete(p); });
}

void Queues::sleep_on_obstacle(StreamIndex s, const Item& item) {
  const auto register_in = [s](std::vector<StreamIndex>& sleepers) {
    if (std::find(sleepers.begin(), sleepers.end(), s) == sleepers.end()) sleepers.push_back(s);
  };
  if (item.gate && !item.gate->open_) register_in(item.gate->sleepers_);
  for (const Point& point : item.after) {
    if (!complete(point)) return register_in(lane(point.stream).sleepers);
  }
}

void Queues::wake(std::vector<StreamIndex>& sleepers) {
  for (const StreamIndex s : sleepers) lane(s).wake.notify_one();
  sleepers.clear();
}

void Queues::run_front(Lane& mine, Lock& lock) {
  if (mine.items.front().item.work) {
    mine.running = true;
    const std::function<void()> work = std::move(mine.items.front().item.work);
    lock.unlock();
    work();
    lock.lock();
    mine.running = false;
  }
  mine.items.pop_front();
  const std::uint64_t done = mine.items.empty() ? raw(Position::all) : raw(mine.items.front().at) - 1;
  mine.completed.store(done, std::memory_order_release);
  wake(mine.sleepers);
  if (waiting_ != 0) progress_.notify_all();
  if (mine.parked && !mine.items.empty()) mine.wake.notify_one();
}

// Runs one item that `s` needs to get on; false where all that is left to do is to wait.
bool Queues::help(StreamIndex s, Lock& lock) {
  for (;;) {
    Lane& mine = lane(s);
    if (mine.items.empty() || mine.running) return false;
    const Item& item = mine.items.front().item;
    if (item.gate && !item.gate->open_) return false;
    const auto obstacle =
        std::find_if(item.after.begin(), item.after.end(), [this](const Point& p) { return !complete(p); });
    if (obstacle == item.after.end()) {
      run_front(mine, lock);
      return true;
    }
    s = obstacle->stream;
  }
}

// Runs every item of other streams that can run without anything of `s`.
void Queues::run_all_others(StreamIndex s, Lock& lock) {
  for (bool any = true; any;) {
    any = false;
    for (std::uint32_t other = raw(first_stream); other < order_.bound(); ++other) {
      Lane& mine = lane(StreamIndex{other});
      while (StreamIndex{other} != s && !mine.items.empty() && !mine.running && ready(mine.items.front().item)) {
        run_front(mine, lock);
        any = true;
      }
    }
  }
}

void Queues::wait_for(Point point) {
  if (complete(point)) return;
  Lock lock(mutex_);
  while (!complete(point)) {
    if (adversarial_) {
      run_all_others(point.stream, lock);
      if (complete(point)) return;  // by a worker meanwhile, which saw nobody wait
    }
    if (help(point.stream, lock)) continue;
    ++waiting_;
    progress_.wait(lock);
    --waiting_;
  }
}

bool Queues::step(StreamIndex stream) {
  Lock lock(mutex_);
  Lane& mine = lane(stream);
  if (mine.items.empty() || mine.running || !ready(mine.items.front().item)) return false;
  run_front(mine, lock);
  return true;
}

std::vector<Queues::Pending> Queues::pending(std::size_t limit, std::size_t& total) const {
  const std::lock_guard lock(mutex_);
  std::vector<Pending> list;
  total = 0;
  for (std::uint32_t s = raw(first_stream); s < order_.bound(); ++s) {
    const Lane& mine = lane(StreamIndex{s});
    for (const Entry& entry : mine.items) {
      const bool first = &entry == &mine.items.front();
      if (total++ < limit) list.push_back({StreamIndex{s}, entry.at, first && ready(entry.item)});
    }
  }
  return list;
}

std::shared_ptr<Gate> Queues::make_gate() {
  auto gate = std::make_shared<Gate>();
  const std::lock_guard lock(mutex_);
  std::erase_if(gates_, [](const std::weak_ptr<Gate>& g) { return g.expired(); });
  gates_.push_back(gate);
  return gate;
}

void Queues::open(Gate& gate) {
  const std::lock_guard lock(mutex_);
  gate.open_ = true;
  wake(gate.sleepers_);
  progress_.notify_all();
}

void Queues::work(StreamIndex s) {
  Lane& mine = lane(s);
  Lock lock(mutex_);
  for (;;) {
    if (!mine.items.empty() && !mine.running) {
      if (ready(mine.items.front().item)) {
        run_front(mine, lock);
        continue;
      }
      sleep_on_obstacle(s, mine.items.front().item);
    } else if (stop_) {
      return;
    }
    mine.parked = true;
    mine.wake.wait(lock);
    mine.parked = false;
  }
}

}  // namespace streampool::engine
