#include "conformance/adapters/vendor/library.hpp"

#include <dlfcn.h>

#include <cstring>

#include "conformance/adapters/vendor/vendor.hpp"

namespace streampool::vendor {

bool Library::open(std::span<const char* const> names, std::string& error) {
  for (const char* name : names) {
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL); handle != nullptr) {
      handle_ = handle;
      name_ = name;
      return true;
    }
    const char* reason = dlerror();
    if (!error.empty()) error += "; ";
    error += reason != nullptr ? reason : name;
  }
  return false;
}

void* Library::find(const char* symbol) const { return dlsym(handle_, symbol); }

void bind(const Library& library, std::span<const Symbol> symbols, void* base, Missing& missing) {
  for (const Symbol& symbol : symbols) {
    Slot slot{nullptr, symbol.name};
    void* address = library.find(symbol.name);
    static_assert(sizeof slot.address == sizeof address);
    std::memcpy(&slot.address, &address, sizeof address);
    std::memcpy(static_cast<std::byte*>(base) + symbol.slot, &slot, sizeof slot);
    if (address != nullptr) continue;
    missing.groups |= symbol.groups;
    if (!missing.names.empty()) missing.names += ", ";
    missing.names += symbol.name;
  }
}

}  // namespace streampool::vendor
