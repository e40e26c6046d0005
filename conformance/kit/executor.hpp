// Runs the calls of a history against a loaded runtime. It owns what the names stand for: handles, addresses, sizes.
//
// Outputs are filled with a pattern before each call, so that `unwritten`, `out=unchanged` and `wrote=` say what the
// runtime really did. A dead name passes its old handle or address.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "conformance/kit/target.hpp"

namespace streampool::kit {

class Executor final : public Target {
 public:
  Executor(Runtime runtime, RuntimeOptions options);
  ~Executor() override;

  [[nodiscard]] tl::expected<void, LoadError> open() override;
  void begin(const history::NameTable& names) override;
  [[nodiscard]] bool close() override;
  [[nodiscard]] const Description& description() const override { return runtime_.description(); }
  [[nodiscard]] std::uint64_t capabilities() const override { return runtime_.capabilities(); }
  [[nodiscard]] bool knows(const history::Call& call) const override;
  void run(const history::Call& call, history::Result& result) override;
  [[nodiscard]] std::vector<history::Name> closed_gates() const override;
  void open_gate(history::Name gate) override;

 private:
  struct Object {
    bool known = false;       // made by a call that succeeded, alive or dead
    bool holds = false;       // gates: something waits for it
    bool opened = false;      // gates
    std::uint64_t value = 0;  // handle or address
    std::uint64_t size = 0;   // allocations: bytes asked for
  };
  class Calls;

  [[nodiscard]] Object object(history::Name name) const;
  template <class Change>
  void change(history::Name name, Change change);
  [[nodiscard]] bool is_known(history::Name name) const;
  void note_default_stream(std::uint64_t handle);
  [[nodiscard]] bool is_default_stream(history::Name name) const;

  Runtime runtime_;
  RuntimeOptions options_;
  std::uint64_t opened_ = 0;                    // which opening of a context this is, of all in the process
  mutable std::mutex mutex_;                    // guards objects_: overlapping calls look up and define names
  std::vector<Object> objects_;                 // by Name
  std::vector<std::uint64_t> default_streams_;  // handles that the runtime has given out
};

}  // namespace streampool::kit
