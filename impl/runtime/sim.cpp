// The runtime `sim`: the same pool over a device that moves only by steps.
#include "impl/device/simulated/simulated_device.hpp"
#include "impl/runtime/table.hpp"

extern "C" const streampool_runtime* streampool_runtime_table() {
  return streampool::engine::Table<streampool::engine::SimulatedDevice>::get();
}
