// What a worker was doing, in memory that outlives it: the text of the running case's history, line by line.
//
// A line is written before its call is made and completed after it, so that after a crash or a hang the reader sees the
// history so far and the call that did not return. One writer of text, one reader (another process); no system call on
// the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace streampool::kit {

class Journal {
 public:
  static constexpr std::size_t capacity = std::size_t{4} << 20;  // bytes of text; what comes later is dropped

  // Memory of its own; `descriptor()` is to be handed to the writer.
  Journal();
  // The writer's side of a descriptor that was inherited.
  explicit Journal(int descriptor);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  [[nodiscard]] int descriptor() const { return descriptor_; }

  // A new case begins: no text, no gates.
  void clear();
  // The text of the same case is written again.
  void begin_again();
  void append(std::string_view text);
  // Something happened that leaves no text.
  void tick();

  // A call is made, and has returned. Any thread; leaves no text.
  void enter();
  void leave();
  // The watchdog has opened this gate, for a call would not return. Any thread; the text stays as it is.
  void opened(std::string_view gate);

  // Grows with every clear, append and tick: a reader that sees it stand still sees a hang.
  [[nodiscard]] std::uint64_t progress() const;
  [[nodiscard]] std::string text() const;
  // Calls that have not returned.
  [[nodiscard]] std::uint64_t in_flight() const;
  // The gates that the watchdog has opened since the case began, in their order.
  [[nodiscard]] std::vector<std::string> opened_gates() const;

 private:
  struct Shared;
  int descriptor_ = -1;
  Shared* shared_ = nullptr;
};

}  // namespace streampool::kit
