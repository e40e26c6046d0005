#include "spec/tools/clause_source.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace streampool::spec::tools {
namespace {

using Error = tl::unexpected<std::string>;
template <class T>
using Expected = tl::expected<T, std::string>;

constexpr std::array<std::string_view, 6> kinds{"must", "must-not", "may", "should", "parameter", "error"};
constexpr std::string_view modelled = "modelled";
constexpr std::string_view not_yet_modelled = "not yet modelled";

// Reads the fields of one table and remembers the first complaint, so that a chain of reads needs one check at its end.
class Fields {
 public:
  Fields(const toml::table& table, const std::filesystem::path& file) : table_(table), file_(file) {}

  std::string text(std::string_view key, std::optional<std::string> fallback = std::nullopt) {
    const toml::node* node = take(key, fallback.has_value());
    if (node == nullptr) return fallback.value_or("");
    if (const auto value = node->value_exact<std::string>(); value && (fallback || !value->empty())) return *value;
    complain(*node, fmt::format("`{}` must be a text", key));
    return {};
  }

  int number(std::string_view key) {
    const toml::node* node = take(key, false);
    if (node == nullptr) return 0;
    if (const auto value = node->value_exact<std::int64_t>()) return static_cast<int>(*value);
    complain(*node, fmt::format("`{}` must be a whole number", key));
    return 0;
  }

  std::vector<std::string> texts(std::string_view key, bool optional) {
    std::vector<std::string> result;
    const toml::node* node = take(key, optional);
    if (node == nullptr) return result;
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      complain(*node, fmt::format("`{}` must be a list of texts", key));
      return result;
    }
    for (const toml::node& element : *array) {
      if (const auto value = element.value_exact<std::string>()) {
        result.push_back(*value);
      } else {
        complain(element, fmt::format("`{}` must be a list of texts", key));
      }
    }
    return result;
  }

  const toml::table* table(std::string_view key) {
    const toml::node* node = take(key, true);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) complain(*node, fmt::format("`{}` must be a table", key));
    return node->as_table();
  }

  const toml::array* tables(std::string_view key, bool optional) {
    const toml::node* node = take(key, optional);
    if (node == nullptr) return nullptr;
    if (!node->is_array_of_tables()) complain(*node, fmt::format("`{}` must be a list of tables", key));
    return node->as_array();
  }

  void complain(const toml::node& node, const std::string& message) { complain_at(node.source(), message); }
  void complain(const std::string& message) { complain_at(table_.source(), message); }

  // Says nothing when all was well; also an error when a field was not asked for.
  std::optional<std::string> finish() {
    for (const auto& [key, node] : table_) {
      if (!known_.contains(std::string_view(key.str()))) complain(node, fmt::format("unknown field `{}`", key.str()));
    }
    return complaint_;
  }

 private:
  const toml::node* take(std::string_view key, bool optional) {
    known_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr && !optional) complain(fmt::format("field `{}` is missing", key));
    return node;
  }

  void complain_at(const toml::source_region& where, const std::string& message) {
    if (!complaint_) {
      complaint_ = fmt::format("{}:{}:{}: {}", file_.string(), where.begin.line, where.begin.column, message);
    }
  }

  const toml::table& table_;
  const std::filesystem::path& file_;
  std::set<std::string_view> known_;
  std::optional<std::string> complaint_;
};

Expected<toml::table> parse(const std::filesystem::path& file) {
  try {
    return toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    return Error(fmt::format("{}:{}:{}: {}", file.string(), error.source().begin.line, error.source().begin.column,
                             error.description()));
  }
}

std::string upper(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return result;
}

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
  return text;
}

// The member of a family for one attribute.
Clause member_of(const Clause& family, const AttributeText& attribute) {
  Clause member = family;
  member.family = family.id;
  member.id = family.id + "-" + upper(attribute.name);
  member.attribute = attribute.number;
  member.attributes = {attribute.name};
  member.text = replaced(member.text, "{attribute}", attribute.name);
  member.text = replaced(member.text, "{width}", std::to_string(attribute.width));
  member.text = replaced(member.text, "{default}", attribute.initial);
  member.text = replaced(member.text, "{boundary}", attribute.boundary);
  return member;
}

class Reader {
 public:
  explicit Reader(std::filesystem::path directory) : directory_(std::move(directory)) {}

  Expected<Specification> read() {
    const std::filesystem::path list = directory_ / "chapters.toml";
    const auto names = parse(list);
    if (!names) return Error(names.error());
    Fields fields(*names, list);
    const std::vector<std::string> chapters = fields.texts("chapters", false);
    if (auto complaint = fields.finish()) return Error(*complaint);

    if (auto complaint = read_documents()) return Error(*complaint);
    if (auto complaint = read_attributes()) return Error(*complaint);
    for (const std::string& name : chapters) {
      if (auto complaint = read_chapter(name)) return Error(*complaint);
    }
    return std::move(specification_);
  }

 private:
  using Complaint = std::optional<std::string>;

  Complaint read_documents() {
    const std::filesystem::path file = directory_ / "sources.toml";
    const auto table = parse(file);
    if (!table) return table.error();
    for (const auto& [key, node] : *table) {
      if (!node.is_table()) return fmt::format("{}: `{}` must be a table", file.string(), key.str());
      Fields fields(*node.as_table(), file);
      Document document{.title = fields.text("title"), .address = fields.text("address")};
      if (auto complaint = fields.finish()) return complaint;
      specification_.documents.emplace(std::string(key.str()), std::move(document));
    }
    return std::nullopt;
  }

  Complaint read_attributes() {
    const std::filesystem::path file = directory_ / "attributes.toml";
    const auto table = parse(file);
    if (!table) return table.error();
    const toml::array* list = table->get_as<toml::array>("attribute");
    if (list == nullptr || !list->is_array_of_tables()) return file.string() + ":1:1: field `attribute` is missing";
    for (const toml::node& node : *list) {
      Fields fields(*node.as_table(), file);
      AttributeText attribute;
      attribute.name = fields.text("name");
      attribute.number = fields.number("number");
      attribute.type = fields.text("type");
      attribute.width = fields.number("width");
      attribute.access = fields.text("access");
      attribute.initial = fields.text("default");
      attribute.effect = fields.text("effect");
      attribute.boundary = fields.text("boundary");
      if (attribute.number != static_cast<int>(specification_.attributes.size()) + 1) {
        fields.complain(node, "attributes must be numbered 1, 2, 3, ...");
      }
      if (auto complaint = fields.finish()) return complaint;
      specification_.attributes.push_back(std::move(attribute));
    }
    return std::nullopt;
  }

  Complaint read_chapter(const std::string& name) {
    const std::filesystem::path file = directory_ / (name + ".toml");
    const auto table = parse(file);
    if (!table) return table.error();
    Fields fields(*table, file);
    Chapter chapter;
    chapter.name = name;
    chapter.prefix = fields.text("prefix");
    chapter.title = fields.text("title");
    chapter.about = fields.text("about");
    fields.tables("attribute", true);  // read before the chapters
    const toml::array* list = fields.tables("clause", false);
    if (auto complaint = fields.finish()) return complaint;
    for (const toml::node& node : *list) {
      if (auto complaint = read_clause(*node.as_table(), file, chapter)) return complaint;
    }
    specification_.chapters.push_back(std::move(chapter));
    return std::nullopt;
  }

  Complaint read_clause(const toml::table& table, const std::filesystem::path& file, Chapter& chapter) {
    Fields fields(table, file);
    Clause clause;
    clause.id = fields.text("id");
    clause.kind = fields.text("kind");
    clause.text = fields.text("text");
    clause.status = fields.text("status", std::string(modelled));
    clause.rule = fields.text("rule", "");
    clause.theorem = fields.text("theorem", "");
    clause.parameters = fields.texts("parameters", false);
    clause.attributes = fields.texts("attributes", true);
    const std::vector<std::string> each = fields.texts("each_attribute", true);

    if (std::ranges::find(kinds, clause.kind) == kinds.end())
      fields.complain(fmt::format("unknown kind `{}`", clause.kind));
    if (clause.status != modelled && clause.status != not_yet_modelled) {
      fields.complain(fmt::format("unknown status `{}`", clause.status));
    }
    if (!clause.id.starts_with(chapter.prefix + "-")) {
      fields.complain(fmt::format("id `{}` must begin with `{}-`", clause.id, chapter.prefix));
    }
    if (!std::ranges::all_of(clause.id, [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; })) {
      fields.complain(fmt::format("id `{}` must be of capital letters and hyphens", clause.id));
    }
    if (!clause.text.ends_with('.')) fields.complain("`text` must be whole sentences");
    for (const auto& attribute : clause.attributes) find_attribute(attribute, fields);
    read_sources(fields, file, clause);
    if (clause.status == modelled && clause.sources.size() != vendors.size()) {
      fields.complain(fmt::format("clause `{}` must say for each vendor what its documents say", clause.id));
    }
    add(fields, chapter, clause, each);
    return fields.finish();
  }

  void add(Fields& fields, Chapter& chapter, const Clause& clause, const std::vector<std::string>& each) {
    if (!ids_.insert(clause.id).second) fields.complain(fmt::format("id `{}` is used twice", clause.id));
    if (each.empty()) {
      chapter.clauses.push_back(clause);
      return;
    }
    for (const auto& name : each) {
      const AttributeText* attribute = find_attribute(name, fields);
      if (attribute == nullptr) continue;
      chapter.clauses.push_back(member_of(clause, *attribute));
      if (!ids_.insert(chapter.clauses.back().id).second) {
        fields.complain(fmt::format("id `{}` is used twice", chapter.clauses.back().id));
      }
    }
  }

  const AttributeText* find_attribute(const std::string& name, Fields& fields) {
    const auto found = std::ranges::find(specification_.attributes, name, &AttributeText::name);
    if (found != specification_.attributes.end()) return &*found;
    fields.complain(fmt::format("unknown attribute `{}`", name));
    return nullptr;
  }

  void read_sources(Fields& fields, const std::filesystem::path& file, Clause& clause) {
    for (const char* vendor : vendors) {
      const toml::table* table = fields.table(vendor);
      if (table == nullptr) continue;
      Fields inner(*table, file);
      SourceText source{.vendor = vendor, .document = inner.text("from"), .says = inner.text("says")};
      if (auto complaint = inner.finish()) fields.complain(*complaint);
      if (!specification_.documents.contains(source.document)) {
        fields.complain(*table, fmt::format("`from` must name a document of sources.toml, not `{}`", source.document));
      }
      clause.sources.push_back(std::move(source));
    }
  }

  std::filesystem::path directory_;
  Specification specification_;
  std::set<std::string> ids_;
};

}  // namespace

tl::expected<Specification, std::string> read_specification(const std::filesystem::path& directory) {
  return Reader(directory).read();
}

}  // namespace streampool::spec::tools
