// Handles: numbers that stand for objects. A number is never used twice, so a dead or foreign one is always recognised.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace streampool::engine {

enum class HandleKind : std::uint8_t { context = 1, stream, event, pool, gate };

// Thread safe. An object lives until its handle is removed and every call that looked it up has let go of it.
template <class T>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind) : kind_(kind) {}

  std::uint64_t add(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    std::uint32_t index = 0;
    if (!spare_.empty()) {
      index = spare_.back();
      spare_.pop_back();
    } else {
      spare_.reserve(slots_.size() + 1);
      index = static_cast<std::uint32_t>(slots_.size());
      slots_.emplace_back();
    }
    slots_[index].object = std::move(object);
    return value(index);
  }

  // Null: no such object (any more).
  [[nodiscard]] std::shared_ptr<T> find(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const std::uint32_t index = static_cast<std::uint32_t>(handle);
    return index < slots_.size() && value(index) == handle ? slots_[index].object : nullptr;
  }

  std::shared_ptr<T> remove(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t index = static_cast<std::uint32_t>(handle);
    if (index >= slots_.size() || value(index) != handle) return nullptr;
    Slot& slot = slots_[index];
    slot.generation = (slot.generation + 1) & generation_mask;
    if (slot.generation != 0) spare_.push_back(index);  // else the slot has used up its numbers
    return std::move(slot.object);
  }

  struct Entry {
    std::uint64_t handle;
    std::shared_ptr<T> object;
  };
  [[nodiscard]] std::vector<Entry> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> list;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].object) list.push_back({value(i), slots_[i].object});
    }
    return list;
  }

 private:
  static constexpr std::uint32_t generation_mask = (1u << 24) - 1;
  struct Slot {
    std::shared_ptr<T> object;
    std::uint32_t generation = 1;
  };
  // Kind, generation and index: 8, 24 and 32 bits. Callers hold the mutex.
  [[nodiscard]] std::uint64_t value(std::uint32_t index) const {
    return std::uint64_t{static_cast<std::uint8_t>(kind_)} << 56 | std::uint64_t{slots_[index].generation} << 32 |
           index;
  }

  const HandleKind kind_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace streampool::engine
