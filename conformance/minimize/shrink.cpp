#include "conformance/minimize/shrink.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace streampool::minimize {

using history::Call;
using history::Line;
using history::LineKind;
using history::Name;
using history::NameKind;

namespace {

// Replaces `lines` by a candidate that fails; true if it did.
bool accept(Lines& lines, Lines candidate, const Fails& fails) {
  candidate = closed(candidate);
  if (candidate.empty()) return false;
  auto needed = fails(candidate);
  if (!needed) return false;
  lines = std::move(*needed);
  return true;
}

// The same, where there are fewer lines then. Not all that were left out need be: a run ends with lines of its own.
bool accept_fewer(Lines& lines, Lines candidate, const Fails& fails) {
  const std::size_t before = lines.size();
  return accept(lines, std::move(candidate), fails) && lines.size() < before;
}

// Arguments ----------------------------------------------------------------------------------------------------------

// Changes of one line to something simpler. Each says whether it applies.
using Change = bool (*)(Line&, const Sizes&);

template <class T>
bool put(T& place, const T& value) {
  if (place == value) return false;
  place = value;
  return true;
}
bool shrink_size(Line& line, std::uint64_t size) {
  if (!line.call.size || *line.call.size <= size) return false;
  line.call.size = size;
  return true;
}
bool optional_size(const Call& call) {
  return call.op == history::Op::pool_create || call.op == history::Op::fill || call.op == history::Op::check;
}

constexpr Change changes[] = {
    [](Line& line, const Sizes&) { return put(line.label, std::string()); },
    [](Line& line, const Sizes&) {
      if (!optional_size(line.call) || !line.call.size) return false;
      line.call.size.reset();
      return true;
    },
    [](Line& line, const Sizes&) { return line.call.size && shrink_size(line, 0); },
    [](Line& line, const Sizes& sizes) { return shrink_size(line, sizes.alignment); },
    [](Line& line, const Sizes& sizes) { return shrink_size(line, sizes.granule); },
    [](Line& line, const Sizes& sizes) { return shrink_size(line, 2 * sizes.granule); },
    [](Line& line, const Sizes&) {
      return line.call.size && *line.call.size > 1 && shrink_size(line, *line.call.size / 2);
    },
    [](Line& line, const Sizes&) { return put(line.call.pointer.value, std::uint64_t{0}); },
    [](Line& line, const Sizes&) {
      return line.call.op == history::Op::stream_create && put(line.call.stream_kind, history::StreamKind::nonblocking);
    },
    [](Line& line, const Sizes&) {
      if (!line.call.width) return false;
      line.call.width.reset();
      return true;
    },
    [](Line& line, const Sizes&) {
      if (line.call.pointers.empty()) return false;
      line.call.pointers.pop_back();
      return true;
    },
    [](Line& line, const Sizes&) { return line.kind == LineKind::call && put(line.thread, history::Thread::main); },
};

bool simplify_arguments(Lines& lines, const Sizes& sizes, const Fails& fails) {
  bool any = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const Change change : changes) {
      if (i >= lines.size() || !is_call(lines[i])) break;
      Lines candidate = lines;
      if (change(candidate[i], sizes) && accept(lines, std::move(candidate), fails)) any = true;
    }
  }
  return any;
}

// A pair `call` / `return` becomes one line at the call's place.
bool join_pairs(Lines& lines, const Fails& fails) {
  bool any = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind != LineKind::call_begin) continue;
    Lines candidate = lines;
    const std::uint32_t id = candidate[i].id;
    const auto end =
        std::find_if(candidate.begin() + static_cast<std::ptrdiff_t>(i), candidate.end(),
                     [id](const Line& line) { return line.kind == LineKind::call_return && line.id == id; });
    if (end == candidate.end()) continue;
    candidate[i].kind = LineKind::call;
    candidate[i].result = end->result;
    candidate.erase(end);
    any |= accept_fewer(lines, std::move(candidate), fails);
  }
  return any;
}

// Names --------------------------------------------------------------------------------------------------------------

// Names that calls make, in order.
std::vector<history::Definition> definitions(const Lines& lines) {
  std::vector<history::Definition> list;
  for (const Line& line : lines) {
    if (!is_call(line)) continue;
    if (const auto made = history::definition(line.call); made.name != Name::none) list.push_back(made);
  }
  return list;
}

// The lines with `from` replaced by `to`, and without the call that made `from`.
Lines with_merged(const Lines& lines, Name from, Name to, NameKind kind) {
  Lines merged;
  for (const Line& line : lines) {
    if (is_call(line) && history::definition(line.call).name == from) continue;
    Line copy = line;
    for_each_use(copy.call, [&](Name& name, NameKind used) {
      if (used == kind && name == from) name = to;
    });
    merged.push_back(std::move(copy));
  }
  return merged;
}

bool merge_names(Lines& lines, const Fails& fails) {
  bool any = false;
  bool again = true;
  while (again) {
    again = false;
    const auto all = definitions(lines);
    for (std::size_t i = 0; i < all.size() && !again; ++i) {
      for (std::size_t j = 0; j < i && !again; ++j) {
        if (all[i].kind != all[j].kind || all[i].kind == NameKind::allocation) continue;
        again = accept_fewer(lines, with_merged(lines, all[i].name, all[j].name, all[i].kind), fails);
      }
    }
    any |= again;
  }
  return any;
}

// A larger block may do alone what several small ones do together. It counts only if lines go with it.
bool enlarge_blocks(Lines& lines, const Sizes& sizes, const Fails& fails) {
  for (std::size_t i = lines.size(); i-- > 0;) {
    for (const std::uint64_t large : {sizes.granule, 2 * sizes.granule}) {
      if (!is_call(lines[i]) || lines[i].call.op != history::Op::malloc || *lines[i].call.size >= large) continue;
      Lines candidate = lines;
      candidate[i].call.size = large;
      if (!accept(candidate, candidate, fails)) continue;
      candidate = drop_lines(std::move(candidate), fails, 1);
      if (candidate.size() < lines.size()) return lines = std::move(candidate), true;
      (void)fails(lines);  // what failed last is what counts
    }
  }
  return false;
}

}  // namespace

Lines drop_lines(Lines lines, const Fails& fails, std::size_t at_once) {
  if (at_once == 0) at_once = std::max<std::size_t>(lines.size() / 2, 1);
  for (std::size_t size = at_once;; size = std::max<std::size_t>(size / 2, 1)) {
    bool any = false;
    // From the end: what comes late is seldom needed, and nothing depends on it.
    for (std::size_t end = lines.size(); end > 0; end = std::min(end - std::min(end, size), lines.size())) {
      const std::size_t begin = end - std::min(end, size);
      Lines candidate = lines;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(begin),
                      candidate.begin() + static_cast<std::ptrdiff_t>(end));
      any |= accept_fewer(lines, std::move(candidate), fails);
    }
    if (size == 1 && !any) return lines;
  }
}

Lines keep_related(Lines lines, const Fails& fails) {
  if (lines.empty()) return lines;
  using Names = std::set<Name>;
  const auto visit_names = [](const Line& line, auto visit) {
    if (const auto made = history::definition(line.call); made.name != Name::none) visit(made.name, made.kind);
    for_each_use(line.call, visit);
  };
  const auto about = [&](const Line& line, const Names& names) {
    bool found = false, any = false;
    visit_names(line, [&](Name name, NameKind) { any = true, found |= names.contains(name); });
    return found || !any;
  };
  Names names;
  visit_names(lines.back(), [&](Name name, NameKind) { names.insert(name); });
  for (int round = 0; round < 2; ++round) {
    Names needed = names, wider = names;
    for (const Line& line : lines) {
      if (!about(line, names)) continue;
      visit_names(line, [&](Name name, NameKind kind) {
        needed.insert(name);
        if (kind != NameKind::stream && kind != NameKind::pool) wider.insert(name);
      });
    }
    // What made a name may need others: they were made before it.
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      if (!is_call(*line) || !needed.contains(history::definition(line->call).name)) continue;
      for_each_use(line->call, [&](Name name, NameKind) { needed.insert(name); });
    }
    Lines candidate;
    std::ranges::copy_if(lines, std::back_inserter(candidate), [&](const Line& line) {
      return about(line, names) || (is_call(line) && needed.contains(history::definition(line.call).name));
    });
    if (candidate.size() < lines.size() && accept_fewer(lines, std::move(candidate), fails)) return lines;
    names = std::move(wider);
  }
  return lines;
}

Lines shrink(Lines lines, const Sizes& sizes, const Fails& fails) {
  bool any = true;
  while (any) {
    const std::size_t before = lines.size();
    lines = drop_lines(std::move(lines), fails);
    any = lines.size() < before;
    any |= join_pairs(lines, fails);
    any |= simplify_arguments(lines, sizes, fails);
    any |= merge_names(lines, fails);
    if (!any) any = enlarge_blocks(lines, sizes, fails);
  }
  return lines;
}

}  // namespace streampool::minimize
