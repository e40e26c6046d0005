#include "conformance/kit/expectations.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "model/history/signature.hpp"

namespace streampool::kit {
namespace {

using history::Expect;
using history::Line;
using history::LineKind;
using history::Name;
using history::Op;

struct Range {
  std::uint64_t begin = 0, size = 0;
};

bool overlap(const Range& a, const Range& b) {
  return a.size > 0 && b.size > 0 && a.begin < b.begin + b.size && b.begin < a.begin + a.size;
}

// What was observed up to a line.
struct Observed {
  std::unordered_map<Name, Range> ranges;
  std::unordered_map<std::string, history::Status> statuses;
  std::map<std::pair<Name, history::Attribute>, std::uint64_t> values;

  void add(const Line& line) {
    if ((line.kind != LineKind::call && line.kind != LineKind::call_return) || !line.result) return;
    const history::Result& result = *line.result;
    if (!line.label.empty()) statuses[line.label] = result.status;
    if (result.status != history::Status::ok || !result.value) return;
    if (line.call.op == Op::malloc || line.call.op == Op::plain_malloc) {
      ranges[line.call.allocation] = {*result.value, line.call.size.value_or(0)};
    } else if (line.call.op == Op::pool_get) {
      values[{line.call.pool, line.call.attribute}] = *result.value;
    }
  }
};

void evaluate(const Expect& expect, const Observed& observed, const history::NameTable& names, Expectations& out) {
  switch (expect.kind) {
    case Expect::Kind::overlap: {
      const auto first = observed.ranges.find(expect.first), second = observed.ranges.find(expect.second);
      if (first == observed.ranges.end() || second == observed.ranges.end()) return;
      const bool seen = overlap(first->second, second->second);
      const std::string what = fmt::format("overlap({}, {}) {}", names.text(expect.first), names.text(expect.second),
                                           history::to_text(expect.verdict));
      out.outcomes.push_back({what, seen ? 1U : 0U, 1});
      const bool unmet = (expect.verdict == Expect::Verdict::forbidden && seen) ||
                         (expect.verdict == Expect::Verdict::required && !seen);
      if (unmet) out.unmet_overlaps.push_back(fmt::format("expected {}, but it was {}seen.", what, seen ? "" : "not "));
      return;
    }
    case Expect::Kind::status: {
      const auto found = observed.statuses.find(expect.label);
      if (found != observed.statuses.end() && found->second != expect.status) {
        out.unmet.push_back(fmt::format("the call @{} was expected to answer {}, it answered {}.", expect.label,
                                        history::to_text(expect.status), history::to_text(found->second)));
      }
      return;
    }
    case Expect::Kind::attribute: {
      const auto found = observed.values.find({expect.pool, expect.attribute});
      if (found != observed.values.end() && (found->second < expect.low || found->second > expect.high)) {
        out.unmet.push_back(fmt::format("{} of {} was expected in {}..{}, it was last read as {}.",
                                        history::to_text(expect.attribute), names.text(expect.pool), expect.low,
                                        expect.high, found->second));
      }
      return;
    }
    case Expect::Kind::violation:
    case Expect::Kind::program_fault:
      out.finding = expect.clause;
      return;
  }
}

}  // namespace

Expectations evaluate(const std::vector<history::Line>& lines, const history::NameTable& names) {
  Observed observed;
  Expectations out;
  for (const Line& line : lines) {
    if (line.kind == LineKind::expect) {
      evaluate(line.expect, observed, names, out);
    } else {
      observed.add(line);
    }
  }
  return out;
}

}  // namespace streampool::kit
