// The `expect` lines of a case, evaluated against what was observed. They add what no clause says: that an outcome
// which is allowed was seen, or that one call of many answered in a certain way.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/kit/verdict.hpp"
#include "model/history/history.hpp"
#include "model/monitor/judge.hpp"

namespace streampool::kit {

struct Expectations {
  std::vector<Outcome> outcomes;   // of `overlap`
  std::vector<std::string> unmet;  // whole sentences; of statuses and attributes
  std::vector<std::string> unmet_overlaps;
  std::string finding;  // the clause that `violation` or `program_fault` names; empty: no finding is expected
};

// `lines` as they were run. An expectation whose names or labels were never made is left out.
[[nodiscard]] Expectations evaluate(const std::vector<history::Line>& lines, const history::NameTable& names);

}  // namespace streampool::kit
