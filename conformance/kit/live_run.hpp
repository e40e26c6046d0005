// A live run: each line is carried out by a target and judged at once. The one way in which suites, generators, the
// minimiser and `replay` run anything; in process or inside a worker.
//
// Not thread safe; the history's own threads are driven from here.
#pragma once

#include <cstdint>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/kit/call_threads.hpp"
#include "conformance/kit/journal.hpp"
#include "conformance/kit/shortage.hpp"
#include "conformance/kit/target.hpp"
#include "conformance/kit/watchdog.hpp"
#include "model/history/history.hpp"
#include "model/monitor/judge.hpp"
#include "model/profile/profile.hpp"

namespace streampool::kit {

class LiveRun {
 public:
  // Everything must outlive the run. `target` is open and knows no names. `journal` may be null.
  LiveRun(Target& target, const model::Profile& profile, history::NameTable& names, Watchdog& watchdog,
          Journal* journal);
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;
  ~LiveRun();

  enum class Step : std::uint8_t {
    ran,      // carried out (where it is a call) and judged
    skipped,  // it passes a name that no successful call made: it stands in no history
    decided,  // carried out, and there is a finding: nothing more is to be run
  };
  // The line's result, if it had one, is replaced by what was observed. A call that overlaps others and has returned is
  // recorded as soon as that is seen, at the latest at its `return` line: returning early must show. Where a closed
  // gate holds it there, as in the history of a call that returned too early elsewhere, the lines go on without it.
  Step apply(history::Line line);
  // What one thread does beside others: its calls, one after another.
  struct Strand {
    history::Thread thread{};  // not main; one strand a thread
    std::vector<history::Call> calls;
  };
  // Runs the strands at the same time. Each call's beginning and return are recorded in the order in which they
  // happened; all is judged once the last has returned. Calls that pass names nobody made are left out.
  Step together(const std::vector<Strand>& strands);
  // No more lines follow. After a call that returned before its gate was opened, the gates are opened as the case would
  // have done: so the history, run again, lets a runtime without that fault come to its end.
  void finish();

  [[nodiscard]] const model::Judge& judge() const { return judge_; }
  // What was run, with results, from the `profile` and `device` lines on.
  [[nodiscard]] const std::vector<history::Line>& lines() const { return lines_; }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
  // Why a refusal for lack of memory is no fault of the runtime; empty: it may be one.
  [[nodiscard]] std::string shortage() const;
  // The whole history as a file.
  [[nodiscard]] std::string text() const;

 private:
  struct Pending {
    history::Call call;
    history::Result result;
    history::Thread thread{};
    history::Name held = history::Name::none;  // the gate it must wait for, as of its beginning
    std::latch begun{1};
  };
  void carry_out(const history::Call& call, history::Name held, history::Result& result);
  void run_call(history::Line& line);
  void begin_call(history::Line& line);
  [[nodiscard]] Step end_call(std::uint32_t id);
  [[nodiscard]] Step collect_returns(const history::Line& next);
  [[nodiscard]] bool is_held(std::uint32_t id);
  [[nodiscard]] Step collect_late(std::optional<history::Thread> wanted);
  Step judged(history::Line&& line);
  struct Overlapping;
  void run_strand(const Strand& strand, std::uint32_t id, Overlapping& all, std::size_t which);
  void note_stuck_strands();  // on the watchdog's thread
  void write_journal(const history::Line& line);
  void append_journal(const std::vector<history::Line>& lines);
  void rewrite_journal(const std::vector<history::Line>& more);

  Target& target_;
  history::NameTable& names_;
  Watchdog& watchdog_;
  Journal* journal_;
  model::Judge judge_;
  std::vector<history::Line> lines_;
  std::map<std::uint32_t, std::unique_ptr<Pending>> pending_;  // by call id
  std::unordered_set<std::uint32_t> returned_;                 // ids whose return was recorded before its line came
  std::unordered_set<std::uint32_t> late_;                     // ids still under way after their line
  bool early_ = false;                                         // the finding is that of a call held by a closed gate
  std::uint64_t skipped_ = 0;
  std::optional<DeviceMemory> memory_;  // before the first call
  std::string scratch_;
  std::mutex overlapping_mutex_;        // the watchdog writes what strands did that are stuck, so
  Overlapping* overlapping_ = nullptr;  // … those that run, or null
  CallThreads threads_;                 // last: its threads use the rest
};

}  // namespace streampool::kit
