// Host mallocs from packages, each opened for itself, so that one program measures them side by side.
#pragma once

#include <dlfcn.h>

#include <string>

#include "impl/bench/twins.hpp"

namespace streampool::bench {

struct PeerLibrary {
  const char* name;
  const char* file;
  const char* allocate;
  const char* free;
};
inline constexpr PeerLibrary peer_libraries[] = {
    {"jemalloc", "libjemalloc.so.2", "malloc", "free"},
    {"tcmalloc", "libtcmalloc_minimal.so.4", "tc_malloc", "tc_free"},
    {"mimalloc", "libmimalloc.so.2", "mi_malloc", "mi_free"},
    {"tbbmalloc", "libtbbmalloc.so.2", "scalable_malloc", "scalable_free"},
};

// Empty functions where the library is not there.
class HostMalloc {
 public:
  explicit HostMalloc(const PeerLibrary& peer) {
    void* library = ::dlopen(peer.file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    allocate_ = reinterpret_cast<void* (*)(std::size_t)>(::dlsym(library, peer.allocate));
    free_ = reinterpret_cast<void (*)(void*)>(::dlsym(library, peer.free));
  }
  explicit operator bool() const { return allocate_ != nullptr && free_ != nullptr; }
  Held allocate(std::uint64_t bytes) { return {reinterpret_cast<std::uint64_t>(allocate_(bytes)), 0}; }
  void free(const Held& block, std::uint64_t) { free_(reinterpret_cast<void*>(block.address)); }

 private:
  void* (*allocate_)(std::size_t) = nullptr;
  void (*free_)(void*) = nullptr;
};

}  // namespace streampool::bench
