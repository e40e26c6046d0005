#include "conformance/minimize/closed.hpp"

#include <map>
#include <set>

namespace streampool::minimize {

using history::Line;
using history::LineKind;
using history::Name;

namespace {

bool reserved(Name name) { return name == Name::legacy || name == Name::per_thread; }

}  // namespace

Lines closed(const Lines& lines) {
  // An id may be used again once its call has returned: a call ends where the next line of its id is a return. Where
  // lines between them were dropped, that return may be another call's, whose names nobody made.
  std::map<std::uint32_t, const Line*> next;  // by id
  std::vector<bool> returns(lines.size(), false);
  for (std::size_t i = lines.size(); i-- > 0;) {
    if (lines[i].kind != LineKind::call_begin && lines[i].kind != LineKind::call_return) continue;
    const auto found = next.find(lines[i].id);
    returns[i] = found != next.end() && found->second->kind == LineKind::call_return &&
                 found->second->call.op == lines[i].call.op;
    next[lines[i].id] = &lines[i];
  }
  std::set<Name> taken, known;                // a name is known once the call that makes it has returned
  std::map<std::uint32_t, const Line*> open;  // by id: the call
  Lines kept;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    switch (line.kind) {
      case LineKind::profile:
      case LineKind::device:
      case LineKind::expect:
        continue;
      case LineKind::call_return:
        if (const auto found = open.find(line.id); found != open.end()) {
          known.insert(history::definition(found->second->call).name);
          kept.push_back(line);
          kept.back().call = found->second->call;
          open.erase(found);
        }
        continue;
      case LineKind::call:
      case LineKind::call_begin:
        break;
    }
    bool defined = true;
    for_each_use(line.call,
                 [&](const Name& name, history::NameKind) { defined &= reserved(name) || known.contains(name); });
    if (!defined || (line.kind == LineKind::call_begin && !returns[i])) continue;
    const Name made = history::definition(line.call).name;
    if (made != Name::none && !taken.insert(made).second) continue;
    if (line.kind == LineKind::call_begin) {
      open.emplace(line.id, &line);
    } else {
      known.insert(made);
    }
    kept.push_back(line);
  }
  return kept;
}

Lines finished(Lines lines) {
  std::map<std::uint32_t, Line> open;  // by id: the return
  for (const Line& line : lines) {
    if (line.kind == LineKind::call_return) open.erase(line.id);
    if (line.kind != LineKind::call_begin) continue;
    Line end = line;
    end.kind = LineKind::call_return;
    end.result = history::Result{};
    open.insert_or_assign(line.id, std::move(end));
  }
  for (auto& [id, end] : open) lines.push_back(std::move(end));
  return lines;
}

}  // namespace streampool::minimize
