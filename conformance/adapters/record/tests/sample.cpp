// A program as a user writes it, over the fake of a vendor's library: the argument chooses what it does.
#include <barrier>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>

#include "conformance/adapters/tests/fake.hpp"

#ifdef FAKE_HIP
#define NAME(suffix) hip##suffix
#else
#define NAME(suffix) cuda##suffix
#endif

extern "C" {
streampool::fake::Script* fake_script();
int NAME(StreamCreateWithFlags)(void** stream, unsigned flags);
int NAME(StreamDestroy)(void* stream);
int NAME(StreamSynchronize)(void* stream);
int NAME(StreamWaitEvent)(void* stream, void* event, unsigned flags);
int NAME(StreamBeginCapture)(void* stream, int mode);
int NAME(EventCreateWithFlags)(void** event, unsigned flags);
int NAME(EventRecord)(void* event, void* stream);
int NAME(MemPoolCreate)(void** pool, const void* properties);
int NAME(MemPoolDestroy)(void* pool);
int NAME(MemPoolSetAttribute)(void* pool, int attribute, void* value);
int NAME(MemPoolGetAttribute)(void* pool, int attribute, void* value);
int NAME(MallocFromPoolAsync)(void** address, std::size_t bytes, void* pool, void* stream);
int NAME(MallocAsync)(void** address, std::size_t bytes, void* stream);
int NAME(FreeAsync)(void* address, void* stream);
int NAME(Malloc)(void** address, std::size_t bytes);
int NAME(Free)(void* address);
int NAME(Memcpy)(void* to, const void* from, std::size_t bytes, int kind);
int NAME(MemsetAsync)(void* address, int value, std::size_t bytes, void* stream);
}

namespace {

constexpr int device_to_host = 2;

struct Streams {
  void* one = nullptr;
  void* other = nullptr;
  Streams() {
    NAME(StreamCreateWithFlags)(&one, 1);
    NAME(StreamCreateWithFlags)(&other, 1);
  }
};

// Everything as it should be, through most of the functions.
int good() {
  Streams streams;
  struct {
    int allocation = 1, handles = 0, location = 1, device = 0;
    void* security = nullptr;
    std::size_t max_size = 0;
    char reserved[64] = {};
  } properties;
  void* pool = nullptr;
  void* address = nullptr;
  void* event = nullptr;
  std::uint64_t threshold = 4096;
  char host[16];
  int bad = 0;
  bad |= NAME(MemPoolCreate)(&pool, &properties);
  bad |= NAME(MemPoolSetAttribute)(pool, 4, &threshold);
  bad |= NAME(MemPoolGetAttribute)(pool, 4, &threshold);
  bad |= NAME(MallocFromPoolAsync)(&address, 4096, pool, streams.one);
  bad |= NAME(MemsetAsync)(address, 7, 4096, streams.one);
  bad |= NAME(EventCreateWithFlags)(&event, 2);
  bad |= NAME(EventRecord)(event, streams.one);
  bad |= NAME(StreamWaitEvent)(streams.other, event, 0);
  bad |= NAME(MemsetAsync)(static_cast<char*>(address) + 16, 8, 16, streams.other);
  bad |= NAME(StreamSynchronize)(streams.other);
  bad |= NAME(Memcpy)(host, address, sizeof host, device_to_host);
  bad |= NAME(FreeAsync)(address, streams.other);
  bad |= NAME(MemPoolDestroy)(pool);
  void* plain = nullptr;
  bad |= NAME(Malloc)(&plain, 256);
  bad |= NAME(Free)(plain);
  NAME(Free)(nullptr);  // what it answers does not matter
  return bad;
}

// A use on a stream that does not come after the allocation.
int missing_wait() {
  Streams streams;
  void* address = nullptr;
  NAME(MallocAsync)(&address, 4096, streams.one);
  NAME(MemsetAsync)(address, 7, 4096, streams.other);
  return 0;
}

// A free that overlaps another thread's synchronise: the fake lets the sync begin, then waits for the free.
int overlap() {
  Streams streams;
  void* address = nullptr;
  NAME(MallocAsync)(&address, 4096, streams.one);
  std::barrier both(2);
  fake_script()->before = [&](std::string_view name) {
    if (!name.ends_with("StreamSynchronize")) return;
    both.arrive_and_wait();
    both.arrive_and_wait();
  };
  std::jthread waits([&] { NAME(StreamSynchronize)(streams.one); });
  both.arrive_and_wait();
  NAME(FreeAsync)(address, streams.one);
  both.arrive_and_wait();
  return 0;
}

// Handles and memory that no recorded call made.
int unknown() {
  Streams streams;
  void* stream = fake_script()->born(std::malloc(16));
  void* event = fake_script()->born(std::malloc(16));
  void* memory = streampool::fake::make_memory(0);
  memory = fake_script()->born(memory);
  void* address = nullptr;
  NAME(MallocAsync)(&address, 4096, stream);
  NAME(StreamWaitEvent)(streams.other, event, 0);  // what it has captured nobody saw
  NAME(EventRecord)(event, stream);
  NAME(StreamWaitEvent)(streams.other, event, 0);
  NAME(FreeAsync)(address, streams.other);
  NAME(FreeAsync)(memory, streams.one);
  return 0;
}

int capture() {
  Streams streams;
  NAME(StreamBeginCapture)(streams.one, 0);
  void* address = nullptr;
  NAME(MallocAsync)(&address, 4096, streams.one);
  return 0;
}

// Dies with a call behind it that must not be lost.
int dies() {
  Streams streams;
  void* address = nullptr;
  NAME(MallocAsync)(&address, 4096, streams.one);
  std::abort();
}

struct Mode {
  std::string_view name;
  int (*run)();
};
constexpr Mode modes[] = {
    {"good", good}, {"missing_wait", missing_wait}, {"overlap", overlap}, {"unknown", unknown}, {"capture", capture},
    {"dies", dies}, {"seven", [] { return 7; }}};

}  // namespace

int main(int count, char** words) {
  for (const Mode& mode : modes) {
    if (count == 2 && mode.name == words[1]) return mode.run();
  }
  std::fprintf(stderr, "no such mode\n");
  return 64;
}
