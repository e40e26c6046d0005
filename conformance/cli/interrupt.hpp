// Ctrl-C: the first asks for an end with what there is, the second ends at once.
#pragma once

#include <atomic>

namespace streampool::cli {

// Takes over SIGINT and SIGTERM for the rest of the program; true once one has come.
[[nodiscard]] const std::atomic<bool>& interruption();

}  // namespace streampool::cli
