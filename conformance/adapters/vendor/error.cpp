#include "conformance/adapters/vendor/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace streampool::vendor {
namespace {

struct LastError {
  std::int64_t code = 0;
  char text[512] = {};
};
thread_local LastError last;

}  // namespace

streampool_status fail(streampool_status status, std::int64_t code, std::string_view call, std::string_view text) {
  last.code = code;
  std::snprintf(last.text, sizeof last.text, "%.*s: %.*s", static_cast<int>(call.size()), call.data(),
                static_cast<int>(text.size()), text.data());
  return status;
}

void read_last_error(std::int64_t* code, char* text, std::size_t capacity) {
  if (code != nullptr) *code = last.code;
  if (text == nullptr || capacity == 0) return;
  const std::size_t length = std::min(std::strlen(last.text), capacity - 1);
  std::memcpy(text, last.text, length);
  text[length] = '\0';
}

}  // namespace streampool::vendor
