// Any history: the judge answers, always the same, and a copy made on the way goes on like the original.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "model/history/reader.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/load.hpp"

namespace {

using namespace streampool;

[[noreturn]] void fail(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

const model::Profile& strict() {
  static const model::Profile profile = [] {
    auto loaded = model::load_profile("strict");
    if (!loaded) fail("the profile cannot be loaded");
    return std::move(*loaded);
  }();
  return profile;
}

bool same(const std::optional<model::Finding>& a, const std::optional<model::Finding>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->kind == b->kind && a->clause == b->clause && a->line == b->line && a->explanation == b->explanation;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  history::NameTable names;
  const auto lines = history::read_text({reinterpret_cast<const char*>(data), size}, names);
  if (!lines) return 0;
  model::Judge judge(strict(), names);
  std::optional<model::Judge> copy;
  for (std::size_t i = 0; i < lines->size(); ++i) {
    if (i == lines->size() / 2) copy.emplace(judge);
    judge.apply((*lines)[i]);
    if (copy) copy->apply((*lines)[i]);
  }
  judge.finish();
  if (copy) copy->finish();
  if (copy && !same(judge.finding(), copy->finding())) fail("a copy of the judge finds something else");
  if (judge.finding() && judge.finding()->explanation.empty()) fail("a finding without an explanation");
  return 0;
}
