#include "impl/device/cuda_vmm/driver.hpp"

#include <dlfcn.h>

namespace streampool::engine::cuda {

std::unique_ptr<const Driver> Driver::load(const std::string& library, std::string& why) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    why = "no CUDA driver: " + std::string(::dlerror());
    return nullptr;
  }
  std::unique_ptr<Driver> driver(new Driver(handle));
#define X(member, symbol, name, ...)                                                         \
  driver->member = reinterpret_cast<Result (*)(__VA_ARGS__)>(::dlsym(handle, #symbol));      \
  if (driver->member == nullptr) {                                                           \
    why = "the CUDA driver " + library + " has no " #symbol ": it is too old (11.0 has it)"; \
    return nullptr;                                                                          \
  }
  STREAMPOOL_CUDA_DRIVER(X)
#undef X
  return driver;
}

Driver::~Driver() { ::dlclose(library_); }

std::string Driver::text(Result code) const {
  const char* text = nullptr;
  if (error_string(code, &text) != success || text == nullptr) return "CUDA error " + std::to_string(code);
  return std::string(text) + " (CUDA error " + std::to_string(code) + ")";
}

}  // namespace streampool::engine::cuda
