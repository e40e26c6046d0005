#include "conformance/kit/journal.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <system_error>

namespace streampool::kit {

struct Journal::Shared {
  std::atomic<std::uint64_t> progress;
  std::atomic<std::uint64_t> length;
  std::atomic<std::uint64_t> in_flight;
  std::atomic<std::uint64_t> gates_length;
  char gates[std::size_t{1} << 16];  // names, each with a line's end
  char text[capacity];
};

namespace {

// Behind what is there, as far as there is room.
void put(std::atomic<std::uint64_t>& length, std::span<char> area, std::string_view text) {
  const std::uint64_t before = length.load(std::memory_order_relaxed);
  const std::size_t bytes = std::min<std::size_t>(text.size(), area.size() - before);
  std::memcpy(area.data() + before, text.data(), bytes);
  length.store(before + bytes, std::memory_order_release);
}

// The other side may be a runtime gone wild: the length is only a claim.
std::string_view take(const std::atomic<std::uint64_t>& length, std::span<const char> area) {
  return {area.data(), std::min<std::size_t>(length.load(std::memory_order_acquire), area.size())};
}

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
  shared_->gates_length.store(0, std::memory_order_release);
  begin_again();
}

void Journal::begin_again() {
  shared_->length.store(0, std::memory_order_release);
  tick();
}

void Journal::append(std::string_view text) {
  put(shared_->length, shared_->text, text);
  tick();
}

void Journal::tick() { shared_->progress.fetch_add(1, std::memory_order_release); }

void Journal::enter() { shared_->in_flight.fetch_add(1, std::memory_order_release); }
void Journal::leave() { shared_->in_flight.fetch_sub(1, std::memory_order_release); }

void Journal::opened(std::string_view gate) { put(shared_->gates_length, shared_->gates, std::string(gate) + '\n'); }

std::uint64_t Journal::progress() const { return shared_->progress.load(std::memory_order_acquire); }

std::uint64_t Journal::in_flight() const { return shared_->in_flight.load(std::memory_order_acquire); }

std::string Journal::text() const { return std::string(take(shared_->length, shared_->text)); }

std::vector<std::string> Journal::opened_gates() const {
  std::vector<std::string> gates;
  for (std::string_view rest = take(shared_->gates_length, shared_->gates); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    gates.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return gates;
}

}  // namespace streampool::kit
