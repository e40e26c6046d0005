// Which small programs say nothing that a shorter or an earlier one does not say (Scope::reduced).
//
// Two neighbouring calls that commute may stand in either order: of programs that differ in nothing else the first, in
// a fixed order, stands for all. And every call must matter to a later one: a record is waited for, a wait or a gate
// has work behind it, the last call is a malloc behind a free. By the specification, that is: a runtime may well have a
// fault that only the other order shows, which is why scopes without this are gone through as well.
#pragma once

#include <span>

#include "model/explorer/programs.hpp"

namespace streampool::model::explorer {

// Neighbours in a program; the same whichever is first, as far as the specification goes.
[[nodiscard]] bool commute(const Move& first, const Move& second);

// Names in the order of first use.
[[nodiscard]] Program renamed(Program program);

// Do the last two calls commute, and is the program an earlier one with the two exchanged?
[[nodiscard]] bool comes_later(std::span<const Move> program);

// At least so many calls must follow until each matters; 0: the program is complete. Far too many where one never will.
[[nodiscard]] unsigned calls_wanted(std::span<const Move> program);

}  // namespace streampool::model::explorer
