// What stands on every report: which kit, ABI and specification, which runtime, profile and seed.
#pragma once

#include <cstdint>
#include <string>

namespace streampool::report {

struct RunInfo {
  std::string runtime;       // as asked for: a name or a path
  std::string runtime_name;  // what it calls itself
  std::string runtime_version;
  std::string profile;
  std::string profile_hash;  // SHA-256 of the profile's text
  std::uint64_t seed = 0;
  std::string suites;  // "directed,litmus"
  unsigned shard = 1, shards = 1;
  std::string kit;  // versions of this program
  std::string abi;
  std::string specification;  // how many clauses, and the start of the SHA-256 of their texts
  bool strict = false;        // a *should* that was not met counts as a failure
};

[[nodiscard]] std::string kit_version();
[[nodiscard]] std::string abi_version();
[[nodiscard]] std::string specification_version();

// SHA-256 as 64 lower-case hex digits.
[[nodiscard]] std::string sha256(const std::string& bytes);

}  // namespace streampool::report
