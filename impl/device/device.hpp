// What the pool needs of a device, as concepts. A device of one's own models PoolDevice; see examples/.
#pragma once

#include <concepts>

#include "impl/pool/units.hpp"

namespace streampool::engine {

// One range of addresses, reserved for as long as the device lives. Its start is a multiple of the granularity.
template <class D>
concept AddressSpace = requires(const D& d) {
  { d.base() } -> std::same_as<Address>;
  { d.range() } -> std::same_as<Bytes>;
};

// Physical memory behind parts of it, in whole granules (a power of two of at least unit_bytes).
//   commit    false: there is none; then nothing changed
//   decommit  the memory goes back to the system and loses its content
template <class D>
concept PhysicalMemory = requires(D& d, const D& c, Address a, Bytes n) {
  { c.granularity() } -> std::same_as<Bytes>;
  { d.commit(a, n) } -> std::same_as<bool>;
  { d.decommit(a, n) };
};

// How far a stream has come: every point up to the answer is complete, `Position::all` where nothing is pending.
// Called from any thread. `explicit_items`: every malloc and free is an item of the stream's queue (see Order).
template <class D>
concept Progress = requires(const D& c, StreamIndex s) {
  { c.completed(s) } -> std::same_as<Position>;
  { D::explicit_items } -> std::convertible_to<bool>;
};

template <class D>
concept PoolDevice = AddressSpace<D> && PhysicalMemory<D> && Progress<D>;

// Ordering one stream after a point of another, for those who let the device wait by themselves (streampool::Pool).
template <class D>
concept OrderingDevice = PoolDevice<D> && requires(D& d, StreamIndex s, Point p) {
  { d.wait(s, p) };
};

}  // namespace streampool::engine
