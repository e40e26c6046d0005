// Random histories for unit tests on RapidCheck: a vector of relative operations with the suite's own weights, so that
// a failing one shrinks by leaving operations out. Include gtest/gtest.h first; in properties use RC_ASSERT.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "conformance/generate/operation.hpp"

namespace streampool::generate {

[[nodiscard]] inline rc::Gen<Operation> any_operation() {
  // Operands shrink towards the first of whatever there is; kinds stay what they are.
  return rc::gen::map(rc::gen::tuple(rc::gen::noShrink(rc::gen::inRange<unsigned>(0, total_weight)),
                                     rc::gen::inRange<std::uint32_t>(0, 4096), rc::gen::inRange<std::uint32_t>(0, 4096),
                                     rc::gen::inRange<std::uint32_t>(0, 4096)),
                      [](const std::tuple<unsigned, std::uint32_t, std::uint32_t, std::uint32_t>& drawn) {
                        const auto& [kind, a, b, c] = drawn;
                        return Operation{kind_at(kind), a, b, c};
                      });
}

[[nodiscard]] inline rc::Gen<std::vector<Operation>> any_history() {
  return rc::gen::container<std::vector<Operation>>(any_operation());
}

}  // namespace streampool::generate
