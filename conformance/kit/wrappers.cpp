#include "conformance/kit/wrappers.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "model/history/print.hpp"
#include "model/history/signature.hpp"

namespace streampool::kit {
namespace {

using history::Call;
using history::Name;
using history::Result;

class Wrapper : public Target {
 public:
  explicit Wrapper(std::unique_ptr<Target> inner) : inner_(std::move(inner)) {}
  tl::expected<void, LoadError> open() override { return inner_->open(); }
  void begin(const history::NameTable& names) override {
    names_ = &names;
    inner_->begin(names);
  }
  bool close() override { return inner_->close(); }
  const Description& description() const override { return inner_->description(); }
  std::uint64_t capabilities() const override { return inner_->capabilities(); }
  bool knows(const Call& call) const override { return inner_->knows(call); }
  void run(const Call& call, Result& result) override { inner_->run(call, result); }
  std::vector<Name> closed_gates() const override { return inner_->closed_gates(); }
  void open_gate(Name gate) override { inner_->open_gate(gate); }

 protected:
  Target& inner() { return *inner_; }
  [[nodiscard]] std::string text(const Call& call) const {
    return names_ == nullptr ? std::string(history::to_text(call.op)) : history::print(call, *names_);
  }
  [[nodiscard]] std::string text(const Result& result, history::Op op) const {
    std::string out;
    if (names_ != nullptr) history::print(result, op, *names_, out);
    return out;
  }

 private:
  std::unique_ptr<Target> inner_;
  const history::NameTable* names_ = nullptr;
};

class Trace final : public Wrapper {
 public:
  using Wrapper::Wrapper;
  void run(const Call& call, Result& result) override {
    inner().run(call, result);
    // One call of stdio a line: lines of several threads stay whole.
    fmt::print(stderr, "{} -> {}\n", text(call), text(result, call.op));
  }
};

// What two runtimes must answer alike, by the same profile: the status, and the value of an attribute that only the
// program sets. Addresses, statistics and handles are each runtime's own, and how far work has come is a matter of time.
bool agree(const Call& call, const Result& one, const Result& other) {
  if (call.op == history::Op::stream_query || call.op == history::Op::event_query) {
    const auto moment = [](const Result& result) {
      return result.status == history::Status::ok || result.status == history::Status::not_ready;
    };
    return moment(one) ? moment(other) : one.status == other.status;
  }
  if (one.status != other.status) return false;
  const bool settable = call.attribute <= history::Attribute::release_threshold;
  return call.op != history::Op::pool_get || !settable || one.value == other.value;
}

class Shadow final : public Wrapper {
 public:
  Shadow(std::unique_ptr<Target> first, std::unique_ptr<Target> second)
      : Wrapper(std::move(first)), second_(std::move(second)) {}

  tl::expected<void, LoadError> open() override {
    if (auto opened = inner().open(); !opened) return opened;
    return second_->open();
  }
  void begin(const history::NameTable& names) override {
    Wrapper::begin(names);
    second_->begin(names);
  }
  bool close() override {
    const bool second = second_->close();
    return Wrapper::close() && second;
  }
  // Only what both can do.
  std::uint64_t capabilities() const override { return Wrapper::capabilities() & second_->capabilities(); }
  void run(const Call& call, Result& result) override {
    inner().run(call, result);
    if (!second_->knows(call)) return;  // a call before this one succeeded on the first only
    Result other;
    second_->run(call, other);
    if (!agree(call, result, other)) {
      fmt::print(stderr, "shadow: {} -> {} | {}\n", text(call), text(result, call.op), text(other, call.op));
    }
  }
  void open_gate(Name gate) override {
    second_->open_gate(gate);
    Wrapper::open_gate(gate);
  }

 private:
  std::unique_ptr<Target> second_;
};

}  // namespace

std::unique_ptr<Target> trace(std::unique_ptr<Target> inner) { return std::make_unique<Trace>(std::move(inner)); }

std::unique_ptr<Target> shadow(std::unique_ptr<Target> first, std::unique_ptr<Target> second) {
  return std::make_unique<Shadow>(std::move(first), std::move(second));
}

}  // namespace streampool::kit
