// A CUDA driver made of host memory, for tests: a library of its own with the symbols of the real one, and these calls
// beside. It keeps to the real one's rules: what is mapped lies in a reservation, nothing is mapped twice, an unmap
// takes whole mappings, and memory is there as long as a handle or a mapping needs it.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace streampool::engine::cuda::fake {

struct Ledger {
  std::size_t reserved = 0;                    // bytes of addresses
  std::size_t physical = 0;                    // bytes of memory
  std::size_t mapped = 0;                      // bytes of mappings
  std::size_t handles = 0;                     // not released yet
  int contexts = 0;                            // retained and not released
  int depth = 0;                               // contexts that are pushed
  int maps = 0, unmaps = 0, accesses = 0;      // calls
  std::vector<std::pair<void*, void*>> waits;  // (stream of the last record, stream that waits)
  std::vector<void*> busy;                     // streams with work
  const char* failing = nullptr;               // this call fails …
  int failing_nth = 0;                         // … the nth time from now
  int devices = 1;
};

// Symbol `fake_ledger` of the library.
using LedgerFunction = Ledger* (*)();

}  // namespace streampool::engine::cuda::fake
