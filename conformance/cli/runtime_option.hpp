// What `run`, `replay` and others say about the runtime under test: one set of options, one meaning.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "conformance/cli/command.hpp"
#include "conformance/kit/worker.hpp"

namespace streampool::cli {

inline constexpr Option runtime_option{
    "--runtime", Option::Type::text, "NAME|PATH",
    "Runtime under test, by name or path; trace:X and shadow:X:Y stand around others"};
inline constexpr Option library_option{"--library", Option::Type::text, "PATH",
                                       "The vendor library an adapter is to open"};
inline constexpr Option device_option{"--device", Option::Type::number, "N", "Device of the runtime"};
inline constexpr Option runtime_key_option{"--option", Option::Type::list, "KEY=VALUE",
                                           "An option of the runtime's own"};
inline constexpr Option profile_option{"--profile", Option::Type::text, "NAME|FILE",
                                       "Profile to judge by (default strict)"};
inline constexpr Option undefined_option{"--undefined", Option::Type::flag, "",
                                         "Run misuse to which the profile gives no status; it may crash the runtime"};
inline constexpr Option hang_option{"--hang", Option::Type::seconds, "SECONDS",
                                    "A runtime without progress for so long has hung (default 10)"};
inline constexpr Option memory_option{"--worker-memory", Option::Type::bytes, "BYTES",
                                      "Memory that one worker process may have (default: no limit)"};

// Where no runtime or library of that name is, the error says what there is.
[[nodiscard]] tl::expected<kit::WorkerSettings, std::string> worker_settings(const Arguments& arguments,
                                                                             const std::string& profile);

}  // namespace streampool::cli
