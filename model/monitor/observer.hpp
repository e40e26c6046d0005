// The carrier for what an observer may conclude (spec/rules/observe.hpp): the concrete one, and when a cut covers
// another.
#pragma once

#include "model/values/concrete.hpp"
#include "spec/rules/observe.hpp"

namespace streampool::model {

struct Observer : Concrete {
  static Bool covers(const Cut& outer, const Cut& inner) { return inner.within(outer); }
};

}  // namespace streampool::model
