// What generated histories come to, as results of the kit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/kit/live_run.hpp"
#include "conformance/kit/verdict.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::generate {

// How often each clause was exercised, over many histories.
class Tally {
 public:
  void take(const model::Judge& judge);
  [[nodiscard]] std::vector<std::pair<spec::ClauseId, std::uint64_t>> counts() const;

 private:
  std::vector<std::uint64_t> counts_;
};

// The result of a history in which the judge has found something; its name is left to the caller.
[[nodiscard]] kit::CaseResult decided(const kit::LiveRun& run, const std::string& suite, std::uint64_t seed);

}  // namespace streampool::generate
