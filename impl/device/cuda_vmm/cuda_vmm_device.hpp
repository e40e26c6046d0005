// A device over the CUDA driver's virtual memory calls: one range of addresses, reserved once; physical memory created
// and mapped a granule at a time, because the driver unmaps only what was mapped as one. Streams are the program's own:
// it binds each of its CUstreams to the stream index that the engine knows it by.
//
// Thread safe, but for bind and unbind of a stream, which nothing of that stream may overlap.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "impl/device/cuda_vmm/driver.hpp"
#include "impl/device/device.hpp"

namespace streampool::engine {

class CudaVmmDevice {
 public:
  static constexpr bool explicit_items = false;

  struct Options {
    int ordinal = 0;
    Bytes range = Bytes{1} << 40;        // addresses; rounded up to whole granules
    Bytes granularity = Bytes{2} << 20;  // rounded up to a power of two that the driver can do
    std::string library = "libcuda.so.1";
  };
  // Null, with the reason in `why`: no driver, no such device, or no addresses.
  static std::unique_ptr<CudaVmmDevice> open(const Options& options, std::string& why);
  ~CudaVmmDevice();
  CudaVmmDevice(const CudaVmmDevice&) = delete;
  CudaVmmDevice& operator=(const CudaVmmDevice&) = delete;

  // Which CUstream the index stands for; not null (CU_STREAM_LEGACY names the default stream). Its work is the
  // program's, as are the stream itself and its life. Before it is unbound, all its work must be complete.
  void bind(StreamIndex index, cuda::Stream stream);
  void unbind(StreamIndex index);

  // What the pool asks for, see device.hpp.
  [[nodiscard]] Address base() const { return base_; }
  [[nodiscard]] Bytes range() const { return range_; }
  [[nodiscard]] Bytes granularity() const { return granularity_; }
  bool commit(Address at, Bytes bytes);
  // The pool gives back only memory whose last use is complete.
  void decommit(Address at, Bytes bytes);
  // All or nothing: the driver tells whether a stream is empty, not how far it has come.
  [[nodiscard]] Position completed(StreamIndex s) const;
  // Later work of s starts after all that the point's stream has been given so far, the point included.
  void wait(StreamIndex s, Point point);

  // The first call of the driver that failed where nothing but success was expected (unmap, wait); empty: none did.
  [[nodiscard]] std::string fault() const;

 private:
  class Current;  // makes the device's context the thread's own for a while
  explicit CudaVmmDevice(std::unique_ptr<const cuda::Driver> driver) : driver_(std::move(driver)) {}
  cuda::Result set_up(const Options& options);
  cuda::Result map_granule(cuda::DevicePointer at);
  void expect(cuda::Result result, const char* call) const;
  [[nodiscard]] cuda::Stream stream(StreamIndex s) const;

  std::unique_ptr<const cuda::Driver> driver_;
  cuda::AllocationProperties properties_;
  cuda::Device device_ = 0;
  cuda::Context context_ = nullptr;
  cuda::Event event_ = nullptr;  // recorded and waited for under `ordering_`
  std::mutex ordering_;
  Address base_{};
  Bytes range_ = 0;
  Bytes granularity_ = 0;
  mutable std::shared_mutex binding_;
  std::vector<cuda::Stream> streams_;  // by index; null: not bound
  mutable std::mutex fault_lock_;
  mutable std::string fault_;
};
static_assert(OrderingDevice<CudaVmmDevice>);

}  // namespace streampool::engine
