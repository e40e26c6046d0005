// Gates: words in memory that both sides see. The host opens a gate with one store, the device's own wait on the word
// holds the stream, so that no thread of anybody is needed.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::vendor {

class Session;

class Gates {
 public:
  // Makes words ahead, because making them can wait for the device.
  streampool_status prepare(const Session& session);
  streampool_status create(const Session& session, streampool_gate& gate);
  streampool_status hold(const Session& session, void* stream, streampool_gate gate);
  streampool_status open(streampool_gate gate);
  // A closed gate that holds a stream is refused: its end would hang the stream or open the gate unasked.
  streampool_status destroy(streampool_gate gate);
  void open_all();
  streampool_status release(const Session& session);

 private:
  struct Gate {
    std::uint32_t* word = nullptr;
    bool open = false;
    unsigned holds = 0;  // waits that were enqueued or are about to be
  };
  streampool_status make_words(const Session& session);  // under words_mutex_
  streampool_status take_word(const Session& session, std::uint32_t*& word);
  Gate* find(streampool_gate gate);  // under mutex_

  std::mutex mutex_;  // never held across a vendor's call: a gate can be opened while any other call is stuck
  std::unordered_map<streampool_gate, Gate> gates_;
  streampool_gate last_ = 0;

  std::mutex words_mutex_;
  std::vector<std::uint32_t*> fresh_;  // words never used: a used one may still be waited on, so none is used twice
  std::vector<void*> allocations_;
};

}  // namespace streampool::vendor
