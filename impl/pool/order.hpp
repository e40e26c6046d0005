// Who is ordered after what: positions of streams, what each stream knows of the others, and what the host has seen.
//
// Every stream counts points. A cut is a position for every stream. `known(s)` is the cut that later work of s comes
// after; `proved` is the cut that some call showed complete to the host, which is ordered before everything later.
//
// A device counts in one of two ways. With *explicit items* every submission, frees included, is an item of the
// device's queue and has a position of its own. Without, a free is no item: it lies between two points, and whoever
// wants to refer to it (a record, a wait, a synchronising call) makes a point behind it. So the hot path reads a
// counter and writes nothing.
//
// Thread safe. Positions and proofs are read without a lock.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "impl/pool/clock.hpp"
#include "impl/pool/spin_lock.hpp"

namespace streampool::engine {

class Order {
 public:
  explicit Order(bool explicit_items);
  Order(const Order&) = delete;
  Order& operator=(const Order&) = delete;

  // A stream that knows nothing. Indices of closed streams are used again once nothing refers to them and
  // `idle(index)` says that their device queue is empty; their positions go on, so that old and new never mix.
  template <class Idle>
  StreamIndex open(Idle idle) {
    const std::lock_guard lock(mutex_);
    // Goes round, so that some that are still held do not hide all others.
    for (std::size_t i = 0; i < std::min(retired_.size(), reuse_attempts); ++i) {
      StreamIndex& s = retired_[next_retired_++ % retired_.size()];
      if (slot(s).holders.load(std::memory_order_acquire) != 0 || !idle(s)) continue;
      const StreamIndex found = std::exchange(s, retired_.back());
      retired_.pop_back();
      return reopen(found);
    }
    return append();
  }
  // No call may name the stream from now on, but frees that happened on it stay what they were.
  void close(StreamIndex s);
  [[nodiscard]] bool closed(StreamIndex s) const { return slot(s).closed.load(std::memory_order_acquire); }
  // Indices are below this.
  [[nodiscard]] std::uint32_t bound() const { return count_.load(std::memory_order_acquire); }

  // The position of the next item of s, which the caller submits now.
  Position advance(StreamIndex s) { return Position{slot(s).tail.fetch_add(1, std::memory_order_acq_rel) + 1}; }
  // A point that lies behind everything submitted to s so far.
  Position observe(StreamIndex s) { return explicit_items_ ? tail(s) : advance(s); }
  [[nodiscard]] Position tail(StreamIndex s) const { return Position{slot(s).tail.load(std::memory_order_acquire)}; }
  // The position of a free that happens now on s. With explicit items its own item must be the next one submitted.
  [[nodiscard]] Position free_point(StreamIndex s) const { return after(tail(s)); }
  // How far frees have passed on a stream whose points up to `completed` are complete: a free without an item of its
  // own has passed once everything before it has.
  [[nodiscard]] Position frees_passed(Position completed) const {
    return explicit_items_ ? completed : after(completed);
  }

  [[nodiscard]] Position proved(StreamIndex s) const {
    return Position{slot(s).proved.load(std::memory_order_acquire)};
  }
  // A call has shown everything in `cut` complete.
  void prove(const Clock& cut);
  void prove(Point point);
  // Grows with every proof of something new.
  [[nodiscard]] std::uint64_t proofs() const { return proofs_.load(std::memory_order_acquire); }
  // Calls `visit(stream)` for the streams of the proofs numbered from `first` on, up to before `last`. False: that is
  // not known any more, or not yet; then any stream may be concerned.
  template <class Visit>
  [[nodiscard]] bool for_each_proof(std::uint64_t first, std::uint64_t last, Visit visit) const {
    if (last - first > recent_.size()) return false;
    for (std::uint64_t i = first; i < last; ++i) {
      const std::uint64_t entry = recent_[i % recent_.size()].load(std::memory_order_acquire);
      if (entry >> 32 != (i + 1) % (std::uint64_t{1} << 32)) return false;
      visit(StreamIndex{static_cast<std::uint32_t>(entry)});
    }
    return true;
  }

  // A point of s made now, which is returned, and its cut: everything s knows that may still matter, and itself up to
  // the point. Both are of one moment: whoever waits for the point comes after the whole cut.
  Point snapshot(StreamIndex s, Clock& cut);
  // Later work of s comes after `cut`. The device must know it already: from here on other threads rely on it.
  void join(StreamIndex s, const Clock& cut);
  // Calls `visit(point)` for every entry of what s knows, then for those of `more`, which may be null.
  template <class Visit>
  void for_each_known(StreamIndex s, const Clock* more, Visit visit) {
    static thread_local std::vector<Point> copy;
    {
      Slot& mine = slot(s);
      const std::lock_guard lock(mine.lock);
      copy.assign(mine.known.entries().begin(), mine.known.entries().end());
    }
    if (more != nullptr) copy.insert(copy.end(), more->entries().begin(), more->entries().end());
    for (const Point& point : copy) visit(point);
  }
  // True where later work of s comes after `point`.
  [[nodiscard]] bool covers(StreamIndex s, Point point);

  // Whoever keeps blocks that carry the index s holds it, so that it is not given to a new stream.
  void hold(StreamIndex s) { slot(s).holders.fetch_add(1, std::memory_order_acq_rel); }
  void let_go(StreamIndex s) { slot(s).holders.fetch_sub(1, std::memory_order_acq_rel); }

  // Whoever keeps free blocks of s announces it. Knowledge of streams without any is worth nothing: their next free
  // lies behind everything that is known of them. So it is dropped, and clocks stay as short as they are useful.
  void announce(StreamIndex s) { slot(s).announced.fetch_add(1, std::memory_order_acq_rel); }
  void withdraw(StreamIndex s) { slot(s).announced.fetch_sub(1, std::memory_order_acq_rel); }
  [[nodiscard]] bool announced(StreamIndex s) const { return slot(s).announced.load(std::memory_order_acquire) != 0; }

 private:
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> tail{0};
    std::atomic<std::uint64_t> proved{0};
    std::atomic<std::uint32_t> holders{0};
    std::atomic<std::uint32_t> announced{0};
    std::atomic<bool> closed{false};
    SpinLock lock;  // of `known`
    Clock known;    // other streams only
  };
  static constexpr std::size_t chunk_bits = 6, chunk_count = 4096, reuse_attempts = 8;
  using Chunk = std::array<Slot, std::size_t{1} << chunk_bits>;

  Slot& slot(StreamIndex s) const {
    Chunk* chunk = chunks_[raw(s) >> chunk_bits].load(std::memory_order_acquire);
    return (*chunk)[raw(s) & ((1u << chunk_bits) - 1)];
  }
  StreamIndex append();
  StreamIndex reopen(StreamIndex s);

  const bool explicit_items_;
  std::mutex mutex_;  // opening and closing
  std::array<std::atomic<Chunk*>, chunk_count> chunks_{};
  std::vector<std::unique_ptr<Chunk>> owned_;
  std::atomic<std::uint32_t> count_{0};
  std::vector<StreamIndex> retired_;
  std::size_t next_retired_ = 0;
  std::atomic<std::uint64_t> proofs_{0};
  std::array<std::atomic<std::uint64_t>, 256> recent_{};  // the newest proofs: number from 1 (low half), stream
};

}  // namespace streampool::engine
