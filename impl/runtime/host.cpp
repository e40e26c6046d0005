// The runtime `host`: real threads, real memory.
#include "impl/device/host/host_device.hpp"
#include "impl/runtime/table.hpp"

extern "C" const streampool_runtime* streampool_runtime_table() {
  return streampool::engine::Table<streampool::engine::HostDevice>::get();
}
