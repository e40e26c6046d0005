
#include <fmt/ranges.h>

#include "spec/tools/emit.hpp"
#include "spec/tools/text.hpp"

namespace streampool::spec::tools {
namespace {

void write_list(Text& out, const char* title, const std::vector<std::string>& texts) {
  if (!texts.empty()) append(out, "- {}: `{}`\n", title, fmt::join(texts, "`, `"));
}

std::size_t modelled(const Chapter& chapter) {
  std::size_t count = 0;
  for (const auto& clause : chapter.clauses) count += clause.status == "modelled" ? 1 : 0;
  return count;
}

void write_clause(Text& out, const Clause& clause, const Specification& specification) {
  append(out, "## {}\n\n**{}** {}\n\n", clause.id, clause.kind, clause.text);
  if (clause.status != "modelled") append(out, "- status: {}\n", clause.status);
  write_list(out, "profile parameters", clause.parameters);
  write_list(out, "attributes", clause.attributes);
  if (!clause.rule.empty()) append(out, "- rule: `{}`\n", clause.rule);
  if (!clause.theorem.empty()) append(out, "- theorem: `{}`\n", clause.theorem);
  for (const auto& source : clause.sources) {
    const Document& document = specification.documents.at(source.document);
    append(out, "- {} ([{}]({})): {}\n", source.vendor, document.title, document.address, source.says);
  }
  append(out, "\n");
}

void write_attributes(Text& out, const Specification& specification) {
  append(out,
         "| no. | attribute | type, width | access | default | effect | boundary values |\n"
         "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& attribute : specification.attributes) {
    append(out, "| {} | `{}` | {}, {} bytes | {} | {} | {} | {} |\n", attribute.number, attribute.name, attribute.type,
           attribute.width, attribute.access, attribute.initial, attribute.effect, attribute.boundary);
  }
  append(out, "\n");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> emit_reference(const Specification& specification) {
  std::vector<std::pair<std::string, std::string>> pages(1);
  Text index;
  append(index,
         "# The clauses\n\nGenerated from `spec/clauses/`. How to read them: `spec/README.md`.\n\n"
         "| chapter | prefix | clauses | of them modelled |\n| --- | --- | --- | --- |\n");
  for (const auto& chapter : specification.chapters) {
    append(index, "| [{}]({}.md) | {} | {} | {} |\n", chapter.title, chapter.name, chapter.prefix,
           chapter.clauses.size(), modelled(chapter));
    Text page;
    append(page, "# {}\n\n{}\n\n", chapter.title, chapter.about);
    if (chapter.name == "attributes") write_attributes(page, specification);
    for (const auto& clause : chapter.clauses) write_clause(page, clause, specification);
    pages.emplace_back(chapter.name + ".md", fmt::to_string(page));
  }
  append(index, "\n| clause | kind | text |\n| --- | --- | --- |\n");
  for (const auto& chapter : specification.chapters) {
    for (const auto& clause : chapter.clauses) {
      append(index, "| [{}]({}.md) | {} | {} |\n", clause.id, chapter.name, clause.kind, clause.text);
    }
  }
  pages.front() = {"README.md", fmt::to_string(index)};
  return pages;
}

}  // namespace streampool::spec::tools
