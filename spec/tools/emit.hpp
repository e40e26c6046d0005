// What the generator writes: the registry's tables and the reference pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spec/tools/clause_source.hpp"

namespace streampool::spec::tools {

// The text of spec/clause_ids.hpp: names only, so that including it is cheap.
std::string emit_ids(const Specification& specification);
// The text of clause_table.cpp: everything else.
std::string emit_table(const Specification& specification);
// The reference pages: file name and Markdown text, the index first.
std::vector<std::pair<std::string, std::string>> emit_reference(const Specification& specification);

}  // namespace streampool::spec::tools
