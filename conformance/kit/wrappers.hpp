// Targets around other targets.
//
//   trace:X     runs on X and prints each call with its result to standard error, as lines of a history.
//   shadow:X:Y  runs on X and on Y and answers what X answers. Where Y answers another status, or another value of an
//               attribute that the program sets, it says so on standard error. Queries may differ in how far work has
//               come; addresses, statistics and handles are not compared.
//
// A worker's standard error is the `output` of the case: `replay` prints it, results.jsonl and the report hold it.
#pragma once

#include <memory>

#include "conformance/kit/target.hpp"

namespace streampool::kit {

[[nodiscard]] std::unique_ptr<Target> trace(std::unique_ptr<Target> inner);
[[nodiscard]] std::unique_ptr<Target> shadow(std::unique_ptr<Target> first, std::unique_ptr<Target> second);

}  // namespace streampool::kit
