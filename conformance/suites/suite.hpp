// The table of suites. A suite that is not in it is not built; asking for it is a usage error.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/kit/job.hpp"
#include "conformance/kit/runtime.hpp"
#include "model/profile/profile.hpp"

namespace streampool::suites {

// What a suite may look at when it makes its jobs.
struct SuiteOptions {
  const model::Profile& profile;
  const kit::Description& description;  // of the runtime under test
  std::uint64_t capabilities = 0;
  std::uint64_t seed = 1;
  std::chrono::milliseconds budget{0};  // for suites that could go on for ever; 0: the suite's own default
  std::string filter;                   // a glob over case names; empty: all
  unsigned shard = 1, shards = 1;       // this run does every shards-th job, from the shard-th on
};

struct Suite {
  std::string_view name, about;
  std::unique_ptr<kit::JobSource> (*open)(const SuiteOptions&);
  // All its cases under a profile. Null where they are made up as the run goes.
  std::vector<kit::Scenario> (*scenarios)(const model::Profile&) = nullptr;
  bool by_default = true;  // part of a run that names no suite
};

[[nodiscard]] std::span<const Suite> suites();
[[nodiscard]] const Suite* find_suite(std::string_view name);
// What a worker can be asked to do: one kind for scenarios, others as suites bring them.
[[nodiscard]] std::span<const kit::JobKind> job_kinds();

// The scenarios that the filter lets through.
[[nodiscard]] std::vector<kit::Scenario> filtered(std::vector<kit::Scenario> scenarios, std::string_view filter);
// A source over scenarios that are known in advance; applies filter and shard.
[[nodiscard]] std::unique_ptr<kit::JobSource> scenario_source(std::vector<kit::Scenario> scenarios,
                                                              const SuiteOptions& options);

}  // namespace streampool::suites
