// What the adapter needs from a vendor's library, in one shape for all vendors: the shape of the CUDA runtime API,
// which HIP shares symbol by symbol. Where a vendor differs (Ascend), its own file puts a small function of this shape
// here.
//
// Every call answers the vendor's own code, 0 being success. Handles and addresses are the vendor's pointers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace streampool::vendor {

// One function of the library: its address, or null where the library has none, and the vendor's name for it.
struct Slot {
  void (*address)() = nullptr;
  const char* name = nullptr;
};

template <class Function>
struct Call;
template <class Answer, class... Arguments>
struct Call<Answer(Arguments...)> : Slot {
  using Function = Answer(Arguments...);
  Call& operator=(const Slot& slot) {
    address = slot.address;
    name = slot.name;
    return *this;
  }
  explicit operator bool() const { return address != nullptr; }
  // The vendor's enumerations travel as int and its handles as void*: same size and same registers on every platform
  // these libraries exist for, and check_headers.cpp compares both with the vendor's headers.
  Answer operator()(Arguments... arguments) const {
    return reinterpret_cast<Answer (*)(Arguments...)>(address)(arguments...);
  }
};

struct Calls {
  // Once a process; absent where the library needs no such call.
  Call<int(const char* configuration)> initialize;
  Call<int(int* count)> device_count;
  Call<int(int device)> device_set;
  Call<int()> device_synchronize;
  Call<int(int* value, int attribute, int device)> device_attribute;
  Call<int(int* version)> runtime_version;
  Call<int(int* version)> driver_version;
  Call<int(std::size_t* free_bytes, std::size_t* total_bytes)> memory_info;
  Call<const char*(int code)> error_text;

  Call<int(void** stream, unsigned flags)> stream_create;
  Call<int(void* stream)> stream_destroy;
  Call<int(void* stream)> stream_synchronize;
  Call<int(void* stream)> stream_query;

  Call<int(void** event, unsigned flags)> event_create;
  Call<int(void* event)> event_destroy;
  Call<int(void* event, void* stream)> event_record;
  Call<int(void* stream, void* event, unsigned flags)> stream_wait_event;
  Call<int(void* event)> event_synchronize;
  Call<int(void* event)> event_query;

  Call<int(void** pool, const void* properties)> pool_create;
  Call<int(void* pool)> pool_destroy;
  Call<int(void** pool, int device)> pool_default;
  Call<int(int device, void* pool)> pool_set_current;
  Call<int(void** pool, int device)> pool_get_current;
  Call<int(void* pool, std::size_t keep_bytes)> pool_trim;
  Call<int(void* pool, int attribute, void* value)> attribute_get;
  Call<int(void* pool, int attribute, void* value)> attribute_set;

  Call<int(void** address, std::size_t bytes, void* pool, void* stream)> malloc_from_pool;
  Call<int(void** address, std::size_t bytes, void* stream)> malloc_current;
  Call<int(void* address, void* stream)> free_async;
  Call<int(void** address, std::size_t bytes)> plain_malloc;
  Call<int(void* address)> free_now;  // plain memory, and pool memory without a stream

  Call<int(void* address, int value, std::size_t bytes, void* stream)> memset_async;
  Call<int(void* to, const void* from, std::size_t bytes, int kind, void* stream)> memcpy_async;
  Call<int(void** host, std::size_t bytes, unsigned flags)> host_malloc;
  Call<int(void* host)> host_free;
  Call<int(void** device_view, void* host, unsigned flags)> host_device_pointer;

  // Gates: words that the host writes and a stream waits on.
  Call<int(void** words, std::size_t bytes)> gate_words_malloc;
  Call<int(void* words)> gate_words_free;
  Call<int(void* stream, void* word, std::uint32_t at_least)> gate_wait;
};

}  // namespace streampool::vendor
