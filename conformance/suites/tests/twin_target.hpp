// A small runtime in this process, right or with one fault: what the directed cases are tried on.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "conformance/kit/target.hpp"
#include "conformance/suites/tests/twin_memory.hpp"

namespace streampool::suites::twins {

class TwinTarget final : public kit::Target {
 public:
  explicit TwinTarget(Twin twin) : twin_(twin) {}

  [[nodiscard]] tl::expected<void, kit::LoadError> open() override;
  void begin(const history::NameTable& names) override { (void)names; }
  [[nodiscard]] bool close() override { return true; }
  [[nodiscard]] const kit::Description& description() const override { return description_; }
  [[nodiscard]] std::uint64_t capabilities() const override { return ~std::uint64_t{0}; }
  [[nodiscard]] bool knows(const history::Call& call) const override;
  void run(const history::Call& call, history::Result& result) override;
  [[nodiscard]] std::vector<history::Name> closed_gates() const override;
  void open_gate(history::Name gate) override;

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Call = history::Call;
  using Result = history::Result;
  using Status = history::Status;
  using Name = history::Name;

  struct Object {
    bool alive = true;
    std::size_t index = 0;                // stream, event, gate, pool
    std::uint64_t address = 0, size = 0;  // allocations
  };

  Status dispatch(const Call& call, Result& result, Lock& lock);
  Status create_stream(const Call& call, Result& result);
  Status create_event(const Call& call, Result& result);
  Status create_pool(const Call& call, Result& result);
  Status synchronize(const Call& call, Lock& lock);
  Status query(const Call& call);
  Status record_or_wait(const Call& call, Lock& lock);
  Status destroy_stream(const Call& call);
  Status destroy_pool(const Call& call, Lock& lock);
  Status default_pool(const Call& call, Result& result);
  Status set_attribute(const Call& call, Lock& lock);
  Status get_attribute(const Call& call, Result& result, Lock& lock);
  Status allocate(const Call& call, Result& result, Lock& lock);
  Status failed_malloc(Result& result, Status status);
  Status free_async(const Call& call, Lock& lock);
  Status free_sync(const Call& call);
  // The live block that a free names, or the status that refuses it.
  Block* freed(const Call& call, bool async, Status& status);
  Status probe(const Call& call, Lock& lock);

  [[nodiscard]] Stream stream(Name name);
  [[nodiscard]] PoolIndex pool_of(const Call& call);
  [[nodiscard]] PoolIndex default_of(std::uint32_t device);
  [[nodiscard]] PoolIndex current_of(std::uint32_t device);
  [[nodiscard]] std::uint64_t address(const history::Pointer& pointer) const;
  void wait_for_pool(PoolIndex p, Lock& lock);
  void after_set(PoolIndex p, Attribute set, bool refused);

  const Twin twin_;
  kit::Description description_;
  mutable std::mutex mutex_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Memory> memory_;
  std::map<Name, Object> objects_;
  std::map<char, std::set<std::uint64_t>> free_handles_;  // by kind
  std::map<char, std::uint64_t> next_handle_;
  std::map<std::uint64_t, PoolState> dead_pools_;  // by handle
  // By device; nothing: the default pool.
  std::map<std::uint32_t, PoolIndex> current_;
  std::map<std::uint32_t, PoolIndex> defaults_;  // of devices but the first, once somebody asked
  std::uint64_t dead_current_ = 0;               // the handle of a destroyed current pool
  std::map<Stream, PoolIndex> current_at_creation_;
  std::set<Name> closed_;
  std::uint64_t fail_submit_ = 0;

  std::map<std::thread::id, std::uint64_t> errors_;  // the newest code of each
  std::uint64_t newest_error_ = 0;                   // … and of all
  std::thread::id opened_on_, last_free_;
  struct {
    std::thread::id thread;
    std::uint64_t address = 0, size = 0;
  } last_malloc_;

  std::uint64_t new_handle(char kind);
  [[nodiscard]] bool on_another_thread() const;  // than the one that opened this
};

}  // namespace streampool::suites::twins
