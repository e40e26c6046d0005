// Faults of content: memory that is lost or shared though no addresses overlap. What a lost block holds is read as the
// byte that has taken its place.
#include <cstring>

#include "conformance/mutants/runtime/replacements.hpp"

namespace streampool::mutants {
namespace {

constexpr std::uint8_t garbage = 0xa5;

struct LostTag;
std::map<U64, std::uint8_t>& lost() { return memory<std::map<U64, std::uint8_t>, LostTag>(); }  // start → byte

struct AliasTag;
std::map<U64, U64>& aliases() { return memory<std::map<U64, U64>, AliasTag>(); }  // block → what it shares pages with

struct FallenTag;
std::map<U64, U64>& peak() { return memory<std::map<U64, U64>, FallenTag>(); }  // pool → most that it ever reserved

Status read(U64 c, U64 stream, U64 address, U64 bytes, void* host) {
  const Status status = engine().read(c, stream, address, bytes, host);
  const auto block = ledger().containing(address);
  if (status != STREAMPOOL_OK || !block) return status;
  if (const auto it = lost().find(block->address); it != lost().end()) std::memset(host, it->second, bytes);
  return status;
}
Status fill(U64 c, U64 stream, U64 address, std::uint8_t value, U64 bytes) {
  const Status status = noted().fill(c, stream, address, value, bytes);
  if (status != STREAMPOOL_OK) return status;
  lost().erase(address);
  if (const auto it = aliases().find(address); it != aliases().end()) lost()[it->second] = value;
  return status;
}
void show_losses(streampool_runtime& t) {
  t.read = read;
  t.fill = fill;
}
void lose(const std::vector<Block>& blocks, U64 except = 0) {
  for (const Block& block : blocks) {
    if (block.address != except) lost()[block.address] = garbage;
  }
}

// Runs a call that may release; the live blocks of pools that did are lost.
template <class Call>
Status losing_call(U64 c, Call call) {
  const std::vector<U64> pools = ledger().pools();
  std::vector<U64> before;
  for (const U64 pool : pools) before.push_back(reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT));
  const Status status = call();
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (reading(c, pools[i], STREAMPOOL_RESERVED_MEM_CURRENT) < before[i]) lose(ledger().live_of(pools[i]));
  }
  return status;
}

constexpr Replacement faults[] = {
    {Fault::growth_loses_content,
     [](streampool_runtime& t) {
       show_losses(t);
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const U64 before = reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT);
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK && reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT) > before) {
           lose(ledger().live_of(pool), *out);
         }
         return status;
       };
     }},
    {Fault::reuse_clears_neighbour,
     [](streampool_runtime& t) {
       show_losses(t);
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         if (status == STREAMPOOL_OK && ledger().was_freed(*out)) {
           const auto neighbour = ledger().containing((*out + bytes + 255) / 256 * 256);
           if (neighbour) lost()[neighbour->address] = garbage;
         }
         return status;
       };
     }},
    {Fault::remap_aliases,
     [](streampool_runtime& t) {
       show_losses(t);
       t.malloc_from_pool = [](U64 c, U64* out, U64 bytes, U64 pool, U64 stream) -> Status {
         const U64 before = reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT);
         const Status status = noted().malloc_from_pool(c, out, bytes, pool, stream);
         const U64 after = reading(c, pool, STREAMPOOL_RESERVED_MEM_CURRENT);
         const bool regrown = after > before && after <= peak()[pool];
         peak()[pool] = std::max(peak()[pool], after);
         const auto live = ledger().live_of(pool);
         if (status == STREAMPOOL_OK && regrown && live.size() > 1) aliases()[*out] = live.front().address;
         return status;
       };
     }},
    {Fault::release_drops_live,
     [](streampool_runtime& t) {
       show_losses(t);
       t.stream_synchronize = [](U64 c, U64 stream) -> Status {
         return losing_call(c, [&] { return engine().stream_synchronize(c, stream); });
       };
       t.device_synchronize = [](U64 c, std::uint32_t device) -> Status {
         return losing_call(c, [&] { return engine().device_synchronize(c, device); });
       };
     }},
    {Fault::trim_drops_live,
     [](streampool_runtime& t) {
       show_losses(t);
       t.pool_trim = [](U64 c, U64 pool, U64 keep) -> Status {
         return losing_call(c, [&] { return engine().pool_trim(c, pool, keep); });
       };
     }},
    {Fault::destroy_clears_live,
     [](streampool_runtime& t) {
       show_losses(t);
       t.pool_destroy = [](U64 c, U64 pool) -> Status {
         const Status status = noted().pool_destroy(c, pool);
         if (status == STREAMPOOL_OK) lose(ledger().live_of(pool));
         return status;
       };
     }},
    {Fault::odd_end_not_written,
     [](streampool_runtime& t) {
       t.fill = [](U64 c, U64 stream, U64 address, std::uint8_t value, U64 bytes) -> Status {
         return noted().fill(c, stream, address, value, bytes < 16 ? bytes : bytes / 16 * 16);
       };
     }},
};

}  // namespace

std::span<const Replacement> content_faults() { return faults; }

}  // namespace streampool::mutants
