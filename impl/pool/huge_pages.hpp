// An allocator for tables that are read at random: large ones lie on huge pages where the system has them, for at a
// million blocks the look-up of the page costs more than the look-up in the table.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace streampool::engine {

template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>& /*other*/) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
    // Advice only: where it is refused, the table is as slow as any.
    if (bytes >= page) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count * sizeof(T))); }
  bool operator==(const HugePages&) const = default;

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;
  static std::align_val_t alignment(std::size_t bytes) { return std::align_val_t{bytes < page ? alignof(T) : page}; }
};

}  // namespace streampool::engine
