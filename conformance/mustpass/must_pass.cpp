#include "conformance/mustpass/must_pass.hpp"

#include <algorithm>

#include "model/profile/load.hpp"

namespace streampool::mustpass {

// cases.txt, compiled in (cases.cpp.in).
extern const char* const case_list;

namespace {

std::string_view next_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool names(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    if (const std::string_view word = next_word(words); word == wanted || word == "all") return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<MustPass>> must_pass(std::string_view profile) {
  const auto known = model::builtin_profiles();
  if (std::ranges::find(known, profile) == known.end()) return std::nullopt;
  std::vector<MustPass> cases;
  for (std::string_view text = case_list; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::string_view suite = next_word(line), name = next_word(line);
    if (names(line, profile)) cases.push_back({suite, name});
  }
  return cases;
}

bool is_good_end(kit::Verdict verdict, bool strict) {
  switch (verdict) {
    case kit::Verdict::pass:
    case kit::Verdict::not_exercised:
    case kit::Verdict::not_supported:
    case kit::Verdict::waived:
      return true;
    case kit::Verdict::quality:
      return !strict;
    default:
      return false;
  }
}

}  // namespace streampool::mustpass
