// An entry that refuses dead handles and passes everything else on: for faults that keep destroyed objects.
#pragma once

#include <tuple>

#include "conformance/mutants/runtime/ledger.hpp"

namespace streampool::mutants {

// `Dead(handle)` is asked about the parameter with this index.
template <auto Entry, std::size_t Index, auto Dead>
struct Guarded;
template <class... Parameters, Status (*streampool_runtime::*Entry)(Parameters...), std::size_t Index, auto Dead>
struct Guarded<Entry, Index, Dead> {
  static Status call(Parameters... parameters) {
    if (Dead(std::get<Index>(std::tie(parameters...)))) return STREAMPOOL_INVALID_HANDLE;
    return (noted().*Entry)(parameters...);
  }
};

}  // namespace streampool::mutants
