// Handles: numbers that stand for objects. A dead or foreign number is recognised; a dead one's value is given to the
// next object of its kind, as the vendors' runtimes do, so nothing may be remembered by value.
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
    if (spare_.empty()) return append(std::move(object));
    const std::uint32_t index = spare_.back();
    spare_.pop_back();
    objects_[index] = std::move(object);
    return value(index);
  }
  // With a value that no object ever had.
  std::uint64_t add_fresh(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    return append(std::move(object));
  }

  // Null: no such object (any more).
  [[nodiscard]] std::shared_ptr<T> find(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const std::size_t index = index_of(handle);
    return index < objects_.size() ? objects_[index] : nullptr;
  }

  std::shared_ptr<T> remove(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const std::size_t index = index_of(handle);
    if (index >= objects_.size() || !objects_[index]) return nullptr;
    spare_.push_back(static_cast<std::uint32_t>(index));
    return std::move(objects_[index]);
  }

  struct Entry {
    std::uint64_t handle;
    std::shared_ptr<T> object;
  };
  [[nodiscard]] std::vector<Entry> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> list;
    for (std::uint32_t i = 0; i < objects_.size(); ++i) {
      if (objects_[i]) list.push_back({value(i), objects_[i]});
    }
    return list;
  }

 private:
  std::uint64_t append(std::shared_ptr<T> object) {
    spare_.reserve(objects_.size() + 1);
    objects_.push_back(std::move(object));
    return value(static_cast<std::uint32_t>(objects_.size() - 1));
  }
  // Kind and index + 1, so that no handle is 0 and none of two kinds are equal. Callers hold the mutex.
  [[nodiscard]] std::uint64_t value(std::uint32_t index) const { return base() + index + 1; }
  [[nodiscard]] std::size_t index_of(std::uint64_t handle) const { return handle - base() - 1; }
  [[nodiscard]] std::uint64_t base() const { return std::uint64_t{static_cast<std::uint8_t>(kind_)} << 56; }

  const HandleKind kind_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<T>> objects_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace streampool::engine
