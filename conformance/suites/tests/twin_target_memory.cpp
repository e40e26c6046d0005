// Allocation, free and probes of a twin.
#include <algorithm>

#include "conformance/suites/tests/twin_target.hpp"

namespace streampool::suites::twins {

using enum Fault;
using history::Op;

history::Status TwinTarget::failed_malloc(Result& result, Status status) {
  result.out = Result::Out::null;
  if (twin_.is(oom_leaves_pointer)) result.out = Result::Out::unchanged;
  if (twin_.is(oom_garbage_pointer)) {
    result.out = Result::Out::address;
    result.out_address = 0x1000;
  }
  return status;
}

history::Status TwinTarget::allocate(const Call& call, Result& result, Lock& lock) {
  const bool plain = call.op == Op::plain_malloc;
  const PoolIndex p = plain ? plain_pool : pool_of(call);
  const std::uint64_t size = *call.size;
  const Stream s = plain ? 0 : stream(call.stream);
  if (size == 0 && !twin_.is(zero_size_allocates)) {
    if (twin_.is(zero_size_refused)) return failed_malloc(result, Status::invalid_value);
    result.value = 0;
    objects_[call.allocation] = {};
    if (!plain) device_->submit(s);
    return Status::ok;
  }
  if (twin_.is(malloc_waits) && !plain) device_->wait_for(Cut(device_->stream(s).reach), lock);
  Grant grant = memory_->allocate(p, std::max<std::uint64_t>(size, 1), s);
  if (grant.outcome != Outcome::served && twin_.is(malloc_waits_when_short) && !plain) {
    wait_for_pool(p, lock);
    grant = memory_->allocate(p, size, s);
  }
  const bool submit_fails = grant.outcome == Outcome::served && !plain && fail_submit_ > 0 && --fail_submit_ == 0;
  if (submit_fails && !twin_.is(fault_ignored)) {
    if (!twin_.is(fault_leaves_item)) {
      Block* block = memory_->starting_at(grant.address);
      memory_->release_block(*block, {.sync = true});
      memory_->trim(p, 0);
    }
    return failed_malloc(result, Status::out_of_memory);
  }
  if (grant.outcome != Outcome::served || submit_fails) {
    if (twin_.is(null_success) || submit_fails) {
      result.value = 0;
      objects_[call.allocation] = {};
      return Status::ok;
    }
    if (twin_.is(oom_status)) return failed_malloc(result, Status::invalid_value);
    if (twin_.is(malloc_status)) return failed_malloc(result, Status::not_supported);
    return failed_malloc(result, Status::out_of_memory);
  }
  const auto thread = std::this_thread::get_id();
  const bool other_thread = last_malloc_.address != 0 && last_malloc_.thread != thread && on_another_thread();
  if (other_thread && twin_.is(count_lost_between_threads))
    memory_->pool(p).used -= std::min(last_malloc_.size, memory_->pool(p).used);
  if (other_thread && twin_.is(race_hands_out_twice)) grant.address = last_malloc_.address;
  last_malloc_ = {thread, grant.address, size};
  if (Block* block = memory_->starting_at(grant.address); block != nullptr) block->thread = thread;
  if (!plain) {
    Item item;
    item.after = grant.waits;
    device_->submit(s, std::move(item));
  }
  objects_[call.allocation] = {true, 0, grant.address, size};
  if (twin_.is(unwritten_success)) {
    result.unwritten = true;
  } else {
    result.value = grant.address;
  }
  return Status::ok;
}

Block* TwinTarget::freed(const Call& call, bool async, Status& status) {
  const std::uint64_t at = address(call.pointer);
  if (at == 0) {
    status = twin_.is(free_null_refused) ? Status::invalid_value : Status::ok;
    return nullptr;
  }
  status = Status::invalid_value;
  if (Block* block = memory_->starting_at(at); block != nullptr) {
    const bool is_plain = block->pool == plain_pool, other_kind = is_plain != (call.op == Op::plain_free);
    if (async && is_plain && twin_.is(async_free_of_plain_refused)) return nullptr;
    if (!async && other_kind && twin_.is(cross_free_refused)) return nullptr;
    if (async && twin_.is(free_refused)) return nullptr;
    if (call.op == Op::free_sync && twin_.is(free_sync_refused)) return nullptr;
    if (call.op == Op::plain_free && twin_.is(plain_free_refused)) return nullptr;
    status = Status::ok;
    return block;
  }
  if (Block* block = memory_->holding(at); block != nullptr) {
    if (twin_.is(interior_accepted)) {
      status = Status::ok;
      return block;
    }
    if (twin_.is(interior_frees)) memory_->release_block(*block, {.sync = true});
    return nullptr;
  }
  if (memory_->was_freed(at)) {
    const bool pending = memory_->free_pending(at);
    const bool accepted = pending ? twin_.is(double_free_accepted) : twin_.is(double_free_proved_accepted);
    if (accepted) status = Status::ok;
    if (twin_.is(double_free_counts) || accepted) memory_->miscount_free(at);
    return nullptr;
  }
  if (twin_.is(foreign_pointer_accepted)) status = Status::ok;
  if (twin_.is(crashes_on_foreign_pointer)) status = Status::crash;
  return nullptr;
}

history::Status TwinTarget::free_async(const Call& call, Lock& lock) {
  Status status{};
  Block* block = freed(call, true, status);
  if (block == nullptr) return status;
  const Stream s = stream(call.stream);
  if (twin_.is(foreign_stream_free_refused) && block->stream != s && block->pool != plain_pool)
    return Status::invalid_value;
  if (twin_.is(blocks_belong_to_threads) && block->thread != std::this_thread::get_id()) return Status::invalid_value;
  const std::uint64_t begin = block->begin;
  if (twin_.is(free_waits)) device_->wait_for(Cut(device_->stream(s).reach), lock);
  if (twin_.is(free_of_reused_waits)) {
    const std::vector<Mark> over = block->over;
    device_->wait_for(
        [&] {
          return std::ranges::all_of(
              over, [&](const Mark& mark) { return mark.sync || device_->done(mark.stream, mark.position); });
        },
        lock);
  }
  block = memory_->starting_at(begin);
  if (fail_submit_ > 0 && --fail_submit_ == 0) {
    if (twin_.is(failed_free_counts)) memory_->release_block(*block, {.sync = true});
    return Status::out_of_memory;
  }
  const std::uint64_t n = device_->submit(s);
  Mark mark;
  mark.stream = s;
  mark.position = n;
  const auto thread = std::this_thread::get_id();
  mark.lost = twin_.is(free_lost_between_threads) && on_another_thread() && last_free_ != thread;
  last_free_ = thread;
  memory_->release_block(*block, mark);
  return Status::ok;
}

history::Status TwinTarget::free_sync(const Call& call) {
  Status status{};
  Block* block = freed(call, false, status);
  if (block == nullptr) return status;
  Mark mark;
  mark.sync = true;
  if (twin_.is(free_sync_proves_nothing) && block->pool != plain_pool) {
    mark.sync = false;
    mark.stream = block->stream;
    mark.position = device_->stream(block->stream).submitted() + 1000;
  }
  memory_->release_block(*block, mark);
  return Status::ok;
}

history::Status TwinTarget::probe(const Call& call, Lock& lock) {
  const Stream s = stream(call.stream);
  if (call.op == Op::launch) {
    device_->submit(s);
    return Status::ok;
  }
  const std::uint64_t begin = address(call.pointer);
  const bool named = call.pointer.kind == history::Pointer::Kind::named;
  const std::uint64_t size = call.size ? *call.size
                             : named   ? objects_.at(call.pointer.name).size - call.pointer.value
                                       : 1;
  Item item;
  if (call.op == Op::fill) {
    item.effect = [this, begin, size, byte = call.byte] { memory_->fill(begin, begin + size, byte); };
    device_->submit(s, std::move(item));
    return Status::ok;
  }
  const auto same = std::make_shared<bool>(false);
  item.effect = [this, same, begin, size, byte = call.byte] { *same = memory_->holds(begin, begin + size, byte); };
  device_->submit(s, std::move(item));
  const Cut cut = device_->stream(s).reach;
  device_->wait_for(cut, lock);
  device_->prove(cut);
  memory_->release_point(device_->stream(s).device);
  return *same ? Status::ok : Status::mismatch;
}

}  // namespace streampool::suites::twins
