// A program with a missing wait, run twice on the simulated device.
//
// A producer fills a buffer, records an event and frees the buffer; a consumer waits for the event and reads. What is
// missing: the free must come after the read, so the producer has to wait for the consumer first. On the normal device
// nothing happens between the two, and the consumer reads what it expects, by luck. In adversarial mode the device runs
// everything first that order permits, and freed memory is overwritten in stream order: the read shows it at once.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace {

constexpr std::uint64_t bytes = std::uint64_t{1} << 20;

// Does the consumer read what the producer wrote?
bool run(bool adversarial, bool with_wait) {
  const streampool_runtime& r = *streampool_runtime_table();
  const streampool_option option{"adversarial", adversarial ? "1" : "0"};
  streampool_context c = 0;
  if (r.open(&option, 1, &c) != STREAMPOOL_OK) return false;
  std::uint64_t producer = 0, consumer = 0, written = 0, read = 0, pool = 0, buffer = 0;
  r.stream_create(c, 0, STREAMPOOL_STREAM_NONBLOCKING, &producer);
  r.stream_create(c, 0, STREAMPOOL_STREAM_NONBLOCKING, &consumer);
  r.event_create(c, 0, &written);
  r.event_create(c, 0, &read);
  r.pool_create(c, 0, 0, &pool);

  r.malloc_from_pool(c, &buffer, bytes, pool, producer);
  r.fill(c, producer, buffer, 7, bytes);
  r.event_record(c, written, producer);
  r.stream_wait_event(c, consumer, written);
  std::vector<unsigned char> seen(bytes);
  if (with_wait) {
    r.read(c, consumer, buffer, bytes, seen.data());
    r.event_record(c, read, consumer);
    r.stream_wait_event(c, producer, read);
    r.free_async(c, buffer, producer);
  } else {
    r.free_async(c, buffer, producer);
    r.read(c, consumer, buffer, bytes, seen.data());
  }
  r.close(c);
  for (const unsigned char byte : seen) {
    if (byte != 7) return false;
  }
  return true;
}

}  // namespace

int main() {
  bool as_expected = true;
  for (const bool adversarial : {false, true}) {
    for (const bool with_wait : {false, true}) {
      const bool right = run(adversarial, with_wait);
      std::printf("%-11s %-16s the consumer reads %s\n", adversarial ? "adversarial" : "normal",
                  with_wait ? "with the wait:" : "without it:", right ? "what was written" : "FREED MEMORY");
      as_expected = as_expected && right == (with_wait || !adversarial);
    }
  }
  return as_expected ? 0 : 1;
}
