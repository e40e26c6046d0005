// Mutations that keep operations whole: one is inserted, left out, doubled, moved or changed. For libFuzzer only.
#include <algorithm>
#include <cstring>
#include <random>

#include "fuzz/targets/operations.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  using streampool::fuzz::operation_bytes;
  std::minstd_rand random(seed);
  const std::size_t count = size / operation_bytes;
  const auto pick = [&](std::size_t below) { return below == 0 ? 0 : random() % below; };
  const auto place = [&](std::size_t index) { return data + index * operation_bytes; };
  switch (random() % 6) {
    case 0:  // insert, perhaps a copy of another
      if ((count + 1) * operation_bytes <= most) {
        std::uint8_t fresh[operation_bytes];
        for (auto& byte : fresh) byte = static_cast<std::uint8_t>(random() >> 8);
        if (count != 0 && random() % 2 == 0) std::memcpy(fresh, place(pick(count)), operation_bytes);
        const std::size_t at = pick(count + 1);
        std::memmove(place(at + 1), place(at), (count - at) * operation_bytes);
        std::memcpy(place(at), fresh, operation_bytes);
        return (count + 1) * operation_bytes;
      }
      break;
    case 1:  // leave some out
      if (count > 1) {
        const std::size_t at = pick(count), gone = std::min<std::size_t>(1 + pick(4), count - at);
        std::memmove(place(at), place(at + gone), (count - at - gone) * operation_bytes);
        return (count - gone) * operation_bytes;
      }
      break;
    case 2:  // exchange two
      if (count > 1) {
        const std::size_t one = pick(count), other = pick(count);
        if (one != other) std::swap_ranges(place(one), place(one + 1), place(other));
        return count * operation_bytes;
      }
      break;
    case 3:  // change an operand
      if (count != 0) {
        place(pick(count))[1 + pick(operation_bytes - 1)] = static_cast<std::uint8_t>(random() >> 8);
        return size;
      }
      break;
    case 4:  // change a kind
      if (count != 0) {
        place(pick(count))[0] = static_cast<std::uint8_t>(random() >> 8);
        return size;
      }
      break;
    default:
      break;
  }
  return LLVMFuzzerMutate(data, size, most);
}
