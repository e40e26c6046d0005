// The fault that the open runtime has. Chosen when it is opened; none before.
#pragma once

#include <atomic>

#include "conformance/mutants/catalogue.hpp"

namespace streampool::mutants {

inline std::atomic<Fault> active{Fault::none};
inline bool is(Fault fault) { return active.load(std::memory_order_relaxed) == fault; }

// Set while a trim runs on this thread: some faults are a trim's alone.
inline thread_local bool trimming = false;
// Set while memory is given back on this thread, for faults that take what is pending for idle then.
inline thread_local bool taking_pending = false;
// Set while a stream is synchronised on this thread, for a fault that takes what is submitted meanwhile for proved.
inline thread_local bool proving_at_return = false;

}  // namespace streampool::mutants
