#include "spec/clauses.hpp"

using namespace streampool::spec::literals;

constexpr auto family = "ATTR-READBACKS"_family;
