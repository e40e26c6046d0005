#include "impl/device/host/host_device.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace streampool::engine {

namespace {

void* pointer(Address a) { return reinterpret_cast<void*>(raw(a)); }  // NOLINT: addresses are numbers outside of here

constexpr Bytes huge_page = Bytes{2} << 20;

// Kernels before 5.14 cannot populate by advice; there, writing to every page does the same.
void touch_pages(Address at, Bytes bytes) {
  for (Bytes offset = 0; offset < bytes; offset += HostDevice::page) {
    *static_cast<volatile char*>(pointer(Address{raw(at) + offset})) = 0;
  }
}

}  // namespace

Mapping::Mapping(Bytes bytes, Bytes alignment, Pages pages) : size_(bytes) {
  mapped_size_ = bytes + alignment;
  mapped_ = ::mmap(nullptr, mapped_size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped_ == MAP_FAILED) throw std::bad_alloc();
  base_ = Address{(reinterpret_cast<std::uintptr_t>(mapped_) + alignment - 1) & ~(alignment - 1)};
  // Advice only: where it is refused, memory is as correct and slower.
  ::madvise(mapped_, mapped_size_, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Mapping::~Mapping() { ::munmap(mapped_, mapped_size_); }

bool Mapping::populate(Address at, Bytes bytes) {
#ifdef MADV_POPULATE_WRITE
  for (;;) {
    if (::madvise(pointer(at), bytes, MADV_POPULATE_WRITE) == 0) return true;
    if (errno == EINVAL) break;
    if (errno == EAGAIN || errno == EINTR) continue;
    give_back(at, bytes);
    return false;
  }
#endif
  touch_pages(at, bytes);
  return true;
}

void Mapping::give_back(Address at, Bytes bytes) { ::madvise(pointer(at), bytes, MADV_DONTNEED); }

HostDevice::HostDevice(Order& order, Bytes granularity, Bytes range)
    : granularity_(granularity),
      memory_((range + granularity - 1) / granularity * granularity, std::max(granularity, huge_page),
              granularity % huge_page == 0 ? Mapping::Pages::huge : Mapping::Pages::small),
      plain_(range, page, Mapping::Pages::small),
      queues_(order, Queues::Workers::one_a_stream) {}

void HostDevice::fill(Address at, std::uint8_t value, Bytes bytes) { std::memset(pointer(at), value, bytes); }
void HostDevice::read(Address at, Bytes bytes, void* out) { std::memcpy(out, pointer(at), bytes); }
void HostDevice::touch(Address at) {
  auto* byte = static_cast<volatile std::uint8_t*>(pointer(at));
  *byte = static_cast<std::uint8_t>(*byte + 1);
}

}  // namespace streampool::engine
