#include "impl/pool/order.hpp"

#include <new>

namespace streampool::engine {

Order::Order(bool explicit_items) : explicit_items_(explicit_items) {
  append();  // StreamIndex::settled
  append();  // StreamIndex::completed
}

StreamIndex Order::append() {
  const std::uint32_t index = count_.load(std::memory_order_relaxed);
  const std::size_t chunk = index >> chunk_bits;
  if (chunk >= chunk_count) throw std::bad_alloc();
  if (chunk == owned_.size()) {
    owned_.push_back(std::make_unique<Chunk>());
    chunks_[chunk].store(owned_.back().get(), std::memory_order_release);
  }
  // A free counts as passed once the point before it is complete. Work that a program gives its stream without a point
  // must not be overlooked, so there is a point before everything, which only an empty stream is past.
  if (!explicit_items_) slot(StreamIndex{index}).tail.store(1, std::memory_order_relaxed);
  count_.store(index + 1, std::memory_order_release);
  return StreamIndex{index};
}

StreamIndex Order::reopen(StreamIndex s) {
  Slot& fresh = slot(s);
  const std::lock_guard lock(fresh.lock);
  fresh.known.clear();
  fresh.closed.store(false, std::memory_order_release);
  return s;
}

void Order::close(StreamIndex s) {
  const std::lock_guard lock(mutex_);
  retired_.push_back(s);
  slot(s).closed.store(true, std::memory_order_release);
}

void Order::prove(Point point) {
  auto& proved = slot(point.stream).proved;
  std::uint64_t before = proved.load(std::memory_order_relaxed);
  while (before < raw(point.at)) {
    if (proved.compare_exchange_weak(before, raw(point.at), std::memory_order_acq_rel)) {
      const std::uint64_t number = proofs_.fetch_add(1, std::memory_order_acq_rel);
      recent_[number % recent_.size()].store((number + 1) << 32 | raw(point.stream), std::memory_order_release);
      return;
    }
  }
}

void Order::prove(const Clock& cut) {
  for (const Point& point : cut.entries()) prove(point);
}

Point Order::snapshot(StreamIndex s, Clock& cut) {
  Slot& mine = slot(s);
  const std::lock_guard lock(mine.lock);
  const Point point{s, observe(s)};
  // What the host has seen complete is before everything anyway.
  mine.known.prune_into(cut, point, [&](const Point& p) {
    const Slot& other = slot(p.stream);
    return p.stream == s || other.announced.load(std::memory_order_acquire) == 0 ||
           other.proved.load(std::memory_order_acquire) >= raw(p.at);
  });
  return point;
}

void Order::join(StreamIndex s, const Clock& cut) {
  Slot& mine = slot(s);
  const std::lock_guard lock(mine.lock);
  mine.known.join(cut, s);  // of itself it needs to know nothing
}

bool Order::covers(StreamIndex s, Point point) {
  if (point.stream == s || proved(point.stream) >= point.at) return true;
  Slot& mine = slot(s);
  const std::lock_guard lock(mine.lock);
  return mine.known.at(point.stream) >= point.at;
}

}  // namespace streampool::engine
