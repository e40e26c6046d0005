#include "conformance/generate/writer.hpp"

#include <algorithm>

#include "conformance/kit/groups.hpp"
#include "fmt/format.h"

namespace streampool::generate {

using history::Name;
using history::Op;
using history::Pointer;

namespace {

// The kit lets at most 256 items stand behind closed gates; an operation adds a few.
constexpr std::uint64_t most_behind_gates = 240;

Pointer to(Name name, std::uint64_t offset = 0) { return {Pointer::Kind::named, name, offset}; }

}  // namespace

Kind kind_at(unsigned number) {
  static const auto table = [] {
    std::array<Kind, total_weight> all{};
    std::size_t next = 0;
    for (const KindInfo& info : kinds) {
      for (unsigned i = 0; i < info.weight; ++i) all[next++] = info.kind;
    }
    return all;
  }();
  return table[number];
}

Writer::Writer(const Setting& setting, history::NameTable& names) : setting_(setting), names_(names) {}

bool Writer::served(const model::Parameter<model::StatusRule>& rule) {
  return rule.binds() && rule.value.allows(history::Status::ok) && !rule.value.allows(history::Status::invalid_value);
}

Name Writer::fresh(std::string_view prefix) { return names_.intern(fmt::format("{}{}", prefix, ++counter_)); }

history::Call& Writer::add(Op op) {
  Call& call = queue_.emplace_back();
  call.op = op;
  return call;
}

bool Writer::offers(const Call& call) const { return (kit::groups_needed(call) & ~setting_.capabilities) == 0; }

void Writer::begin() {
  queue_.clear();
  next_ = 0;
  for (int i = 0; i < 2; ++i) {
    Call& call = add(Op::stream_create);
    call.stream = fresh("s");
    call.stream_kind = history::StreamKind::nonblocking;
  }
  add(Op::event_create).event = fresh("e");
  Call& pool = add(Op::pool_create);
  pool.pool = fresh("p");
  // One that gives nothing back, so that what explains a reuse is its own kind of explanation and no release.
  Call& keeping = add(Op::pool_create);
  const Name kept = keeping.pool = fresh("p");
  add_set(kept, history::Attribute::release_threshold, setting_.everything);
  std::erase_if(queue_, [&](const Call& call) { return !offers(call); });
}

// Order
// -----------------------------------------------------------------------------------------------------------------------

model::Stream Writer::stream_id(Name name) const {
  if (name == Name::legacy) return *legacy_;
  if (name == Name::per_thread) return *per_thread_;
  return std::ranges::find(streams_, name, &StreamRow::name)->id;
}

bool Writer::reached(const model::Item& item, Stream s) const {
  return item.position <=
         std::max(timeline_.program_reach(s).at(item.stream), timeline_.program_proved().at(item.stream));
}

bool Writer::ordered(const Block& block, Stream s) const {
  return reached(block.item, s) && std::ranges::all_of(block.uses, [&](const auto& use) { return reached(use, s); });
}

bool Writer::proved(const Block& block) const {
  const auto known = [&](const model::Item& item) {
    return item.position <= timeline_.program_proved().at(item.stream);
  };
  return known(block.item) && std::ranges::all_of(block.uses, known);
}

// A stream that comes after the allocation, and after every use where `all_uses`.
std::optional<Name> Writer::usable_stream(const Block& block, std::uint32_t operand, bool all_uses) const {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const StreamRow& row = streams_[(operand + i) % streams_.size()];
    if (all_uses ? ordered(block, row.id) : reached(block.item, row.id)) return row.name;
  }
  return std::nullopt;
}

Name Writer::any_stream(std::uint32_t operand) const {
  if (operand % 32 == 0) return Name::legacy;
  if (operand % 32 == 1) return Name::per_thread;
  return streams_.empty() ? Name::none : streams_[operand / 32 % streams_.size()].name;
}

// Sizes: few, so that blocks fit each other's places; some on each side of the granule.
std::uint64_t Writer::size_of(std::uint32_t operand) const {
  const std::uint64_t g = setting_.granule;
  const std::uint64_t sizes[] = {256,   256,   512,   512,     1024, 1024, 4096,  4096,  1,     100, 65536,
                                 g / 2, g / 2, g - 1, g - 256, g,    g,    g + 1, 2 * g, 3 * g, 768};
  return std::max<std::uint64_t>(1, sizes[operand % std::size(sizes)]);
}

void Writer::write(const Operation& operation) {
  queue_.clear();
  next_ = 0;
  overlapped_.reset();
  if (operation.kind >= Kind::zero_size) {
    write_misuse(operation);
  } else if (operation.kind >= Kind::reuse_attempt) {
    write_situation(operation);
  } else if (operation.kind >= Kind::malloc) {
    write_memory(operation);
  } else if (operation.kind >= Kind::pool_create) {
    write_pool(operation);
  } else {
    write_order(operation);
  }
  if (!std::ranges::all_of(queue_, [&](const Call& call) { return offers(call); })) queue_.clear();
}

void Writer::write_order(const Operation& o) {
  EventRow* const event = pick(events_, o.a);
  const Name stream = any_stream(o.b);
  const auto record = [&](Name s) {
    if (s == Name::none) return;
    Call& call = add(Op::event_record);
    call.event = event->name;
    call.stream = s;
  };
  const auto wait = [&](Name s) {
    if (s == Name::none) return;
    Call& call = add(Op::stream_wait_event);
    call.event = event->name;
    call.stream = s;
  };
  // A new event, which may get an old handle, is complete.
  const auto create_event = [&](const Operation& operation) {
    const Name made = add(Op::event_create).event = fresh("e");
    if (operation.b % 2 == 0) add(Op::event_query).event = made;
  };
  switch (o.kind) {
    case Kind::stream_create: {
      if (streams_.size() >= most_streams) return;
      Call& call = add(Op::stream_create);
      call.stream = fresh("s");
      call.stream_kind = o.a % 3 == 0 ? history::StreamKind::blocking : history::StreamKind::nonblocking;
      return;
    }
    case Kind::stream_destroy:
      if (streams_.size() < 2) return;
      if (event != nullptr && o.b % 2 == 0) record(pick(streams_, o.a)->name);
      add(Op::stream_destroy).stream = pick(streams_, o.a)->name;
      return;
    case Kind::event_create:
      if (events_.size() < most_events) create_event(o);
      return;
    case Kind::event_destroy:
      if (events_.size() < 2) return;
      add(Op::event_destroy).event = event->name;
      if (o.c % 2 == 0) create_event(o);
      return;
    case Kind::gate_hold: {
      if (stream == Name::none) return;
      Name gate = Name::none;
      if (gates_.size() >= most_gates || (o.a % 3 == 0 && !gates_.empty())) {
        gate = pick(gates_, o.a)->name;
      } else {
        gate = add(Op::gate_create).gate = fresh("g");
      }
      Call& call = add(Op::gate_hold);
      call.stream = stream;
      call.gate = gate;
      return;
    }
    case Kind::gate_open:
      if (gates_.empty()) return;
      // A gate is opened before it is destroyed: what destroying a closed one does is nowhere said.
      add(Op::gate_open).gate = pick(gates_, o.a)->name;
      if (o.b % 4 == 0) add(Op::gate_destroy).gate = pick(gates_, o.a)->name;
      return;
    case Kind::record:
      if (event != nullptr && stream != Name::none) record(stream);
      return;
    case Kind::wait:
      if (event != nullptr && stream != Name::none) wait(stream);
      return;
    case Kind::order:
      if (event == nullptr || stream == Name::none) return;
      record(stream);
      wait(any_stream(o.c));
      return;
    case Kind::chain:
      if (event == nullptr || stream == Name::none) return;
      record(stream);
      wait(any_stream(o.c));
      record(any_stream(o.c));
      wait(any_stream(o.a));
      return;
    case Kind::stream_sync:
    case Kind::stream_query:
      if (stream == Name::none) return;
      add(o.kind == Kind::stream_sync ? Op::stream_sync : Op::stream_query).stream = stream;
      if (o.kind == Kind::stream_sync) read_behind(o);
      return;
    case Kind::event_sync:
    case Kind::event_query:
      if (event == nullptr) return;
      add(o.kind == Kind::event_sync ? Op::event_sync : Op::event_query).event = event->name;
      if (o.kind == Kind::event_sync) read_behind(o);
      return;
    case Kind::device_sync:
      add(Op::device_sync);
      read_behind(o);
      return;
    default:  // step
      if (stream == Name::none) return;
      for (std::uint32_t i = 0; i < 1 + o.a % 4; ++i) add(Op::step).stream = stream;
      return;
  }
}

// What a release left, now and then.
void Writer::read_behind(const Operation& o) {
  if (o.c % 3 == 0 && !pools_.empty()) {
    add_get(pick(pools_, o.c / 3)->name, history::Attribute::reserved_mem_current);
  }
}

void Writer::write_pool(const Operation& o) {
  PoolRow* const pool = pick(pools_, o.a);
  const std::uint64_t g = setting_.granule;
  const std::uint64_t boundaries[] = {0, 0, g, g - 1, g + 1, 2 * g, 3 * g, 4 * g - 1, UINT64_MAX, UINT64_MAX};
  const auto set = [&](unsigned attribute, std::uint64_t value) {
    add_set(pool->name, static_cast<history::Attribute>(attribute), value);
  };
  const auto get = [&](Name name, unsigned attribute) { add_get(name, static_cast<history::Attribute>(attribute)); };
  if (o.kind == Kind::pool_create) {
    if (pools_.size() >= most_pools) return;
    const std::uint64_t sizes[] = {0, 0, g, 2 * g, 3 * g + 1, 4 * g};
    Call& call = add(Op::pool_create);
    const Name made = call.pool = fresh("p");
    if (const std::uint64_t size = sizes[o.b % std::size(sizes)]; size > 0) call.size = size;
    const std::uint64_t size = call.size.value_or(0);  // `call` lies in a queue that grows
    if (o.c % 2 == 0) get(made, 1 + o.c / 2 % 8);
    const std::uint64_t all = size > 0 ? (size + g - 1) / g * g : setting_.everything;
    if (o.c / 16 % 2 == 0) add_set(made, history::Attribute::release_threshold, all);
    return;
  }
  if (o.kind == Kind::pool_default) {
    if (default_pool_ == Name::none) add(Op::pool_default).pool = fresh("d");
    return;
  }
  if (o.kind == Kind::get_current) {
    add(Op::pool_get_current);
    return;
  }
  if (pool == nullptr) return;
  switch (o.kind) {
    case Kind::pool_destroy:
      if (!pool->own || pools_.size() < 2) return;
      if (!setting_.profile.destroy_with_live.binds()) {   // what then becomes of blocks and pending frees is not said
        const auto may_be_its = [&](const Block& block) {  // `current` may have been this one
          return block.pool == pool->name || block.pool == Name::legacy;
        };
        if (std::ranges::any_of(live_, may_be_its)) return;
        add(Op::device_sync);
      }
      add(Op::pool_destroy).pool = pool->name;
      if (o.b % 2 == 0) {  // a new pool, which may get the old handle, has settings of its own
        const Name made = add(Op::pool_create).pool = fresh("p");
        get(made, 1 + o.c % 8);
      }
      return;
    case Kind::set_current:
      add(Op::pool_set_current).pool = pool->name;
      return;
    case Kind::set_switch:
      set(1 + o.b % 3, o.c % 3 == 0 ? 1 : 0);
      return;
    case Kind::set_threshold:
      set(4, boundaries[o.b % std::size(boundaries)]);
      return;
    case Kind::reset_high:
      set(o.b % 2 == 0 ? 6 : 8, 0);
      return;
    case Kind::get_attribute:
      get(pool->name, o.b % 3 == 0 ? 1 + o.c % 4 : 5 + o.c % 4);
      return;
    default: {  // trim
      if (o.c % 2 == 0) get(pool->name, 5);
      Call& call = add(Op::pool_trim);
      call.pool = pool->name;
      call.size = boundaries[o.b % std::size(boundaries)];
      if (o.c % 4 < 3) get(pool->name, 5);
      return;
    }
  }
}

void Writer::write_memory(const Operation& o) {
  Block* const block = pick(live_, o.a);
  const Name stream = any_stream(o.b);
  switch (o.kind) {
    case Kind::malloc:
    case Kind::malloc_current: {
      if (stream == Name::none || live_.size() >= most_blocks || pools_.empty()) return;
      const bool watched = o.kind == Kind::malloc && o.c / 32 % 16 == 0;  // is what it does to reserved looked at?
      if (watched) add_get(pick(pools_, o.a)->name, history::Attribute::reserved_mem_current);
      Call& call = add(Op::malloc);
      call.allocation = fresh("x");
      call.size = size_of(o.c);
      call.stream = stream;
      if (o.kind == Kind::malloc) call.pool = pick(pools_, o.a)->name;
      if (watched) add_get(pick(pools_, o.a)->name, history::Attribute::reserved_mem_current);
      return;
    }
    case Kind::plain_malloc: {
      if (live_.size() >= most_blocks) return;
      Call& call = add(Op::plain_malloc);
      call.allocation = fresh("x");
      call.size = size_of(o.c);
      return;
    }
    case Kind::memory_info:
      add(Op::memory_info);
      return;
    case Kind::fault: {
      Call& call = add(Op::fail);
      constexpr history::FailKind which[] = {history::FailKind::reserve, history::FailKind::map,
                                             history::FailKind::submit};
      call.fail_kind = which[o.a % std::size(which)];
      call.size = 1 + o.b % 2;
      return;
    }
    case Kind::limit: {
      Call& call = add(Op::limit);
      call.device = history::Device{0};
      call.size = setting_.granule * (4 + o.a % 16);
      return;
    }
    default:
      break;
  }
  if (block == nullptr) return;
  switch (o.kind) {
    case Kind::free:
    case Kind::free_elsewhere: {
      // Elsewhere: a stream other than the allocating one, with the order that the program owes.
      if (block->pool == Name::none) return;
      std::optional<Name> where = usable_stream(*block, o.b, true);
      if (o.kind == Kind::free_elsewhere || !where) {
        if (events_.empty() || streams_.empty()) return;
        const StreamRow& target = streams_[o.b % streams_.size()];
        const Name event = pick(events_, o.c)->name;
        std::vector<Stream> sources;
        const auto source = [&](const model::Item& item) {
          if (!reached(item, target.id) && std::ranges::find(sources, item.stream) == sources.end()) {
            sources.push_back(item.stream);
          }
        };
        source(block->item);
        for (const model::Item& use : block->uses) source(use);
        for (const Stream s : sources) {
          const auto row = std::ranges::find(streams_, s, &StreamRow::id);
          Name name = Name::none;
          if (row != streams_.end()) name = row->name;
          if (legacy_ == s) name = Name::legacy;
          if (per_thread_ == s) name = Name::per_thread;
          if (name == Name::none) {  // of a destroyed stream: only the host can order that
            queue_.clear();
            add(Op::device_sync);
            break;
          }
          Call& record = add(Op::event_record);
          record.event = event;
          record.stream = name;
          Call& wait = add(Op::stream_wait_event);
          wait.event = event;
          wait.stream = target.name;
        }
        where = target.name;
      }
      Call& call = add(Op::free);
      call.pointer = to(block->name);
      call.stream = *where;
      return;
    }
    case Kind::free_sync:
      if (!proved(*block)) return;
      // By whichever of the calls the profile lets free it.
      add(o.b % 4 == 0 && served(setting_.profile.plain_free_of_pool) ? Op::plain_free : Op::free_sync).pointer =
          to(block->name);
      return;
    case Kind::plain_free: {
      const auto plain = std::ranges::find(live_, Name::none, &Block::pool);
      if (plain == live_.end()) return;
      const auto where = usable_stream(*plain, o.c, true);
      if (o.b % 2 == 0 && where && served(setting_.profile.async_free_of_plain)) {
        Call& call = add(Op::free);
        call.pointer = to(plain->name);
        call.stream = *where;
      } else if (proved(*plain)) {
        add(o.b % 3 == 0 && served(setting_.profile.sync_free_of_plain) ? Op::free_sync : Op::plain_free).pointer =
            to(plain->name);
      }
      return;
    }
    case Kind::fill:
    case Kind::check:
    case Kind::launch: {
      const auto where = usable_stream(*block, o.b, false);
      if (!where) return;
      if (o.kind == Kind::launch) {
        Call& call = add(Op::launch);
        call.stream = *where;
        call.pointers.push_back(to(block->name));
        return;
      }
      const std::uint64_t bytes = std::min<std::uint64_t>(block->size, 512);
      const std::uint64_t offset = o.c % 4 == 0 ? (block->size - bytes) / 256 * 256 : 0;
      Call& call = add(o.kind == Kind::fill ? Op::fill : Op::check);
      call.stream = *where;
      call.pointer = to(block->name, offset);
      call.size = bytes;
      call.byte = o.kind == Kind::fill ? static_cast<std::uint8_t>(1 + o.c % 200) : block->byte;
      return;
    }
    default:
      return;
  }
}

// The gate that the call may wait for. A dependency that a runtime inserts for a reuse may reach further than the judge
// can tell: to another free, where free memory of several streams was merged, and to all that the freeing stream has
// been given since. So every malloc counts as if it waited for each stream with an unproved free of its pool.
Name Writer::holder(const model::Judge& judge, const Call& call) const {
  const auto& waits = setting_.profile.stream_destroy_waits;
  if (call.op == Op::stream_destroy && waits.binds() && !waits.value) return Name::none;
  if (const Name gate = judge.held_by(call); gate != Name::none || !timeline_.any_hold()) return gate;
  model::Cut cut;
  switch (call.op) {
    case Op::event_sync: {
      const model::Event event = std::ranges::find(events_, call.event, &EventRow::name)->id;
      cut = timeline_.of_event(event).runtime;
      if (const model::Cut* lenient = timeline_.lenient_captured(event)) cut.join(*lenient);
      break;
    }
    case Op::stream_sync:
    case Op::stream_destroy:
    case Op::check: {
      // The item of a check is still to be submitted, and on a stream that takes part in the order of default streams
      // it will come after others too; and a sync of legacy may wait for all.
      const auto row = std::ranges::find(streams_, call.stream, &StreamRow::name);
      const bool alone =
          row != streams_.end() && (call.op != Op::check || timeline_.role(row->id) == model::StreamRole::nonblocking);
      cut = alone ? timeline_.runtime_reach(row->id) : timeline_.of_device(0).runtime;
      if (const model::Cut* lenient = alone ? timeline_.lenient_reach(row->id) : nullptr) cut.join(*lenient);
      break;
    }
    case Op::device_sync:
    case Op::free_sync:
    case Op::plain_free:
    case Op::plain_malloc:
      cut = timeline_.of_device(0).runtime;
      break;
    default:
      return Name::none;
  }
  const auto gate = timeline_.holder(cut);
  return gate ? timeline_.name(*gate) : Name::none;
}

// What happened
// ---------------------------------------------------------------------------------------------------------------

std::optional<history::Line> Writer::next(const model::Judge& judge) {
  history::Line line;
  const auto aside = [&](history::LineKind kind) {
    line.kind = kind;
    line.thread = names_.intern_thread("t1");
    line.id = names_.intern_id("c");
    line.call = queue_[*overlapped_];
    return line;
  };
  if (next_ >= queue_.size()) {
    if (!overlapped_) return std::nullopt;
    aside(history::LineKind::call_return);
    overlapped_.reset();
    return line;
  }
  if (overlapped_ == next_) {
    ++next_;
    return aside(history::LineKind::call_begin);
  }
  const auto open = [&](Name gate) {
    line.call.op = Op::gate_open;
    line.call.gate = gate;
    return line;
  };
  if (const Name gate = holder(judge, queue_[next_]); gate != Name::none) return open(gate);
  if (!gates_.empty() && judge.items_behind_gates() >= most_behind_gates) return open(gates_.front().name);
  line.call = queue_[next_++];
  return line;
}

}  // namespace streampool::generate
