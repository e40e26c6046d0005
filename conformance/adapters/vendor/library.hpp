// A vendor's shared library, opened at run time by path or by its usual names.
#pragma once

#include <span>
#include <string>

namespace streampool::vendor {

class Library {
 public:
  // The first of `names` that opens. Never closed again: vendor libraries leave threads behind that would lose their
  // code. False where none opens; `error` then says what the loader answered for each.
  bool open(std::span<const char* const> names, std::string& error);
  // Null where the library has no such symbol.
  [[nodiscard]] void* find(const char* symbol) const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace streampool::vendor
