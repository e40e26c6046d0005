#include "conformance/kit/scenario.hpp"

#include <fmt/format.h>

#include <charconv>

namespace streampool::kit {
namespace {

// sum = product { ("+" | "-") product };  product = value { "*" value };  value = number | name
class Expression {
 public:
  Expression(std::string_view text, const Quantities& quantities) : text_(text), quantities_(quantities) {}

  std::optional<std::uint64_t> value() {
    std::optional<std::uint64_t> sum = product();
    while (sum && !text_.empty()) {
      const char sign = text_.front();
      if (sign != '+' && sign != '-') return std::nullopt;
      text_.remove_prefix(1);
      const auto next = product();
      if (!next) return std::nullopt;
      sum = sign == '+' ? *sum + *next : *sum - *next;
    }
    return sum;
  }

 private:
  std::optional<std::uint64_t> product() {
    std::optional<std::uint64_t> result = single();
    while (result && text_.starts_with('*')) {
      text_.remove_prefix(1);
      const auto next = single();
      if (!next) return std::nullopt;
      result = *result * *next;
    }
    return result;
  }

  std::optional<std::uint64_t> single() {
    const std::string_view word = text_.substr(0, text_.find_first_of("+-*"));
    text_.remove_prefix(word.size());
    if (word == "granule") return quantities_.granule;
    if (word == "alignment") return quantities_.alignment;
    if (word == "memory" && quantities_.memory != 0) return quantities_.memory;
    if (word == "everything") return quantities_.everything();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
  }

  std::string_view text_;
  const Quantities& quantities_;
};

}  // namespace

Quantities quantities(const model::Profile& profile, const Description& description) {
  constexpr std::uint64_t usual_alignment = 256, usual_granule = std::uint64_t{2} << 20;
  const std::uint64_t granule = profile.reserve_granule.value.unit(description.reserve_granule);
  const std::uint64_t declared = description.alignment == 0 ? usual_alignment : description.alignment;
  return {.granule = granule > 1 ? granule : usual_granule,
          .alignment = profile.alignment.binds() ? profile.alignment.value.count : declared,
          .memory = description.memory};
}

tl::expected<std::string, std::string> substitute(std::string_view text, const Quantities& quantities) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return tl::unexpected(std::string("a brace that is not closed"));
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const auto value = Expression(inside, quantities).value();
    if (!value) return tl::unexpected(fmt::format("{{{}}} has no value here", inside));
    out += std::to_string(*value);
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace streampool::kit
