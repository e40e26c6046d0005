// Targets around other targets.
//
//   trace:X     runs on X and prints each call with its result to standard error, as lines of a history.
//   shadow:X:Y  runs on X and on Y and answers what X answers; where Y's status differs it says so on standard error.
#pragma once

#include <memory>

#include "conformance/kit/target.hpp"

namespace streampool::kit {

[[nodiscard]] std::unique_ptr<Target> trace(std::unique_ptr<Target> inner);
[[nodiscard]] std::unique_ptr<Target> shadow(std::unique_ptr<Target> first, std::unique_ptr<Target> second);

}  // namespace streampool::kit
