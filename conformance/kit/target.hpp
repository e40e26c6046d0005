// What a history is run against: something that carries out calls by name and says what it observed.
//
// The kit, the generators and the minimiser know only this. Executor (executor.hpp) is a loaded runtime; wrappers
// (wrappers.hpp) stand around another target. `run` may be called from several threads for overlapping calls,
// everything else from one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/kit/runtime.hpp"
#include "model/history/history.hpp"

namespace streampool::kit {

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  // A fresh context; what was open is closed. No name is known afterwards.
  [[nodiscard]] virtual tl::expected<void, LoadError> open() = 0;
  // The names of the calls that follow, for messages; the table outlives them.
  virtual void begin(const history::NameTable& names) = 0;
  // Ends everything that is left. False: the runtime refused, so that nothing later in this process can be trusted.
  [[nodiscard]] virtual bool close() = 0;

  // Valid while open.
  [[nodiscard]] virtual const Description& description() const = 0;
  [[nodiscard]] virtual std::uint64_t capabilities() const = 0;

  // Was every name that the call passes made by a call that succeeded? Other calls cannot be run and stand in no
  // history.
  [[nodiscard]] virtual bool knows(const history::Call& call) const = 0;
  // Carries out the call; every field of `result` is set. `knows(call)` must hold.
  virtual void run(const history::Call& call, history::Result& result) = 0;

  // Gates that hold something and were not opened, oldest first.
  [[nodiscard]] virtual std::vector<history::Name> closed_gates() const = 0;
  [[nodiscard]] bool is_closed(history::Name gate) const;
  // Opens a gate beside a call that does not return. Any thread.
  virtual void open_gate(history::Name gate) = 0;
};

// NAME, PATH, NAME:VARIANT (as `mutant:stale_event`), trace:TARGET or shadow:TARGET:TARGET (wrappers.hpp).
// The target is not open yet.
[[nodiscard]] tl::expected<std::unique_ptr<Target>, LoadError> load_target(std::string_view specification,
                                                                           const RuntimeOptions& options);

}  // namespace streampool::kit
