// Pinned host buffers for `read`, each with an event that is recorded behind the copy.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "conformance/abi/streampool_runtime.h"

namespace streampool::vendor {

class Session;
struct StreamUse;

class Staging {
 public:
  // Makes the first buffers of a device: pinning memory later can wait for the device.
  streampool_status prepare(const Session& session, int device);
  // Copies from the device in pieces of one buffer; returns when the last piece's event has completed.
  streampool_status read(const Session& session, const StreamUse& stream, const void* from, std::size_t bytes,
                         void* to);
  streampool_status release(const Session& session);

 private:
  struct Buffer {
    void* host = nullptr;
    void* event = nullptr;
    int device = 0;
    bool busy = false;
  };
  streampool_status make(const Session& session, int device, Buffer*& buffer);
  streampool_status take(const Session& session, int device, Buffer*& buffer);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

}  // namespace streampool::vendor
