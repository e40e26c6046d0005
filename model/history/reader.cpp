#include "model/history/reader.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "model/history/calls.hpp"

namespace streampool::history {

std::string to_text(const Error& error) {
  if (error.line == 0) return error.message;  // of the whole file
  return "line " + std::to_string(error.line) + ", column " + std::to_string(error.column) + ": " + error.message;
}

struct Reader::Impl : Calls {
  Impl(Source source, NameTable& table) : Calls(table), input(std::move(source)) {}

  LineBuffer input;

  // Lines ----------------------------------------------------------------------------------------------------------
  bool mark(Cursor& at, std::string_view expected, std::string_view& out) {
    out = at.word();
    if (!text::is_mark(out)) return fail(at, expected);
    at.skip(out.size());
    return true;
  }

  bool prefix(Cursor& at, Line& line, Spot& label, bool& thread_given) {
    if (!at.done() && at.front() == '@') {
      label = Spot{at.word(), at.column()}.from(1);
      if (!text::is_mark(label.word)) return fail(label, "a label");
      if (scope.has_label(label.word)) return fail_because(label, "a new label", "which an earlier line has");
      line.label.assign(label.word);
      at.skip(label.word.size() + 1);
    }
    if (at.done() || at.front() != '[') return true;
    at.skip(1);
    const std::string_view name = at.piece();
    if (!text::is_mark(name)) return fail({name, at.column()}, "a thread");
    at.skip(name.size());
    if (at.piece() != "]") return fail(at, "']'");
    at.skip(1);
    line.thread = names.intern_thread(name);
    thread_given = true;
    return true;
  }

  bool nothing_more(const Cursor& at, std::string_view expected = "the end of the line") {
    return at.done() || fail(at, expected);
  }

  bool thread_is_free(const Cursor& at, Thread thread) {
    const Scope::OpenCall* open = scope.open_of(thread);
    if (open == nullptr) return true;
    return fail(at,
                std::string("the return of call ").append(text::quoted(names.id(open->id))).append(" of this thread"));
  }

  void settle(const Call& call, Status status) {
    const Definition made = definition(call);
    if (made.name != Name::none) {
      scope.set(made.name, status == Status::ok ? Scope::State::defined : Scope::State::free, made.kind);
    }
  }

  bool call_line(Cursor& at, const Signature& shape, Line& line) {
    line.kind = LineKind::call;
    if (!thread_is_free(at, line.thread) || !call(at, shape, line.call)) return false;
    if (!at.done()) {
      at.skip(2);
      if (!result(at, shape.op, line.result.emplace())) return false;
    }
    scope.any_call = true;
    settle(line.call, line.result ? line.result->status : Status::ok);
    return true;
  }

  bool begin_line(Cursor& at, Line& line) {
    line.kind = LineKind::call_begin;
    if (!thread_is_free(at, line.thread)) return false;
    at.skip(std::strlen("call"));
    const Spot id{at.word(), at.column()};
    std::string_view id_text;
    if (!mark(at, "the id of a call", id_text)) return false;
    line.id = names.intern_id(id_text);
    if (scope.open_with(line.id) != nullptr) return fail_because(id, "the id of a call", "which is open already");
    const Signature* shape = find_signature(at.word());
    if (shape == nullptr) return fail(at, "a call");
    if (!call(at, *shape, line.call) || !nothing_more(at)) return false;
    scope.any_call = true;
    const Definition made = definition(line.call);
    if (made.name != Name::none) scope.set(made.name, Scope::State::pending, made.kind);
    scope.begin(line.id, line.thread, line.call);
    return true;
  }

  bool return_line(Cursor& at, Line& line, bool thread_given) {
    line.kind = LineKind::call_return;
    at.skip(std::strlen("return"));
    const Spot id{at.word(), at.column()};
    std::string_view id_text;
    if (!mark(at, "the id of a call", id_text)) return false;
    line.id = names.intern_id(id_text);
    const Scope::OpenCall* open = scope.open_with(line.id);
    if (open == nullptr) return fail_because(id, "the id of an open call", "which is not open");
    if (thread_given && open->thread != line.thread) {
      return fail_because(id, "the id of a call of this thread",
                          "which thread " + text::quoted(names.thread(open->thread)) + " called");
    }
    line.thread = open->thread;
    line.call = open->call;
    if (at.word() != "->") return fail(at, "'->'");
    at.skip(2);
    if (!result(at, line.call.op, line.result.emplace())) return false;
    settle(line.call, line.result->status);
    scope.end(open);
    return true;
  }

  bool profile_line(Cursor& at, Line& line) {
    line.kind = LineKind::profile;
    if (scope.any_call) return fail(at, "no 'profile' behind the first call");
    if (scope.any_profile) return fail(at, "one 'profile' line");
    at.skip(std::strlen("profile"));
    const std::string_view name = at.word();
    if (!text::is_name(name)) return fail(at, "a profile name");
    line.profile.name.assign(name);
    scope.any_profile = true;
    at.skip(name.size());
    return nothing_more(at);
  }

  bool device_line(Cursor& at, Line& line) {
    line.kind = LineKind::device;
    if (scope.any_call) return fail(at, "no 'device' behind the first call");
    at.skip(std::strlen("device"));
    const Spot spot{at.word(), at.column()};
    if (!take(spot, device_number(spot.word), "a device", line.device.device)) return false;
    for (const Device known : scope.declared) {
      if (known == line.device.device) return fail_because(spot, "a new device", "which an earlier line describes");
    }
    at.skip(spot.word.size());
    while (!at.done()) {
      const Spot item{at.word(), at.column()};
      const std::size_t equals = item.word.find('=');
      const std::string_view key = item.word.substr(0, equals);
      std::optional<std::uint64_t>* const known = key == "memory"        ? &line.device.memory
                                                  : key == "granularity" ? &line.device.granularity
                                                  : key == "alignment"   ? &line.device.alignment
                                                  : key == "taken"       ? &line.device.taken
                                                                         : nullptr;
      if (equals == std::string_view::npos || known == nullptr) {
        return fail(item, "'memory=', 'granularity=', 'alignment=', 'taken=' or the end of the line");
      }
      auto& field = *known;
      if (field) return fail_because(item, "each key once", "which was given before");
      const Spot amount = item.from(equals + 1);
      if (!number_into(amount, text::parse_size(amount.word), expected_for(Field::size), field)) return false;
      at.skip(item.word.size());
    }
    scope.declared.push_back(line.device.device);
    if (!scope.has_device(line.device.device)) scope.add_device(line.device.device);
    return true;
  }

  // Expectations ---------------------------------------------------------------------------------------------------
  bool punctuation(Cursor& at, std::string_view wanted) {
    if (at.piece() != wanted) return fail({at.piece(), at.column()}, std::string("'").append(wanted).append("'"));
    at.skip(wanted.size());
    return true;
  }

  bool piece_name(Cursor& at, NameKind kind, Name& out) {
    const Spot spot{at.piece(), at.column()};
    if (!known_name(spot, kind, article(kind), out)) return false;
    at.skip(spot.word.size());
    return true;
  }

  bool expect_line(Cursor& at, Line& line) {
    line.kind = LineKind::expect;
    at.skip(std::strlen("expect"));
    const Spot kind{at.piece(), at.column()};
    Expect& expect = line.expect;
    if (!take(kind, expect_kind_from(kind.word), "'overlap', 'status', 'attribute', 'violation' or 'program_fault'",
              expect.kind)) {
      return false;
    }
    at.skip(kind.word.size());
    switch (expect.kind) {
      case Expect::Kind::overlap:
        return expect_overlap(at, expect);
      case Expect::Kind::status:
        return expect_status(at, expect);
      case Expect::Kind::attribute:
        return expect_attribute(at, expect);
      case Expect::Kind::violation:
      case Expect::Kind::program_fault:
        break;
    }
    const std::string_view clause = at.word();
    if (!text::is_name(clause)) return fail(at, "a clause");
    expect.clause.assign(clause);
    at.skip(clause.size());
    return nothing_more(at);
  }

  bool expect_overlap(Cursor& at, Expect& expect) {
    if (!punctuation(at, "(") || !piece_name(at, NameKind::allocation, expect.first)) return false;
    if (!punctuation(at, ",") || !piece_name(at, NameKind::allocation, expect.second)) return false;
    if (!punctuation(at, ")")) return false;
    const Spot verdict{at.word(), at.column()};
    if (!take(verdict, verdict_from(verdict.word), "'forbidden', 'allowed' or 'required'", expect.verdict))
      return false;
    at.skip(verdict.word.size());
    return nothing_more(at);
  }

  bool expect_status(Cursor& at, Expect& expect) {
    const Spot label{at.word(), at.column()};
    if (!text::is_mark(label.word)) return fail(label, "the label of an earlier call");
    if (!scope.labels_call(label.word)) return fail_because(label, "the label of an earlier call", "which is none");
    expect.label.assign(label.word);
    at.skip(label.word.size());
    const Spot status{at.word(), at.column()};
    if (!take(status, status_from(status.word), "a status", expect.status)) return false;
    at.skip(status.word.size());
    return nothing_more(at);
  }

  bool expect_attribute(Cursor& at, Expect& expect) {
    if (!punctuation(at, "(") || !piece_name(at, NameKind::pool, expect.pool) || !punctuation(at, ",")) return false;
    const Spot which{at.piece(), at.column()};
    if (!attribute(which, expect.attribute)) return false;
    at.skip(which.word.size());
    if (!punctuation(at, ")") || !punctuation(at, "in")) return false;
    const std::size_t dots = at.rest().find("..");
    const auto bound = [&](std::uint64_t& out) {
      const std::string_view all = at.word();
      const Spot spot{all.substr(0, all.find("..")), at.column()};
      if (!take(spot, text::parse_size(spot.word), "a size", out)) return false;
      at.skip(spot.word.size());
      return true;
    };
    if (dots == std::string_view::npos) return fail(at, "a range SIZE..SIZE");
    if (!bound(expect.low)) return false;
    if (!at.rest().starts_with("..")) return fail(at, "'..'");
    at.skip(2);
    return bound(expect.high) && nothing_more(at);
  }

  // The file -------------------------------------------------------------------------------------------------------
  bool statement(Cursor& at, Line& line) {
    Spot label;
    bool thread_given = false;
    if (!prefix(at, line, label, thread_given)) return false;
    if (!dispatch(at, line, thread_given)) return false;
    const bool on_call =
        line.kind != LineKind::profile && line.kind != LineKind::device && line.kind != LineKind::expect;
    if (!label.word.empty()) scope.add_label(label.word, on_call);
    return true;
  }

  bool dispatch(Cursor& at, Line& line, bool thread_given) {
    const std::string_view word = at.word();
    if (const Signature* shape = find_signature(word)) return call_line(at, *shape, line);
    if (word == "call") return begin_line(at, line);
    if (word == "return") return return_line(at, line, thread_given);
    if (word == "expect") return expect_line(at, line);
    if (word == "profile") return profile_line(at, line);
    if (word == "device") return device_line(at, line);
    return fail(at, "a call, 'call', 'return', 'profile', 'device' or 'expect'");
  }

  // The next line's text without its comment. False at the end of the file and on an error.
  bool next_text(std::string_view& out) {
    const LineBuffer::Got got = input.next(out);
    if (got == LineBuffer::Got::end) return false;
    ++number;
    if (got == LineBuffer::Got::too_long) {
      return fail(max_line_bytes + 1, "the end of the line after at most 1 MiB", "more");
    }
    if (got == LineBuffer::Got::failed) return fail(1, "a file that can be read", std::strerror(input.error()));
    const std::size_t bad = text::first_bad_utf8(out);
    if (bad != std::string_view::npos) return fail(bad + 1, "UTF-8", text::quoted(out.substr(bad, 1)));
    out = out.substr(0, out.find('#'));
    return true;
  }

  bool read_header() {
    std::string_view line;
    if (!next_text(line)) {
      if (failed) return false;
      number = 1;
      return fail(1, "'streampool-history 1'", "the end of the file");
    }
    const std::string_view given = line.substr(0, line.find_last_not_of(" \t") + 1);
    return given == header_line || fail({given, 1}, "'streampool-history 1'");
  }

  // False at the end of the file and on an error.
  bool next(Line& line) {
    if (failed || (number == 0 && !read_header())) return false;
    std::string_view content;
    while (next_text(content)) {
      Cursor at(content);
      if (at.done()) continue;
      reset(line);
      line.number = number;
      return statement(at, line);
    }
    return false;
  }
};

Reader::Reader(Source source, NameTable& names) : impl_(std::make_unique<Impl>(std::move(source), names)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

tl::expected<bool, Error> Reader::next(Line& line) {
  if (impl_->next(line)) return true;
  if (impl_->failed) return tl::unexpected(impl_->error);
  return false;
}

tl::expected<std::optional<Line>, Error> Reader::next() {
  std::optional<Line> line(std::in_place);
  return next(*line).map([&line](bool more) { return more ? std::move(line) : std::nullopt; });
}

namespace {

tl::expected<std::vector<Line>, Error> read_all(Reader reader) {
  std::vector<Line> lines;
  for (Line line;;) {
    const auto more = reader.next(line);
    if (!more) return tl::unexpected(more.error());
    if (!*more) return lines;
    lines.push_back(line);
  }
}

}  // namespace

tl::expected<std::vector<Line>, Error> read_text(std::string_view text, NameTable& names) {
  return read_all(Reader(source_from_text(text), names));
}

std::string named_profile(std::span<const Line> lines) {
  const auto named = std::ranges::find(lines, LineKind::profile, &Line::kind);
  return named != lines.end() ? named->profile.name : "strict";
}

tl::expected<Reader, Error> open_history(const std::string& path, NameTable& names) {
  auto source = source_from_path(path);
  if (!source)
    return tl::unexpected(
        Error{0, 0, std::string("expected a file that can be read, found ") + std::strerror(source.error())});
  return Reader(std::move(*source), names);
}

tl::expected<std::vector<Line>, Error> read_file(const std::string& path, NameTable& names) {
  return open_history(path, names).and_then([](Reader&& reader) { return read_all(std::move(reader)); });
}

}  // namespace streampool::history
