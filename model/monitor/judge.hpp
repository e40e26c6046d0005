// The judge: follows a runtime from outside, line by line, and says whether what it saw is permitted.
//
// Offline (`streampool judge`) and online (the kit) use the same object: lines with calls and observed results go in,
// the first finding comes out. Lines of one thread are judged at once; overlapping calls (`call` / `return`) are judged
// by a search over the orders that respect real time (clause THREAD-LINEARIZABLE). Not thread safe; copyable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/history/history.hpp"
#include "model/profile/profile.hpp"
#include "spec/clauses.hpp"

namespace streampool::model {

// What is known of the runtime beyond its profile: from `describe` of the ABI or from the history's `device` lines. 0:
// not known.
struct Environment {
  std::uint64_t memory = 0;     // bytes of physical memory of device 0
  std::uint64_t granule = 0;    // reserve granule in bytes, where the profile says "declared"
  std::uint64_t alignment = 0;  // bytes, as the runtime declares it; 0: not said
  // Bytes of device 0 that were not free before the first call, by whomever they were held; UINT64_MAX: not known.
  std::uint64_t taken = 0;
};

struct Finding {
  enum class Kind : std::uint8_t {
    violation,      // the runtime broke `clause`
    program_fault,  // the program broke `clause`; what follows says nothing about the runtime
    inconclusive,   // the run got stuck where it was allowed to; nothing after it is judged
  };
  Kind kind = Kind::violation;
  spec::ClauseId clause{};
  std::uint64_t line = 0;   // of the file; for lines that were made, the count of lines applied so far
  std::string explanation;  // whole sentences with the names of the history
  // A clause that the same fact breaks under another name: what was inherited from a destroyed object, or came of a
  // failure inside the runtime, shows as a breach of what the new object or the next call owes.
  std::optional<spec::ClauseId> also{};
};

// A *should* that was not met. Changes no verdict unless the run is strict.
struct Quality {
  spec::ClauseId clause{};
  std::uint64_t line = 0;
  std::string explanation;
};

class Judge {
 public:
  // `names` and `profile` must outlive the judge.
  Judge(const Profile& profile, const history::NameTable& names, Environment environment = {});
  Judge(const Judge&);
  Judge& operator=(const Judge&) = delete;
  ~Judge();

  // Treats every *should* as a must from now on (`--strict`).
  void set_strict(bool strict);

  // Judges one line. After a finding further lines are ignored.
  void apply(const history::Line& line);
  // No more lines follow: calls that never returned, notes on allocations that were never freed.
  void finish();

  [[nodiscard]] const std::optional<Finding>& finding() const;
  [[nodiscard]] std::span<const Quality> qualities() const;
  // How often each clause's condition arose, by ClauseId::index. For a *may* clause: how often the choice was seen.
  [[nodiscard]] std::span<const std::uint64_t> exercised() const;
  // Allocations that were never freed, in order of their making; filled by finish().
  [[nodiscard]] std::span<const history::Name> leaked() const;
  [[nodiscard]] std::uint64_t calls() const;

  // For generators and the kit -------------------------------------------------------------------------------------
  // Would this call wait for a closed gate if it were made now? The gate that holds it, or Name::none.
  [[nodiscard]] history::Name held_by(const history::Call& call, history::Thread thread = history::Thread::main) const;
  // Items behind closed gates (clause section 9: pending_limit).
  [[nodiscard]] std::uint64_t items_behind_gates() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace streampool::model
