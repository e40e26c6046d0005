// The clause files as values: what the generator reads, and the only place that knows their TOML form.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace streampool::spec::tools {

// One of the eight attributes, from spec/clauses/attributes.toml.
struct AttributeText {
  std::string name, type, access, initial, effect, boundary;
  int number = 0;
  int width = 0;  // bytes
};

struct Document {
  std::string title, address;
};

struct SourceText {
  std::string vendor;
  std::string document;  // key of Specification::documents
  std::string says;
};

// A clause as it is named by rules and tests; those with `each_attribute` are expanded already.
struct Clause {
  std::string id, family, kind, status, text, rule, theorem;
  int attribute = 0;  // the vendors' number for a member of a family, else 0
  std::vector<std::string> attributes, parameters;
  std::vector<SourceText> sources;
};

struct Chapter {
  std::string name, prefix, title, about;
  std::vector<Clause> clauses;
};

struct Specification {
  std::vector<AttributeText> attributes;
  std::map<std::string, Document> documents;
  std::vector<Chapter> chapters;
};

inline constexpr std::array<const char*, 3> vendors{"cuda", "hip", "ascend"};

// Reads every file that `directory`/chapters.toml names, and checks the schema: fields present and of the right type,
// no unknown field, legal kind and prefix, ids unique. The error is one line: "FILE:LINE:COLUMN: what was expected".
tl::expected<Specification, std::string> read_specification(const std::filesystem::path& directory);

}  // namespace streampool::spec::tools
