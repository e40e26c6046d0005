// SMT-LIB 2 text, written so that Z3 4.8.12 and cvc5 1.0.3 read it: declared functions over Int and Bool, no
// quantifiers, no arrays.
#pragma once

#include <string>
#include <vector>

#include "spec/theorems/term.hpp"

namespace streampool::theorems {

struct Script {
  std::string text;
  std::size_t assertions = 0;
};

// `comments` go above the assertions, one line each. `expected`: "sat", "unsat" or empty for "not known". Every symbol
// starts with "sp.".
[[nodiscard]] Script to_smtlib(const std::vector<Term>& assertions, const std::vector<std::string>& comments,
                               const std::string& expected);
// One term on one line, for people: variables by number, nothing shared.
[[nodiscard]] std::string describe(Term term);
// The name of a function in the text.
[[nodiscard]] std::string symbol(const std::string& function);

}  // namespace streampool::theorems
