#include "spec/clauses.hpp"

using namespace streampool::spec::literals;

constexpr auto clause = "REUSE-UNSAFE"_clause;
constexpr auto family = "ATTR-READBACK"_family;
