// What handles of the runtime stand for.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "impl/device/queues.hpp"
#include "impl/pool/pool.hpp"

namespace streampool::engine {

struct Stream {
  Stream(StreamIndex index_, bool blocking_) : index(index_), blocking(blocking_) {}
  const StreamIndex index;
  const bool blocking;
  bool legacy = false;
  bool is_default = false;
  std::mutex submitting;  // one submission at a time: its order and its item belong together
};

// A cut, and the point whose completion shows all of it. Never recorded: the empty cut.
struct Event {
  struct Record {
    Point point;
    Clock cut;
  };
  std::mutex mutex;
  std::shared_ptr<const Record> record;
  std::shared_ptr<const Record> read() {
    const std::lock_guard lock(mutex);
    return record;
  }
  void write(std::shared_ptr<const Record> fresh) {
    const std::lock_guard lock(mutex);
    record = std::move(fresh);
  }
};

}  // namespace streampool::engine
