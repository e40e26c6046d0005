// The calling thread's newest failure, as `last_error` of the ABI gives it back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::vendor {

// Keeps code and "call: text" for the calling thread and returns `status`, so that a refusal is one expression.
streampool_status fail(streampool_status status, std::int64_t code, std::string_view call, std::string_view text);

// At most `capacity` bytes with the terminating zero. Null outputs are left out.
void read_last_error(std::int64_t* code, char* text, std::size_t capacity);

}  // namespace streampool::vendor
