#include <map>

#include "spec/tools/emit.hpp"
#include "spec/tools/text.hpp"

namespace streampool::spec::tools {
namespace {

std::string literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// A named constant list, or nothing for an empty one; says how to refer to it.
std::string list(Text& out, const std::string& name, const std::vector<std::string>& texts) {
  if (texts.empty()) return "{}";
  append(out, "constexpr std::string_view {}[] = {{", name);
  for (const auto& text : texts) append(out, "{}, ", literal(text));
  append(out, "}};\n");
  return name;
}

std::string sources(Text& out, const std::string& name, const Clause& clause, const Specification& specification) {
  if (clause.sources.empty()) return "{}";
  append(out, "constexpr ClauseSource {}[] = {{", name);
  for (const auto& source : clause.sources) {
    const Document& document = specification.documents.at(source.document);
    append(out, "{{{}, {}, {}, {}}}, ", literal(source.vendor), literal(document.title), literal(document.address),
           literal(source.says));
  }
  append(out, "}};\n");
  return name;
}

std::string enumerator(const std::string& kind) { return kind == "must-not" ? "must_not" : kind; }

}  // namespace

std::string emit_ids(const Specification& specification) {
  constexpr std::size_t attribute_count = 8;
  std::vector<std::string> ids;
  std::vector<std::string> families;
  std::map<std::string, std::array<int, attribute_count>> members;
  for (const auto& chapter : specification.chapters) {
    for (const auto& clause : chapter.clauses) {
      if (!clause.family.empty()) {
        if (!members.contains(clause.family)) {
          families.push_back(clause.family);
          members[clause.family].fill(-1);
        }
        members[clause.family].at(static_cast<std::size_t>(clause.attribute) - 1) = static_cast<int>(ids.size());
      }
      ids.push_back(clause.id);
    }
  }

  Text out;
  append(out,
         "// Generated from spec/clauses/*.toml. Do not edit.\n#pragma once\n\n"
         "#include <array>\n#include <cstdint>\n#include <string_view>\n\n"
         "namespace streampool::spec::detail {{\n\n");
  append(out, "inline constexpr std::array<std::string_view, {}> clause_ids{{{{\n", ids.size());
  for (const auto& id : ids) append(out, "    {},\n", literal(id));
  append(out, "}}}};\n\ninline constexpr std::array<std::string_view, {}> family_ids{{{{\n", families.size());
  for (const auto& family : families) append(out, "    {},\n", literal(family));
  append(out,
         "}}}};\n\n// Per family and attribute number less one: the clause's index.\n"
         "inline constexpr std::uint16_t no_member = 0xffff;\n"
         "inline constexpr std::array<std::array<std::uint16_t, {}>, {}> family_members{{{{\n",
         attribute_count, families.size());
  for (const auto& family : families) {
    append(out, "    {{{{");
    for (const int member : members[family]) {
      if (member < 0) {
        append(out, "no_member, ");
      } else {
        append(out, "{}, ", member);
      }
    }
    append(out, "}}}},\n");
  }
  append(out, "}}}};\n\n}}  // namespace streampool::spec::detail\n");
  return fmt::to_string(out);
}

std::string emit_table(const Specification& specification) {
  Text lists;
  Text rows;
  Text chapters;
  std::size_t count = 0;
  for (const auto& chapter : specification.chapters) {
    append(chapters, "    {{{}, {}, {}, {}}},\n", literal(chapter.name), literal(chapter.prefix),
           literal(chapter.title), literal(chapter.about));
    for (const auto& clause : chapter.clauses) {
      const std::string suffix = std::to_string(count++);
      const std::string attributes = list(lists, "attributes_" + suffix, clause.attributes);
      const std::string parameters = list(lists, "parameters_" + suffix, clause.parameters);
      const std::string from = sources(lists, "sources_" + suffix, clause, specification);
      append(rows, "    {{{}, {}, {}, Kind::{}, ClauseStatus::{}, {}, {}, {}, {}, {}, {}}},\n", literal(clause.id),
             literal(chapter.name), literal(clause.text), enumerator(clause.kind),
             clause.status == "modelled" ? "modelled" : "not_yet_modelled", literal(clause.family), attributes,
             parameters, literal(clause.rule), literal(clause.theorem), from);
    }
  }

  Text out;
  append(out,
         "// Generated from spec/clauses/*.toml. Do not edit.\n#include \"spec/clauses.hpp\"\n\n"
         "namespace streampool::spec {{\nnamespace {{\n\n{}\n",
         fmt::to_string(lists));
  append(out, "constexpr std::array<ClauseInfo, clause_count> table{{{{\n{}}}}};\n\n", fmt::to_string(rows));
  append(out, "constexpr std::array<ChapterInfo, {}> chapter_table{{{{\n{}}}}};\n\n}}  // namespace\n\n",
         specification.chapters.size(), fmt::to_string(chapters));
  append(out,
         "std::span<const ClauseInfo> clauses() {{ return table; }}\n\n"
         "std::span<const ChapterInfo> chapters() {{ return chapter_table; }}\n\n}}  // namespace streampool::spec\n");
  return fmt::to_string(out);
}

}  // namespace streampool::spec::tools
