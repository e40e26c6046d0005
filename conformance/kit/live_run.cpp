#include "conformance/kit/live_run.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "fmt/format.h"
#include "model/history/print.hpp"
#include "model/history/signature.hpp"

namespace streampool::kit {

using history::Line;
using history::LineKind;
using history::Name;

namespace {

// The judge learns more from the history's own lines.
model::Environment environment(const Description& description) {
  return {.memory = description.memory, .granule = description.reserve_granule, .alignment = description.alignment};
}

// For a call that a gate must hold, to return all the same. Less than the watchdog gives.
constexpr std::chrono::milliseconds time_to_err{20};
// For a call that a gate must hold, to come to its waiting: what follows is to meet it there.
constexpr std::chrono::milliseconds time_to_wait{2};

Line profile_line(const std::string& name) {
  Line line;
  line.kind = LineKind::profile;
  line.profile.name = name;
  return line;
}

Line device_line(std::uint32_t index, const Description& description, const model::Profile& profile,
                 const std::optional<DeviceMemory>& at_start) {
  Line line;
  line.kind = LineKind::device;
  line.device.device = history::Device{index};
  if (description.memory != 0) line.device.memory = description.memory;
  if (description.reserve_granule != 0) line.device.granularity = description.reserve_granule;
  if (description.alignment > profile.alignment.value.count) line.device.alignment = description.alignment;
  // Of a device that does not tell nobody knows.
  const std::uint64_t taken = at_start ? taken_of(*at_start, description.memory) : UINT64_MAX;
  if (taken != 0 && index == 0) line.device.taken = taken;
  return line;
}

}  // namespace

LiveRun::LiveRun(Target& target, const model::Profile& profile, history::NameTable& names, Watchdog& watchdog,
                 Journal* journal)
    : target_(target),
      names_(names),
      watchdog_(watchdog),
      journal_(journal),
      judge_(profile, names, environment(target.description())) {
  target_.begin(names);
  memory_ = read_memory(target_);
  if (journal_ != nullptr) journal_->clear();
  lines_.reserve(64);  // a history has at least some ten; a line is large, and moving it is most of the cost of growing
  lines_.push_back(profile_line(profile.name));
  // What the runtime says of itself stands in the history, so that judging the file needs no runtime.
  for (std::uint32_t index = 0; index < target.description().devices; ++index) {
    lines_.push_back(device_line(index, target.description(), profile, memory_));
  }
  for (const Line& line : lines_) {
    judge_.apply(line);
    write_journal(line);
  }
  watchdog_.watch(&target_, [this](Name gate) {
    if (journal_ == nullptr) return;
    if (gate != Name::none) return journal_->opened(names_.text(gate));
    note_stuck_strands();
  });
}

LiveRun::~LiveRun() {
  // A call that never returned waits for a gate at most: open them all before its thread is joined.
  if (!pending_.empty()) {
    for (const Name gate : target_.closed_gates()) target_.open_gate(gate);
  }
  for (const auto& [id, pending] : pending_) threads_.wait(pending->thread);
  watchdog_.watch(nullptr);
}

LiveRun::Step LiveRun::apply(Line line) {
  if (collect_returns(line) == Step::decided) return Step::decided;
  // A thread has one call under way at a time.
  if (!late_.empty() && collect_late(line.thread) == Step::decided) return Step::decided;
  switch (line.kind) {
    case LineKind::profile:
    case LineKind::device:
      return Step::ran;  // this run's own stand at its beginning
    case LineKind::expect:
      lines_.push_back(std::move(line));
      return Step::ran;
    case LineKind::call:
    case LineKind::call_begin:
      if (!target_.knows(line.call)) {
        ++skipped_;
        return Step::skipped;
      }
      if (line.kind == LineKind::call) {
        run_call(line);
      } else {
        begin_call(line);
      }
      if (judged(std::move(line)) == Step::decided) return Step::decided;
      return late_.empty() ? Step::ran : collect_late(std::nullopt);
    case LineKind::call_return:
      if (returned_.erase(line.id) != 0) return Step::ran;
      if (!pending_.contains(line.id)) {
        ++skipped_;
        return Step::skipped;
      }
      if (is_held(line.id)) {
        late_.insert(line.id);
        return Step::ran;
      }
      return end_call(line.id);
  }
  return Step::ran;
}

LiveRun::Step LiveRun::judged(Line&& line) {
  line.number = lines_.size() + 2;  // its place in the file that text() gives: the header is line 1
  judge_.apply(line);
  lines_.push_back(std::move(line));
  return judge_.finding() ? Step::decided : Step::ran;
}

// Calls that have returned by now. Before a gate is opened, a call that it must hold gets the time to return too early.
LiveRun::Step LiveRun::collect_returns(const Line& next) {
  if (pending_.empty() || next.kind == LineKind::call_return) return Step::ran;
  const bool opens = next.kind == LineKind::call && next.call.op == history::Op::gate_open;
  std::vector<std::uint32_t> done;
  for (const auto& [id, pending] : pending_) {
    const auto limit = opens && pending->held != Name::none ? time_to_err : std::chrono::milliseconds{0};
    if (threads_.wait_for(pending->thread, limit)) done.push_back(id);
  }
  for (const std::uint32_t id : done) {
    returned_.insert(id);
    if (end_call(id) == Step::decided) return Step::decided;
  }
  return Step::ran;
}

// Does it stay under way behind a closed gate, with time given to err?
bool LiveRun::is_held(std::uint32_t id) {
  const Pending& pending = *pending_.at(id);
  return pending.held != Name::none && judge_.held_by(pending.call, pending.thread) != Name::none &&
         !threads_.wait_for(pending.thread, time_to_err);
}

// Late calls that no gate holds any more, and those of a thread that is wanted for something else.
LiveRun::Step LiveRun::collect_late(std::optional<history::Thread> wanted) {
  const std::vector<std::uint32_t> late(late_.begin(), late_.end());
  for (const std::uint32_t id : late) {
    const auto found = pending_.find(id);
    if (found == pending_.end()) {
      late_.erase(id);  // collected with the others
      returned_.erase(id);
      continue;
    }
    const Pending& pending = *found->second;
    if (pending.thread != wanted && judge_.held_by(pending.call, pending.thread) != Name::none) continue;
    late_.erase(id);
    if (end_call(id) == Step::decided) return Step::decided;
  }
  return Step::ran;
}

// What the strands share while they run, and what each has done so far.
struct LiveRun::Overlapping {
  using Numbered = std::pair<std::uint64_t, Line>;
  struct Seen {
    std::mutex mutex;  // the watchdog looks where a strand is stuck
    std::vector<Numbered> lines;
    void add(std::uint64_t number, Line&& line) {
      const std::scoped_lock lock(mutex);
      lines.emplace_back(number, std::move(line));
    }
  };

  explicit Overlapping(std::size_t strands) : seen(strands) {}

  std::vector<Seen> seen;  // one a strand
  std::atomic<std::size_t> waiting{0};
  std::atomic<std::uint64_t> clock{0};  // numbers beginnings and returns

  // In the order in which it happened.
  [[nodiscard]] std::vector<Line> lines() {
    std::vector<Numbered> all;
    for (Seen& one : seen) {
      const std::scoped_lock lock(one.mutex);
      all.insert(all.end(), one.lines.begin(), one.lines.end());
    }
    std::ranges::sort(all, {}, [](const Numbered& entry) { return entry.first; });
    std::vector<Line> lines;
    for (Numbered& entry : all) lines.push_back(std::move(entry.second));
    return lines;
  }
};

// Before a call begins its number is taken, and after it has returned another: so what the numbers say about which
// call came first is true.
void LiveRun::run_strand(const Strand& strand, std::uint32_t id, Overlapping& all, std::size_t which) {
  // Not a barrier of the library: those that wait for it are woken one after another.
  all.waiting.fetch_add(1);
  while (all.waiting.load() < all.seen.size()) std::this_thread::yield();
  for (const history::Call& call : strand.calls) {
    if (!target_.knows(call)) continue;
    Line begin, end;
    begin.kind = LineKind::call_begin;
    end.kind = LineKind::call_return;
    begin.thread = end.thread = strand.thread;
    begin.id = end.id = id;
    begin.call = end.call = call;
    history::Result result;
    all.seen[which].add(all.clock.fetch_add(1), std::move(begin));
    carry_out(call, Name::none, result);
    const std::uint64_t after = all.clock.fetch_add(1);
    end.result = std::move(result);
    all.seen[which].add(after, std::move(end));
  }
}

void LiveRun::note_stuck_strands() {
  const std::scoped_lock lock(overlapping_mutex_);
  if (overlapping_ != nullptr) rewrite_journal(overlapping_->lines());
}

LiveRun::Step LiveRun::together(const std::vector<Strand>& strands) {
  // A thread has one call open at a time, so its name tells which.
  std::vector<std::uint32_t> ids;
  for (const Strand& strand : strands)
    ids.push_back(names_.intern_id(fmt::format("c{}", names_.thread(strand.thread))));
  // Should the runtime end the process, each thread's first call shows where.
  std::vector<Line> first;
  for (std::size_t i = 0; i < strands.size(); ++i) {
    if (strands[i].calls.empty()) continue;
    Line begin;
    begin.kind = LineKind::call_begin;
    begin.thread = strands[i].thread;
    begin.id = ids[i];
    begin.call = strands[i].calls.front();
    first.push_back(std::move(begin));
  }
  append_journal(first);
  Overlapping all(strands.size());
  const auto watched = [&](Overlapping* which) {
    const std::scoped_lock lock(overlapping_mutex_);
    overlapping_ = which;
  };
  watched(&all);
  for (std::size_t i = 0; i < strands.size(); ++i) {
    threads_.start(strands[i].thread, [&, i] { run_strand(strands[i], ids[i], all, i); });
  }
  for (const Strand& strand : strands) threads_.wait(strand.thread);
  watched(nullptr);
  for (Line& line : all.lines()) {
    if (judged(std::move(line)) == Step::decided) return Step::decided;
  }
  rewrite_journal({});  // what was written before the strands ran is no history any more
  return Step::ran;
}

void LiveRun::finish() {
  while (!late_.empty() && !judge_.finding()) {
    const std::uint32_t id = *late_.begin();
    late_.erase(id);
    if (pending_.contains(id)) (void)end_call(id);
  }
  judge_.finish();
  if (!early_) return;
  for (const Name gate : target_.closed_gates()) {
    Line line;
    line.call.op = history::Op::gate_open;
    line.call.gate = gate;
    run_call(line);
    (void)judged(std::move(line));
  }
}

// On whatever thread the call is to be made.
void LiveRun::carry_out(const history::Call& call, Name held, history::Result& result) {
  if (journal_ != nullptr) journal_->enter();
  const std::uint64_t entered = watchdog_.enter(held);
  target_.run(call, result);
  result.blocked = watchdog_.leave(entered);
  if (journal_ != nullptr) journal_->leave();
}

void LiveRun::run_call(Line& line) {
  line.result.reset();
  write_journal(line);
  history::Result result;
  const Name held = judge_.held_by(line.call);
  if (line.thread == history::Thread::main) {
    carry_out(line.call, held, result);
  } else {
    threads_.start(line.thread, [&] { carry_out(line.call, held, result); });
    threads_.wait(line.thread);
  }
  line.result = std::move(result);
  if (journal_ != nullptr) {
    scratch_.assign(" -> ");
    history::print(*line.result, line.call.op, names_, scratch_);
    scratch_ += '\n';
    journal_->append(scratch_);
  }
}

void LiveRun::begin_call(Line& line) {
  write_journal(line);
  if (journal_ != nullptr) journal_->append("\n");
  auto pending = std::make_unique<Pending>();
  pending->call = line.call;
  pending->thread = line.thread;
  pending->held = judge_.held_by(line.call);
  returned_.erase(line.id);
  Pending& ref = *(pending_[line.id] = std::move(pending));
  threads_.start(line.thread, [this, &ref] {
    ref.begun.count_down();
    carry_out(ref.call, ref.held, ref.result);
  });
  ref.begun.wait();
  if (ref.held != Name::none) static_cast<void>(threads_.wait_for(line.thread, time_to_wait));
}

LiveRun::Step LiveRun::end_call(std::uint32_t id) {
  const auto found = pending_.find(id);
  Pending& pending = *found->second;
  threads_.wait(pending.thread);
  Line line;
  line.kind = LineKind::call_return;
  line.id = id;
  line.thread = pending.thread;
  line.call = std::move(pending.call);
  line.result = std::move(pending.result);
  const bool held = target_.is_closed(pending.held);
  pending_.erase(found);
  write_journal(line);
  if (journal_ != nullptr) journal_->append("\n");
  const Step step = judged(std::move(line));
  early_ |= held && step == Step::decided;
  return step;
}

void LiveRun::append_journal(const std::vector<Line>& lines) {
  if (journal_ == nullptr) return;
  for (const Line& line : lines) {
    scratch_.clear();
    history::print(line, names_, scratch_);
    scratch_ += '\n';
    journal_->append(scratch_);
  }
}

// All that was run, and these lines behind it.
void LiveRun::rewrite_journal(const std::vector<Line>& more) {
  if (journal_ == nullptr) return;
  journal_->begin_again();
  append_journal(lines_);
  append_journal(more);
}

// Without the line's end: for a call, the result is to follow.
void LiveRun::write_journal(const Line& line) {
  if (journal_ == nullptr) return;
  scratch_.clear();
  history::print(line, names_, scratch_);
  if (line.kind == LineKind::profile || line.kind == LineKind::device) scratch_ += '\n';
  journal_->append(scratch_);
}

std::string LiveRun::shortage() const { return memory_ ? kit::shortage(*memory_, lines_) : std::string{}; }

std::string LiveRun::text() const {
  // An expectation about an allocation that a refused malloc did not make would name nothing.
  const auto made = [&](Name name) {
    return std::ranges::any_of(lines_, [&](const Line& line) {
      return line.kind != LineKind::expect && line.call.allocation == name && line.result &&
             line.result->status == history::Status::ok;
    });
  };
  std::vector<Line> kept;
  std::ranges::copy_if(lines_, std::back_inserter(kept), [&](const Line& line) {
    return line.kind != LineKind::expect || line.expect.kind != history::Expect::Kind::overlap ||
           (made(line.expect.first) && made(line.expect.second));
  });
  return history::print(kept, names_);
}

}  // namespace streampool::kit
