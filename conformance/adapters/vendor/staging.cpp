#include "conformance/adapters/vendor/staging.hpp"

#include <algorithm>
#include <cstring>

#include "conformance/adapters/vendor/session.hpp"

namespace streampool::vendor {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
constexpr int buffers_ready = 2;  // reads at the same time before another buffer must be pinned

}  // namespace

streampool_status Staging::make(const Session& session, int device, Buffer*& buffer) {
  auto made = std::make_unique<Buffer>();
  made->device = device;
  const Calls& calls = session.calls();
  if (const auto status = session.enter(device); status != STREAMPOOL_OK) return status;
  if (const auto status = session.run(calls.host_malloc, &made->host, buffer_bytes, 0u); status != STREAMPOOL_OK) {
    return status;
  }
  buffers_.push_back(std::move(made));  // from here on `release` ends what there is of it
  buffer = buffers_.back().get();
  return session.run(calls.event_create, &buffer->event, session.vendor().event_flags);
}

streampool_status Staging::prepare(const Session& session, int device) {
  const std::scoped_lock lock(mutex_);
  for (int made = 0; made < buffers_ready; ++made) {
    Buffer* buffer = nullptr;
    if (const auto status = make(session, device, buffer); status != STREAMPOOL_OK) return status;
  }
  return STREAMPOOL_OK;
}

streampool_status Staging::take(const Session& session, int device, Buffer*& buffer) {
  const std::scoped_lock lock(mutex_);
  const auto usable = [device](const auto& each) {
    return !each->busy && each->device == device && each->event != nullptr;
  };
  if (const auto found = std::ranges::find_if(buffers_, usable); found != buffers_.end()) {
    buffer = found->get();
  } else if (const auto status = make(session, device, buffer); status != STREAMPOOL_OK) {
    return status;
  }
  buffer->busy = true;
  return STREAMPOOL_OK;
}

streampool_status Staging::read(const Session& session, const StreamUse& stream, const void* from, std::size_t bytes,
                                void* to) {
  Buffer* buffer = nullptr;
  if (const auto status = take(session, stream.device, buffer); status != STREAMPOOL_OK) return status;
  const Calls& calls = session.calls();
  streampool_status status = STREAMPOOL_OK;
  for (std::size_t done = 0; status == STREAMPOOL_OK && done < bytes;) {
    const std::size_t piece = std::min(buffer_bytes, bytes - done);
    const void* source = static_cast<const std::byte*>(from) + done;
    const int kind = session.vendor().copy_device_to_host;
    status = session.run(calls.memcpy_async, buffer->host, source, piece, kind, stream.native);
    if (status == STREAMPOOL_OK) status = session.run(calls.event_record, buffer->event, stream.native);
    if (status == STREAMPOOL_OK) status = session.run(calls.event_synchronize, buffer->event);
    if (status == STREAMPOOL_OK) std::memcpy(static_cast<std::byte*>(to) + done, buffer->host, piece);
    done += piece;
  }
  // After a failure the copy may still be under way: the buffer stays busy and is never used again.
  const std::scoped_lock lock(mutex_);
  buffer->busy = status != STREAMPOOL_OK;
  return status;
}

streampool_status Staging::release(const Session& session) {
  const std::scoped_lock lock(mutex_);
  streampool_status first = STREAMPOOL_OK;
  const auto keep_first = [&first](streampool_status status) {
    if (first == STREAMPOOL_OK) first = status;
  };
  for (const auto& buffer : buffers_) {
    if (buffer->event != nullptr) keep_first(session.run(session.calls().event_destroy, buffer->event));
    keep_first(session.run(session.calls().host_free, buffer->host));
  }
  buffers_.clear();
  return first;
}

}  // namespace streampool::vendor
