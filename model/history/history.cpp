#include "model/history/history.hpp"

#include <algorithm>
#include <cstring>

namespace streampool::history {
namespace {

// Names are short (mostly below 16 bytes) and hashed once a use: two overlapping words and a multiplication do.
std::uint32_t hash_of(std::string_view text) {
  std::uint64_t value = text.size();
  const char* at = text.data();
  std::size_t left = text.size();
  const auto mix = [&value](std::uint64_t word) {
    value = (value ^ word) * 0x9E3779B97F4A7C15u;
    value ^= value >> 29;
  };
  std::uint64_t word = 0;
  for (; left >= sizeof word; at += sizeof word, left -= sizeof word) {
    std::memcpy(&word, at, sizeof word);
    mix(word);
  }
  word = 0;
  for (std::size_t i = 0; i < left; ++i)
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  mix(word);
  return static_cast<std::uint32_t>(value >> 32);
}

constexpr std::size_t chunk_bytes = 16384;
constexpr std::size_t first_slots = 64;

}  // namespace

NameTable::Strings::Strings(const Strings& other)
    : entries_(other.entries_), slots_(other.slots_), chunks_(other.chunks_) {}

std::size_t NameTable::Strings::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.next_index == 0 || (slot.hash == hash && this->text(slot.next_index - 1) == text)) return at;
  }
}

std::uint32_t NameTable::Strings::find(std::string_view text) const {
  if (slots_.empty()) return absent;
  return slots_[slot_of(text, hash_of(text))].next_index - 1;  // an empty slot gives `absent`
}

void NameTable::Strings::grow() {
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max(first_slots, old.size() * 2), Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.next_index == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].next_index != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::uint32_t NameTable::Strings::intern(std::string_view text) {
  if ((entries_.size() + 1) * 2 > slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.next_index != 0) return slot.next_index - 1;
  if (text.size() > free_bytes_) {
    free_bytes_ = std::max(chunk_bytes, text.size());
    free_ = chunks_.emplace_back(new char[free_bytes_]).get();
  }
  std::copy(text.begin(), text.end(), free_);
  entries_.push_back({free_, static_cast<std::uint32_t>(text.size())});
  free_ += text.size();
  free_bytes_ -= text.size();
  slot = {hash, static_cast<std::uint32_t>(entries_.size())};
  return slot.next_index - 1;
}

NameTable::NameTable() {
  intern("");  // Name::none
  intern("legacy");
  intern("per_thread");
  intern_thread("main");
}

bool same(const Line& a, const Line& b) {
  return a.kind == b.kind && a.label == b.label && a.thread == b.thread && a.id == b.id && a.call == b.call &&
         a.result == b.result && a.profile == b.profile && a.device == b.device && a.expect == b.expect;
}

void reset(Line& line) {
  line.kind = LineKind::call;
  line.number = 0;
  line.label.clear();
  line.thread = Thread::main;
  line.id = 0;
  Call& call = line.call;
  call.op = Op::stream_create;
  call.stream = call.event = call.gate = call.pool = call.allocation = Name::none;
  call.pointer = Pointer{};
  call.pointers.clear();
  call.device.reset();
  call.stream_kind = StreamKind::blocking;
  call.fail_kind = FailKind::reserve;
  call.attribute = Attribute{0};
  call.value.kind = AttributeValue::Kind::integer;
  call.value.integer = 0;
  call.value.raw.clear();
  call.width.reset();
  call.size.reset();
  call.byte = 0;
  line.result.reset();
  line.profile.name.clear();
  line.device = DeviceLine{};
  Expect& expect = line.expect;
  expect.kind = Expect::Kind::overlap;
  expect.first = expect.second = expect.pool = Name::none;
  expect.verdict = Expect::Verdict::forbidden;
  expect.label.clear();
  expect.status = Status::ok;
  expect.attribute = Attribute{0};
  expect.low = expect.high = 0;
  expect.clause.clear();
}

}  // namespace streampool::history
