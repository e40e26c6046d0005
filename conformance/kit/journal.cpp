#include "conformance/kit/journal.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

namespace streampool::kit {

struct Journal::Shared {
  std::atomic<std::uint64_t> progress;
  std::atomic<std::uint64_t> length;
  char text[capacity];
};

namespace {

void* map(int descriptor, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mapping the journal");
  return memory;
}

}  // namespace

Journal::Journal() : descriptor_(memfd_create("streampool-journal", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "making the journal");
  if (ftruncate(descriptor_, sizeof(Shared)) != 0) {
    throw std::system_error(errno, std::generic_category(), "sizing the journal");
  }
  shared_ = new (map(descriptor_, sizeof(Shared))) Shared;
}

Journal::Journal(int descriptor) : descriptor_(descriptor) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared between processes");
  shared_ = static_cast<Shared*>(map(descriptor, sizeof(Shared)));
}

Journal::~Journal() {
  munmap(shared_, sizeof(Shared));
  close(descriptor_);
}

void Journal::clear() {
  shared_->length.store(0, std::memory_order_release);
  tick();
}

void Journal::append(std::string_view text) {
  const std::uint64_t length = shared_->length.load(std::memory_order_relaxed);
  const std::size_t bytes = std::min<std::size_t>(text.size(), capacity - length);
  std::memcpy(shared_->text + length, text.data(), bytes);
  shared_->length.store(length + bytes, std::memory_order_release);
  tick();
}

void Journal::tick() { shared_->progress.fetch_add(1, std::memory_order_release); }

std::uint64_t Journal::progress() const { return shared_->progress.load(std::memory_order_acquire); }

std::string Journal::text() const {
  // The other side may be a runtime gone wild: the length is only a claim.
  const std::uint64_t length = std::min<std::uint64_t>(shared_->length.load(std::memory_order_acquire), capacity);
  return {shared_->text, static_cast<std::size_t>(length)};
}

}  // namespace streampool::kit
