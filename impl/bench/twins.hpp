// Peers of our own making: what a pool is without streams, attributes and statistics. All work out of band on offsets.
#pragma once

#include <bit>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "impl/bench/workloads.hpp"

namespace streampool::bench {

// A block as a caller of a twin holds it.
struct Held {
  std::uint64_t address = 0;
  std::uint32_t node = 0;
};

// Lower bound: a stack of blocks for each size class, no lock, no merging. Grows for ever.
class LifoTwin {
 public:
  Held allocate(std::uint64_t bytes) {
    auto& stack = stacks_[index(bytes)];
    if (!stack.empty()) {
      const std::uint64_t address = stack.back();
      stack.pop_back();
      return {address, 0};
    }
    return {std::exchange(end_, end_ + bytes), 0};
  }
  void free(const Held& block, std::uint64_t bytes) { stacks_[index(bytes)].push_back(block.address); }

 private:
  static std::size_t index(std::uint64_t bytes) {
    const unsigned top = static_cast<unsigned>(std::bit_width(bytes)) - 1;
    return top * 8 + ((bytes >> (top - 3)) & 7);
  }
  std::vector<std::uint64_t> stacks_[64 * 8];
  std::uint64_t end_ = 0;
};

// Two-level segregated fit, 32 lists a doubling, out of band, behind a mutex.
class TlsfTwin {
 public:
  TlsfTwin() {
    nodes_.push_back({});
    const std::uint32_t all = make();
    nodes_[all].size = std::uint64_t{1} << 40;
    insert(all);
  }
  Held allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    // Rounded up so that any block of the class fits.
    const unsigned top = static_cast<unsigned>(std::bit_width(bytes)) - 1;
    std::uint32_t row = 0, column = 0;
    classify(bytes + (std::uint64_t{1} << (top - 5)) - 1, row, column);
    std::uint32_t columns = columns_[row] & (~0u << column);
    if (columns == 0) {
      row = static_cast<std::uint32_t>(std::countr_zero(rows_ & (~std::uint64_t{0} << (row + 1))));
      columns = columns_[row];
    }
    const std::uint32_t id = heads_[row][std::countr_zero(columns)];
    erase(id);
    if (nodes_[id].size > bytes) {
      const std::uint32_t rest = make();
      Node& node = nodes_[id];
      nodes_[rest] = {node.start + bytes, node.size - bytes, id, node.above, 0, 0, false};
      if (node.above != 0) nodes_[node.above].below = rest;
      node.above = rest;
      node.size = bytes;
      insert(rest);
    }
    nodes_[id].free = false;
    return {nodes_[id].start, id};
  }
  void free(const Held& block, std::uint64_t) {
    const std::lock_guard lock(mutex_);
    std::uint32_t id = block.node;
    if (const std::uint32_t below = nodes_[id].below; below != 0 && nodes_[below].free) id = merge(below, id, below);
    if (const std::uint32_t above = nodes_[id].above; above != 0 && nodes_[above].free) id = merge(id, above, above);
    insert(id);
  }

 private:
  struct Node {
    std::uint64_t start = 0, size = 0;
    std::uint32_t below = 0, above = 0, prev = 0, next = 0;
    bool free = false;
  };
  static void classify(std::uint64_t size, std::uint32_t& row, std::uint32_t& column) {
    row = static_cast<std::uint32_t>(std::bit_width(size)) - 1;
    column = static_cast<std::uint32_t>(size >> (row - 5)) & 31;
  }
  std::uint32_t make() {
    if (spare_ != 0) return std::exchange(spare_, nodes_[spare_].next);
    nodes_.push_back({});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  std::uint32_t merge(std::uint32_t lower, std::uint32_t upper, std::uint32_t listed) {
    erase(listed);
    nodes_[lower].size += nodes_[upper].size;
    nodes_[lower].above = nodes_[upper].above;
    if (nodes_[lower].above != 0) nodes_[nodes_[lower].above].below = lower;
    nodes_[upper].next = std::exchange(spare_, upper);
    return lower;
  }
  void insert(std::uint32_t id) {
    std::uint32_t row = 0, column = 0;
    classify(nodes_[id].size, row, column);
    std::uint32_t& head = heads_[row][column];
    nodes_[id].free = true;
    nodes_[id].prev = 0;
    nodes_[id].next = head;
    if (head != 0) nodes_[head].prev = id;
    head = id;
    columns_[row] |= 1u << column;
    rows_ |= std::uint64_t{1} << row;
  }
  void erase(std::uint32_t id) {
    Node& node = nodes_[id];
    if (node.next != 0) nodes_[node.next].prev = node.prev;
    if (node.prev != 0) {
      nodes_[node.prev].next = node.next;
      return;
    }
    std::uint32_t row = 0, column = 0;
    classify(node.size, row, column);
    heads_[row][column] = node.next;
    if (node.next == 0 && (columns_[row] &= ~(1u << column)) == 0) rows_ &= ~(std::uint64_t{1} << row);
  }
  std::mutex mutex_;
  std::vector<Node> nodes_;
  std::uint32_t spare_ = 0;
  std::uint64_t rows_ = 0;
  std::uint32_t columns_[64] = {};
  std::uint32_t heads_[64][32] = {};
};

// Best fit by ordered maps, behind a mutex.
class MapTwin {
 public:
  MapTwin() { add(0, std::uint64_t{1} << 40); }
  Held allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto it = by_size_.lower_bound({bytes, 0});
    const auto [size, start] = it->first;
    by_size_.erase(it);
    by_address_.erase(start);
    if (size > bytes) add(start + bytes, size - bytes);
    return {start, 0};
  }
  void free(const Held& block, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    std::uint64_t start = block.address;
    auto above = by_address_.lower_bound(start);
    if (above != by_address_.end() && above->first == start + bytes) {
      bytes += above->second;
      by_size_.erase({above->second, above->first});
      above = by_address_.erase(above);
    }
    if (above != by_address_.begin()) {
      const auto below = std::prev(above);
      if (below->first + below->second == start) {
        start = below->first;
        bytes += below->second;
        by_size_.erase({below->second, below->first});
        by_address_.erase(below);
      }
    }
    add(start, bytes);
  }

 private:
  void add(std::uint64_t start, std::uint64_t size) {
    by_size_.emplace(std::pair(size, start), 0);
    by_address_.emplace(start, size);
  }
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> by_size_;
  std::map<std::uint64_t, std::uint64_t> by_address_;
};

}  // namespace streampool::bench
