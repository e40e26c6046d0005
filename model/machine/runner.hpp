// Carries out the calls of a history on a machine: names instead of handles. Copyable, so that a search can go on from
// one point in several ways. Thread main only.
#pragma once

#include <optional>
#include <vector>

#include "model/history/history.hpp"
#include "model/machine/machine.hpp"

namespace streampool::model::machine {

class Runner {
 public:
  Runner(const Parameters& profile, const Settings& settings) : machine_(profile, settings) {}

  // What the call was observed to do. Nothing: a closed gate holds it for ever, and the machine has gone as far as it
  // could. Operations of other groups than streams, events, gates, pools, attributes and memory are not supported.
  [[nodiscard]] std::optional<history::Result> run(const history::Call& call);

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] Stream stream(history::Name name) const { return machine_.stream_of(handle(name)); }

 private:
  struct Object {
    Handle handle{};
    std::uint64_t address = 0, size = 0;
  };
  [[nodiscard]] const Object& object(history::Name name) const;
  Object& define(history::Name name);
  [[nodiscard]] Handle handle(history::Name name) const;
  [[nodiscard]] std::uint64_t address(const history::Pointer& pointer) const;
  void check(const history::Call& call, history::Result& result, bool& held);
  void get(const history::Call& call, history::Result& result);
  void set(const history::Call& call, history::Result& result);

  Machine machine_;
  std::vector<Object> objects_;  // by name
  Handle per_thread_{};
};

}  // namespace streampool::model::machine
