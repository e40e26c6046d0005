// Which lines still make a history once others are gone.
#pragma once

#include <vector>

#include "model/history/history.hpp"
#include "model/history/signature.hpp"

namespace streampool::minimize {

using Lines = std::vector<history::Line>;

[[nodiscard]] inline bool is_call(const history::Line& line) {
  return line.kind == history::LineKind::call || line.kind == history::LineKind::call_begin;
}

// Calls `visit(name, kind)` for every name that the call uses, as something that can be changed. The streams that exist
// from the beginning are among them.
template <class AnyCall, class Visit>
void for_each_use(AnyCall& call, Visit visit) {
  using history::Pointer;
  for (const history::Parameter& parameter : history::signature(call.op).parameters()) {
    if (parameter.field == history::Field::pointers) {
      for (auto& pointer : call.pointers) {
        if (pointer.kind == Pointer::Kind::named) visit(pointer.name, history::NameKind::allocation);
      }
      continue;
    }
    const auto kind = history::name_kind(parameter.field);
    auto* name = history::name_in(call, parameter.field);
    if (!kind || name == nullptr || *name == history::Name::none || parameter.use == history::Use::defines) continue;
    if (parameter.field == history::Field::pointer && call.pointer.kind != Pointer::Kind::named) continue;
    visit(*name, *kind);
  }
}

// Every name that is used was made before, every `return` has its `call` and every `call` its `return`; what breaks
// this is left out, and so are expectations and the preamble.
[[nodiscard]] Lines closed(const Lines& lines);

// With a `return` at the end for each call that is open there, as where the runtime died over it.
[[nodiscard]] Lines finished(Lines lines);

}  // namespace streampool::minimize
