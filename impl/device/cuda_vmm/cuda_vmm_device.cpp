#include "impl/device/cuda_vmm/cuda_vmm_device.hpp"

#include <algorithm>
#include <bit>

namespace streampool::engine {

class CudaVmmDevice::Current {
 public:
  explicit Current(const CudaVmmDevice& device) : device_(device) {
    device_.expect(device_.driver_->context_push(device_.context_), "cuCtxPushCurrent");
  }
  ~Current() {
    cuda::Context popped = nullptr;
    device_.expect(device_.driver_->context_pop(&popped), "cuCtxPopCurrent");
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const CudaVmmDevice& device_;
};

std::unique_ptr<CudaVmmDevice> CudaVmmDevice::open(const Options& options, std::string& why) {
  auto driver = cuda::Driver::load(options.library, why);
  if (driver == nullptr) return nullptr;
  std::unique_ptr<CudaVmmDevice> device(new CudaVmmDevice(std::move(driver)));
  if (const cuda::Result result = device->set_up(options); result != cuda::success) {
    why = "no CUDA device " + std::to_string(options.ordinal) + ": " + device->driver_->text(result);
    return nullptr;
  }
  return device;
}

cuda::Result CudaVmmDevice::set_up(const Options& options) {
  if (const auto r = driver_->init(0); r != cuda::success) return r;
  if (const auto r = driver_->device_get(&device_, options.ordinal); r != cuda::success) return r;
  if (const auto r = driver_->context_retain(&context_, device_); r != cuda::success) return r;
  const Current current(*this);
  properties_.location.id = device_;
  std::size_t least = 0;
  if (const auto r = driver_->granularity(&least, &properties_, cuda::granularity_minimum); r != cuda::success)
    return r;
  granularity_ = std::bit_ceil(std::max<Bytes>({options.granularity, least, unit_bytes}));
  const Bytes range = (options.range + granularity_ - 1) / granularity_ * granularity_;
  if (const auto r = driver_->event_create(&event_, cuda::event_disable_timing); r != cuda::success) return r;
  cuda::DevicePointer base = 0;
  if (const auto r = driver_->reserve(&base, range, granularity_, 0, 0); r != cuda::success) return r;
  base_ = Address{base};
  range_ = range;
  return cuda::success;
}

CudaVmmDevice::~CudaVmmDevice() {
  if (context_ == nullptr) return;
  {
    const Current current(*this);
    if (range_ != 0) expect(driver_->unreserve(raw(base_), range_), "cuMemAddressFree");
    if (event_ != nullptr) expect(driver_->event_destroy(event_), "cuEventDestroy");
  }
  driver_->context_release(device_);
}

void CudaVmmDevice::bind(StreamIndex index, cuda::Stream stream) {
  const std::unique_lock lock(binding_);
  if (raw(index) >= streams_.size()) streams_.resize(raw(index) + 1);
  streams_[raw(index)] = stream;
}

void CudaVmmDevice::unbind(StreamIndex index) { bind(index, nullptr); }

cuda::Stream CudaVmmDevice::stream(StreamIndex s) const {
  const std::shared_lock lock(binding_);
  return raw(s) < streams_.size() ? streams_[raw(s)] : nullptr;
}

// The mapping keeps the memory, so the handle need not be kept.
cuda::Result CudaVmmDevice::map_granule(cuda::DevicePointer at) {
  cuda::AllocationHandle handle = 0;
  if (const auto r = driver_->create(&handle, granularity_, &properties_, 0); r != cuda::success) return r;
  const cuda::Result result = driver_->map(at, granularity_, 0, handle, 0);
  expect(driver_->release(handle), "cuMemRelease");
  return result;
}

bool CudaVmmDevice::commit(Address at, Bytes bytes) {
  const Current current(*this);
  Bytes mapped = 0;
  cuda::Result result = cuda::success;
  while (mapped < bytes && (result = map_granule(raw(at) + mapped)) == cuda::success) mapped += granularity_;
  const cuda::AccessDescription access{properties_.location};
  if (result == cuda::success) result = driver_->set_access(raw(at), bytes, &access, 1);
  if (result != cuda::success && mapped != 0) expect(driver_->unmap(raw(at), mapped), "cuMemUnmap");
  return result == cuda::success;
}

void CudaVmmDevice::decommit(Address at, Bytes bytes) {
  const Current current(*this);
  expect(driver_->unmap(raw(at), bytes), "cuMemUnmap");
}

Position CudaVmmDevice::completed(StreamIndex s) const {
  const cuda::Stream mine = stream(s);
  if (mine == nullptr) return Position::all;  // no work was given to it, or all is complete
  const Current current(*this);
  return driver_->stream_query(mine) == cuda::success ? Position::all : Position::none;
}

void CudaVmmDevice::wait(StreamIndex s, Point point) {
  const cuda::Stream first = stream(point.stream), then = stream(s);
  if (first == nullptr || first == then) return;
  const Current current(*this);
  const std::lock_guard lock(ordering_);
  expect(driver_->event_record(event_, first), "cuEventRecord");
  expect(driver_->stream_wait_event(then, event_, 0), "cuStreamWaitEvent");
}

void CudaVmmDevice::expect(cuda::Result result, const char* call) const {
  if (result == cuda::success) return;
  const std::lock_guard lock(fault_lock_);
  if (fault_.empty()) fault_ = std::string(call) + ": " + driver_->text(result);
}

std::string CudaVmmDevice::fault() const {
  const std::lock_guard lock(fault_lock_);
  return fault_;
}

}  // namespace streampool::engine
