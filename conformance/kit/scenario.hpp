// A case as data: lines of calls without results, and the clauses it aims at.
//
// Text may hold what only a run knows, in braces: {granule}, {alignment}, {memory}, {everything} (the memory, or the
// largest number where it is not known), and sums of products of them and of numbers: {2*granule+1}.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/runtime.hpp"
#include "model/profile/profile.hpp"
#include "spec/clauses.hpp"

namespace streampool::kit {

struct Scenario {
  std::string name;  // "reuse/event_transitive": chapter and what it does
  std::string suite;
  std::vector<spec::ClauseId> aims;
  std::string text;  // history lines without header and results
  std::uint64_t seed = 0;
  bool undefined = false;      // misuse to which a profile may give no status: run only on request
  std::string not_applicable;  // why the profile rules the case out; empty: it does not
  // How often it is run, at least once. On a stepped runtime the device gets further in each: in the first nothing ends
  // before it must, in the second everything has ended before each malloc, in the others some.
  unsigned runs = 1;
};

// Values of what stands in braces, in bytes.
struct Quantities {
  std::uint64_t granule = 0;
  std::uint64_t alignment = 0;
  std::uint64_t memory = 0;  // 0: not known
  // As much as any pool can reserve.
  [[nodiscard]] std::uint64_t everything() const { return memory != 0 ? memory : UINT64_MAX; }
};
// The profile's values where it fixes them, else what the runtime declares, else the usual ones (2 MiB, 256).
[[nodiscard]] Quantities quantities(const model::Profile& profile, const Description& description);

// The text with every brace replaced. The error names the expression.
[[nodiscard]] tl::expected<std::string, std::string> substitute(std::string_view text, const Quantities& quantities);

}  // namespace streampool::kit
