#include "conformance/adapters/vendor/gates.hpp"

#include <atomic>
#include <utility>

#include "conformance/adapters/vendor/session.hpp"

namespace streampool::vendor {
namespace {

constexpr std::uint32_t closed_value = 0, open_value = 1;

void store(std::uint32_t* word, std::uint32_t value) {
  std::atomic_ref<std::uint32_t>(*word).store(value, std::memory_order_release);
}

streampool_status no_gate() {
  return fail(STREAMPOOL_INVALID_HANDLE, no_such_gate, "gate", "there is no gate of this handle");
}

}  // namespace

streampool_status Gates::make_words(const Session& session) {
  const Vendor& vendor = session.vendor();
  void* words = nullptr;
  const streampool_status status = session.run(session.calls().gate_words_malloc, &words, vendor.gate_words_bytes);
  if (status != STREAMPOOL_OK) return status;
  allocations_.push_back(words);
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= vendor.gate_words_bytes; at += vendor.gate_word_stride) {
    fresh_.push_back(reinterpret_cast<std::uint32_t*>(static_cast<std::byte*>(words) + at));
  }
  return STREAMPOOL_OK;
}

streampool_status Gates::prepare(const Session& session) {
  const std::scoped_lock lock(words_mutex_);
  while (fresh_.size() < session.vendor().gate_words_ready) {
    if (const auto status = make_words(session); status != STREAMPOOL_OK) return status;
  }
  return STREAMPOOL_OK;
}

streampool_status Gates::take_word(const Session& session, std::uint32_t*& word) {
  const std::scoped_lock lock(words_mutex_);
  if (fresh_.empty()) {
    if (const auto status = make_words(session); status != STREAMPOOL_OK) return status;
  }
  word = fresh_.back();
  fresh_.pop_back();
  store(word, closed_value);
  return STREAMPOOL_OK;
}

streampool_status Gates::create(const Session& session, streampool_gate& gate) {
  std::uint32_t* word = nullptr;
  if (const auto status = take_word(session, word); status != STREAMPOOL_OK) return status;
  const std::scoped_lock lock(mutex_);
  gates_.emplace(last_ + 1, Gate{.word = word});
  gate = ++last_;
  return STREAMPOOL_OK;
}

Gates::Gate* Gates::find(streampool_gate gate) {
  const auto found = gates_.find(gate);
  return found == gates_.end() ? nullptr : &found->second;
}

streampool_status Gates::hold(const Session& session, void* stream, streampool_gate gate) {
  std::uint32_t* word = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    Gate* found = find(gate);
    if (found == nullptr) return no_gate();
    ++found->holds;  // before the wait is enqueued: destroy must not slip between
    word = found->word;
  }
  const auto status = session.run(session.calls().gate_wait, stream, static_cast<void*>(word), open_value);
  if (status != STREAMPOOL_OK) {
    const std::scoped_lock lock(mutex_);
    if (Gate* found = find(gate); found != nullptr) --found->holds;
  }
  return status;
}

streampool_status Gates::open(streampool_gate gate) {
  const std::scoped_lock lock(mutex_);
  Gate* found = find(gate);
  if (found == nullptr) return no_gate();
  found->open = true;
  store(found->word, open_value);
  return STREAMPOOL_OK;
}

streampool_status Gates::destroy(streampool_gate gate) {
  const std::scoped_lock lock(mutex_);
  const Gate* found = find(gate);
  if (found == nullptr) return no_gate();
  if (found->holds > 0 && !found->open) {
    return fail(STREAMPOOL_NOT_PERMITTED, gate_in_use, "gate_destroy", "the gate is closed and holds a stream");
  }
  gates_.erase(gate);
  return STREAMPOOL_OK;
}

void Gates::open_all() {
  const std::scoped_lock lock(mutex_);
  for (auto& [handle, gate] : gates_) {
    gate.open = true;
    store(gate.word, open_value);
  }
}

streampool_status Gates::release(const Session& session) {
  const std::scoped_lock lock(mutex_, words_mutex_);
  streampool_status first = STREAMPOOL_OK;
  for (void* words : allocations_) {
    const streampool_status status = session.run(session.calls().gate_words_free, words);
    if (first == STREAMPOOL_OK) first = status;
  }
  allocations_.clear();
  fresh_.clear();
  gates_.clear();
  return first;
}

}  // namespace streampool::vendor
