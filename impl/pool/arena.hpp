// An arena: part of a pool's memory, cut into blocks, with the free ones indexed by the stream they were freed on.
//
// Invariants (check() tests them):
//   - the blocks tile the arena's memory; neighbours by address are linked within what grew in one piece;
//   - every free block is in exactly one heap, that of its stream: by size and by age, or as the heap's hot block: the
//     newest free of the stream, kept as it is for a request of just its size;
//   - what is by age is by position, so "everything freed on t up to n" is a prefix. Settled memory has no position;
//   - two linked neighbours in the heap `settled` do not exist: they are one block.
//
// Free blocks of one stream merge at the free and keep the later position. Memory of different histories merges once
// it is settled. Whole idle granules are kept apart from memory that is not yet proved, so that they can be released.
//
// Not thread safe: the owner holds `lock()` around every call. The pool decides who may take what; the arena executes.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "impl/pool/address_map.hpp"
#include "impl/pool/best_fit.hpp"
#include "impl/pool/biased_lock.hpp"
#include "impl/pool/by_age.hpp"
#include "impl/pool/live_index.hpp"
#include "impl/pool/order.hpp"

namespace streampool::engine {

struct UnitRange {
  Units start = 0;
  Units size = 0;
};

class Arena {
 public:
  // `owner` is passed on by owner().
  Arena(AddressMap& map, Order& order, void* owner);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  BiasedLock& lock() { return lock_; }
  [[nodiscard]] void* owner() const { return owner_; }

  // Takes -------------------------------------------------------------------------------------------------------------
  // The best fitting free block of that stream, cut to `size`, now live; 0 if there is none.
  BlockId take(StreamIndex stream, Units size) {
    Heap* mine = find(stream);
    if (mine == nullptr) return 0;
    const BlockId hot = mine->hot;
    if (blocks_[hot].size != size) return mine->latest = take_indexed(*mine, size);
    mine->hot = 0;
    blocks_[hot].state = BlockState::live;
    return mine->latest = hot;
  }
  // The same among those freed up to `upto`. May miss one, but never takes a later one.
  BlockId take_upto(StreamIndex stream, Units size, Position upto);
  // Two free neighbours as one.
  BlockId take_across(BlockId lower, BlockId upper, Units size);
  Block& block(BlockId id) { return blocks_[id]; }

  // Frees -------------------------------------------------------------------------------------------------------------
  // The live block that starts at `unit`; 0 if none does.
  [[nodiscard]] BlockId live_at(Units unit) const {
    const BlockId id = live_.find(unit);
    return is_live(id, unit) ? id : 0;
  }
  // Frees the live block that starts at `unit`. Nothing if none does, else the bytes asked for. `at()` gives the free's
  // position and is called once where the free succeeds.
  template <class At>
  std::optional<Bytes> free(Units unit, StreamIndex stream, At at) {
    Heap* const mine = find(stream);
    // What was taken last is often freed next.
    const BlockId id = mine != nullptr && is_live(mine->latest, unit) ? mine->latest : live_at(unit);
    if (id == 0) return std::nullopt;
    const Bytes requested = blocks_[id].requested;
    put(id, mine != nullptr ? *mine : make_heap(stream), at());
    return requested;
  }

  // Everything is settled, live blocks too.
  void free_all();
  // What was freed on `stream` up to `upto` changes hands: to `settled`, or with a new position to `completed`.
  void settle(StreamIndex stream, Position upto);
  void complete(StreamIndex stream, Position upto);

  // Memory ------------------------------------------------------------------------------------------------------------
  // New memory, free for everybody. The address map must name this arena already.
  void grow(UnitRange range);
  // The free block that ends where the newest memory does; 0 if that end is live or was given back.
  [[nodiscard]] BlockId top() const;
  [[nodiscard]] Units end() const { return end_; }
  // Whole granules inside free blocks of `stream` up to `upto`.
  [[nodiscard]] Units idle_granules(StreamIndex stream, Position upto);
  // Cuts at most `granules` of them out of the arena; calls `sink(range)` for each piece.
  Units release(StreamIndex stream, Position upto, Units granules, const std::function<void(UnitRange)>& sink);

  // Streams with a heap here. The list may change in the calls above.
  [[nodiscard]] const std::vector<StreamIndex>& streams() const { return streams_; }
  [[nodiscard]] bool has_free(StreamIndex stream) const {
    const Heap* mine = find(stream);
    return mine != nullptr && !mine->empty();
  }
  // Drops the empty heap of a closed stream.
  void forget(StreamIndex stream);
  // False: no free block has that size. True may be wrong, until tighten() looks at all heaps.
  [[nodiscard]] bool may_hold(Units size) const { return size <= largest_; }
  void tighten();

  // Empty, or what is broken. Costs time in proportion to the blocks.
  [[nodiscard]] std::string check() const;
  [[nodiscard]] bool has_live_blocks() const;

 private:
  struct Heap {
    Heap(BlockTable& blocks, StreamIndex s) : stream(s), ages(blocks) {}
    const StreamIndex stream;
    std::uint32_t place = 0;  // in `streams_`
    BlockId hot = 0;
    BlockId latest = 0;  // taken last, and so often freed next; may be gone
    // To the order. Taken back late, so that a stream that frees and allocates does not write it.
    bool announced = false;
    ByAge ages;
    BestFit index;
    [[nodiscard]] bool empty() const { return hot == 0 && index.empty(); }
    void erase(BlockTable& blocks, BlockId id) {
      index.erase(blocks, id);
      ages.erase(blocks, id);
    }
  };
  [[nodiscard]] Heap* find(StreamIndex s) const { return raw(s) < heap_bound_ ? heaps_[raw(s)].get() : nullptr; }
  Heap& heap(StreamIndex s) {
    Heap* mine = find(s);
    return mine != nullptr ? *mine : make_heap(s);
  }
  Heap& heap_of(const Block& block) { return *heaps_[raw(block.stream)]; }  // of a free block
  Heap* find_cool(StreamIndex s);
  Heap& make_heap(StreamIndex s);
  [[nodiscard]] bool is_live(BlockId id, Units unit) const {
    const Block& block = blocks_[id];
    return (block.start == unit) & (block.state == BlockState::live);
  }
  void put(BlockId id, Heap& mine, Position at) {
    if (mine.stream < first_stream) return put_indexed(mine, id, at);
    if (mine.hot != 0) cool(mine);
    if (!mine.announced) announce(mine);
    Block& block = blocks_[id];
    __builtin_prefetch(&blocks_[block.below]);
    __builtin_prefetch(&blocks_[block.above]);
    block.state = BlockState::hot;
    block.stream = mine.stream;
    block.freed = at;
    mine.hot = id;
    largest_ = std::max(largest_, block.size);
  }
  [[nodiscard]] Units granule() const { return map_.granule_units(); }
  [[nodiscard]] UnitRange granules_inside(const Block& block) const;
  [[nodiscard]] bool merges(const Block& neighbour, StreamIndex stream, Units size) const;

  BlockId take_indexed(Heap& heap, Units size);
  void put_indexed(Heap& heap, BlockId id, Position at);
  BlockId find_upto(Heap& heap, Units size, Position upto);
  BlockId cut(Heap& heap, BlockId id, Units size);
  void insert(Heap& heap, BlockId id, Position at);
  // The earliest free among those that were swallowed; `all` where none was.
  Position absorb_neighbours(BlockId id, StreamIndex stream);
  void swallow(BlockId id, BlockId neighbour);
  void cool(Heap& heap);
  void announce(Heap& heap);
  void withdraw_if_empty(Heap& heap);
  void cut_out(Heap& heap, BlockId id, UnitRange hole);
  void move_prefix(StreamIndex from, Position upto, StreamIndex to);

  AddressMap& map_;
  Order& order_;
  void* const owner_;
  BiasedLock lock_;
  BlockTable blocks_;
  std::vector<std::unique_ptr<Heap>> heaps_;  // by stream index
  std::uint32_t heap_bound_ = 0;              // how many that are
  std::vector<StreamIndex> streams_;
  LiveIndex live_;    // live and hot blocks by where they start
  BlockId last_ = 0;  // the block that ends where the newest memory does, at `end_`; 0: given back
  Units end_ = 0;
  Units largest_ = 0;  // no free block is larger
};

}  // namespace streampool::engine
