// Handles and identities (chapter LIFE): a handle is a value that may come back, an identity is given once.
#pragma once

#include "spec/rules/logic.hpp"

namespace streampool::spec {

template <MachineCarrier L, class Identity>
struct Names {
  typename L::template Map<typename L::Handle, Identity> of;  // none: the handle is dead
  typename L::template Map<Identity, typename L::Bool> given;
};

// LIFE-RECYCLED-STREAM, LIFE-RECYCLED-EVENT, LIFE-RECYCLED-POOL: a creating call gives an identity that nothing has had
// before, whatever the handle meant earlier.
template <MachineCarrier L, class Identity>
typename L::Bool name(Names<L, Identity>& names, const typename L::Handle& handle, const Identity& identity) {
  const auto none = L::template none<Identity>();
  const typename L::Bool guard =
      !(identity == none) && !L::get(names.given, identity) && L::get(names.of, handle) == none;
  L::put(names.of, handle, identity);
  L::put(names.given, identity, L::boolean(true));
  return guard;
}

template <MachineCarrier L, class Identity>
typename L::Bool forget(Names<L, Identity>& names, const typename L::Handle& handle) {
  const auto none = L::template none<Identity>();
  const typename L::Bool guard = !(L::get(names.of, handle) == none);
  L::put(names.of, handle, none);
  return guard;
}

}  // namespace streampool::spec
