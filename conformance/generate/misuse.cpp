// Misuse on purpose: only what the profile gives a status, so that whatever comes back is judged.
#include <algorithm>

#include "conformance/generate/writer.hpp"

namespace streampool::generate {

using history::Name;
using history::Op;
using history::Pointer;

void Writer::write_misuse(const Operation& o) {
  const model::Profile& profile = setting_.profile;
  PoolRow* const pool = pick(pools_, o.a);
  const Name stream = any_stream(o.b);
  if (pool == nullptr || stream == Name::none) return;
  const auto free = [&](const Pointer& pointer) {
    Call& call = add(Op::free);
    call.pointer = pointer;
    call.stream = stream;
  };
  const auto set = [&](std::int64_t attribute, std::uint64_t value) -> Call& {
    Call& call = add(Op::pool_set);
    call.pool = pool->name;
    call.attribute = static_cast<history::Attribute>(attribute);
    call.value.integer = value;
    return call;
  };
  const auto malloc = [&](std::uint64_t size) {
    Call& call = add(Op::malloc);
    call.allocation = fresh("x");
    call.size = size;
    call.pool = pool->name;
    call.stream = stream;
  };
  // What a refused free does to the block's pool is looked at.
  const auto refused = [&](Name owner, const Pointer& pointer) {
    const bool watched = o.b % 2 == 0 && std::ranges::find(pools_, owner, &PoolRow::name) != pools_.end();
    if (watched) add_get(owner, history::Attribute::used_mem_current);
    free(pointer);
    if (watched) add_get(owner, history::Attribute::used_mem_current);
  };
  // A dead name whose handle nobody has got since.
  const auto dead = [&](auto& rows, const auto& alive) -> const Dead* {
    const Dead* row = pick(rows, o.c);
    if (row == nullptr || !named(profile.dead_handle)) return nullptr;
    const bool taken = std::ranges::any_of(alive, [&](const auto& other) { return other.handle == row->handle; });
    return taken ? nullptr : row;
  };
  const std::size_t before = queue_.size();
  switch (o.kind) {
    case Kind::zero_size:
      if (profile.size_zero.binds()) malloc(0);
      break;
    case Kind::overflow:
      malloc(UINT64_MAX - o.c % 256);
      break;
    case Kind::free_null:
      if (named(profile.free_null)) free({});
      break;
    case Kind::double_free: {
      const Block* const block = pick(freed_, o.a);
      if (block == nullptr || !named(profile.double_free) || !named(profile.double_free_proved)) break;
      const bool recycled = std::ranges::any_of(live_, [&](const Block& other) {
        return block->address >= other.address && block->address < other.address + other.size;
      });
      if (!recycled) refused(block->pool, {Pointer::Kind::named, block->name, 0});
      break;
    }
    case Kind::interior: {
      const Block* const block = pick(live_, o.a);
      if (block == nullptr || block->size < 2 || !named(profile.interior_pointer)) break;
      if (profile.interior_pointer.value.allows(history::Status::ok)) break;    // no misuse: it frees the block
      if (block->pool == Name::none && !named(profile.foreign_pointer)) break;  // no pool knows it
      // Any byte, or one where a unit of the runtime's own may begin.
      const std::uint64_t units[] = {1, 256, 4096, setting_.granule};
      const std::uint64_t any = 1 + o.c % (block->size - 1), unit = units[(o.c >> 16) % std::size(units)];
      refused(block->pool, {Pointer::Kind::named, block->name, any < unit ? any : any / unit * unit});
      break;
    }
    case Kind::foreign:
      if (named(profile.foreign_pointer)) free({Pointer::Kind::absolute, Name::none, 0x1230});
      break;
    case Kind::dead_stream:
      if (const Dead* row = dead(dead_streams_, streams_)) {
        if (o.a % 2 == 0) {
          add(Op::stream_query).stream = row->name;
        } else if (const Block* const block = pick(live_, o.a)) {
          free({Pointer::Kind::named, block->name, 0});
          queue_.back().stream = row->name;
        }
      }
      break;
    case Kind::dead_event:
      if (const Dead* row = dead(dead_events_, events_)) {
        Call& call = add(o.a % 2 == 0 ? Op::event_record : Op::stream_wait_event);
        call.event = row->name;
        call.stream = stream;
      }
      break;
    case Kind::dead_pool:
      if (const Dead* row = dead(dead_pools_, pools_)) {
        if (o.a % 2 == 0) {
          add(Op::pool_destroy).pool = row->name;
        } else {
          malloc(256);
          queue_.back().pool = row->name;
        }
      }
      break;
    case Kind::destroy_default:
      if (default_pool_ != Name::none && named(profile.default_pool_destroy)) {
        add(Op::pool_destroy).pool = default_pool_;
      }
      break;
    case Kind::unknown_attribute:
      if (!named(profile.unknown_attribute)) break;
      if (o.b % 2 == 0) {
        set(1000 + static_cast<std::int64_t>(o.b / 2 % 8), 0);
      } else {
        add_get(pool->name, static_cast<history::Attribute>(1000 + o.b / 2 % 8));
      }
      break;
    case Kind::null_value:
      if (named(profile.null_value)) set(1 + o.b % 8, 0).value.kind = history::AttributeValue::Kind::null;
      break;
    case Kind::read_only:
      if (named(profile.read_only)) set(o.b % 2 == 0 ? 5 : 7, o.c % 2);
      break;
    case Kind::nonzero_watermark:
      if (named(profile.nonzero_watermark)) set(o.b % 2 == 0 ? 6 : 8, 1 + o.c % 3);
      break;
    default:  // other_switch_value
      if (profile.switch_other_values.binds()) set(1 + o.b % 3, 2 + o.c % 3);
      break;
  }
  for (std::size_t i = before; i < queue_.size(); ++i) shapes_.count(Shape::misuse);
}

}  // namespace streampool::generate
