#include "spec/clauses.hpp"

using namespace streampool::spec::literals;

constexpr auto clause = "REUSE-UNSAVE"_clause;
