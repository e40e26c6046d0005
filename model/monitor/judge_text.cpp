#include "model/monitor/judge_text.hpp"

#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/load.hpp"
#include "spec/clauses.hpp"

namespace streampool::model {
namespace {
std::string_view name_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::violation:
      return "violation";
    case Finding::Kind::program_fault:
      return "program_fault";
    case Finding::Kind::inconclusive:
      break;
  }
  return "inconclusive";
}
}  // namespace

Judgement judge_text(std::string_view text, std::string_view profile) {
  history::NameTable names;
  const auto lines = history::read_text(text, names);
  if (!lines) return {"malformed", {}, lines.error().line, history::to_text(lines.error())};
  const auto loaded = load_profile(profile.empty() ? history::named_profile(*lines) : std::string(profile));
  if (!loaded) return {"no_profile", {}, 0, loaded.error()};
  Judge judge(*loaded, names);
  for (const history::Line& line : *lines) judge.apply(line);
  judge.finish();
  if (!judge.finding()) return {"conformant", {}, 0, {}};
  const Finding& found = *judge.finding();
  return {std::string(name_of(found.kind)), std::string(spec::info(found.clause).id), found.line, found.explanation};
}

}  // namespace streampool::model
