#include "model/profile/load.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <toml++/toml.h>

#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "model/profile/builtin.hpp"
#include "model/profile/parameters.hpp"
#include "model/profile/text.hpp"

namespace streampool::model {
namespace {

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) return {};
  std::string result;
  for (unsigned int i = 0; i < size; ++i) fmt::format_to(std::back_inserter(result), "{:02x}", digest.at(i));
  return result;
}

// A TOML value in the one-text form of text.hpp: lists are joined, numbers and truth values spelled out.
std::optional<std::string> flat(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto truth = node.value_exact<bool>()) return *truth ? "true" : "false";
  const toml::array* list = node.as_array();
  if (list == nullptr) return std::nullopt;
  std::string joined;
  for (const toml::node& element : *list) {
    const auto text = element.is_array() ? std::nullopt : flat(element);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : ", ") + *text;
  }
  return joined.empty() ? "none" : joined;
}

class Loader {
 public:
  Loader(const toml::table& table, std::string_view file) : table_(table), file_(file) {}

  std::optional<std::string> load(Profile& profile) {
    profile.name = text(table_, "name", true);
    profile.about = text(table_, "about", true);
    unsafe_reuse_ = text(table_, "unsafe_reuse", false);
    for_each_parameter(profile,
                       [this](std::string_view name, std::string_view, auto& parameter) { read(name, parameter); });
    refuse_unknown(table_);
    return complaint_;
  }
  [[nodiscard]] const std::string& unsafe_reuse() const { return unsafe_reuse_; }

 private:
  std::string text(const toml::table& table, std::string_view key, bool required) {
    if (&table == &table_) known_.insert(key);
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      if (required) complain(table, fmt::format("`{}` is missing", key));
      return {};
    }
    const auto value = node->value_exact<std::string>();
    if (!value || (required && value->empty())) complain(*node, fmt::format("`{}` must be a text", key));
    return value.value_or("");
  }

  template <class T>
  void read(std::string_view name, Parameter<T>& parameter) {
    known_.insert(name);
    const toml::node* node = table_.get(name);
    if (node == nullptr) return complain(table_, fmt::format("parameter `{}` is missing", name));
    const toml::table* row = node->as_table();
    if (row == nullptr) return complain(*node, fmt::format("`{}` must be a table {{ value, mark, source }}", name));
    for (const auto& [key, inner] : *row) {
      if (key != "value" && key != "mark" && key != "source") {
        complain(inner, fmt::format("unknown key `{}` in `{}`; expected value, mark, source", key.str(), name));
      }
    }
    const std::string mark_text = text(*row, "mark", true);
    const auto mark = from_text<Mark>(mark_text);
    if (!mark) return complain(*row, fmt::format("mark of `{}` must be {}, not `{}`", name, forms<Mark>(), mark_text));
    parameter.mark = *mark;
    parameter.source = text(*row, "source", *mark != Mark::not_stated);
    read_value(name, *row, parameter);
  }

  // A value that is not stated keeps the permissive answer of the struct: naming another would claim something.
  template <class T>
  void read_value(std::string_view name, const toml::table& row, Parameter<T>& parameter) {
    const toml::node* node = row.get("value");
    if (parameter.mark == Mark::not_stated) {
      if (node != nullptr) complain(*node, fmt::format("`{}` is not stated, so it has no value", name));
      return;
    }
    if (node == nullptr) return complain(row, fmt::format("`{}` has no value; expected {}", name, forms<T>()));
    const auto written = flat(*node);
    const auto value = written ? from_text<T>(*written) : std::nullopt;
    if (!value) return complain(*node, fmt::format("value of `{}` must be {}", name, forms<T>()));
    parameter.value = *value;
  }

  void refuse_unknown(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (!known_.contains(std::string_view(key.str())))
        complain(key, fmt::format("unknown parameter `{}`", key.str()));
    }
  }

  // Only the first complaint is kept. `where` is anything with a source().
  template <class Where>
  void complain(const Where& where, const std::string& message) {
    if (complaint_) return;
    const toml::source_region& region = where.source();
    complaint_ = fmt::format("{}:{}:{}: {}", file_, region.begin.line, region.begin.column, message);
  }

  const toml::table& table_;
  std::string_view file_;
  std::set<std::string_view> known_;
  std::string unsafe_reuse_;
  std::optional<std::string> complaint_;
};

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::vector<std::string_view> builtin_profiles() {
  std::vector<std::string_view> names;
  for (const auto& profile : builtin_profile_texts()) names.push_back(profile.name);
  return names;
}

tl::expected<Profile, std::string> parse_profile(std::string_view text, std::string_view file) {
  Profile profile;
  try {
    const toml::table table = toml::parse(text);
    if (auto complaint = Loader(table, file).load(profile)) return tl::unexpected(*complaint);
  } catch (const toml::parse_error& error) {
    return tl::unexpected(
        fmt::format("{}:{}:{}: {}", file, error.source().begin.line, error.source().begin.column, error.description()));
  }
  profile.hash = sha256(text);
  return profile;
}

tl::expected<Profile, std::string> load_profile(std::string_view name) {
  for (const auto& profile : builtin_profile_texts()) {
    if (profile.name == name) return parse_profile(profile.text, name);
  }
  std::ifstream file{std::string(name), std::ios::binary};
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) {
    std::string names;
    for (const auto known : builtin_profiles()) names += fmt::format(" {}", known);
    return tl::unexpected(fmt::format("{}: no such profile and no readable file; built in are:{}", name, names));
  }
  return parse_profile(text.str(), name);
}

std::string unsafe_reuse(std::string_view builtin) {
  for (const auto& profile : builtin_profile_texts()) {
    if (profile.name != builtin) continue;
    const toml::table table = toml::parse(profile.text);
    Profile parsed;
    Loader loader(table, builtin);
    return loader.load(parsed) ? "" : loader.unsafe_reuse();
  }
  return "";
}

std::string print_profile(const Profile& profile) {
  std::string text = fmt::format("name = {}\nabout = {}\n\n", in_quotes(profile.name), in_quotes(profile.about));
  for_each_parameter(profile, [&text](std::string_view name, std::string_view, const auto& parameter) {
    text += fmt::format("{} = {{ ", name);
    if (parameter.mark != Mark::not_stated) text += fmt::format("value = {}, ", in_quotes(to_text(parameter.value)));
    text += fmt::format("mark = {}", in_quotes(to_text(parameter.mark)));
    if (!parameter.source.empty()) text += fmt::format(", source = {}", in_quotes(parameter.source));
    text += " }\n";
  });
  return text;
}

}  // namespace streampool::model
